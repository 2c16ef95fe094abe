// How often passwords may be tried. Counted the same whether there is such an account, so that nothing is told by it.

import { isLoopback } from '@roadworthy/service-kit/loopback'
import { Problem } from '@roadworthy/service-kit/problem'
import { SteadyRate } from '@roadworthy/service-kit/steady-rate'

/** Of one address at one account, right or wrong. */
const PER_MINUTE = 10
/** Of one address at all accounts: one common password tried on many. Loopback is exempt: it may be a proxy that speaks for many. */
const PER_ADDRESS_AND_MINUTE = 60
/** At one account from addresses that never got in: many addresses that share the guessing. NIST SP 800-63B allows 100 in a row. */
const STRANGERS_PER_HOUR = 100
const MAX_FAMILIAR = 10_000

export class SignInRate {
  readonly #pairs = new SteadyRate({ perMinute: PER_MINUTE })
  readonly #addresses = new SteadyRate({ perMinute: PER_ADDRESS_AND_MINUTE })
  readonly #accounts = new SteadyRate({ perMinute: STRANGERS_PER_HOUR / 60, burst: STRANGERS_PER_HOUR })
  /** Address and account that got in, oldest first: guessing from elsewhere does not shut a person out. A restart forgets them. */
  readonly #familiar = new Set<string>()

  /** Counts an attempt; throws when it is one too many. */
  take(address: string, email: string, now: Date): void {
    const nowMs = now.getTime()
    const pair = `${address} ${email}`
    const waitMs =
      this.#pairs.takeOrWaitMs(pair, nowMs) ||
      (isLoopback(address) ? 0 : this.#addresses.takeOrWaitMs(address, nowMs)) ||
      (this.#familiar.has(pair) ? 0 : this.#accounts.takeOrWaitMs(email, nowMs))
    if (waitMs > 0) throw new Problem('rate_limit_exceeded', 'Too many attempts to sign in. Wait a little.', { retryAfterS: waitMs / 1000 })
  }

  remember(address: string, email: string): void {
    const pair = `${address} ${email}`
    this.#familiar.delete(pair)
    this.#familiar.add(pair)
    for (const oldest of this.#familiar) {
      if (this.#familiar.size <= MAX_FAMILIAR) break
      this.#familiar.delete(oldest)
    }
  }
}
