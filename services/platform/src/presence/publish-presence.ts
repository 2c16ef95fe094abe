// A round: finds the devices of which something may have changed, judges them, and publishes those that came or went. Any number of processes
// may run rounds at once: a device is locked by the one that looks at it, and the event is stored in the transaction that notes it as published.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Reach } from '../cluster/reach.ts'
import type { NewEvent } from '../events/event.ts'
import { writeEvents } from '../events/outbox.ts'
import { awaitDevicesAcrossResellers, clearWokenAcrossResellers, selectWokenDevicesAcrossResellers } from '../readings/wakes.sql.ts'
import { type DeviceClocks, holdLivingDevicesAcrossResellers, type NamedDevice, selectClocksAcrossResellers } from './clocks.read.sql.ts'
import { judgePresence, type PresenceLimits, type Verdict } from './judge-presence.ts'
import {
  type DuePresence,
  deletePresenceAcrossResellers,
  markDueAcrossResellers,
  postponeDueAcrossResellers,
  selectDueAcrossResellers,
  takeDueAcrossResellers,
  updatePresenceAcrossResellers,
} from './presence.sql.ts'

/** Bounds what one transaction holds, and how many events it publishes. */
const DEVICES_PER_ROUND = 1_000
/** Fewer, because ingest waits for the rows that this locks. */
const WAKES_PER_ROUND = 250
/** A device that is being changed at this moment is looked at again after this. */
const AGAIN_AFTER_MS = 1_000
/** A device of a node that is away, after this: twice as long as the node is left alone (`reach.ts`). */
const WAIT_FOR_NODE_MS = 10_000

export type PublishDeps = {
  readonly database: Database
  readonly limits: PresenceLimits
  /** While a node of a cluster is away: devices whose own readings are on the others are looked at. */
  readonly reach?: Reach | undefined
}

/**
 * One round at `now`; answers whether there was more than it may take. `canJudgeSilence` is whether devices have had all their time to be heard:
 * else those that are online are left to later rounds, or to processes that have listened for longer.
 */
export async function publishPresence(deps: PublishDeps, canJudgeSilence: boolean, now: Date): Promise<boolean> {
  const { database, reach } = deps
  const wokenCount = await database.system((db) => noteWokenAcrossResellers(db, now, reach))
  const dueCounts: number[] = []
  for (const isOnline of canJudgeSilence ? [false, true] : [false]) dueCounts.push(await judgeDueAcrossResellers(deps, isOnline, now))
  return wokenCount === WAKES_PER_ROUND || dueCounts.includes(DEVICES_PER_ROUND)
}

/** Here and below what is kept of a device is locked before what it reported, or two processes could wait for each other. */
async function noteWokenAcrossResellers(db: Db, now: Date, reach: Reach | undefined): Promise<number> {
  const woken = await selectWokenDevicesAcrossResellers(db, WAKES_PER_ROUND, reach)
  if (woken.length === 0) return 0
  await markDueAcrossResellers(db, woken, now)
  await clearWokenAcrossResellers(db, woken)
  return woken.length
}

type Clocked = DuePresence & { readonly clocks: DeviceClocks | undefined }
type Judged = DuePresence & { readonly clocks: DeviceClocks; readonly verdict: Verdict }

/** Clocks are read before anything is locked: a node of a cluster that hangs would keep the locks, and connections of devices could not be noted. */
async function judgeDueAcrossResellers({ database, limits, reach }: PublishDeps, isOnline: boolean, now: Date): Promise<number> {
  const all = await selectDueAcrossResellers(database.systemPool, isOnline, now, DEVICES_PER_ROUND)
  const [due, waiting] = splitBy(all, ({ deviceId }) => reach?.hasSource(deviceId) !== false)
  if (waiting.length > 0) {
    // Behind those that can be looked at.
    await database.system((db) => postponeDueAcrossResellers(db, waiting, new Date(now.getTime() + WAIT_FOR_NODE_MS)))
  }
  if (due.length > 0) {
    const clocks = await selectClocksAcrossResellers(database.systemPool, due, now)
    const clocked = due.map((device, nth): Clocked => ({ ...device, clocks: clocks[nth] }))
    await database.system((db) => publishClockedAcrossResellers(db, clocked, now, limits))
  }
  return all.length
}

async function publishClockedAcrossResellers(db: Db, clocked: readonly Clocked[], now: Date, limits: PresenceLimits): Promise<void> {
  const due = await takeDueAcrossResellers(db, clocked)
  if (due.length === 0) return
  const judged = due.flatMap(({ clocks, ...device }): Judged[] =>
    clocks === undefined ? [] : [{ ...device, clocks, verdict: judgePresence({ ...device, ...clocks }, now, limits) }],
  )
  const gone = due.filter(({ clocks }) => clocks === undefined)
  if (gone.length > 0) await deletePresenceAcrossResellers(db, gone)
  const settled = await publishChanges(db, judged, now)
  await updatePresenceAcrossResellers(db, settled)
  // Last, because ingest waits for the rows that this locks. Whoever is offline is looked at again when it reports again.
  const silent = settled.filter(({ verdict }) => !verdict.isOnline)
  if (silent.length > 0) {
    await awaitDevicesAcrossResellers(
      db,
      silent.map(({ deviceId, clocks: { lastSeenAt } }) => ({ deviceId, lastSeenAt })),
    )
  }
}

function splitBy<T>(all: readonly T[], isOfFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isOfFirst), all.filter((each) => !isOfFirst(each))]
}

/** Publishes what changed, and returns what is to be stored of all of them. */
async function publishChanges(db: Db, judged: readonly Judged[], now: Date): Promise<Judged[]> {
  const changed = judged.filter(({ verdict }) => verdict.reason !== undefined)
  const named: ReadonlyMap<string, NamedDevice> = changed.length === 0 ? new Map() : await holdLivingDevicesAcrossResellers(db, changed)
  const events: NewEvent[] = []
  const settled = judged.map((device): Judged => {
    const { verdict, changedAt, isOnline } = device
    if (verdict.reason === undefined) return device
    const name = named.get(device.deviceId)
    if (name === undefined) return { ...device, verdict: { isOnline, lookAt: new Date(now.getTime() + AGAIN_AFTER_MS) } }
    // Receivers go by the time of an event, and processes by clocks of their own.
    const at = changedAt === undefined || changedAt < now ? now : new Date(changedAt.getTime() + 1)
    events.push(...toEvents(device, name, at))
    return { ...device, changedAt: at }
  })
  await writeEvents(db, events)
  return settled
}

function toEvents({ resellerId, deviceId, disconnectedAt, clocks, verdict }: Judged, named: NamedDevice, occurredAt: Date): NewEvent[] {
  const { imei, name, subClientId, vehicleId } = named
  const about = { deviceId, imei: imei ?? null, name: name ?? null, vehicleId: vehicleId ?? null }
  const lastSeenAt = clocks.lastSeenAt?.toISOString() ?? null
  if (verdict.reason === undefined) return []
  if (verdict.isOnline) {
    const change = {
      ...about,
      online: true,
      reason: verdict.reason,
      lastSeenAt,
      connectedAt: clocks.connectedAt?.toISOString() ?? null,
    } as const
    return [{ resellerId, type: 'device.online', data: change, subClientId, occurredAt }]
  }
  const change = {
    ...about,
    online: false,
    reason: verdict.reason,
    lastSeenAt,
    disconnectedAt: disconnectedAt?.toISOString() ?? null,
  } as const
  return [{ resellerId, type: 'device.offline', data: change, subClientId, occurredAt }]
}
