// Counts of API calls and predictions per reseller, and the monthly quotas on them. A caller is notified when its count is committed, so that
// nothing is answered that could be forgotten. Counts of concurrent requests share a commit. Where a plan has a quota, the last stretch
// before its end is counted in the database call by call, so that the edge is exact however many processes there are.

import { BatchLoader } from '@roadworthy/service-kit/pacing/batch-loader'
import { inTurn } from '@roadworthy/service-kit/pacing/in-turn'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { monthOf } from './plans.ts'
import { insertUsageAcrossResellers, selectUsedAcrossResellers, takeFromQuotas, type UsageCount } from './usage.sql.ts'
import { usageBucketMs } from './usage-bucket.ts'

export type Meter = 'api_calls_external' | 'api_calls_platform' | 'predictions'

/** A call without a quota, to be counted once: by `write`, or by whoever writes `count` in the transaction of what the call brings. */
export type CallToCount = {
  readonly count: UsageCount
  /** As `UsageMeter.count`. */
  readonly write: () => Promise<void>
}

/** More than all processes together may admit between two looks at what the others counted. */
const EDGE_COUNT = 1_000
const IDLE_MS = 120_000
/** Those of one reseller, sub-client and bucket are one row. */
const MAX_COUNTS_PER_COMMIT = 10_000

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
  readonly #quotaDatabase: Database
  readonly #now: () => Date
  /** One commit at a time, so that the count that came last is also the last to be written. */
  readonly #counts = new BatchLoader<UsageCount, void>((counts) => this.#write(counts), { maxKeys: MAX_COUNTS_PER_COMMIT })
  #lastCount: Promise<void> = Promise.resolve()
  /** Learns what other processes counted against the quotas that this one knows of. */
  readonly readBack = inTurn(() => this.#readUsed())
  readonly #quotas = new Map<string, QuotaState>()
  readonly #loading = new Map<string, Promise<QuotaState>>()

  /**
   * `quotaDatabase`: where takes near the end of a quota wait for each other, one reseller's in a row. Its connections are others than those that
   * callers are recognised over, or one reseller at its quota would keep everybody's keys waiting.
   */
  constructor(database: Database, now: () => Date, quotaDatabase = database) {
    this.#database = database
    this.#quotaDatabase = quotaDatabase
    this.#now = now
  }

  /** Counts without a limit. Resolves after COMMIT; when it rejects, nothing was counted, or nobody knows. */
  count(resellerId: string, subClientId: string, meter: Meter, count: number): Promise<void> {
    return this.#count({ resellerId, subClientId, meter, bucket: bucketOf(this.#now()), count })
  }

  /** A call of now, which is not counted yet. */
  callToCount(resellerId: string, subClientId: string, meter: Meter): CallToCount {
    const count = { resellerId, subClientId, meter, bucket: bucketOf(this.#now()), count: 1 }
    return { count, write: () => this.#count(count) }
  }

  #count(counted: UsageCount): Promise<void> {
    this.#lastCount = this.#counts.load(counted)
    // The caller that counted gets the error. One that is gone cannot, which is no bug.
    this.#lastCount.catch(() => {})
    return this.#lastCount
  }

  /** Counts up to `count` against a monthly quota and returns how many were granted, after COMMIT. */
  async take(resellerId: string, subClientId: string, meter: Meter, count: number, quota: number): Promise<number> {
    const state = await this.#stateOf(resellerId, meter)
    state.lastUsedMs = this.#now().getTime()
    // What the database returned is certain, because use only grows.
    if (state.used >= quota) return 0
    if (state.used + state.takenSince + count <= quota - EDGE_COUNT) {
      state.takenSince += count
      await this.count(resellerId, subClientId, meter, count)
      return count
    }
    const take = { resellerId, subClientId, meter, count }
    const taken = await this.#takeInDatabase(take, [{ scope: { resellerId, meter }, quota }])
    state.used = Math.max(state.used, taken.used[0] ?? 0)
    return taken.granted
  }

  /**
   * Counts up to `count` against the quota of a sub-client, and of its reseller where there is one, and returns how many were granted.
   * Counted in the database each time.
   */
  async takeForSubClient(
    take: { resellerId: string; subClientId: string; meter: Meter; count: number },
    subClientQuota: number,
    resellerQuota: number | undefined,
  ): Promise<number> {
    const { resellerId, subClientId, meter } = take
    const quotas = [{ scope: { resellerId, meter, subClientId }, quota: subClientQuota }]
    const all = resellerQuota === undefined ? quotas : [...quotas, { scope: { resellerId, meter }, quota: resellerQuota }]
    return (await this.#takeInDatabase(take, all)).granted
  }

  async #readUsed(): Promise<void> {
    const now = this.#now()
    const month = monthOf(now)
    for (const [key, state] of this.#quotas) {
      const isIdle = state.takenSince === 0 && Math.abs(now.getTime() - state.lastUsedMs) > IDLE_MS
      if (isIdle || state.month !== month.from) this.#quotas.delete(key)
    }
    const current = [...this.#quotas.values()].filter(({ takenSince }) => takenSince > 0)
    if (current.length === 0) return
    const takenBefore = current.map(({ takenSince }) => takenSince)
    await this.#written()
    const used = await selectUsedAcrossResellers(this.#database.systemPool, current, month)
    for (const [i, state] of current.entries()) {
      state.used = used[i] ?? state.used
      state.takenSince -= takenBefore[i] ?? 0
    }
  }

  async #write(counts: readonly UsageCount[]): Promise<undefined[]> {
    try {
      await insertUsageAcrossResellers(this.#database.systemPool, summedCounts(counts))
      return counts.map(() => undefined)
    } catch (error) {
      // A database that hangs takes seconds to fail each commit; what waits would wait for its turn to fail as well.
      if (isOutage(error)) this.#counts.rejectWaiting(error)
      throw error
    }
  }

  async #takeInDatabase(take: Omit<UsageCount, 'bucket'>, quotas: Parameters<typeof takeFromQuotas>[2]) {
    // What other requests are counting just now is part of what is used.
    await this.#written()
    const now = this.#now()
    const counted = { ...take, bucket: bucketOf(now) }
    return await this.#quotaDatabase.tenant(take.resellerId, (db) => takeFromQuotas(db, counted, quotas, monthOf(now)))
  }

  async #stateOf(resellerId: string, meter: Meter): Promise<QuotaState> {
    const key = `${resellerId} ${meter}`
    const state = this.#quotas.get(key)
    if (state !== undefined && state.month === monthOf(this.#now()).from) return state
    const running = this.#loading.get(key)
    if (running !== undefined) return await running
    const loading = this.#read(key, resellerId, meter).finally(() => this.#loading.delete(key))
    this.#loading.set(key, loading)
    return await loading
  }

  async #read(key: string, resellerId: string, meter: Meter): Promise<QuotaState> {
    await this.#written()
    const now = this.#now()
    const month = monthOf(now)
    const [used = 0] = await selectUsedAcrossResellers(this.#database.systemPool, [{ resellerId, meter }], month)
    const state = { resellerId, meter, month: month.from, used, takenSince: 0, lastUsedMs: now.getTime() }
    this.#quotas.set(key, state)
    return state
  }

  /** Resolves when what has been counted so far is written, or refused; each caller gets its own outcome. */
  async #written(): Promise<void> {
    await this.#lastCount.catch(() => {})
  }
}

/** One row of each reseller, sub-client, meter and bucket. */
export function summedCounts(counts: readonly UsageCount[]): UsageCount[] {
  const rows = new Map<string, UsageCount>()
  for (const counted of counts) {
    const { resellerId, subClientId, meter, bucket, count } = counted
    const key = `${resellerId} ${subClientId} ${meter} ${bucket.getTime()}`
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { ...counted })
    else row.count += count
  }
  return [...rows.values()]
}

function bucketOf(at: Date): Date {
  return new Date(usageBucketMs(at.getTime()))
}
