// Restores a base backup and the log that was archived since, up to a moment, into an empty data folder (point-in-time recovery).

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkValue } from '@roadworthy/service-kit/postgres/database-roles'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { accountNameOf, findUnreadable } from '@roadworthy/service-kit/postgres/postgres-account'
import { accountOf, placeCluster } from '@roadworthy/service-kit/postgres/postgres-cluster'
import { settingText } from '@roadworthy/service-kit/postgres/wal-archive'
import { BackupProblem } from '../../backup/backup-problem.ts'
import { type Ended, endWhatIsOver } from '../../backup/end-what-is-over.ts'
import { type HistoryFile, putLaterHistory } from '../../backup/history-parts.ts'
import { checkpoint, selectKeyCheckValue, selectOccupants, selectRecovered } from '../../backup/load.sql.ts'
import { checkBase, copyCluster, findGap, isOfArchive, isReadToEnd, type OpenBase, openBase } from '../../backup/read-base-backup.ts'
import { connect, dbOf, selectHistoryFiles } from '../../backup/snapshot.sql.ts'
import { SECRET_KEY_FILE } from '../../backup/write-backup.ts'
import { type HistoryPlace, openHistory } from '../../history/history-place.ts'
import { POSTGRES_PASSWORD_FILE, withNewFolder } from './restore-folder.ts'

/** Reading the log of weeks takes hours. */
const RECOVERED_WITHIN_MS = 7 * 86_400_000

export type BaseRestore = {
  readonly from: string
  readonly passphrase: string
  /** The archived log. */
  readonly wal: string
  /** Undefined: everything that is archived. */
  readonly until: Date | undefined
  readonly dataDir: string
  readonly historyPlace: HistoryPlace | undefined
  /** A copy of the folder of the history as it was at the end, for files that were sealed since the base backup. */
  readonly historyFrom: string | undefined
  readonly mayLackHistory: boolean
  readonly log: (message: string) => void
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type RestoredBase = { readonly ended: Ended; readonly lastCommitAt: Date | undefined; readonly lackingFiles: number }

export async function restoreBase(request: BaseRestore): Promise<RestoredBase> {
  const { onProgress, signal, log, until } = request
  const base = await openBase(request.from, request.passphrase)
  if (until !== undefined && until < new Date(base.manifest.startedAt)) {
    throw new BackupProblem(`The base backup was made at ${base.manifest.startedAt}, after ${until.toISOString()}. Take an older one.`)
  }
  const archive = readdirSync(request.wal)
  const missing = findGap(archive, base.manifest)
  if (missing !== undefined) {
    throw new BackupProblem(
      `${request.wal} has no segment ${missing}, without which the log of this base backup ends too early. Name the whole archive.`,
    )
  }
  await checkBase(base, (share, name) => onProgress?.(share / 2, `checking ${name}`))
  return await withNewFolder(request.dataDir, keyFilesOf(base), async (dataDir) => {
    onProgress?.(0.5, 'copying')
    await placeCluster(dataDir, base.keyFiles[POSTGRES_PASSWORD_FILE] ?? '', async (cluster) => {
      await copyCluster(base, cluster, signal)
      writeFileSync(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
    })
    refuseUnreadable(dataDir, request.wal)
    onProgress?.(0.75, 'reading the log')
    const settings = recoverySettings(request)
    const server = await startEmbeddedPostgres({
      dataDir,
      log,
      settings,
      readyWaitMs: RECOVERED_WITHIN_MS,
      ...(signal && { signal }),
    }).catch(explain)
    try {
      return await finish(base, server.url, archive, request)
    } finally {
      await server.stop()
    }
  })
}

function keyFilesOf({ keyFiles }: OpenBase) {
  const { [POSTGRES_PASSWORD_FILE]: _password, ...others } = keyFiles
  return others
}

/** By the account that the server runs as. */
function refuseUnreadable(dataDir: string, wal: string): void {
  const account = accountOf(dataDir)
  const files = readdirSync(wal).filter(isOfArchive)
  const unreadable = findUnreadable(
    account,
    files.map((name) => join(wal, name)),
  )
  if (unreadable === undefined) return
  throw new BackupProblem(
    `${unreadable} cannot be read by ${accountNameOf(account)}, as which PostgreSQL runs. Give it the folder (chown -R).`,
  )
}

function recoverySettings({ wal, until }: BaseRestore): Record<string, string> {
  // For a shell; % begins what PostgreSQL fills in.
  const folder = `'${wal.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  return {
    restore_command: settingText(`cp ${folder}/%f %p`),
    ...(until === undefined ? {} : { recovery_target_time: settingText(until.toISOString().replace('T', ' ').replace('Z', '+00')) }),
    recovery_target_action: 'promote',
    // It takes no connections, and does not count as ready, before it has read the log to its end.
    hot_standby: 'off',
    max_locks_per_transaction: '512',
  }
}

function explain(error: unknown): never {
  const { message } = error as Error
  if (/recovery ended before configured recovery target was reached/.test(message)) {
    throw new BackupProblem(
      'The archived log ends before the moment that was asked for. Leave --until out to have all of it, or name an earlier moment.',
      { cause: error },
    )
  }
  throw error
}

async function finish(base: OpenBase, ownerUrl: string, archive: readonly string[], request: BaseRestore): Promise<RestoredBase> {
  const client = await connect(ownerUrl)
  try {
    const wanted = await selectKeyCheckValue(client)
    if (wanted !== checkValue(base.keyFiles[SECRET_KEY_FILE] ?? '')) {
      throw new BackupProblem('The secret key of the base backup is not that of its database. It cannot be restored by this.')
    }
    const { lastCommitAt, segment } = await selectRecovered(client)
    if (request.until === undefined && !isReadToEnd(archive, segment)) {
      throw new BackupProblem(
        `The log could be read up to ${segment} only, and the archive goes further: that segment, or the one after it, is damaged.`,
      )
    }
    const lackingFiles = await restoreHistory(base, await selectHistoryFiles(client), request)
    await client.query('begin')
    const ended = await endWhatIsOver(dbOf(client), new Set(await selectOccupants(client)))
    await client.query('commit')
    await checkpoint(client)
    return { ended, lastCommitAt, lackingFiles }
  } finally {
    await client.end()
  }
}

async function restoreHistory({ manifest, folder }: OpenBase, live: readonly HistoryFile[], request: BaseRestore): Promise<number> {
  const { historyPlace, historyFrom: copyFolder, mayLackHistory: mayLack } = request
  const history = historyPlace === undefined ? undefined : await openHistory(historyPlace)
  try {
    return await putLaterHistory({
      ...{ live, ofBase: manifest.history.isIncluded ? manifest.history.files : [], baseFolder: join(folder, 'history') },
      ...{ history: history?.store, copyFolder, mayLack },
    })
  } finally {
    history?.close()
  }
}
