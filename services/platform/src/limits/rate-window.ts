// One key's exact sliding minute and UTC day. Exact timestamps and not buckets or GCRA: a bucket forgets where in its second a call fell,
// and GCRA with a burst of 60 lets 119 calls through in the first minute.

import type { KeyLimits } from './plans.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A clock that steps back by less than this is NTP at work; by more, the calls recorded in what is now the future are forgiven. */
const CLOCK_STEP_MS = 1_000
const COMPACT_AT = 1_024

export type Verdict = {
  readonly isAccepted: boolean
  /** The limit that is nearest to its end, or the one that refused. */
  readonly policy: 'minute' | 'day'
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the policy lets more calls in; when refused, a repeat after them is let in. */
  readonly resetS: number
}

/** What a window has accepted, for the store. `day` counts days since the epoch. */
export type WindowCounts = { recentMs: number[]; day: number; dayCount: number }

export class RateWindow {
  /** Ascending; those before `#head` have left the window. */
  #times: number[] = []
  #head = 0
  #day = 0
  #dayCount = 0

  /** Judges a call at `nowMs` and, when accepted, records it. */
  take(nowMs: number, limits: KeyLimits): Verdict {
    const atMs = this.#advance(nowMs)
    const refusal = this.#refusal(atMs, limits)
    if (refusal !== undefined) return refusal
    if (limits.perMinute > 0) this.#times.push(atMs)
    this.#dayCount++
    return this.#accepted(atMs, limits)
  }

  /** The refusal of a call at `nowMs`, if it would be refused. Records nothing. */
  judge(nowMs: number, limits: KeyLimits): Verdict | undefined {
    return this.#refusal(this.#advance(nowMs), limits)
  }

  /** Calls accepted in the last minute, oldest first, and today. */
  counts(): WindowCounts {
    return { recentMs: this.#times.slice(this.#head), day: this.#day, dayCount: this.#dayCount }
  }

  /** Takes over counts, in place of its own. */
  restore(counts: WindowCounts): void {
    this.#times = [...counts.recentMs].sort((a, b) => a - b)
    this.#head = 0
    this.#day = counts.day
    this.#dayCount = counts.dayCount
  }

  get day(): number {
    return this.#day
  }

  get newestMs(): number | undefined {
    return this.#times.length > this.#head ? this.#times.at(-1) : undefined
  }

  /** Lets old calls go and returns the time that the call counts at, which never runs backwards. */
  #advance(nowMs: number): number {
    const newest = this.newestMs
    if (newest !== undefined && newest - nowMs > CLOCK_STEP_MS) {
      this.#times = this.#times.slice(this.#head).filter((timeMs) => timeMs <= nowMs)
      this.#head = 0
    }
    const atMs = Math.max(nowMs, this.newestMs ?? nowMs)
    while (this.#head < this.#times.length && (this.#times[this.#head] ?? 0) <= atMs - MINUTE_MS) this.#head++
    if (this.#head > COMPACT_AT && this.#head > this.#times.length / 2) {
      this.#times = this.#times.slice(this.#head)
      this.#head = 0
    }
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#dayCount = 0
    }
    return atMs
  }

  #refusal(atMs: number, { perMinute, perDay }: KeyLimits): Verdict | undefined {
    const minuteWaitMs =
      perMinute > 0 && this.#times.length - this.#head >= perMinute
        ? (this.#times[this.#times.length - perMinute] ?? atMs) + MINUTE_MS - atMs
        : 0
    const dayWaitMs = perDay > 0 && this.#dayCount >= perDay ? this.#untilMidnightMs(atMs) : 0
    if (minuteWaitMs === 0 && dayWaitMs === 0) return undefined
    const isDay = dayWaitMs > minuteWaitMs
    return {
      isAccepted: false,
      policy: isDay ? 'day' : 'minute',
      limit: isDay ? perDay : perMinute,
      remaining: 0,
      resetS: Math.max(1, Math.ceil(Math.max(minuteWaitMs, dayWaitMs) / 1000)),
    }
  }

  #accepted(atMs: number, { perMinute, perDay }: KeyLimits): Verdict {
    const minuteLeft = perMinute > 0 ? perMinute - (this.#times.length - this.#head) : Number.POSITIVE_INFINITY
    const dayLeft = perDay > 0 ? perDay - this.#dayCount : Number.POSITIVE_INFINITY
    if (dayLeft < minuteLeft) {
      const resetS = Math.ceil(this.#untilMidnightMs(atMs) / 1000)
      return { isAccepted: true, policy: 'day', limit: perDay, remaining: dayLeft, resetS }
    }
    const oldestMs = this.#times[this.#head] ?? atMs
    return {
      isAccepted: true,
      policy: 'minute',
      limit: perMinute,
      remaining: minuteLeft,
      resetS: Math.max(1, Math.ceil((oldestMs + MINUTE_MS - atMs) / 1000)),
    }
  }

  #untilMidnightMs(atMs: number): number {
    return Math.max(1, (this.#day + 1) * DAY_MS - atMs)
  }
}
