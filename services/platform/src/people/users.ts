import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Language } from '@roadworthy/wording/languages'
import { type AuditedFields, type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { selectSubClientExists } from '../keys/keys.sql.ts'
import { subClientForWrite } from '../keys/pins.ts'
import { NO_CHOICE } from '../words/wording.ts'
import { isEmailAddress } from './email-address.ts'
import { hashPassword, type PasswordCost } from './password.ts'
import { makeLink } from './password-links.ts'
import { assertPassword } from './password-rules.ts'
import type { Letter } from './post.ts'
import { deleteSessionsOfUser } from './sessions.sql.ts'
import { deleteUserLinks } from './user-links.sql.ts'
import {
  countActiveOwners,
  countUsers,
  deleteUser,
  insertUser,
  lockOwners,
  selectUser,
  selectUserByEmail,
  selectUsers,
  type User,
  type UserRole,
  updateUser,
  updateUserChoice,
} from './users.sql.ts'

/** On whose behalf: with a pin only the viewers of that sub-client are there. */
type Viewer = Pick<Caller, 'resellerId' | 'subClientPin'>
type Standing = { readonly role: UserRole; readonly subClientId?: string | null | undefined }

/** A person who signs in to the dashboard. E-mail addresses are kept in lower case; one signs in to one account, across resellers. */
export async function createUser(
  database: Database,
  given: { resellerId: string; email: string; password: string; role?: UserRole; subClientId?: string },
  now: Date,
  author: Author = systemAuthor(given.resellerId, now),
  cost?: PasswordCost,
): Promise<{ userId: string; email: string }> {
  const { resellerId } = given
  const email = checkedEmail(given.email)
  assertPassword(given.password, email, 'password')
  const passwordScrypt = await hashPassword(given.password, cost)
  const { userId } = await database.tenant(resellerId, async (db) => {
    const standing = await checkedStanding(db, given, { role: given.role ?? 'owner', subClientId: given.subClientId })
    const user = { userId: newId('usr'), email, ...standing, ...NO_CHOICE, createdAt: now }
    await unlessTaken(() => insertUser(db, resellerId, { ...user, passwordScrypt }))
    await writeAudit(db, author, { action: 'user.created', ...audited(user), after: { email, ...auditedFields(user) } })
    return user
  })
  return { userId, email }
}

/** A person who is to set a password by the link in the letter. Inviting again who has not done so voids the link before. */
export async function inviteUser(
  database: Database,
  viewer: Viewer,
  given: { email: string; language?: Language | undefined } & Standing,
  author: Author,
): Promise<{ user: User; letter: Letter }> {
  const { resellerId } = viewer
  const email = checkedEmail(given.email)
  return await database.tenant(resellerId, async (db) => {
    const standing = await checkedStanding(db, viewer, given)
    const known = await selectUserByEmail(db, resellerId, email)
    const isVisible = viewer.subClientPin === undefined || known?.subClientId === viewer.subClientPin
    if (known !== undefined && (known.status !== 'invited' || !isVisible)) throw addressIsTaken()
    const userId = known?.userId ?? newId('usr')
    // Nobody chose units for who was never here.
    const choice = { language: given.language ?? (await languageOfInviter(db, author)), units: undefined }
    if (known === undefined) {
      const added = { userId, email, ...standing, ...choice, createdAt: author.at, passwordScrypt: undefined }
      await unlessTaken(() => insertUser(db, resellerId, added))
    } else {
      await updateUser(db, resellerId, userId, { ...standing, deactivatedAt: undefined })
      await updateUserChoice(db, resellerId, userId, choice)
    }
    const user = await requireUser(db, viewer, userId)
    const link = await makeLink(db, resellerId, userId, 'invitation', author.at)
    await writeAudit(db, author, {
      action: 'user.invited',
      ...audited(user),
      after: { email, ...auditedFields(user), language: user.language },
    })
    const { subClientId, language } = user
    return { user, letter: { kind: 'invitation', email, resellerId, subClientId, language, ...link } }
  })
}

export async function listUsers(
  database: Database,
  { resellerId, subClientPin }: Viewer,
  query: { limit?: number | undefined; after?: string | undefined } = {},
): Promise<{ total: number; users: User[]; pagination: PageEnd }> {
  const page = pageRequest('users', query)
  const db = database.tenantPool(resellerId)
  const [rows, total] = await Promise.all([selectUsers(db, resellerId, subClientPin, page), countUsers(db, resellerId, subClientPin)])
  const { items, pagination } = endPage(rows, page, ({ createdAt, userId }) => ({ at: createdAt, id: userId }))
  return { total, users: items, pagination }
}

/** Throws `not_found` for one of another reseller or outside the pin as for one that never was. */
export async function requireUser(db: Db, { resellerId, subClientPin }: Viewer, userId: string): Promise<User> {
  // What has not the form of an id is never stored, and may hold what PostgreSQL cannot even be asked for.
  const user = /^usr-[a-z0-9]{8,40}$/.test(userId) ? await selectUser(db, resellerId, userId, subClientPin) : undefined
  if (user === undefined) throw new Problem('not_found', 'There is no such user.')
  return user
}

/** Acts at once: the next request of the person meets the new role, or no session. The last owner stays one. */
export async function changeUser(
  database: Database,
  viewer: Viewer,
  userId: string,
  changes: { role?: UserRole | undefined; subClientId?: string | null | undefined; status?: 'active' | 'deactivated' | undefined },
  author: Author,
): Promise<User> {
  const { resellerId } = viewer
  return await database.tenant(resellerId, async (db) => {
    await lockOwners(db, resellerId)
    const before = await requireUser(db, viewer, userId)
    const role = changes.role ?? before.role
    const subClientId = changes.subClientId === undefined && role === before.role ? before.subClientId : changes.subClientId
    const standing = await checkedStanding(db, viewer, { role, subClientId })
    const isDeactivated = (changes.status ?? before.status) === 'deactivated'
    await updateUser(db, resellerId, userId, { ...standing, deactivatedAt: isDeactivated ? author.at : undefined })
    if (isDeactivated) await endAccess(db, resellerId, userId)
    await assertOwnerRemains(db, resellerId, before)
    const after = await requireUser(db, viewer, userId)
    await writeAudit(db, author, {
      action: 'user.updated',
      ...audited(after),
      before: { ...auditedFields(before), status: before.status },
      after: { ...auditedFields(after), status: after.status },
    })
    return after
  })
}

/** The person is gone, with sessions and links; the address is free again. The log keeps what they did. */
export async function removeUser(database: Database, viewer: Viewer, userId: string, author: Author): Promise<void> {
  const { resellerId } = viewer
  await database.tenant(resellerId, async (db) => {
    await lockOwners(db, resellerId)
    const before = await requireUser(db, viewer, userId)
    // Before the person goes, or one who removes themself would have no name in it.
    await writeAudit(db, author, { action: 'user.removed', ...audited(before), before: { email: before.email, ...auditedFields(before) } })
    await deleteUser(db, resellerId, userId)
    await assertOwnerRemains(db, resellerId, before)
  })
}

/** A program has none. */
async function languageOfInviter(db: Db, { resellerId, type, id }: Author): Promise<Language | undefined> {
  return type === 'user' && id !== undefined ? (await selectUser(db, resellerId, id, undefined))?.language : undefined
}

async function endAccess(db: Db, resellerId: string, userId: string): Promise<void> {
  await deleteSessionsOfUser(db, resellerId, userId)
  await deleteUserLinks(db, resellerId, userId)
}

async function assertOwnerRemains(db: Db, resellerId: string, changed: User): Promise<void> {
  if (changed.role !== 'owner' || changed.status !== 'active' || (await countActiveOwners(db, resellerId)) > 0) return
  throw new Problem('conflict', 'This is the last owner. Make somebody else an owner first.', { details: { field: 'role' } })
}

/** A role and its sub-client as they belong together. A pinned caller gives out the one role that sees no more than it does. */
async function checkedStanding(
  db: Db,
  viewer: Viewer | { resellerId: string },
  { role, subClientId: given }: Standing,
): Promise<{ role: UserRole; subClientId: string | undefined }> {
  const pin = 'subClientPin' in viewer ? viewer.subClientPin : undefined
  const refuse = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field: 'subClientId' } })
  if (role !== 'sub_client_viewer') {
    if (pin !== undefined) {
      throw new Problem('missing_scope', 'This key belongs to one sub-client and can give out the role sub_client_viewer only.', {
        details: { required_scope: '*' },
      })
    }
    if (given !== undefined && given !== null) throw refuse(`The role ${role} sees all sub-clients; leave "subClientId" out.`)
    return { role, subClientId: undefined }
  }
  const subClientId = subClientForWrite({ subClientPin: pin }, given)
  if (subClientId === undefined) throw refuse('A sub_client_viewer needs the "subClientId" that it sees.')
  if (!(await selectSubClientExists(db, viewer.resellerId, subClientId))) {
    throw new Problem('not_found', `There is no sub-client ${JSON.stringify(subClientId)}.`)
  }
  return { role, subClientId }
}

function checkedEmail(given: string): string {
  const email = given.trim().toLowerCase()
  if (isEmailAddress(email)) return email
  throw new Problem('invalid_request', 'This is not an e-mail address.', { details: { in: 'body', field: 'email' } })
}

async function unlessTaken(insert: () => Promise<void>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_key') && !isUniqueViolation(error, 'users_email_of_reseller_key')) throw error
    throw addressIsTaken()
  }
}

function addressIsTaken(): Problem {
  return new Problem('already_exists', 'There is a user with this e-mail address already.', { details: { field: 'email' } })
}

function audited({ userId, subClientId }: Pick<User, 'userId' | 'subClientId'>): { objectId: string; subClientId: string | undefined } {
  return { objectId: userId, subClientId }
}

function auditedFields({ role, subClientId }: Pick<User, 'role' | 'subClientId'>): AuditedFields {
  return { role, subClientId }
}
