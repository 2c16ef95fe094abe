// Events come in bursts: what they make old is asked for again together, and not more often than pages need it.

/**
 * How old what is shown may be while events keep coming. An incident is to be on the screen within two seconds of its reading: scoring looks every 500 ms
 * and the relay of events every 250 ms, which leaves this and what the requests take (`bench/scenarios/dashboard-live.ts`).
 */
const GAP_MS = 1_000
/** Answers about many vehicles. Those that are shown are streamed; this is their order and number. */
const FLEET_GAP_MS = 10_000
/** Events of one change, such as an alert and its incident, come together. */
const TOGETHER_MS = 50

export class PacedRenewal {
  readonly #renew: (key: readonly unknown[]) => void
  readonly #due = new Map<string, readonly unknown[]>()
  readonly #renewedAtMs = new Map<string, number>()
  readonly #nowMs: () => number
  #timer: { readonly handle: ReturnType<typeof setTimeout>; readonly atMs: number } | undefined

  constructor(renew: (key: readonly unknown[]) => void, nowMs: () => number) {
    this.#renew = renew
    this.#nowMs = nowMs
  }

  note(key: readonly unknown[]): void {
    this.#due.set(JSON.stringify(key), key)
    this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer?.handle)
    this.#timer = undefined
    this.#due.clear()
  }

  #schedule(): void {
    if (this.#due.size === 0) return
    const earliestMs = this.#nowMs() + TOGETHER_MS
    const atMs = Math.max(earliestMs, Math.min(...[...this.#due.values()].map((key) => this.#mayAtMs(key))))
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return
    clearTimeout(this.#timer?.handle)
    this.#timer = { handle: setTimeout(() => this.#flush(), atMs - this.#nowMs()), atMs }
  }

  #flush(): void {
    this.#timer = undefined
    const nowMs = this.#nowMs()
    for (const [text, key] of this.#due) {
      if (this.#mayAtMs(key) > nowMs) continue
      this.#due.delete(text)
      this.#renewedAtMs.set(text, nowMs)
      this.#renew(key)
    }
    for (const [text, atMs] of this.#renewedAtMs) if (nowMs - atMs > FLEET_GAP_MS) this.#renewedAtMs.delete(text)
    this.#schedule()
  }

  #mayAtMs(key: readonly unknown[]): number {
    const renewedAtMs = this.#renewedAtMs.get(JSON.stringify(key)) ?? Number.NEGATIVE_INFINITY
    return renewedAtMs + (key[0] === 'vehicles' ? FLEET_GAP_MS : GAP_MS)
  }
}
