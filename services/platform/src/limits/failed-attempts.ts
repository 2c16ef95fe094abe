// Slows down who presents bad keys. It changes the answer from 401 to 429 and nothing else: a valid key always gets in, so an abuser behind
// the same address shuts nobody out.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'

export class FailedAttempts {
  readonly #rate: SteadyRate
  readonly #now: () => Date

  /** `perMinute` 0 switches it off. */
  constructor(perMinute: number, now: () => Date) {
    this.#rate = new SteadyRate({ perMinute })
    this.#now = now
  }

  /** What to answer a failed attempt from this address: `otherwise`, unless there were too many. Loopback is exempt: it is the operator, or a proxy of many clients. */
  refusal(address: string, otherwise: Problem): Problem {
    const retryAfterS = isLoopback(address) ? 0 : this.#rate.takeOrWaitMs(addressBlock(address), this.#now().getTime()) / 1000
    if (retryAfterS > 0) {
      return new Problem('rate_limit_exceeded', 'Too many requests with a bad API key from this address.', { retryAfterS })
    }
    return otherwise
  }
}
