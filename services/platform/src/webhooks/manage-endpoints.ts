// What people and programs do with endpoints. Those of another reseller, or outside the caller's sub-client, do not exist.

import type { CreateWebhookRequest, WebhookChange } from '@roadworthy/contracts/platform-v1/webhooks'
import { type EventType, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type AuditEntry, type AuditedFields, type Author, writeAudit } from '../audit/audit.ts'
import { readableTypes, requireReadable, unreadableTypes } from '../events/event-scopes.ts'
import { writeEvents } from '../events/outbox.ts'
import { requireWritableSubClient } from '../fleet/sub-client-access.ts'
import type { Caller } from '../keys/caller.ts'
import { subClientForWrite } from '../keys/pins.ts'
import { insertDeliveriesAcrossResellers, selectPendingTypes, updatePendingDue } from './deliveries.sql.ts'
import { checkHeaders, type Endpoint, healthy, isEndpointId, noSuchEndpoint, toEventTypes } from './endpoint.ts'
import {
  insertEndpoint,
  lockEndpointCount,
  markEndpointDeleted,
  type SealedEndpoint,
  selectEndpoint,
  selectEndpointForUpdate,
  updateEndpoint,
} from './endpoints.sql.ts'
import { sampleBody } from './sample-event.ts'
import { openSecrets, sealHeaders, sealSecrets } from './secrets.ts'
import { newSigningSecret, validSecrets } from './signing.ts'
import type { TargetGuard } from './target-guard.ts'

export type ManageDeps = {
  readonly database: Database
  readonly sealer: Sealer
  readonly guard: TargetGuard
  readonly now: () => Date
}

const MAX_ENDPOINTS = 1_000
/** Both secrets sign for this long after a rotation (Spec gap §6.1). */
export const SECRET_OVERLAP_MS = 24 * 3_600_000
/** Each adds a signature to every message. */
const MAX_SECRETS = 5
const RESOLVE_MS = 4_000
const ROWS_PER_UPDATE = 5_000

/** Answers the endpoint and its secret, which cannot be had again. */
export async function createEndpoint(
  { database, sealer, guard }: ManageDeps,
  caller: Caller,
  given: CreateWebhookRequest,
  author: Author,
): Promise<{ secret: string; endpoint: Endpoint }> {
  const { resellerId } = caller
  const headers = given.headers ?? {}
  checkHeaders(headers)
  const types = grantedTypes(caller, toEventTypes(given.eventTypes))
  const url = await checkUrl(guard, given.url)
  const subClientId = subClientForWrite(caller, given.subClientId)
  const { at } = author
  const secret = newSigningSecret()
  const endpointId = newId('whe')
  const place = { resellerId, endpointId }
  const endpoint: SealedEndpoint = {
    endpointId,
    url,
    description: given.description ?? '',
    eventTypes: types,
    subClientId,
    headerNames: Object.keys(headers),
    status: 'enabled',
    disabledReason: undefined,
    health: healthy,
    lastSuccessAt: undefined,
    previousSecretExpiresAt: undefined,
    createdAt: at,
    updatedAt: at,
    headersSealed: sealHeaders(sealer, place, headers),
    secretsSealed: sealSecrets(sealer, place, [{ secret, expiresAt: null }]),
  }
  await database.tenant(resellerId, async (db) => {
    if (subClientId !== undefined) await requireWritableSubClient(db, caller, subClientId)
    if ((await lockEndpointCount(db, resellerId)) >= MAX_ENDPOINTS) {
      throw new Problem('conflict', `There are ${MAX_ENDPOINTS} webhooks already, which is the most; delete one first.`, {
        details: { limit: MAX_ENDPOINTS },
      })
    }
    await insertEndpoint(db, resellerId, endpoint)
    await writeAudit(db, author, { action: 'webhook.created', objectId: endpointId, subClientId, after: auditedEndpoint(endpoint) })
  })
  return { secret, endpoint }
}

/**
 * What an endpoint may be sent that the caller aims somewhere: types that the caller may read as well. Every type, also those added one day,
 * is for callers who may read all; for others it is those of today that they may read.
 */
function grantedTypes(caller: Caller, asked: readonly EventType[] | undefined): readonly EventType[] | undefined {
  if (asked !== undefined) {
    requireReadable(caller, asked)
    return asked
  }
  const readable = readableTypes(caller, undefined)
  return readable.length === eventTypes.length ? undefined : readable
}

/** Refuses what may not be called. A name about which nobody could be asked is taken: it is looked at again at every attempt. */
async function checkUrl(guard: TargetGuard, text: string): Promise<string> {
  const refuse = (message: string) => new Problem('invalid_request', message, { details: { field: 'url' } })
  try {
    const url = guard.readUrl(text)
    await guard.addressesOf(url, AbortSignal.timeout(RESOLVE_MS))
    return url.href
  } catch (error) {
    if (error instanceof ForbiddenTargetError) throw refuse(error.message)
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') throw refuse(`The host of ${JSON.stringify(text)} has no address.`)
    return new URL(text).href
  }
}

/** Throws `not_found` for one that is not there, or not the caller's. */
export async function requireEndpoint(db: Db, caller: Caller, endpointId: string): Promise<Endpoint> {
  const endpoint = isEndpointId(endpointId) ? await selectEndpoint(db, caller, endpointId) : undefined
  if (endpoint === undefined) throw noSuchEndpoint()
  return endpoint
}

function auditedEndpoint({ url, description, eventTypes, subClientId, headerNames, status }: Endpoint): AuditedFields {
  return { url, description, eventTypes, subClientId, headerNames, status }
}

/** Changes an endpoint that nobody else changes meanwhile. `change` may throw, and then nothing is changed. */
async function changeInPlace(
  { database }: ManageDeps,
  caller: Caller,
  endpointId: string,
  { action, author }: { action: AuditEntry['action']; author: Author },
  change: (endpoint: SealedEndpoint, db: Db) => SealedEndpoint | Promise<SealedEndpoint>,
): Promise<Endpoint> {
  if (!isEndpointId(endpointId)) throw noSuchEndpoint()
  return await database.tenant(caller.resellerId, async (db) => {
    const endpoint = await selectEndpointForUpdate(db, caller, endpointId)
    if (endpoint === undefined) throw noSuchEndpoint()
    const changed = { ...(await change(endpoint, db)), updatedAt: author.at }
    await updateEndpoint(db, caller.resellerId, changed)
    const entry = { action, objectId: endpointId, subClientId: endpoint.subClientId }
    // Of a secret there is nothing to compare.
    const compared =
      changed.secretsSealed === endpoint.secretsSealed ? { before: auditedEndpoint(endpoint), after: auditedEndpoint(changed) } : {}
    await writeAudit(db, author, { ...entry, ...compared })
    return changed
  })
}

export async function changeEndpoint(
  deps: ManageDeps,
  caller: Caller,
  endpointId: string,
  given: WebhookChange,
  author: Author,
): Promise<Endpoint> {
  const { headers } = given
  if (headers !== undefined) checkHeaders(headers)
  const url = given.url === undefined ? undefined : await checkUrl(deps.guard, given.url)
  return await changeInPlace(deps, caller, endpointId, { action: 'webhook.updated', author }, async (endpoint, db) => {
    const types = given.eventTypes === undefined ? endpoint.eventTypes : grantedTypes(caller, toEventTypes(given.eventTypes))
    // Where it leads decides who reads what it is sent.
    if (url !== undefined || headers !== undefined) {
      requireReadable(caller, types ?? eventTypes)
      requireReadable(caller, await selectPendingTypes(db, { resellerId: caller.resellerId, endpointId }, unreadableTypes(caller)))
    }
    if (url !== undefined && headers === undefined) requireSameOrigin(endpoint, url)
    return {
      ...endpoint,
      url: url ?? endpoint.url,
      description: given.description ?? endpoint.description,
      eventTypes: types,
      ...(headers === undefined
        ? {}
        : {
            headerNames: Object.keys(headers),
            headersSealed: sealHeaders(deps.sealer, { resellerId: caller.resellerId, endpointId }, headers),
          }),
    }
  })
}

/**
 * Headers hold what the receiver at one origin asks for. Sent to another, they would show it to whoever runs that; so who moves an endpoint
 * there must know them. The signing secret stays: it is never sent, and a signature does not disclose it.
 */
function requireSameOrigin({ url, headerNames }: Endpoint, movedTo: string): void {
  const [before, after] = [new URL(url).origin, new URL(movedTo).origin]
  if (before === after || headerNames.length === 0) return
  const message = `The endpoint moves from ${before} to ${after}: send "headers" again, with the values of ${headerNames.join(', ')} that the new address is to get, or {} for none.`
  throw new Problem('invalid_request', message, { details: { in: 'body', field: 'headers', header_names: headerNames } })
}

/** From here on messages are signed with the new secret and, for a day, with those before it. */
export async function rotateSecret(
  deps: ManageDeps,
  caller: Caller,
  endpointId: string,
  author: Author,
): Promise<{ secret: string; endpoint: Endpoint }> {
  const { at } = author
  const secret = newSigningSecret()
  const place = { resellerId: caller.resellerId, endpointId }
  const endpoint = await changeInPlace(deps, caller, endpointId, { action: 'webhook.secret_rotated', author }, (before) => {
    const overlapEndsAt = new Date(at.getTime() + SECRET_OVERLAP_MS)
    const still = validSecrets(openSecrets(deps.sealer, place, before.secretsSealed), at)
    if (still.length >= MAX_SECRETS) {
      throw new Problem(
        'conflict',
        `The secret was rotated ${MAX_SECRETS - 1} times in 24 h, and the ones before it still sign; try later.`,
      )
    }
    const expiring = still.map((each) => ({ ...each, expiresAt: each.expiresAt ?? overlapEndsAt.toISOString() }))
    const secretsSealed = sealSecrets(deps.sealer, place, [{ secret, expiresAt: null }, ...expiring])
    return { ...before, secretsSealed, previousSecretExpiresAt: overlapEndsAt }
  })
  return { secret, endpoint }
}

/** Repeating it is fine. What happens meanwhile is kept. */
export async function pauseEndpoint(deps: ManageDeps, caller: Caller, endpointId: string, author: Author): Promise<Endpoint> {
  return await changeInPlace(deps, caller, endpointId, { action: 'webhook.paused', author }, (endpoint) => {
    if (endpoint.status === 'disabled') throw new Problem('conflict', 'The webhook is disabled: it is sent nothing that could be paused.')
    return { ...endpoint, status: 'paused' }
  })
}

/** Enables it with a clean slate, and makes due what was kept. Repeating it is fine. */
export async function resumeEndpoint(deps: ManageDeps, caller: Caller, endpointId: string, author: Author): Promise<Endpoint> {
  const endpoint = await changeInPlace(deps, caller, endpointId, { action: 'webhook.resumed', author }, (before) => {
    return before.status === 'enabled' ? before : { ...before, status: 'enabled', disabledReason: undefined, health: healthy }
  })
  const { resellerId } = caller
  const db = deps.database.tenantPool(resellerId)
  // By small statements, because it may be days of events. Whatever one of them does not reach is sent at its own time.
  while ((await updatePendingDue(db, { resellerId, endpointId }, endpoint.updatedAt, ROWS_PER_UPDATE)) === ROWS_PER_UPDATE);
  return endpoint
}

export async function deleteEndpoint({ database }: ManageDeps, caller: Caller, endpointId: string, author: Author): Promise<void> {
  await database.tenant(caller.resellerId, async (db) => {
    const endpoint = isEndpointId(endpointId) ? await selectEndpointForUpdate(db, caller, endpointId) : undefined
    if (endpoint === undefined) throw noSuchEndpoint()
    await markEndpointDeleted(db, caller.resellerId, endpointId, author.at)
    const { subClientId } = endpoint
    await writeAudit(db, author, { action: 'webhook.deleted', objectId: endpointId, subClientId, before: auditedEndpoint(endpoint) })
  })
}

/** Answers the id of the event that is sent. */
export async function sendTest(
  { database }: ManageDeps,
  caller: Caller,
  { endpointId, eventType }: { endpointId: string; eventType: EventType },
  author: Author,
): Promise<string> {
  return await database.tenant(caller.resellerId, async (db) => {
    const { status, subClientId } = await requireEndpoint(db, caller, endpointId)
    if (status !== 'enabled') throw new Problem('conflict', `The webhook is ${status}; resume it first.`)
    await writeAudit(db, author, { action: 'webhook.tested', objectId: endpointId, subClientId, after: { eventType } })
    const { resellerId } = caller
    if (eventType !== 'webhook.test') return await sendSample(db, { resellerId, endpointId, type: eventType, subClientId }, author.at)
    const test = { endpointId, message: 'This is a test. Nothing happened.' }
    const [eventId = ''] = await writeEvents(db, [{ resellerId, type: 'webhook.test', data: test, subClientId, occurredAt: author.at }])
    return eventId
  })
}

type Sample = { resellerId: string; endpointId: string; type: EventType; subClientId: string | undefined }

/** Not by the log: there, every other endpoint would be sent what did not happen. */
async function sendSample(db: Db, { resellerId, endpointId, type, subClientId }: Sample, at: Date): Promise<string> {
  const eventId = newId('evt')
  const event = { resellerId, position: 0, eventId, type, subClientId, body: sampleBody({ eventId, type, subClientId }, at) }
  await insertDeliveriesAcrossResellers(db, [{ endpointId, event }], { at, renew: false })
  return eventId
}
