// Gives the demo's SIMs the past that they have at the emulated operator. Every change and every day's use goes through the functions that serve
// requests, synchronisation and metering, with the time at which it happened. A start that is killed goes on where the one before was.

import { createHash } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import type { Author } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { judgeRequest, planStep } from '../../sims/actions/plan-step.ts'
import { settleDone } from '../../sims/actions/settle-action.ts'
import { insertAction } from '../../sims/actions/sim-actions.sql.ts'
import { applyOperatorSim } from '../../sims/apply-operator-sim.ts'
import { updateSim } from '../../sims/change-sim.ts'
import type { OperatorConnection } from '../../sims/connections/connection.ts'
import { connectionCaps } from '../../sims/connections/connection-caps.ts'
import { iccidKey } from '../../sims/iccid.ts'
import type { OperatorCaps, OperatorSim, SimStatus } from '../../sims/operators/operator.ts'
import { recordUsages } from '../../sims/record-usage.ts'
import type { Sim } from '../../sims/sim.ts'
import type { SimActionKind } from '../../sims/sim-states.ts'
import { selectSimForUpdate } from '../../sims/sims.sql.ts'

export type Past = {
  readonly database: Database
  readonly connection: OperatorConnection
  /** Who asked for what was asked for. */
  readonly asker: Omit<Author, 'at'>
  readonly now: Date
  readonly signal: AbortSignal
}

/** Where a SIM has been since shortly before it was activated. */
export type Place = { readonly subClientId: string; readonly deviceId: string | undefined }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Between the operator's delivery of a SIM and its activation. */
const IN_STOCK_MS = 10 * DAY_MS
const GRACE_MS = 5 * DAY_MS
/** A day's use is seen at this time of UTC, before the day ends in the zone of either operator. */
const SEEN_AT_MS = 18 * HOUR_MS

/** Of a SIM as the emulator shows it, what is read here. */
export type EmulatedSim = {
  readonly iccid: string
  readonly imsi: string
  readonly msisdn: string
  readonly imei: string | null
  readonly state: EmulatedState
  readonly ratePlan: string
  readonly communicationPlan: string
  readonly updatedMs: number
  readonly current: Counted
  readonly previous: Counted | null
  readonly history: readonly { readonly field: string; readonly prior: string; readonly value: string; readonly atMs: number }[]
}
type EmulatedState = 'inventory' | 'test' | 'active' | 'suspended' | 'custody' | 'disconnecting' | 'terminated'
type Counted = { readonly startMs: number; readonly bytes: number }

type Event =
  | { readonly atMs: number; readonly kind: 'delivered' }
  | { readonly atMs: number; readonly kind: 'placed'; readonly place: Place }
  | { readonly atMs: number; readonly kind: 'moved'; readonly to: EmulatedState }
  | { readonly atMs: number; readonly kind: 'used'; readonly cycleStartMs: number; readonly bytes: number }

const statuses: Readonly<Record<EmulatedState, SimStatus>> = {
  ...{ inventory: 'inventory', test: 'test', active: 'active', suspended: 'suspended' },
  ...{ custody: 'safe_custody', disconnecting: 'terminating', terminated: 'terminated' },
}
const requests: Readonly<Partial<Record<EmulatedState, { readonly kind: SimActionKind; readonly reason?: string }>>> = {
  test: { kind: 'activate_test' },
  active: { kind: 'activate' },
  suspended: { kind: 'suspend', reason: 'Vehicle in the workshop' },
  custody: { kind: 'safe_custody', reason: 'Vehicle laid up for the season' },
  disconnecting: { kind: 'terminate', reason: 'Vehicle sold' },
}

export async function replaySim(past: Past, sim: EmulatedSim, place: Place | undefined): Promise<void> {
  const { database, connection } = past
  const known = await findSim(database.tenantPool(connection.resellerId), past, sim)
  const doneMs = Math.max(known?.updatedAt.getTime() ?? 0, known?.usageAt?.getTime() ?? 0)
  const events = eventsOf(sim, place, past.now.getTime()).filter(({ atMs }) => atMs > doneMs)
  for (let next = 0; next < events.length; ) {
    past.signal.throwIfAborted()
    next += await replay(past, sim, events.slice(next))
  }
}

/** Returns how many of the events were replayed: all use up to the next change goes in one transaction. */
async function replay(past: Past, emulated: EmulatedSim, events: readonly Event[]): Promise<number> {
  const { database, connection } = past
  const [event] = events
  if (event === undefined) return 0
  if (event.kind === 'placed') {
    await place(past, emulated, event.place, new Date(event.atMs))
    return 1
  }
  const end = events.findIndex(({ kind }) => kind !== 'used')
  const used = events.slice(0, end === -1 ? events.length : end)
  return await database.tenant(connection.resellerId, async (db) => {
    if (event.kind === 'delivered') return await see(db, past, emulated, 'inventory', event.atMs)
    const held = await findSim(db, past, emulated)
    if (held === undefined) throw new Error(`SIM ${emulated.iccid} is not known`)
    if (event.kind === 'moved') return await move(db, past, { emulated, held, to: event.to, atMs: event.atMs })
    let sim = held
    for (const each of used) {
      if (each.kind !== 'used') continue
      const usages = [usageOf(connection, emulated, each)]
      const [recorded] = await recordUsages(db, connection.resellerId, [{ sim, usages }], new Date(each.atMs))
      sim = recorded?.sim ?? sim
    }
    return used.length
  })
}

async function findSim(db: Db, { connection: { resellerId } }: Past, { iccid }: EmulatedSim): Promise<Sim | undefined> {
  return await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, { iccidKey: iccidKey(iccid) ?? '' })
}

async function place({ database, connection, asker }: Past, { iccid }: EmulatedSim, where: Place, at: Date): Promise<void> {
  const caller: Caller = { resellerId: connection.resellerId, keyId: asker.id, scopes: new Set(['*']), subClientPin: undefined }
  const { subClientId, deviceId } = where
  const put = (given: { device_id?: string }) =>
    updateSim(database, caller, iccid, { sub_client_id: subClientId, ...given }, { ...asker, at })
  try {
    await put(deviceId === undefined ? {} : { device_id: deviceId })
  } catch (error) {
    // Somebody put the device elsewhere, or another SIM into it.
    if (!(error instanceof Problem) || deviceId === undefined) throw error
    await put({})
  }
}

type Move = { readonly emulated: EmulatedSim; readonly held: Sim; readonly to: EmulatedState; readonly atMs: number }

/** As somebody asked for it, where one can ask this operator for it; else as the operator reported it. */
async function move(db: Db, past: Past, { emulated, held, to, atMs }: Move): Promise<number> {
  const { connection } = past
  const request = requests[to]
  const caps = connectionCaps(connection)
  const judged = request === undefined ? undefined : judgeRequest(held, request.kind, caps)
  if (request === undefined || judged?.verdict !== 'move') return await see(db, past, emulated, to, atMs)
  const action = actionOf(past, held, { ...request, to: judged.to, at: new Date(atMs) }, caps)
  await insertAction(db, action)
  await settleDone(db, held, action, connection, new Date(atMs))
  return 1
}

type Request = { readonly kind: SimActionKind; readonly reason?: string | undefined; readonly to: SimStatus; readonly at: Date }

function actionOf({ connection, asker }: Past, sim: Sim, { kind, reason, to, at }: Request, caps: OperatorCaps) {
  const step = planStep(sim, kind, to, caps)
  const custodyUntil = kind === 'safe_custody' ? new Date(at.getTime() + connection.custodyMaxDays * DAY_MS) : undefined
  return {
    ...{ resellerId: sim.resellerId, actionId: newId('sac'), simId: sim.simId, connectionId: sim.connectionId },
    ...{ subClientId: sim.subClientId, kind, statusFrom: sim.status, statusTo: to, state: 'intended' as const },
    ...{ operatorAction: step?.action, operatorFrom: step?.from, operatorPlan: step?.plan, custodyUntil, reason, holdInvoiceId: undefined },
    ...{ source: 'request' as const, actorType: asker.type, actorId: asker.id, requestedAt: at },
    ...{ job: undefined, otherJobs: [], sendCount: 0, lookCount: 0, error: undefined, sentAt: undefined, settledAt: undefined },
  }
}

async function see(db: Db, { connection }: Past, emulated: EmulatedSim, state: EmulatedState, atMs: number): Promise<number> {
  const at = new Date(atMs)
  const caps = connectionCaps(connection)
  await applyOperatorSim(db, { connection, caps, seen: seenSim(emulated, state, at), askedAt: at, at })
  return 1
}

function seenSim(sim: EmulatedSim, state: EmulatedState, at: Date): OperatorSim {
  const firstPlan = sim.history.find(({ field }) => field === 'Rate Plan')?.prior ?? sim.ratePlan
  return {
    ...{ iccid: sim.iccid, imsi: sim.imsi, msisdn: sim.msisdn, eid: undefined, imei: sim.imei ?? undefined },
    ...{ operatorStatus: state, status: statuses[state], isChanging: false },
    ...{ ratePlan: state === 'inventory' ? firstPlan : undefined, communicationPlan: sim.communicationPlan },
    ...{ apn: undefined, ipAddress: undefined, activatedAt: undefined, modifiedAt: at },
  }
}

function eventsOf(sim: EmulatedSim, where: Place | undefined, nowMs: number): Event[] {
  const moves = sim.history
    .filter(({ field }) => field === 'SIM Status')
    .flatMap(({ value, atMs }): Extract<Event, { kind: 'moved' }>[] => {
      const to = value as EmulatedState
      // The grace that comes before the end.
      const grace = to === 'terminated' ? [{ kind: 'moved' as const, to: 'disconnecting' as const, atMs: atMs - GRACE_MS }] : []
      return [...grace, { kind: 'moved', to, atMs }]
    })
  const firstMs = moves[0]?.atMs ?? sim.updatedMs
  const used = [sim.previous, sim.current].flatMap((counted) => (counted === null ? [] : useOf(sim, counted, nowMs)))
  const events: Event[] = [
    { kind: 'delivered', atMs: firstMs - IN_STOCK_MS },
    ...(where === undefined ? [] : [{ kind: 'placed' as const, place: where, atMs: firstMs - HOUR_MS }]),
    ...moves,
    ...used,
  ]
  return events.sort((one, other) => one.atMs - other.atMs)
}

/** What was counted of a cycle, spread over the days on which the SIM was on; cumulative. */
function useOf({ iccid, history }: EmulatedSim, { startMs, bytes }: Counted, nowMs: number): Event[] {
  const start = new Date(startMs)
  const endMs = Math.min(nowMs, Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
  const moves = history.filter(({ field }) => field === 'SIM Status')
  const isOnAt = (atMs: number) => ['active', 'test'].includes(moves.findLast((each) => each.atMs <= atMs)?.value ?? '')
  const days: { atMs: number; weight: number }[] = []
  for (let dayMs = startMs; dayMs < endMs; dayMs += DAY_MS) {
    const atMs = Math.min(dayMs + SEEN_AT_MS, endMs)
    const share = Math.min(1, (endMs - dayMs) / DAY_MS)
    if (isOnAt(atMs)) days.push({ atMs, weight: share * (1 + chance(`${iccid} ${dayMs}`)) })
  }
  const total = days.reduce((sum, { weight }) => sum + weight, 0)
  let seen = 0
  return days.map(({ atMs, weight }) => {
    seen += weight
    return { kind: 'used', atMs, cycleStartMs: startMs, bytes: Math.round((bytes * seen) / total) }
  })
}

/** From 0 to 1, the same for the same text. */
function chance(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

function usageOf({ settings }: OperatorConnection, { iccid }: EmulatedSim, used: Extract<Event, { kind: 'used' }>) {
  const label = new Date(used.cycleStartMs).toISOString().slice(0, 7)
  // Where the adapter has it: its cycles are months of the connection's zone.
  const { fromMs, untilMs } = monthOfLabel(String(settings['timeZone']), label)
  const cycle = { cycleStart: new Date(fromMs), cycleEnd: new Date(untilMs) }
  return { iccid, ...cycle, dataBytes: used.bytes, resolutionBytes: 1, smsCount: undefined, sessionCount: undefined }
}
