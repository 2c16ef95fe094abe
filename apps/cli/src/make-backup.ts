import { existsSync, readFileSync } from 'node:fs'
import { type MadeBackup, writeBackup } from '@roadworthy/platform/backup/write-backup'
import { openHistory } from '@roadworthy/platform/history/history-place'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { MIGRATIONS } from '@roadworthy/platform/main/prepare-database'
import { SERVICE_VERSION } from '@roadworthy/platform/surfaces/mount'
import { readMigrations } from '@roadworthy/service-kit/migrate'
import { historyPlaceFor, secretKeyOf, type Target, withOwnerUrl } from './backup-options.ts'
import type { Context } from './command.ts'

export type BackupToMake = {
  readonly target: Target
  readonly to: string
  /** Undefined: without the key. */
  readonly passphrase: string | undefined
  readonly isHistoryLeftOut: boolean
  readonly signal: AbortSignal
}

export async function makeBackup(
  context: Context,
  { target, to, passphrase, isHistoryLeftOut, signal }: BackupToMake,
): Promise<MadeBackup> {
  const { instance, now, out } = context
  const place = isHistoryLeftOut ? undefined : historyPlaceFor(context, target.databaseUrl === undefined)
  const history = place === undefined ? undefined : await openHistory(place)
  const progress = out.progress('backup')
  try {
    return await withOwnerUrl(context, target, async (ownerUrl) =>
      writeBackup({
        ...{ ownerUrl, secretKey: secretKeyOf(context, target), to, passphrase, keyFiles: keyFilesOf(instance.dataDir) },
        ...{ history: history?.store, isHistoryLeftOut, productVersion: SERVICE_VERSION, migrations: await readMigrations(MIGRATIONS) },
        ...{ now: now(), signal, onProgress: (share, name) => progress.update(share, name) },
      }),
    )
  } finally {
    progress.end()
    history?.close()
  }
}

/** The first credentials: without them an embedded instance would hand out new ones, and the owner's password would be another. */
function keyFilesOf(dataDir: string): Record<string, string> {
  const path = credentialsPath(dataDir)
  return existsSync(path) ? { 'credentials.json': readFileSync(path, 'utf8') } : {}
}
