// The windows of all limited keys in use. Judged in memory, written each second: a crash forgives at most a second of traffic, and
// processes that share a database learn of each other's calls when they write, so between writes each admits on what it knows.

import type { Database } from '@roadworthy/service-kit/db'
import type { KeyLimits } from './plans.ts'
import { RateWindow, type Verdict } from './rate-window.ts'
import { mergeRateWindowsAcrossResellers, selectRateWindow } from './rate-windows.sql.ts'

/** After this long without a call a window is let go; the next call loads it again. */
const IDLE_MS = 120_000

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
  #flushing: Promise<void> = Promise.resolve()

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Judges one call and counts it when accepted. A promise only on a key's first call. */
  take(resellerId: string, keyId: string, limits: KeyLimits): Verdict | Promise<Verdict> {
    const held = this.#held.get(keyId)
    if (held !== undefined) return this.#takeFrom(held, limits)
    return this.#load(resellerId, keyId).then((loaded) => this.#takeFrom(loaded, limits))
  }

  /** Writes what was accepted since the last time, and takes over what other processes accepted. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(
      () => this.#write(),
      () => this.#write(),
    )
    return this.#flushing
  }

  #takeFrom(held: Held, limits: KeyLimits): Verdict {
    const nowMs = this.#now().getTime()
    held.lastUsedMs = nowMs
    const verdict = held.window.take(nowMs, limits)
    if (!verdict.isAccepted) return verdict
    if (limits.perMinute > 0) held.pendingMs.push(held.window.newestMs ?? nowMs)
    const { day } = held.window
    if (held.pendingDay !== day) held.pendingDayCount = 0
    held.pendingDay = day
    held.pendingDayCount++
    return verdict
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
