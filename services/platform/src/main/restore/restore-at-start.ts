import { resolve } from 'node:path'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { BackupProblem, OccupiedDatabase } from '../../backup/backup-problem.ts'
import { selectOccupants } from '../../backup/load.sql.ts'
import { connect } from '../../backup/snapshot.sql.ts'
import { historyPlaceOf } from '../settings/history-settings.ts'
import type { PlatformConfiguration } from '../settings/settings.ts'
import { StartError } from '../start-error.ts'
import { findKept, isUnfinished } from './restore-folder.ts'
import { restoreInstance } from './restore-instance.ts'

/** Restores the backup of `RESTORE_FROM` where there is no instance yet. Refuses to start on one whose restore did not end. */
export async function restoreAtFirstStart({ settings, secrets }: PlatformConfiguration, log: Logger, signal: AbortSignal): Promise<void> {
  const { dataDir, restoreFrom } = settings
  const databaseUrl = secrets.databaseSessionUrl ?? secrets.databaseUrl
  if (restoreFrom === undefined) {
    if (databaseUrl !== undefined || !isUnfinished(dataDir)) return
    throw new StartError(`A restore into ${dataDir} was begun and did not end. Restore again, which begins anew, or remove the folder.`)
  }
  const occupied = databaseUrl === undefined ? findKept(dataDir) : await occupantsOf(databaseUrl)
  if (occupied.length > 0) {
    log.warn(
      `RESTORE_FROM is ignored: there is an instance already (${databaseUrl === undefined ? dataDir : 'in the database'}). Remove the setting.`,
    )
    return
  }
  const from = resolve(restoreFrom)
  log.info(`restoring ${from} before the first start`)
  try {
    const { manifest, migrated } = await restoreInstance({
      ...{ from, passphrase: secrets.restorePassphrase, dataDir, databaseUrl, secretKey: secrets.secretKey, mayLackKey: false },
      ...{ historyPlace: historyPlaceOf(settings, secrets.historyS3SecretAccessKey, databaseUrl === undefined), isCompared: false, signal },
      log: (message) => log.warn(message),
    })
    log.info({ backupOf: manifest.snapshotAt, migrated }, `restored ${from}`)
  } catch (error) {
    // Processes of one installation start together. The others wait while one of them restores, and then find what it made.
    if (error instanceof OccupiedDatabase) {
      log.info('another process restored the backup, or started on this database, meanwhile')
      return
    }
    throw error instanceof BackupProblem ? new StartError(`RESTORE_FROM ${from}: ${error.message}`, { cause: error }) : error
  }
}

async function occupantsOf(databaseUrl: string): Promise<string[]> {
  const client = await connect(databaseUrl)
  try {
    return await selectOccupants(client)
  } finally {
    await client.end()
  }
}
