// For tests: people whose passwords are cheap to check. What a password costs is tested in password.test.ts.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { PasswordCost } from './password.ts'
import { createUser } from './users.ts'

/** A thousandth of what people's cost: tests sign in hundreds of times. */
export const TEST_PASSWORD_COST: PasswordCost = { N: 2 ** 7, r: 8, p: 1 }

export async function createTestUser(
  database: Database,
  given: Parameters<typeof createUser>[1],
  now: Date,
): Promise<{ userId: string; email: string }> {
  return await createUser(database, given, now, undefined, TEST_PASSWORD_COST)
}
