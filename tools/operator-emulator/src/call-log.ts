// Who called when: what tests of limits look at, and what enforces them where a test wants it.

const MAX_TIMES = 20_000
/** Control Center's, for each account. */
const MAX_PER_SECOND = 5

export type CallSummary = { readonly count: number; readonly mostAtOnce: number; readonly timesMs: readonly number[] }

export class CallLog {
  isEnforced = false
  readonly #timesMs: number[] = []
  #count = 0
  #underWay = 0
  #mostAtOnce = 0

  /** By a clock that only grows. Whether the call is within the limits. */
  begin(nowMs: number): boolean {
    this.#count++
    this.#underWay++
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#underWay)
    this.#timesMs.push(nowMs)
    if (this.#timesMs.length > MAX_TIMES) this.#timesMs.shift()
    const inSecond = this.#timesMs.filter((ms) => ms > nowMs - 1000).length
    return !this.isEnforced || (this.#underWay === 1 && inSecond <= MAX_PER_SECOND)
  }

  end(): void {
    this.#underWay--
  }

  summary(): CallSummary {
    return { count: this.#count, mostAtOnce: this.#mostAtOnce, timesMs: this.#timesMs.slice(-1000) }
  }
}
