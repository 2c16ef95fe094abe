import { type Database, isUniqueViolation } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import { Problem } from '@roadworthy/service-kit/problem'
import { hashPassword } from './password.ts'
import { insertUser, type UserRole } from './users.sql.ts'

const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 200
const MAX_EMAIL_LENGTH = 254

/** A person who signs in to the dashboard. E-mail addresses are kept in lower case and are unique across resellers. */
export async function createUser(
  database: Database,
  given: { resellerId: string; email: string; password: string; role?: UserRole },
  now: Date,
): Promise<{ userId: string; email: string }> {
  const email = given.email.trim().toLowerCase()
  if (email.length > MAX_EMAIL_LENGTH || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new Problem('invalid_request', 'This is not an e-mail address.', { details: { field: 'email' } })
  }
  if (given.password.length < MIN_PASSWORD_LENGTH || given.password.length > MAX_PASSWORD_LENGTH) {
    throw new Problem('invalid_request', `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`, {
      details: { field: 'password' },
    })
  }
  const userId = newId('usr')
  const user = { userId, email, passwordScrypt: await hashPassword(given.password), role: given.role ?? 'owner', createdAt: now }
  try {
    await database.tenant(given.resellerId, (db) => insertUser(db, given.resellerId, user))
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_key')) throw error
    throw new Problem('already_exists', 'There is a user with this e-mail address already.', { details: { field: 'email' } })
  }
  return { userId, email }
}
