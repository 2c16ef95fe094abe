// A base backup of the embedded PostgreSQL: its files as they are while it runs, which the archived log makes whole.

import path from 'node:path'
import type pg from 'pg'
import type { FileStore } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { type BaseStop, selectDataDirectory, startBase, stopBase } from './base-backup.sql.ts'
import { BASE_FORMAT, BASE_FORMAT_VERSION, type BaseManifest } from './base-manifest.ts'
import { listClusterFiles } from './cluster-files.ts'
import { copyHistory } from './history-parts.ts'
import { writeManifest } from './manifest.ts'
import { copyPart, inDraft, streamOf, writePart } from './part-file.ts'
import { checkPassphrase, type KeyFiles, sealKeys } from './passphrase.ts'
import { connect, selectHistoryFiles } from './snapshot.sql.ts'

export type BaseBackupRequest = {
  readonly ownerUrl: string
  readonly to: string
  readonly passphrase: string
  /** The secret key, the first credentials, and the password of the owner's role, which is in the files. */
  readonly keyFiles: KeyFiles
  readonly history: FileStore | undefined
  readonly isHistoryLeftOut: boolean
  readonly productVersion: string
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((share: number, name: string) => void) | undefined
}

export type MadeBase = { readonly folder: string; readonly bytes: number; readonly manifest: BaseManifest }

type BaseFile = BaseManifest['files'][number]

export async function writeBaseBackup(request: BaseBackupRequest): Promise<MadeBase> {
  checkPassphrase(request.passphrase)
  const manifest = await inDraft(request.to, (draft) => fill(draft, request), request.signal)
  return { folder: request.to, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0), manifest }
}

async function fill(draft: string, request: BaseBackupRequest): Promise<BaseManifest> {
  const keys = await sealKeys(request.passphrase, request.keyFiles)
  const client = await connect(request.ownerUrl)
  try {
    const historyFiles = await selectHistoryFiles(client)
    if (!request.isHistoryLeftOut) await copyHistory(draft, historyFiles, request)
    const { startWal, at, postgresVersion, isArchiving } = await startBase(client)
    if (!isArchiving) {
      throw new BackupProblem(
        'The log of this PostgreSQL is not archived, and a base backup is nothing without it. Start the service with WAL_ARCHIVE_DIR.',
      )
    }
    const cluster = await selectDataDirectory(client)
    const { files, folders } = await copyCluster(draft, cluster, request)
    const stopped = await stop(client)
    const labels = await writeLabels(draft, stopped)
    const manifest: BaseManifest = {
      ...{
        format: BASE_FORMAT,
        formatVersion: BASE_FORMAT_VERSION,
        productVersion: request.productVersion,
        madeAt: request.now.toISOString(),
      },
      ...{ postgresVersion, startedAt: at, startWal, stopWal: stopped.stopWal, files: [...files, ...labels], folders, keys: keys.box },
      history: { isIncluded: !request.isHistoryLeftOut, files: [...historyFiles] },
    }
    await writeManifest(draft, manifest, keys)
    return manifest
  } finally {
    await client.end()
  }
}

/** Files that go meanwhile are not needed: the log has what became of them. */
async function copyCluster(draft: string, cluster: string, { signal, onProgress }: BaseBackupRequest) {
  const { files: names, folders } = await listClusterFiles(cluster)
  const files: BaseFile[] = []
  for (const [nth, name] of names.entries()) {
    onProgress?.(nth / names.length, name)
    const file = `cluster/${name}`
    try {
      files.push({ file, ...(await copyPart(path.join(cluster, name), path.join(draft, file), signal)) })
    } catch (error) {
      const { code, path: missing } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || missing !== path.join(cluster, name)) throw error
    }
  }
  return { files, folders }
}

async function stop(client: pg.Client): Promise<BaseStop> {
  try {
    return await stopBase(client)
  } catch (error) {
    if ((error as { code?: unknown }).code !== '57014') throw error
    const fix = '"npx roadworthy wal status" shows what the archive is waiting for.'
    throw new BackupProblem(`The log that the base backup needs was not archived in time, so that it is worth nothing. ${fix}`, {
      cause: error,
    })
  }
}

async function writeLabels(draft: string, { backupLabel, tablespaceMap }: BaseStop): Promise<BaseFile[]> {
  const texts = { backup_label: backupLabel, ...(tablespaceMap === '' ? {} : { tablespace_map: tablespaceMap }) }
  const files: BaseFile[] = []
  for (const [name, text] of Object.entries(texts)) {
    const file = `cluster/${name}`
    files.push({ file, ...(await writePart(path.join(draft, file), [streamOf(text)])) })
  }
  return files
}
