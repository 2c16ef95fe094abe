// Slows down who presents bad keys. It changes the answer from 401 to 429 and nothing else: a valid key always gets in, so an abuser behind
// the same address shuts nobody out.

import { Problem } from '@roadworthy/service-kit/problem'

const MAX_ADDRESSES = 10_000

export class FailedAttempts {
  readonly #perMinute: number
  readonly #now: () => Date
  /** Per address, when its allowance is full again (the theoretical arrival time of GCRA). */
  readonly #fullAtMs = new Map<string, number>()

  /** `perMinute` 0 switches it off. */
  constructor(perMinute: number, now: () => Date) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** What to answer a failed attempt from this address. Loopback is exempt: it is the operator, or a proxy that speaks for many. */
  refusal(address: string): Problem {
    const retryAfterS = this.#perMinute === 0 || isLoopback(address) ? 0 : this.#overS(address)
    if (retryAfterS > 0) {
      return new Problem('rate_limit_exceeded', 'Too many requests with a bad API key from this address.', { retryAfterS })
    }
    // One body for missing, garbled, unknown, revoked and expired keys: which of these it was is nobody's business.
    return new Problem('invalid_api_key', 'The API key is missing or not valid.')
  }

  #overS(address: string): number {
    const nowMs = this.#now().getTime()
    const everyMs = 60_000 / this.#perMinute
    const fullAtMs = Math.max(this.#fullAtMs.get(address) ?? 0, nowMs) + everyMs
    const overMs = fullAtMs - nowMs - this.#perMinute * everyMs
    if (overMs > 0) return overMs / 1000
    this.#fullAtMs.delete(address)
    this.#fullAtMs.set(address, fullAtMs)
    for (const oldest of this.#fullAtMs.keys()) {
      if (this.#fullAtMs.size <= MAX_ADDRESSES) break
      this.#fullAtMs.delete(oldest)
    }
    return 0
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
}
