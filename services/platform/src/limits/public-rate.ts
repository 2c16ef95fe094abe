// How often one address may ask what anybody may ask. Behind one address may be an office, or a proxy that is not trusted (TRUST_PROXY).

import { Problem } from '@roadworthy/service-kit/http/problem'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'

/** The dashboard asks three times when a page is loaded: for 200 people who load one each minute. Assumption. */
const PER_MINUTE = 600

export class PublicRate {
  readonly #rate = new SteadyRate({ perMinute: PER_MINUTE })
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Counts a request; throws when it is one too many. Loopback is exempt: it may be a proxy of many clients. */
  take(address: string): void {
    const waitMs = isLoopback(address) ? 0 : this.#rate.takeOrWaitMs(addressBlock(address), this.#now().getTime())
    if (waitMs > 0) throw new Problem('rate_limit_exceeded', 'Too many requests from this address.', { retryAfterS: waitMs / 1000 })
  }
}
