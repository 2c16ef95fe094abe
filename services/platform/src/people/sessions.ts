// People who are signed in to the dashboard. A session is a random token in a cookie; its hash is in the database and is asked for on
// every request, so that signing out, a new password and a new role act at once in every process.

import { randomBytes } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { BatchLoader, inOrder } from '@roadworthy/service-kit/pacing/batch-loader'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, anonymousAuthor, type Origin, writeAudit } from '../audit/audit.ts'
import { hashKeyText } from '../keys/key-text.ts'
import type { Choice } from '../words/wording.ts'
import type { PasswordQueue } from './password-queue.ts'
import { assertPassword } from './password-rules.ts'
import {
  deleteSession,
  deleteSessionsOfUser,
  insertSession,
  type Session,
  selectSessionsByHashAcrossResellers,
  updateSessionExpiryAcrossResellers,
} from './sessions.sql.ts'
import type { Attempt, SignInRate } from './sign-in-rate.ts'
import {
  type Account,
  holdAccount,
  selectAccountByEmailAcrossResellers,
  selectUser,
  updateUserChoice,
  updateUserPassword,
} from './users.sql.ts'
import { ownSubClientOf, startViewing, stopViewing } from './view-as.ts'

const HOUR_MS = 3_600_000
/** Without use. */
const IDLE_MS = 12 * HOUR_MS
/** However much it is used. */
const LONGEST_MS = 7 * 24 * HOUR_MS
export const SESSION_MAX_AGE_S = LONGEST_MS / 1000
/** The expiry is moved on this seldom, so that a page that polls does not write at every poll. */
const EXTEND_EVERY_MS = 5 * 60_000
const TOKEN_BYTES = 32
/** Checked when there is no such user, so that the answer takes as long. Nobody knows a password for it. */
const NOBODY = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`

const MAX_TOKENS_PER_READ = 500

export type SessionsDeps = {
  readonly database: Database
  /** For routes that anybody may ask. */
  readonly publicDatabase: Database
  readonly now: () => Date
  readonly passwords: PasswordQueue
  readonly signInRate: SignInRate
  /** Runs what the answer must not wait for, because waiting would reveal whether there is such an account. */
  readonly runInBackground: (run: () => Promise<void>) => void
}

type SessionReads = BatchLoader<string, Session | undefined>

/** `browserToken` is what the browser is known by at its next sign-in. */
type SessionTokens = { readonly token: string; readonly browserToken: string }
export type OpenedSession = SessionTokens & { readonly session: Session }

export class Sessions {
  readonly #deps: SessionsDeps

  /** Tokens may be made up by whoever sends them: however many are, asking for them holds one connection. */
  readonly #reads: SessionReads
  readonly #publicReads: SessionReads

  constructor(deps: SessionsDeps) {
    this.#deps = deps
    const readsOf = ({ systemPool }: Database) =>
      new BatchLoader((hexes: readonly string[]) => inOrder(hexes, selectSessionsByHashAcrossResellers(systemPool, hexes, deps.now())), {
        maxKeys: MAX_TOKENS_PER_READ,
      })
    this.#reads = readsOf(deps.database)
    this.#publicReads = readsOf(deps.publicDatabase)
  }

  /** A new session for who knows the password. One that the browser has already, `replaced`, ends: it may be planted. */
  async signIn(
    attempt: { email: string; password: string; replaced: string | undefined; browserToken: string | undefined },
    origin: Origin,
  ): Promise<OpenedSession> {
    const { database, now, signInRate } = this.#deps
    const email = attempt.email.trim().toLowerCase()
    const given = { address: origin.address, email, browser: signInRate.browserOf(attempt.browserToken, email) }
    const { account, place } = await this.#findRightful(given, attempt.password, origin)
    if (attempt.replaced !== undefined) await this.signOut(attempt.replaced, origin)
    const author: Author = { resellerId: account.resellerId, type: 'user', id: account.userId, at: now(), ...origin }
    const tokens = await database.tenant(account.resellerId, async (db) => {
      if (!(await holdAccount(db, account))) throw notRight()
      await writeAudit(db, author, { action: 'user.signed_in', objectId: account.userId, subClientId: account.subClientId })
      return await this.open(db, account, place)
    })
    return await this.opened(tokens)
  }

  /** The account that the password opens, and from where. */
  async #findRightful(given: Attempt, password: string, origin: Origin): Promise<{ account: Account; place: Attempt }> {
    const { database, passwords, signInRate, runInBackground } = this.#deps
    signInRate.takeHere(given)
    const { place, isKnown } = await signInRate.recognise(given)
    return await passwords.inSlot(signInRate.slotOf(place, isKnown), async (slot) => {
      await signInRate.take(place, isKnown)
      const account = await selectAccountByEmailAcrossResellers(database.systemPool, place.email)
      const isRight = await slot.check(password, account?.passwordScrypt ?? NOBODY)
      if (account !== undefined && isRight && !account.isDeactivated) return { account, place }
      if (account !== undefined) runInBackground(() => this.#noteFailure(account, 'user.sign_in_failed', origin))
      throw notRight()
    })
  }

  /** Adds a session of who has proved to be that person, and knows them at this place from then on; within a transaction of the caller's. */
  async open(db: Db, { resellerId, userId }: { resellerId: string; userId: string }, place: Attempt): Promise<SessionTokens> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const createdAt = this.#deps.now()
    const at = (laterMs: number) => new Date(createdAt.getTime() + laterMs)
    const sha256Hex = hashKeyText(token)
    await insertSession(db, resellerId, { sha256Hex, userId, createdAt, expiresAt: at(IDLE_MS), endsAt: at(LONGEST_MS) })
    return { token, browserToken: await this.#deps.signInRate.remember(db, { resellerId, userId }, place) }
  }

  async opened(tokens: SessionTokens): Promise<OpenedSession> {
    const session = await this.find(tokens.token)
    if (session === undefined) throw new Error('a session that was just made is gone')
    return { ...tokens, session }
  }

  /** The session with this token, unless unknown, ended or expired. Finding it is using it. */
  find(token: string): Promise<Session | undefined> {
    return this.#find(this.#reads, token)
  }

  /** The same for a route that anybody may ask, over the connections of such routes. */
  findForPublicRoute(token: string): Promise<Session | undefined> {
    return this.#find(this.#publicReads, token)
  }

  async #find(reads: SessionReads, token: string): Promise<Session | undefined> {
    const { database, now } = this.#deps
    const sha256Hex = hashKeyText(token)
    const session = await reads.load(sha256Hex)
    if (session === undefined) return undefined
    const expiresAt = new Date(Math.min(now().getTime() + IDLE_MS, session.endsAt.getTime()))
    if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_EVERY_MS) return session
    await updateSessionExpiryAcrossResellers(database.systemPool, sha256Hex, expiresAt)
    return { ...session, expiresAt }
  }

  /** Ends the session; with `everywhere` every session of the person. Repeating it is fine. */
  async signOut(token: string, origin: Origin, everywhere = false): Promise<void> {
    const { database, now } = this.#deps
    const session = await this.#publicReads.load(hashKeyText(token))
    if (session === undefined) return
    const { resellerId, userId } = session
    const subClientId = ownSubClientOf(session)
    await database.tenant(resellerId, async (db) => {
      if (everywhere) await deleteSessionsOfUser(db, resellerId, userId)
      else await deleteSession(db, resellerId, hashKeyText(token))
      const author: Author = { resellerId, type: 'user', id: userId, at: now(), ...origin }
      await writeAudit(db, author, { action: everywhere ? 'user.signed_out_everywhere' : 'user.signed_out', objectId: userId, subClientId })
    })
  }

  /** A new password for who knows the old one. Every session ends, and the one that asked goes on under a new token. */
  async changePassword(session: Session, given: { current: string; next: string }, origin: Origin): Promise<OpenedSession> {
    const { database, now, passwords, signInRate } = this.#deps
    const { resellerId, userId, email, subClientId, viewing } = session
    if (viewing !== undefined) throw new Problem('conflict', 'Stop looking as a sub-client first.')
    const place = { address: origin.address, email }
    signInRate.takeHere(place)
    const refused = new Problem('invalid_request', 'The current password is not right.', { details: { in: 'body', field: 'current' } })
    const { account, passwordScrypt } = await passwords.inSlot(signInRate.slotOf(place, true), async (slot) => {
      await signInRate.take(place, true)
      const account = await selectAccountByEmailAcrossResellers(database.systemPool, email)
      if (account?.userId !== userId) throw refused
      if (!(await slot.check(given.current, account.passwordScrypt))) {
        await this.#noteFailure(account, 'user.password_change_failed', origin)
        throw refused
      }
      assertPassword(given.next, email, 'next')
      return { account, passwordScrypt: await slot.hash(given.next) }
    })
    const tokens = await database.tenant(resellerId, async (db) => {
      if (!(await holdAccount(db, account))) throw refused
      await updateUserPassword(db, resellerId, userId, passwordScrypt)
      const author: Author = { resellerId, type: 'user', id: userId, at: now(), ...origin }
      await writeAudit(db, author, { action: 'user.password_changed', objectId: userId, subClientId })
      return await this.open(db, { resellerId, userId }, place)
    })
    return await this.opened(tokens)
  }

  /** From the next request on the session is that of a viewer of the sub-client; null: that of the person again. */
  async viewAs(token: string, subClientId: string | null, origin: Origin): Promise<Session | undefined> {
    const session = await this.findForPublicRoute(token)
    if (session === undefined) return undefined
    if (subClientId === null) await stopViewing(this.#deps, { token, session }, origin)
    else await startViewing(this.#deps, { token, session }, subClientId, origin)
    return await this.findForPublicRoute(token)
  }

  /** What is left out stays. Undefined: nobody is signed in. */
  async choose(token: string, given: Partial<Choice>, origin: Origin): Promise<Session | undefined> {
    const { database, now } = this.#deps
    const session = await this.findForPublicRoute(token)
    if (session === undefined) return undefined
    const { resellerId, userId } = session
    await database.tenant(resellerId, async (db) => {
      const before = await selectUser(db, resellerId, userId, undefined, 'locked')
      if (before === undefined) return
      const after = { language: given.language ?? before.language, units: given.units ?? before.units }
      await updateUserChoice(db, resellerId, userId, after)
      await writeAudit(
        db,
        { resellerId, type: 'user', id: userId, at: now(), ...origin },
        {
          ...{ action: 'user.preferences_changed', objectId: userId, subClientId: before.subClientId },
          ...{ before: { language: before.language, units: before.units }, after },
        },
      )
    })
    return await this.findForPublicRoute(token)
  }

  #noteFailure({ resellerId, userId, subClientId }: Account, action: `user.${string}`, origin: Origin): Promise<void> {
    const { database, now } = this.#deps
    const author = anonymousAuthor(resellerId, now(), origin)
    return database.tenant(resellerId, (db) => writeAudit(db, author, { action, objectId: userId, subClientId }))
  }
}

/** One answer for an unknown address, a wrong password and a deactivated person: who has an account is nobody's business. */
function notRight(): Problem {
  return new Problem('invalid_api_key', 'The e-mail address or the password is not right.')
}
