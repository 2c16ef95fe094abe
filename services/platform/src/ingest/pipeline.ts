// The one path every reading takes, whichever receiver it came through. Read it top to bottom:
// resolve who it is about → normalise and judge (pure) → take from the sub-client's limit → commit with others → one outcome per input.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { andThen, type MaybePromise } from '@roadworthy/service-kit/pacing/maybe-promise'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import type { MessageRecorder } from '../readings/message-recorder.ts'
import type { Reading } from '../readings/reading.ts'
import { readingId } from '../readings/reading-id.ts'
import type { StreamProgress } from '../streams/offsets.sql.ts'
import { ActiveDays } from './active-days.ts'
import type { GroupCommitLimits } from './group-commit.ts'
import type { BriefOutcome, Inbound, Ingest, IngestBriefly, IngestOptions, Outcome, Refused } from './inbound.ts'
import { type Judged, judgeRecord } from './judge-record.ts'
import type { TimeWindow } from './normalize.ts'
import { noteMessages } from './note-messages.ts'
import { admit, type ReadingQuota } from './reading-quota.ts'
import { createReadingStore } from './reading-store.ts'
import type { FleetDirectory } from './resolve.ts'
import type { Stored } from './store-group.ts'
import { WarnedFields } from './warned-fields.ts'

export type IngestDeps = {
  readonly database: Database
  readonly directory: FleetDirectory
  readonly now: () => Date
  readonly window: TimeWindow
  readonly quota: ReadingQuota
  readonly limits: GroupCommitLimits
  /** Absent where nobody looks at messages. */
  readonly recorder?: MessageRecorder
  readonly onUnstorable: (error: unknown, reading: Reading) => void
  readonly onUntraced?: ((error: unknown) => void) | undefined
}

export type IngestPipeline = {
  readonly ingest: Ingest
  readonly ingestBriefly: IngestBriefly
  readonly queuedCount: () => number
  /** The most readings that waited for their commit at one time, since this was asked last. */
  readonly takeMostQueued: () => number
  /** Resolves when everything accepted has been committed or rejected. */
  drain(): Promise<void>
}

export function createIngestPipeline(deps: IngestDeps): IngestPipeline {
  const commit = createReadingStore(deps)
  const activeDays = new ActiveDays()
  const reported = new WarnedFields()
  let mostQueued = 0

  // Not async: what waits for the commit must hold neither the records as they came nor the readings made of them.
  const ingestAs = <T extends BriefOutcome>(
    toOutcome: ToOutcome<T>,
    batch: readonly Inbound[],
    progress: readonly StreamProgress[] | undefined,
    options: IngestOptions,
  ): Promise<(T | Refused)[]> => {
    const prepared = prepareAll({ ...deps, activeDays }, batch, deps.now())
    return prepared instanceof Promise
      ? prepared.then((all) => store(toOutcome, batch, all, progress, options))
      : store(toOutcome, batch, prepared, progress, options)
  }

  // No function within may use the batch: what waits for the commit would hold the records.
  const store = <T extends BriefOutcome>(
    toOutcome: ToOutcome<T>,
    batch: readonly Inbound[],
    all: readonly Prepared[],
    progress: readonly StreamProgress[] | undefined,
    { byIndex = false, call }: IngestOptions,
  ): Promise<(T | Refused)[]> => {
    const { prepared, settle: settleQuota } = admit(deps.quota, all)
    const readings = prepared.filter((result): result is Reading => !(result instanceof Problem))
    const outcomes = prepared.map(toOutcome)
    const noteSettled = deps.recorder && noteMessages({ recorder: deps.recorder, reported }, batch, outcomes, deps.now().getTime())
    if (readings.length === 0) return call === undefined ? Promise.resolve(outcomes) : call.write().then(() => outcomes)
    const senders = distinctSenders(readings)
    const newlyActive = newlyActiveAmong(readings)
    const storing = commit.store({ readings, progress: readings.length === prepared.length ? progress : undefined, byIndex, call })
    mostQueued = Math.max(mostQueued, commit.queuedCount())
    return storing.then(
      async (stored) => {
        settleQuota(stored)
        for (const { nth, day, ...device } of newlyActive) if (stored[nth] === 'stored') activeDays.remember(device, day)
        await activatePending(deps.directory, senders)
        const settled = settle(outcomes, stored)
        noteSettled?.(settled)
        return settled
      },
      (error: unknown) => {
        settleQuota(undefined)
        throw error
      },
    )
  }

  const takeMostQueued = () => {
    const most = mostQueued
    mostQueued = commit.queuedCount()
    return most
  }
  const ingest: Ingest = (batch, progress, options = {}) => ingestAs(toOutcome, batch, progress, options)
  return {
    ingest,
    // Who looks at messages is shown their ids.
    ingestBriefly: (batch, progress) =>
      deps.recorder?.isRecording === true ? ingest(batch, progress) : ingestAs<BriefOutcome>(toBriefOutcome, batch, progress, {}),
    queuedCount: commit.queuedCount,
    takeMostQueued,
    drain: commit.drain,
  }
}

type PrepareDeps = Pick<IngestDeps, 'directory' | 'window'> & { readonly activeDays: ActiveDays }

/** A reading that can be stored, or why the record is refused. */
type Prepared = Judged | Problem

/** Synchronous when everything the records name is in memory, which is nearly always. */
function prepareAll(deps: PrepareDeps, batch: readonly Inbound[], now: Date): MaybePromise<Prepared[]> {
  const prepared = batch.map((inbound) => {
    const each = prepare(deps, inbound, now)
    // Of one that throws at once, nobody waits for those before it.
    if (each instanceof Promise) each.catch(() => undefined)
    return each
  })
  return prepared.some((result) => result instanceof Promise) ? Promise.all(prepared) : (prepared as Prepared[])
}

function prepare(deps: PrepareDeps, inbound: Inbound, now: Date): MaybePromise<Prepared> {
  return andThen(judgeRecord(deps, inbound, inbound.receivedAt ?? now), (judged) =>
    judged instanceof Problem ? judged : withActiveDay(deps, judged),
  )
}

/** Adds the day with which a reading may make its device active. */
function withActiveDay({ directory, activeDays }: PrepareDeps, reading: Judged): MaybePromise<Judged> {
  const { resellerId, receivedAtMs } = reading
  if (activeDays.isKnown(reading, receivedAtMs)) return reading
  return andThen(directory.findTimeZone(resellerId), (timeZone) => {
    if (timeZone === undefined) throw new Error(`there is no reseller ${resellerId}`)
    return { ...reading, activeDay: activeDays.dayOf(timeZone, receivedAtMs) }
  })
}

type ToOutcome<T extends BriefOutcome> = (prepared: Prepared) => T

const STORED: BriefOutcome = { status: 'stored' }

function toBriefOutcome(prepared: Prepared): BriefOutcome {
  if (prepared instanceof Problem) return { status: 'refused', problem: prepared }
  return prepared.warnings === undefined ? STORED : { status: 'stored', warnings: prepared.warnings }
}

/** What the caller gets when the store takes the reading. */
function toOutcome(prepared: Prepared): Outcome {
  if (prepared instanceof Problem) return { status: 'refused', problem: prepared }
  const { deviceId, vehicleId, subClientId, receivedAtMs, warnings } = prepared
  const accepted = { status: 'stored', readingId: readingId(prepared), deviceId, vehicleId, subClientId, receivedAtMs } as const
  return warnings === undefined ? accepted : { ...accepted, warnings }
}

const HELD = 'What is kept of this device is being changed at this moment; send the record again.'

/** Corrects the outcomes by the answers of the store for those that were handed to it. */
function settle<T extends BriefOutcome>(outcomes: readonly T[], stored: readonly Stored[]): (T | Refused)[] {
  let next = 0
  return outcomes.map((outcome) => {
    if (outcome.status === 'refused') return outcome
    const said = stored[next++]
    if (said === 'stored') return outcome
    if (said === 'duplicate') return { ...outcome, status: 'duplicate' as const }
    if (said === 'held') return { status: 'refused' as const, problem: new Problem('unavailable', HELD, { retryAfterS: 1 }) }
    return { status: 'refused' as const, problem: new Problem('invalid_request', 'The reading holds a value that cannot be stored.') }
  })
}

type NewlyActive = Pick<Reading, 'resellerId' | 'subClientId' | 'deviceId'> & { readonly nth: number; readonly day: Period }

/** Nearly always none. */
function newlyActiveAmong(readings: readonly Reading[]): NewlyActive[] {
  return readings.flatMap(({ resellerId, subClientId, deviceId, activeDay: day }, nth) =>
    day === undefined ? [] : [{ resellerId, subClientId, deviceId, nth, day }],
  )
}

type Sender = { readonly resellerId: string; readonly deviceId: string }

function distinctSenders(readings: readonly Reading[]): Sender[] {
  const senders = new Map<string, Sender>()
  let last: string | undefined
  for (const { resellerId, deviceId } of readings) {
    // Batches come from one device, or a few: looking at the one before saves nearly every look.
    if (deviceId === undefined || deviceId === last) continue
    last = deviceId
    senders.set(deviceId, { resellerId, deviceId })
  }
  return [...senders.values()]
}

/** Spec gap §3: a pre-provisioned device becomes active with its first authenticated message. */
async function activatePending(directory: FleetDirectory, senders: readonly Sender[]): Promise<void> {
  const pending: (Sender & { imei: string | undefined })[] = []
  for (const { resellerId, deviceId } of senders) {
    const found = directory.findDevice(resellerId, deviceId)
    const device = found instanceof Promise ? await found : found
    if (device?.status === 'pending') pending.push({ resellerId, deviceId, imei: device.imei })
  }
  if (pending.length > 0) await directory.activateDevices(pending)
}
