// Makes an instance of a backup: in a data folder, or in a database of one's own with the key in the data folder.

import { readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { BackupProblem } from '../../backup/backup-problem.ts'
import type { Manifest } from '../../backup/manifest.ts'
import type { KeyFiles } from '../../backup/passphrase.ts'
import { checkParts, type OpenBackup, openBackup } from '../../backup/read-backup.ts'
import { type Restored, type RestoreRequest, restoreDatabase } from '../../backup/restore-backup.ts'
import { SECRET_KEY_FILE } from '../../backup/write-backup.ts'
import { type HistoryPlace, openHistory } from '../../history/history-place.ts'
import { MIGRATIONS } from '../database/prepare-database.ts'
import { keptSecretKey } from '../secret-key.ts'
import { restoreIntoFolder, writeKeyFiles } from './restore-folder.ts'

export type InstanceRestore = {
  /** The folder of the backup. */
  readonly from: string
  readonly passphrase: string | undefined
  readonly dataDir: string
  /** Undefined: an embedded one, in the data folder. */
  readonly databaseUrl: string | undefined
  /** As set for the service. */
  readonly secretKey: string | undefined
  /** Asked for: what is encrypted in the database stays closed until somebody has the key. */
  readonly mayLackKey: boolean
  readonly historyPlace: HistoryPlace | undefined
  readonly isCompared: boolean
  readonly log: (message: string) => void
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type RestoredInstance = Restored & { readonly manifest: Manifest; readonly hasKey: boolean }

export async function restoreInstance(options: InstanceRestore): Promise<RestoredInstance> {
  const { from, passphrase, dataDir, databaseUrl, onProgress } = options
  const backup = await openBackup(from, passphrase, await readMigrations(MIGRATIONS))
  const secretKey = chooseKey(options, backup)
  await checkParts(backup, (share, name) => onProgress?.(share / 2, `checking ${name}`))
  const { historyPlace, isCompared, log, signal } = options
  const history = historyPlace === undefined ? undefined : await openHistory(historyPlace)
  try {
    const onLoad = (share: number, name: string) => onProgress?.(0.5 + share / 2, name)
    const comparison: RestoreRequest['comparison'] = isCompared ? 'required' : 'none'
    const request = { backup, secretKey, history: history?.store, migrationsDirectory: MIGRATIONS, comparison, signal, onProgress: onLoad }
    const restored =
      databaseUrl === undefined
        ? await restoreIntoFolder({ ...request, dataDir, log })
        : await restoreDatabase({ ...request, ownerUrl: databaseUrl })
    // Of an embedded one they are written before it counts as restored.
    if (databaseUrl !== undefined) await writeKeyFiles(dataDir, withoutSetKey(backup.keyFiles ?? {}, options.secretKey))
    return { ...restored, manifest: backup.manifest, hasKey: secretKey !== undefined }
  } finally {
    history?.close()
  }
}

/** Where SECRET_KEY is set nothing reads a file of it. The first credentials have no other place. */
function withoutSetKey(keyFiles: KeyFiles, secretKey: string | undefined): KeyFiles {
  if (secretKey === undefined) return keyFiles
  const { [SECRET_KEY_FILE]: _, ...others } = keyFiles
  return others
}

/** The one that the service will start with. */
function chooseKey({ passphrase, secretKey, dataDir, databaseUrl, mayLackKey }: InstanceRestore, backup: OpenBackup): string | undefined {
  const kept = databaseUrl === undefined ? undefined : keptSecretKey(dataDir)
  const ofBackup = backup.keyFiles?.[SECRET_KEY_FILE]
  if (secretKey === undefined && kept !== undefined && ofBackup !== undefined && kept !== ofBackup) {
    throw new BackupProblem(
      `${dataDir} has another secret-key than the backup, and it is not replaced. Choose another folder with --data-dir.`,
    )
  }
  const chosen = secretKey ?? ofBackup ?? kept
  if (chosen !== undefined || mayLackKey) return chosen
  throw new BackupProblem(
    passphrase === undefined && backup.manifest.keys !== null
      ? 'The secret key in the backup is encrypted: give the passphrase that it was made with, or SECRET_KEY.'
      : 'The backup was made without the secret key: set SECRET_KEY to the one of the installation. If it is lost, docs/guides/backup.md describes what to do.',
  )
}
