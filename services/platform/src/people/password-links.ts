// Links by which a person sets a password: an invitation, or a reset of one that is forgotten. Each works once, and for a while.

import { randomBytes } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { type Author, anonymousAuthor, type Origin, writeAudit } from '../audit/audit.ts'
import { hashKeyText } from '../keys/key-text.ts'
import type { PasswordQueue } from './password-queue.ts'
import { assertPassword } from './password-rules.ts'
import type { Letter, Post } from './post.ts'
import type { OpenedSession, Sessions } from './sessions.ts'
import { RESETS_PER_HOUR, type SignInRate } from './sign-in-rate.ts'
import { type LinkPurpose, replaceUserLink, selectUserLinkAcrossResellers, takeUserLink, type UserLink } from './user-links.sql.ts'
import { type Account, selectAccountByEmailAcrossResellers, updateUserPassword } from './users.sql.ts'

const HOUR_MS = 3_600_000
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * HOUR_MS, password_reset: HOUR_MS }
const TOKEN_BYTES = 32
const TOKEN_FORM = /^[\w-]{43}$/
const RESETS_PER_ADDRESS_AND_MINUTE = 5
/** Tokens cannot be guessed; this bounds the work that trying makes. */
const USES_PER_ADDRESS_AND_MINUTE = 30

/** Gives out a link within a transaction of the caller's, which voids one before it. Its token is nowhere else. */
export async function makeLink(
  db: Db,
  resellerId: string,
  userId: string,
  purpose: LinkPurpose,
  createdAt: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[purpose])
  await replaceUserLink(db, resellerId, { sha256Hex: hashKeyText(token), userId, purpose, createdAt, expiresAt })
  return { token, expiresAt }
}

export type PasswordLinksDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly post: Post
  readonly passwords: PasswordQueue
  readonly signInRate: SignInRate
  readonly sessions: Sessions
  readonly runInBackground: (run: () => Promise<void>) => void
  /** Called when a link was asked for and no mail server took it. It is nowhere else: what is logged may be read by others. */
  readonly onUnmailed: (email: string) => void
}

export class PasswordLinks {
  readonly #deps: PasswordLinksDeps
  readonly #byAddress = new SteadyRate({ perMinute: RESETS_PER_ADDRESS_AND_MINUTE })
  /** Of this process, to be answered by; what is sent is counted for all of them. */
  readonly #byEmail = new SteadyRate({ perMinute: RESETS_PER_HOUR / 60, burst: RESETS_PER_HOUR })
  readonly #uses = new SteadyRate({ perMinute: USES_PER_ADDRESS_AND_MINUTE })

  constructor(deps: PasswordLinksDeps) {
    this.#deps = deps
  }

  /** Returns before it is known whether there is such an account, so that neither the answer nor its time reveals it. */
  requestReset(given: string, origin: Origin): void {
    const { database, now, post, runInBackground, signInRate, onUnmailed } = this.#deps
    const email = given.trim().toLowerCase()
    refuseOver(
      this.#byAddress.takeOrWaitMs(addressBlock(origin.address), now().getTime()) || this.#byEmail.takeOrWaitMs(email, now().getTime()),
    )
    runInBackground(async () => {
      const account = await selectAccountByEmailAcrossResellers(database.systemPool, email)
      if (account === undefined || account.isDeactivated || !(await signInRate.takeReset(email))) return
      const author = anonymousAuthor(account.resellerId, now(), origin)
      // Without a mail server no link is made, or asking for one would void the one that the operator has handed over.
      const isMailed = post.isMailing
        ? (await post.send(await resetLetter(database, account, author))).isMailed
        : await database.tenant(account.resellerId, (db) => noteResetRequest(db, author, account)).then(() => false)
      if (!isMailed) onUnmailed(email)
    })
  }

  /** Sets the password of the person behind the link, and signs them in. Their other sessions and links end. */
  async setPassword({ token, password }: { token: string; password: string }, origin: Origin): Promise<OpenedSession> {
    const { database, now, passwords, sessions } = this.#deps
    refuseOver(this.#uses.takeOrWaitMs(addressBlock(origin.address), now().getTime()))
    const sha256Hex = hashKeyText(token)
    const link = TOKEN_FORM.test(token) ? await selectUserLinkAcrossResellers(database.systemPool, sha256Hex, now()) : undefined
    if (link === undefined) throw noSuchLink()
    assertPassword(password, link.email, 'password')
    const passwordScrypt = await passwords.inSlot({ isKnown: true, name: link.userId }, (slot) => slot.hash(password))
    try {
      const opened = await database.tenant(link.resellerId, async (db) => {
        if (!(await takeUserLink(db, link.resellerId, link.userId, sha256Hex, now()))) throw noSuchLink()
        await updateUserPassword(db, link.resellerId, link.userId, passwordScrypt)
        await writeAudit(db, personOf(link, now(), origin), {
          action: link.purpose === 'invitation' ? 'user.invitation_accepted' : 'user.password_reset',
          objectId: link.userId,
          subClientId: link.subClientId,
        })
        return await sessions.open(db, link, { address: origin.address, email: link.email })
      })
      return await sessions.opened(opened)
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email_key')) throw error
      throw new Problem('conflict', 'This e-mail address signs in to another account already. Ask to be invited under another one.')
    }
  }
}

/** A reset for an account, by whoever is named in the log. The letter holds the only copy of the token. */
export async function resetLetter(database: Database, account: Account, author: Author): Promise<Letter> {
  const { resellerId, userId, email, subClientId, language } = account
  return await database.tenant(resellerId, async (db) => {
    const link = await makeLink(db, resellerId, userId, 'password_reset', author.at)
    await noteResetRequest(db, author, account)
    return { kind: 'password_reset', email, resellerId, subClientId, language, ...link }
  })
}

function noteResetRequest(db: Db, author: Author, { userId, subClientId }: Account): Promise<void> {
  return writeAudit(db, author, { action: 'user.password_reset_requested', objectId: userId, subClientId })
}

function personOf({ resellerId, userId }: UserLink, at: Date, origin: Origin): Author {
  return { resellerId, type: 'user', id: userId, at, ...origin }
}

function refuseOver(waitMs: number): void {
  if (waitMs > 0) throw new Problem('rate_limit_exceeded', 'Too many attempts. Wait a little.', { retryAfterS: waitMs / 1000 })
}

/** The same for a link that was used, that has expired and that never was. */
function noSuchLink(): Problem {
  return new Problem('not_found', 'This link does not work any more. Ask for another one.')
}
