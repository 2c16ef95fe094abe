// One record as a receiver hands it on → a reading that can be stored, or why it is refused. Nothing is stored here, so readings of now and of before are judged alike.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { andThen, type MaybePromise } from '@roadworthy/service-kit/pacing/maybe-promise'
import { misspeltName } from '@roadworthy/service-kit/text/closest-name'
import { createReading, type Reading, type ReadingContent } from '../readings/reading.ts'
import type { FieldWarning, Inbound, UnreadKeys } from './inbound.ts'
import { type Normalized, normalize, type TimeWindow } from './normalize.ts'
import type { FleetDirectory } from './resolve.ts'
import { type About, resolveAbout } from './resolve-about.ts'

export type JudgeDeps = { readonly directory: FleetDirectory; readonly window: TimeWindow }

/** A reading that can be stored, with what to warn its sender of. */
export type Judged = Reading & { readonly warnings?: readonly FieldWarning[] }

/** Synchronous when everything the record names is in memory. */
export function judgeRecord(deps: JudgeDeps, inbound: Inbound, receivedAt: Date): MaybePromise<Judged | Problem> {
  let normalized: Normalized
  try {
    normalized = normalize(inbound.record, receivedAt.getTime(), deps.window)
    assertNamesSomething(inbound, normalized)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return andThen(resolveAbout(deps.directory, inbound, normalized), (about) =>
    about instanceof Problem ? about : toReading(inbound, normalized, about, receivedAt),
  )
}

function assertNamesSomething(inbound: Inbound, { identity, content }: Normalized): void {
  if (inbound.senderDeviceId !== undefined) return
  if (inbound.kind === 'track') {
    if (identity.deviceId === undefined) throw missing('"device_id" is required', ['device_id'], content)
    if (content.position === undefined) {
      throw new Problem('invalid_request', 'A track point needs "latitude" and "longitude".', { details: { field: 'latitude' } })
    }
  } else if (identity.deviceId === undefined && identity.vehicleRef === undefined) {
    throw missing('"device_id" or "vehicle_id" is required', ['device_id', 'vehicle_id'], content)
  }
}

/** Other routes have other names for the same: `vehicleId` is that of `/api/v1/telemetry`. */
function missing(required: string, names: readonly string[], { attributes }: ReadingContent): Problem {
  const sent = Object.keys(attributes.extra ?? {}).find((key) => misspeltName(key, names) !== undefined)
  return new Problem('invalid_request', sent === undefined ? `${required}.` : `${required}; "${sent}" is not read as one.`, {
    details: { field: 'device_id' },
  })
}

function toReading(inbound: Inbound, normalized: Normalized, about: About, receivedAt: Date): Judged {
  const content = about.unusedVehicle === undefined ? normalized.content : withExtra(normalized.content, about.unusedVehicle.reference)
  const warnings = warningsOf(inbound, normalized, about)
  const reading = createReading(content, {
    kind: inbound.kind,
    resellerId: inbound.resellerId,
    sourceId: about.sourceId,
    deviceId: about.device?.deviceId,
    vehicleId: about.vehicleId,
    subClientId: about.subClientId,
    receivedAtMs: receivedAt.getTime(),
  })
  return warnings === undefined ? reading : { ...reading, warnings }
}

const NONE_UNREAD: UnreadKeys = { keys: [], unnamedCount: 0 }
const unknownVehicle: FieldWarning = { field: 'vehicle_id', kind: 'unknown vehicle' }
const retiredVehicle: FieldWarning = { field: 'vehicle_id', kind: 'retired vehicle' }

function warningsOf({ unread = NONE_UNREAD }: Inbound, { warnings }: Normalized, about: About): readonly FieldWarning[] | undefined {
  if (about.unusedVehicle === undefined && unread.keys.length === 0) return warnings
  const vehicle = about.unusedVehicle === undefined ? [] : [about.unusedVehicle.isRetired ? retiredVehicle : unknownVehicle]
  const more = unread.unnamedCount === 0 ? [] : [{ field: '*', kind: 'more', count: unread.unnamedCount } as const]
  return [...vehicle, ...(warnings ?? []), ...unread.keys.map((field) => ({ field, kind: 'unread' }) as const), ...more]
}

/** The reference of a vehicle that is not used is kept with what else is not known. */
function withExtra(content: ReadingContent, vehicleRef: string): ReadingContent {
  const { attributes } = content
  return { ...content, attributes: { ...attributes, extra: { ...attributes.extra, vehicle_id: vehicleRef } } }
}
