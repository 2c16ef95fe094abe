// Counts of API calls and predictions per reseller, and the monthly quotas on them. Counted in memory and written each second. Where a
// plan has a quota, the last stretch before its end is counted in the database call by call, so that the edge is exact however many
// processes there are.

import type { Database } from '@roadworthy/service-kit/db'
import { monthOf } from './plans.ts'
import { insertUsageAcrossResellers, selectUsedAcrossResellers, takeFromQuotas, type UsageCount } from './usage.sql.ts'

export type Meter = 'api_calls_external' | 'api_calls_platform' | 'predictions'

/** More than all processes together may admit between two writes without knowing of each other. */
const EDGE_COUNT = 1_000
const IDLE_MS = 120_000
/** Small enough for the days of every time zone to be cut out of it (+05:45). */
const BUCKET_MS = 15 * 60_000

type QuotaState = {
  readonly resellerId: string
  readonly meter: Meter
  /** First day of the month that `used` is about. */
  readonly month: string
  used: number
  /** Taken since `used` was last read from the database. */
  takenSince: number
  lastUsedMs: number
}

export class UsageMeter {
  readonly #database: Database
  readonly #now: () => Date
  #pending = new Map<string, UsageCount>()
  readonly #quotas = new Map<string, QuotaState>()
  readonly #loading = new Map<string, Promise<QuotaState>>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Counts without a limit. */
  count(resellerId: string, subClientId: string, meter: Meter, count: number): void {
    this.#keep({ resellerId, subClientId, meter, bucket: bucketOf(this.#now()), count })
  }

  #keep(counted: UsageCount): void {
    const key = `${counted.resellerId} ${counted.subClientId} ${counted.meter} ${counted.bucket.getTime()}`
    const pending = this.#pending.get(key)
    if (pending === undefined) this.#pending.set(key, { ...counted })
    else pending.count += counted.count
  }

  /** Counts up to `count` against a monthly quota and returns how many were granted. A promise on first use and near the edge. */
  take(resellerId: string, subClientId: string, meter: Meter, count: number, quota: number): number | Promise<number> {
    const key = `${resellerId} ${meter}`
    const state = this.#quotas.get(key)
    if (state !== undefined && state.month === monthOf(this.#now()).from) return this.#takeFrom(state, subClientId, count, quota)
    return this.#load(key, resellerId, meter).then((loaded) => this.#takeFrom(loaded, subClientId, count, quota))
  }

  /**
   * Counts up to `count` against the quota of a sub-client, and of its reseller where there is one, and returns how many were granted.
   * Counted in the database each time.
   */
  async takeForSubClient(
    { resellerId, subClientId, meter, count }: { resellerId: string; subClientId: string; meter: Meter; count: number },
    subClientQuota: number,
    resellerQuota: number | undefined,
  ): Promise<number> {
    await this.flush()
    const now = this.#now()
    const take = { resellerId, subClientId, meter, count, bucket: bucketOf(now) }
    const quotas = [{ scope: { resellerId, meter, subClientId }, quota: subClientQuota }]
    const all = resellerQuota === undefined ? quotas : [...quotas, { scope: { resellerId, meter }, quota: resellerQuota }]
    const { granted } = await this.#database.tenant(resellerId, (db) => takeFromQuotas(db, take, all, monthOf(now)))
    return granted
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(
      () => this.#write(),
      () => this.#write(),
    )
    return this.#flushing
  }

  #takeFrom(state: QuotaState, subClientId: string, count: number, quota: number): number | Promise<number> {
    state.lastUsedMs = this.#now().getTime()
    const used = state.used + state.takenSince
    if (used >= quota) return 0
    if (used + count > quota - EDGE_COUNT) return this.#takeAtEdge(state, subClientId, count, quota)
    state.takenSince += count
    this.count(state.resellerId, subClientId, state.meter, count)
    return count
  }

  async #takeAtEdge(state: QuotaState, subClientId: string, count: number, quota: number): Promise<number> {
    if (state.takenSince > 0) await this.flush()
    const now = this.#now()
    const { resellerId, meter } = state
    const take = { resellerId, subClientId, meter, count, bucket: bucketOf(now) }
    const quotas = [{ scope: { resellerId, meter }, quota }]
    const { granted, used } = await this.#database.tenant(resellerId, (db) => takeFromQuotas(db, take, quotas, monthOf(now)))
    state.used = Math.max(state.used, used[0] ?? 0)
    return granted
  }

  #load(key: string, resellerId: string, meter: Meter): Promise<QuotaState> {
    const running = this.#loading.get(key)
    if (running !== undefined) return running
    const loading = this.#read(key, resellerId, meter).finally(() => this.#loading.delete(key))
    this.#loading.set(key, loading)
    return loading
  }

  async #read(key: string, resellerId: string, meter: Meter): Promise<QuotaState> {
    // Calls of the month that ended are written before the new one is read.
    await this.flush()
    const now = this.#now()
    const month = monthOf(now)
    const [used = 0] = await selectUsedAcrossResellers(this.#database.systemPool, [{ resellerId, meter }], month)
    const state = { resellerId, meter, month: month.from, used, takenSince: 0, lastUsedMs: now.getTime() }
    this.#quotas.set(key, state)
    return state
  }

  async #write(): Promise<void> {
    const written = this.#pending
    this.#pending = new Map()
    const nowMs = this.#now().getTime()
    const touched: { state: QuotaState; takenBefore: number }[] = []
    for (const [key, state] of this.#quotas) {
      if (state.takenSince > 0) touched.push({ state, takenBefore: state.takenSince })
      else if (Math.abs(nowMs - state.lastUsedMs) > IDLE_MS) this.#quotas.delete(key)
    }
    if (written.size === 0) return
    try {
      await insertUsageAcrossResellers(this.#database.systemPool, [...written.values()])
    } catch (error) {
      for (const counted of written.values()) this.#keep(counted)
      throw error
    }
    await this.#readBack(touched)
  }

  /** Learns what other processes counted. Should this fail, our own count stands and the next write reads again. */
  async #readBack(touched: readonly { state: QuotaState; takenBefore: number }[]): Promise<void> {
    const month = monthOf(this.#now())
    const current = touched.filter(({ state }) => state.month === month.from)
    if (current.length === 0) return
    const used = await selectUsedAcrossResellers(
      this.#database.systemPool,
      current.map(({ state }) => state),
      month,
    )
    for (const [i, { state, takenBefore }] of current.entries()) {
      state.used = used[i] ?? state.used
      state.takenSince -= takenBefore
    }
  }
}

function bucketOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / BUCKET_MS) * BUCKET_MS)
}
