import { existsSync, readFileSync } from 'node:fs'
import { selectIdentity } from '@roadworthy/platform/backup/database-identity.sql'
import { connect } from '@roadworthy/platform/backup/snapshot.sql'
import { type MadeBackup, SECRET_KEY_FILE, writeBackup } from '@roadworthy/platform/backup/write-backup'
import { type MadeBase, writeBaseBackup } from '@roadworthy/platform/backup/write-base-backup'
import { openHistory } from '@roadworthy/platform/history/history-place'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { POSTGRES_PASSWORD_FILE } from '@roadworthy/platform/main/restore/restore-folder'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/service-version'
import { readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { historyPlaceFor, secretKeyOf, type Target, withOwnerUrl } from './backup-options.ts'
import type { Context } from './command.ts'
import { CommandFailure, exitCodes } from './failure.ts'

export type BackupToMake = {
  readonly target: Target
  readonly to: string
  /** Undefined: without the key. */
  readonly passphrase: string | undefined
  readonly isHistoryLeftOut: boolean
  readonly signal: AbortSignal
}

/** `database`: which one it is of. */
type OfDatabase = { readonly database: string }

export type BaseToMake = BackupToMake & { readonly passphrase: string }

export async function makeBackup(
  context: Context,
  { target, to, passphrase, isHistoryLeftOut, signal }: BackupToMake,
): Promise<MadeBackup & OfDatabase> {
  const { instance, now, out } = context
  const place = isHistoryLeftOut ? undefined : historyPlaceFor(context, target.databaseUrl === undefined)
  const history = place === undefined ? undefined : await openHistory(place)
  const progress = out.progress('backup')
  try {
    return await withOwnerUrl(context, target, async (ownerUrl) => {
      const made = await writeBackup({
        ...{ ownerUrl, secretKey: secretKeyOf(context, target), to, passphrase, keyFiles: keyFilesOf(instance.dataDir) },
        ...{ history: history?.store, isHistoryLeftOut, productVersion: SERVICE_VERSION, migrations: await readMigrations(MIGRATIONS) },
        ...{ now: now(), signal, onProgress: (share, name) => progress.update(share, name) },
      })
      return { ...made, database: await identityOf(ownerUrl) }
    })
  } finally {
    progress.end()
    history?.close()
  }
}

/** Of the embedded PostgreSQL only: its files are copied, and the archived log goes on from them. */
export async function makeBaseBackup(
  context: Context,
  { target, to, passphrase, isHistoryLeftOut, signal }: BaseToMake,
): Promise<MadeBase & OfDatabase> {
  const { instance, now, out } = context
  if (target.databaseUrl !== undefined) {
    throw new CommandFailure(
      'A base backup of a PostgreSQL of your own is made by its own tools, such as pgBackRest or pg_basebackup.',
      exitCodes.usage,
    )
  }
  const secretKey = secretKeyOf(context, target)
  if (secretKey === undefined) throw new CommandFailure('The secret key is not known here: set SECRET_KEY.')
  const place = isHistoryLeftOut ? undefined : historyPlaceFor(context, true)
  const history = place === undefined ? undefined : await openHistory(place)
  const progress = out.progress('base backup')
  try {
    return await withOwnerUrl(context, target, async (ownerUrl) => {
      const { password } = new URL(ownerUrl)
      const keyFiles = {
        ...{ ...keyFilesOf(instance.dataDir), [SECRET_KEY_FILE]: secretKey },
        [POSTGRES_PASSWORD_FILE]: decodeURIComponent(password),
      }
      const made = await writeBaseBackup({
        ...{ ownerUrl, to, passphrase, keyFiles, history: history?.store, isHistoryLeftOut, productVersion: SERVICE_VERSION },
        ...{ now: now(), signal, onProgress: (share, name) => progress.update(share, name) },
      })
      return { ...made, database: await identityOf(ownerUrl) }
    })
  } finally {
    progress.end()
    history?.close()
  }
}

async function identityOf(ownerUrl: string): Promise<string> {
  const client = await connect(ownerUrl)
  return await selectIdentity(client).finally(() => client.end())
}

/** The first credentials: without them an embedded instance would hand out new ones, and the owner's password would be another. */
function keyFilesOf(dataDir: string): Record<string, string> {
  const path = credentialsPath(dataDir)
  return existsSync(path) ? { 'credentials.json': readFileSync(path, 'utf8') } : {}
}
