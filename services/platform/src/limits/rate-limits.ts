// The windows of all limited keys, people and resellers in use. Judged in memory, written each second: a crash forgives at most a second of traffic, and
// processes that share a database learn of each other's calls when they write, so between writes each admits on what it knows.

import { inTurn } from '@roadworthy/service-kit/pacing/in-turn'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { KeyLimits } from './plans.ts'
import { RateWindow, type Verdict } from './rate-window.ts'
import { mergeRateWindowsAcrossResellers, selectRateWindow } from './rate-windows.sql.ts'

/** After this long without a call a window is let go; the next call loads it again. */
const IDLE_MS = 120_000

/** `name` is unique among all that is limited: the id of a key or a person, or of a reseller as `nameOfReseller` writes it. */
export type Limited = { readonly name: string; readonly limits: KeyLimits }
/** The limit that refused, or the one that is nearest to its end. */
export type Taken = { readonly verdict: Verdict; readonly by: Limited }

type Held = {
  readonly resellerId: string
  readonly window: RateWindow
  /** Accepted since the last write. */
  pendingMs: number[]
  pendingDay: number
  pendingDayCount: number
  lastUsedMs: number
}

export class RateLimits {
  readonly #database: Database
  readonly #now: () => Date
  readonly #held = new Map<string, Held>()
  readonly #loading = new Map<string, Promise<Held>>()
  /** Writes what was accepted since the last time, and takes over what other processes accepted. */
  readonly flush = inTurn(() => this.#write())

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Judges one call by all the limits it is under, and counts it under each when none refuses. A promise only on a name's first call. */
  take(resellerId: string, under: readonly Limited[]): Taken | Promise<Taken> {
    const held = under.flatMap(({ name }) => this.#held.get(name) ?? [])
    if (held.length === under.length) return this.#takeFrom(held, under)
    return Promise.all(under.map(({ name }) => this.#held.get(name) ?? this.#load(resellerId, name))).then((loaded) =>
      this.#takeFrom(loaded, under),
    )
  }

  #takeFrom(held: readonly Held[], under: readonly Limited[]): Taken {
    const nowMs = this.#now().getTime()
    const both = under.flatMap((limited, i) => (held[i] === undefined ? [] : [{ limited, held: held[i] }]))
    for (const each of both) {
      each.held.lastUsedMs = nowMs
      const refusal = each.held.window.judge(nowMs, each.limited.limits)
      if (refusal !== undefined) return { verdict: refusal, by: each.limited }
    }
    const [first, ...others] = both.map((each) => ({ verdict: record(each.held, each.limited.limits, nowMs), by: each.limited }))
    if (first === undefined) throw new Error('a call is under no limit')
    return others.reduce((nearest, each) => (each.verdict.remaining < nearest.verdict.remaining ? each : nearest), first)
  }

  #load(resellerId: string, keyId: string): Promise<Held> {
    const running = this.#loading.get(keyId)
    if (running !== undefined) return running
    const loading = selectRateWindow(this.#database.systemPool, resellerId, keyId)
      .then((counts) => {
        const window = new RateWindow()
        if (counts !== undefined) window.restore(counts)
        const held = { resellerId, window, pendingMs: [], pendingDay: 0, pendingDayCount: 0, lastUsedMs: this.#now().getTime() }
        this.#held.set(keyId, held)
        return held
      })
      .finally(() => this.#loading.delete(keyId))
    this.#loading.set(keyId, loading)
    return loading
  }

  async #write(): Promise<void> {
    const nowMs = this.#now().getTime()
    const written = new Map<string, { held: Held; recentMs: number[]; day: number; dayCount: number }>()
    for (const [keyId, held] of this.#held) {
      if (held.pendingDayCount > 0) {
        written.set(keyId, { held, recentMs: held.pendingMs, day: held.pendingDay, dayCount: held.pendingDayCount })
        held.pendingMs = []
        held.pendingDayCount = 0
      } else if (Math.abs(nowMs - held.lastUsedMs) > IDLE_MS) {
        this.#held.delete(keyId)
      }
    }
    if (written.size === 0) return
    const changes = [...written].map(([keyId, { held, recentMs, day, dayCount }]) => {
      return { resellerId: held.resellerId, keyId, recentMs, day, dayCount }
    })
    try {
      const merged = await mergeRateWindowsAcrossResellers(this.#database.systemPool, changes, nowMs)
      for (const { keyId, ...counts } of merged) {
        const held = written.get(keyId)?.held
        if (held === undefined) continue
        const isSameDay = held.pendingDay === counts.day
        held.window.restore({
          recentMs: [...counts.recentMs, ...held.pendingMs],
          day: counts.day,
          dayCount: counts.dayCount + (isSameDay ? held.pendingDayCount : 0),
        })
      }
    } catch (error) {
      // Kept for the next write. Should the database have taken it and only the answer be lost, a second of traffic counts twice.
      for (const { held, recentMs, day, dayCount } of written.values()) {
        held.pendingMs = [...recentMs, ...held.pendingMs]
        if (held.pendingDay === day) held.pendingDayCount += dayCount
      }
      throw error
    }
  }
}

function record(held: Held, limits: KeyLimits, nowMs: number): Verdict {
  const verdict = held.window.take(nowMs, limits)
  if (limits.perMinute > 0) held.pendingMs.push(held.window.newestMs ?? nowMs)
  const { day } = held.window
  if (held.pendingDay !== day) held.pendingDayCount = 0
  held.pendingDay = day
  held.pendingDayCount++
  return verdict
}
