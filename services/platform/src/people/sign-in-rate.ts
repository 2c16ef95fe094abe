// How often passwords may be tried. Counted in the database for all processes together, and the same whether there is such an account, so
// that the answer reveals nothing about it. In front of the database stands a count of this process, and a slot of the password queue is
// held by then: however many try, few get as far as a statement that writes.
//
// An account is known to the blocks of addresses and to the browsers (by a cookie) that it was signed in to from, until its password changes. Those
// have limits and slots of their own, so that whoever tries passwords from elsewhere, and from however many networks, does not shut the person out.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import { BatchLoader, inOrder } from '@roadworthy/service-kit/pacing/batch-loader'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Waiting } from './password-queue.ts'
import {
  deleteOldSignInRatesAcrossResellers,
  type SignInRateTerms,
  selectKnownSignInsAcrossResellers,
  takeSignInAcrossResellers,
  upsertKnownSignIns,
} from './sign-in-rates.sql.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Of one address block at one account, right or wrong. */
const PER_PAIR_AND_MINUTE = 10
/** Of one address block at all accounts: one common password tried on many. Loopback is exempt: it may be a proxy of many clients. */
const PER_BLOCK_AND_MINUTE = 60
/** At one account from blocks that never got in: many that share the guessing. NIST SP 800-63B allows 100 in a row. */
const STRANGERS_PER_HOUR = 100
/** Asked for one account, whoever asks: a mailbox is not to be filled. */
export const RESETS_PER_HOUR = 3

/** How long, and for how many networks, a person who does not come back is remembered in one. Assumptions. */
export const KNOWN_FOR_MS = 90 * 24 * HOUR_MS
const BROWSER_NAME_BYTES = 16
const BROWSER_TOKEN_FORM = /^([\w-]{22})\.([0-9a-f]{64})$/
/** Two for each of twenty: the block, and the browser. */
const MAX_KNOWN_PLACES = 40
const MAX_NAMES_PER_READ = 500
/** Rows that are out of date go as new ones come, and faster. */
const ROWS_PER_CLEANING = 100
const CLEAN_EVERY = 20

/** `count` in a row, and as many each `windowMs` in the long run. */
function termsOf(count: number, windowMs: number): SignInRateTerms {
  const spacingMs = windowMs / count
  return { spacingMs, toleranceMs: spacingMs * (count - 1) }
}

const PAIR = termsOf(PER_PAIR_AND_MINUTE, MINUTE_MS)
const BLOCK = termsOf(PER_BLOCK_AND_MINUTE, MINUTE_MS)
const STRANGERS = termsOf(STRANGERS_PER_HOUR, HOUR_MS)
const RESETS = termsOf(RESETS_PER_HOUR, HOUR_MS)

/** `browser` is the name of one that this account was signed in with at some time, as `browserOf` found it. */
export type Attempt = { readonly address: string; readonly email: string; readonly browser?: string | undefined }

export class SignInRate {
  readonly #database: Database
  readonly #now: () => Date
  readonly #secretKey: string
  readonly #pairs = new SteadyRate({ perMinute: PER_PAIR_AND_MINUTE })
  readonly #blocks = new SteadyRate({ perMinute: PER_BLOCK_AND_MINUTE })
  readonly #known: BatchLoader<string, true | undefined>
  #takenCount = 0

  constructor(deps: { database: Database; now: () => Date; secretKey: string }) {
    const { database, now } = deps
    this.#database = database
    this.#now = now
    this.#secretKey = deps.secretKey
    const load = (names: readonly string[]) =>
      inOrder(names, selectKnownSignInsAcrossResellers(database.systemPool, names, new Date(now().getTime() - KNOWN_FOR_MS)))
    this.#known = new BatchLoader(load, { maxKeys: MAX_NAMES_PER_READ })
  }

  /** What this process alone can refuse, before anything is asked of the database. */
  takeHere(attempt: Attempt): void {
    refuseOver(this.#pairs.takeOrWaitMs(pairOf(attempt), this.#now().getTime()))
  }

  /**
   * The attempt, and whether the account was signed in to from its browser or block of addresses before. A browser that was forgotten since, as all
   * are when the password changes, is answered like one that never was. Any number of questions hold one connection.
   */
  async recognise(attempt: Attempt): Promise<{ place: Attempt; isKnown: boolean }> {
    const place = { ...attempt, browser: undefined }
    const [isBrowserKnown, isBlockKnown] = await Promise.all([
      attempt.browser !== undefined && this.#isRemembered(attempt),
      this.#isRemembered(place),
    ])
    return isBrowserKnown ? { place: attempt, isKnown: true } : { place, isKnown: isBlockKnown }
  }

  async #isRemembered(place: Attempt): Promise<boolean> {
    return (await this.#known.load(this.#nameOf('known', pairOf(place)))) === true
  }

  /** The name of the browser that such a token was given to, at a sign-in to this account; `undefined` for another's, and for a made-up one. */
  browserOf(token: string | undefined, email: string): string | undefined {
    const [, browser, seal] = BROWSER_TOKEN_FORM.exec(token ?? '') ?? []
    if (browser === undefined || seal === undefined) return undefined
    const expected = this.#nameOf('browser', `${browser} ${email}`)
    return timingSafeEqual(Buffer.from(seal), Buffer.from(expected)) ? browser : undefined
  }

  /** Whom a slot of the password queue is held for. */
  slotOf({ address, email, browser }: Attempt, isKnown: boolean): Waiting {
    if (isKnown) return { isKnown, name: browser ?? email }
    return { isKnown, name: isLoopback(address) ? undefined : addressBlock(address) }
  }

  /** Counts an attempt for all processes; rejects when it is one too many. */
  async take(attempt: Attempt, isKnown: boolean): Promise<void> {
    const { address, email } = attempt
    if (!isKnown && !isLoopback(address)) {
      const block = addressBlock(address)
      refuseOver(this.#blocks.takeOrWaitMs(block, this.#now().getTime()))
      refuseOver(await this.#takeShared('block', block, BLOCK))
    }
    refuseOver(await this.#takeShared('pair', pairOf(attempt), PAIR))
    if (!isKnown) refuseOver(await this.#takeShared('account', email, STRANGERS))
  }

  /** Whether one more letter may go to the account. */
  async takeReset(email: string): Promise<boolean> {
    return (await this.#takeShared('reset', email, RESETS)) === 0
  }

  /**
   * Within the transaction that lets the person in. Answers what the browser keeps to be known by at the next sign-in to this account: its name, a
   * random one at first, and our seal on it.
   */
  async remember(db: Db, account: { resellerId: string; userId: string }, place: Attempt): Promise<string> {
    const { email, browser = randomBytes(BROWSER_NAME_BYTES).toString('base64url') } = place
    const nameHmacHexes = [browser, undefined].map((each) => this.#nameOf('known', pairOf({ ...place, browser: each })))
    await upsertKnownSignIns(db, account, { nameHmacHexes, seenAt: this.#now(), maxNames: MAX_KNOWN_PLACES })
    return `${browser}.${this.#nameOf('browser', `${browser} ${email}`)}`
  }

  async #takeShared(kind: string, name: string, terms: SignInRateTerms): Promise<number> {
    const { systemPool } = this.#database
    const now = this.#now()
    if (++this.#takenCount % CLEAN_EVERY === 0) await deleteOldSignInRatesAcrossResellers(systemPool, now, ROWS_PER_CLEANING)
    return await takeSignInAcrossResellers(systemPool, this.#nameOf(kind, name), terms, now)
  }

  #nameOf(kind: string, name: string): string {
    return createHmac('sha256', this.#secretKey).update(`sign-in ${kind} ${name}`).digest('hex')
  }
}

/** Who is counted: a browser that is known by itself, however many others try from behind the same address. */
function pairOf({ address, email, browser }: Attempt): string {
  return `${browser === undefined ? addressBlock(address) : `browser ${browser}`} ${email}`
}

function refuseOver(waitMs: number): void {
  if (waitMs > 0) throw new Problem('rate_limit_exceeded', 'Too many attempts to sign in. Wait a little.', { retryAfterS: waitMs / 1000 })
}
