// People who are signed in to the dashboard. A session is a random token in a cookie; its hash is in the database and is asked for on
// every request, so that signing out, and a new password, act at once in every process.

import { randomBytes } from 'node:crypto'
import type { Database } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { SteadyRate } from '@roadworthy/service-kit/steady-rate'
import { hashKeyText } from './key-text.ts'
import { isPassword } from './password.ts'
import {
  deleteSessionAcrossResellers,
  insertSession,
  type Session,
  selectSessionByHashAcrossResellers,
  updateSessionExpiryAcrossResellers,
} from './sessions.sql.ts'
import { selectUserByEmailAcrossResellers } from './users.sql.ts'

const HOUR_MS = 3_600_000
/** Without use. */
const IDLE_MS = 12 * HOUR_MS
/** However much it is used. */
const LONGEST_MS = 7 * 24 * HOUR_MS
export const SESSION_MAX_AGE_S = LONGEST_MS / 1000
/** The expiry is moved on this seldom, so that a page that polls does not write at every poll. */
const EXTEND_EVERY_MS = 5 * 60_000
const TOKEN_BYTES = 32
/** Of one address at one account, right or wrong. */
const ATTEMPTS_PER_MINUTE = 10
/** A check takes a third of a second and 128 MB (password.ts), so they run one after the other and few may wait. */
const MAX_CHECKS = 8
/** Checked when there is no such user, so that the answer takes as long. Nobody knows a password for it. */
const NOBODY = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`

export class Sessions {
  readonly #database: Database
  readonly #now: () => Date
  readonly #attempts = new SteadyRate({ perMinute: ATTEMPTS_PER_MINUTE })
  #checks: Promise<unknown> = Promise.resolve()
  #checkCount = 0

  constructor({ database, now }: { database: Database; now: () => Date }) {
    this.#database = database
    this.#now = now
  }

  /** A new session for who knows the password. `address` is where the attempt comes from. */
  async signIn(attempt: { email: string; password: string; address: string }): Promise<{ token: string; session: Session }> {
    const email = attempt.email.trim().toLowerCase()
    const retryAfterS = this.#attempts.takeOrWaitMs(`${attempt.address} ${email}`, this.#now().getTime()) / 1000
    if (retryAfterS > 0) throw new Problem('rate_limit_exceeded', 'Too many attempts to sign in. Wait a little.', { retryAfterS })
    const user = await selectUserByEmailAcrossResellers(this.#database.systemPool, email)
    const isRight = await this.#check(attempt.password, user?.passwordScrypt ?? NOBODY)
    // One answer for an unknown address and for a wrong password: who has an account is nobody's business.
    if (user === undefined || !isRight) throw new Problem('invalid_api_key', 'The e-mail address or the password is not right.')

    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const createdAt = this.#now()
    const at = (laterMs: number) => new Date(createdAt.getTime() + laterMs)
    await this.#database.tenant(user.resellerId, (db) =>
      insertSession(db, user.resellerId, {
        sha256Hex: hashKeyText(token),
        userId: user.userId,
        createdAt,
        expiresAt: at(IDLE_MS),
        endsAt: at(LONGEST_MS),
      }),
    )
    const session = await this.find(token)
    if (session === undefined) throw new Error('a session that was just made is gone')
    return { token, session }
  }

  /** The session with this token, unless unknown, ended or expired. Finding it is using it. */
  async find(token: string): Promise<Session | undefined> {
    const now = this.#now()
    const sha256Hex = hashKeyText(token)
    const session = await selectSessionByHashAcrossResellers(this.#database.systemPool, sha256Hex, now)
    if (session === undefined) return undefined
    const expiresAt = new Date(Math.min(now.getTime() + IDLE_MS, session.endsAt.getTime()))
    if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_EVERY_MS) return session
    await updateSessionExpiryAcrossResellers(this.#database.systemPool, sha256Hex, expiresAt)
    return { ...session, expiresAt }
  }

  async signOut(token: string): Promise<void> {
    await deleteSessionAcrossResellers(this.#database.systemPool, hashKeyText(token))
  }

  async #check(password: string, stored: string): Promise<boolean> {
    if (this.#checkCount >= MAX_CHECKS) throw new Problem('overloaded', 'Too many people are signing in at once.', { retryAfterS: 3 })
    this.#checkCount++
    const check = this.#checks.then(() => isPassword(password, stored))
    this.#checks = check.catch(() => undefined)
    return await check.finally(() => this.#checkCount--)
  }
}
