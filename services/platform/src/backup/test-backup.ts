// For tests only: an instance with something in every kind of table, its backup, and empty databases to restore it into.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Database, databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { type Migration, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { type CleanUp, createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import pg from 'pg'
import { createFolderStore } from '../history/file-store.ts'
import { sealWeeks } from '../history/seal-weeks.ts'
import { DAY_MS, insertVehicle, reading, sealingDeps, store, WEEK_MS, weeksBefore } from '../history/test-history.ts'
import { createKey } from '../keys/keys.ts'
import { insertSession } from '../people/sessions.sql.ts'
import { createTestUser } from '../people/test-users.ts'
import { replaceUserLink } from '../people/user-links.sql.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { openBackup } from './read-backup.ts'
import { type RestoreRequest, restoreDatabase } from './restore-backup.ts'
import { type BackupRequest, writeBackup } from './write-backup.ts'

export const MIGRATIONS_DIRECTORY = path.join(import.meta.dirname, '../../migrations')
export const PASSPHRASE = 'correct horse battery staple'
const RESELLER = 'acme'

export type Filled = { readonly database: Database; readonly ownerUrl: string; readonly historyFolder: string }

export function temporaryFolder(t: CleanUp): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-backup-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Readings before and after what is sealed, values that COPY has to escape, events, a person who is signed in. */
export async function fillDatabase(t: CleanUp): Promise<Filled> {
  const { database, ownerUrl } = await openTestDatabase(t, new Date(WEEK_MS))
  const historyFolder = path.join(temporaryFolder(t), 'history')
  await insertReseller(database, RESELLER)
  const now = new Date()
  await createKey(database, RESELLER, { name: 'Key', scopes: ['*'] }, now)
  // As a name may be that was stored before names were one line.
  await database.systemPool.query('update api_keys set name = $1 where reseller_id = $2', ['A\ttab, a \\ and a\nnewline', RESELLER])
  const { userId } = await createTestUser(
    database,
    { resellerId: RESELLER, email: 'ann@example.com', role: 'owner', password: PASSPHRASE },
    now,
  )
  const expiresAt = new Date(now.getTime() + DAY_MS)
  await withClient(ownerUrl, (client) => client.query(`select setval('event_positions', 41), setval('device_messages_message_no_seq', 7)`))
  await database.system(async (db) => {
    await insertSession(db, RESELLER, { sha256Hex: 'ab'.repeat(32), userId, createdAt: now, expiresAt, endsAt: expiresAt })
    await replaceUserLink(db, RESELLER, { sha256Hex: 'cd'.repeat(32), userId, purpose: 'password_reset', createdAt: now, expiresAt })
  })
  await insertVehicle(database, RESELLER, 'veh-aaaaaaaaaa')
  const about = { resellerId: RESELLER, vehicleId: 'veh-aaaaaaaaaa' }
  const signals = { coolantTempC: 90.1, batteryVoltageV: 13.700000000000001 }
  await store(
    database,
    [0, 1, 8].map((day) => reading(about, WEEK_MS + day * DAY_MS, { signals })),
  )
  await store(
    database,
    Array.from({ length: 2_000 }, (_, nth) =>
      reading(about, now.getTime() - nth * 1_000, { signals, attributes: { extra: { note: 'a\nb\\\t"' } } }),
    ),
  )
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, createFolderStore(historyFolder))
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  return { database, ownerUrl, historyFolder }
}

export async function backUp(filled: Filled, to: string, changes: Partial<BackupRequest> = {}) {
  return await writeBackup({
    ...{ ownerUrl: filled.ownerUrl, secretKey: TEST_SECRET_KEY, to, passphrase: PASSPHRASE, keyFiles: { 'credentials.json': '{}' } },
    ...{ history: createFolderStore(filled.historyFolder), isHistoryLeftOut: false, productVersion: '2.0.0' },
    ...{ migrations: await readMigrations(MIGRATIONS_DIRECTORY), now: new Date(), ...changes },
  })
}

export type Restoring = Partial<RestoreRequest> & { readonly known?: readonly Migration[]; readonly passphrase?: string | undefined }

export async function restore(folder: string, ownerUrl: string, historyFolder: string, changes: Restoring = {}) {
  const { known = await readMigrations(MIGRATIONS_DIRECTORY), passphrase = PASSPHRASE, ...others } = changes
  const backup = await openBackup(folder, passphrase, known)
  const options = { migrationsDirectory: MIGRATIONS_DIRECTORY, history: createFolderStore(historyFolder), comparison: 'reported' as const }
  return await restoreDatabase({ backup, ownerUrl, secretKey: TEST_SECRET_KEY, ...options, ...others })
}

export async function emptyDatabase(t: CleanUp): Promise<string> {
  return (await createTestDatabase(t)).url
}

/** A copy to damage. */
export function copyOf(t: CleanUp, backup: string): string {
  const copy = path.join(temporaryFolder(t), 'copy')
  cpSync(backup, copy, { recursive: true })
  return copy
}

export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
