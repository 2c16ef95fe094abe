// The routes by which tests and the demo look into the emulator and change what is in it. A real platform has nothing of the kind.

import type { Account } from './account.ts'
import type { AirtelTokens } from './airtel-wire.ts'
import type { CallLog } from './call-log.ts'
import { airtelConnection, ciscoConnection } from './connections.ts'
import type { Faults } from './faults.ts'
import type { Platform } from './platform.ts'
import { addSims, moveSim } from './seed-account.ts'
import { type EmulatedSim, noteChange, type SimState, simStates } from './sim.ts'
import { countUsage } from './usage.ts'
import { parseBody, type WireAnswer } from './wire.ts'

export type Admin = { readonly platform: Platform; readonly faults: Faults; readonly tokens: AirtelTokens; readonly calls: CallLog }

/** What `POST /_state` takes; all of it is optional. */
export type StatePatch = {
  /** Of whose SIMs it is; the first unless set. */
  readonly account?: number
  readonly clock?: { readonly set?: string; readonly advance_ms?: number }
  readonly add_sims?: { readonly count: number; readonly state?: SimState }
  readonly sims?: readonly SimPatch[]
  readonly revoke_tokens?: boolean
  /** Refuse calls beyond one at a time and five a second with 429. */
  readonly enforce_limits?: boolean
}

export type SimPatch = {
  readonly iccid: string
  readonly state?: SimState
  readonly rate_plan?: string
  readonly imei?: string
  /** Shown instead of the state's own word; null takes it away. */
  readonly word?: string | null
  readonly hidden?: boolean
  readonly add_bytes?: number
  /** Counters are shown so much behind. */
  readonly lag_bytes?: number
  readonly bytes_per_day?: number
}

const MAX_SIMS = 200_000

export function answerAdmin(admin: Admin, method: string, path: string, body: string): WireAnswer {
  const given = body === '' ? {} : parseBody(body)
  if (given === undefined) return refused('the body is not a JSON object')
  try {
    if (path === '/_faults') return answerFaults(admin.faults, method, given)
    if (path === '/_state') {
      if (method === 'POST') patchState(admin, given as StatePatch)
      return { status: 200, body: showState(admin) }
    }
    if (path === '/_connections') return { status: 200, body: showConnections(admin.platform) }
    return { status: 404, body: { error: 'there are /_state, /_connections and /_faults' } }
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

function refused(error: string): WireAnswer {
  return { status: 400, body: { error } }
}

function answerFaults(faults: Faults, method: string, given: Record<string, unknown>): WireAnswer {
  if (method === 'POST') faults.add(given)
  if (method === 'DELETE') faults.clear()
  return { status: 200, body: { faults: faults.list() } }
}

function showState({ platform, calls }: Admin) {
  const { nowMs, seed, accounts } = platform
  for (const sim of accounts.flatMap(({ sims }) => sims)) countUsage(seed, sim, nowMs)
  return { clock: new Date(nowMs).toISOString(), seed, calls: calls.summary(), accounts }
}

/** By either wire form. Base URLs are paths: by which address it is reached is for the caller to know. */
function showConnections({ accounts }: Platform) {
  return {
    connections: accounts.flatMap(({ nth }) =>
      [ciscoConnection('', nth), airtelConnection('', nth)].map((at) => ({ account: nth, ...at })),
    ),
  }
}

function patchState({ platform, tokens, calls }: Admin, patch: StatePatch): void {
  const account = platform.accounts.find(({ nth }) => nth === (patch.account ?? 1))
  if (account === undefined) throw new Error(`there is no account ${patch.account}`)
  const { set, advance_ms: advanceMs = 0 } = patch.clock ?? {}
  if (patch.clock !== undefined) {
    const ms = (set === undefined ? platform.nowMs : Date.parse(set)) + advanceMs
    if (!Number.isFinite(ms)) throw new Error('clock.set must be a time, clock.advance_ms a number')
    platform.setClock(ms)
  }
  const { count = 0, state } = patch.add_sims ?? {}
  if (account.sims.length + count > MAX_SIMS) throw new Error(`an account has at most ${MAX_SIMS} SIMs`)
  if (count > 0) addSims(account, platform.seed, count, platform.nowMs, state)
  for (const each of patch.sims ?? []) patchSim(platform, account, each)
  if (patch.revoke_tokens === true) tokens.revokeAll()
  if (patch.enforce_limits !== undefined) calls.isEnforced = patch.enforce_limits
}

function patchSim(platform: Platform, account: Account, patch: SimPatch): void {
  const sim = account.sims.find(({ iccid }) => iccid === patch.iccid)
  if (sim === undefined) throw new Error(`there is no SIM ${patch.iccid}`)
  const { nowMs, seed } = platform
  countUsage(seed, sim, nowMs)
  if (patch.state !== undefined) {
    if (!simStates.includes(patch.state)) throw new Error(`state must be one of ${simStates.join(', ')}`)
    moveSim(seed, sim, patch.state, nowMs, patch.rate_plan)
  } else if (patch.rate_plan !== undefined) {
    noteChange(sim, { field: 'Rate Plan', prior: sim.ratePlan, value: patch.rate_plan, atMs: nowMs })
    sim.ratePlan = patch.rate_plan
  }
  if (patch.imei !== undefined) {
    noteChange(sim, { field: 'IMEI', prior: sim.imei ?? '', value: patch.imei, atMs: nowMs })
    sim.imei = patch.imei
  }
  patchForTests(sim, patch, nowMs)
}

function patchForTests(sim: EmulatedSim, patch: SimPatch, nowMs: number): void {
  if (patch.word !== undefined) {
    sim.word = patch.word
    sim.updatedMs = nowMs
  }
  if (patch.hidden !== undefined) sim.isHidden = patch.hidden
  sim.current.bytes += patch.add_bytes ?? 0
  sim.lagBytes = patch.lag_bytes ?? sim.lagBytes
  sim.bytesPerDay = patch.bytes_per_day ?? sim.bytesPerDay
}
