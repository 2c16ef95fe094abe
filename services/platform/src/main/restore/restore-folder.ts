// Restores a backup into a data folder, with an embedded PostgreSQL: a new instance, which is none until the last step.

import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { findHome } from '@roadworthy/service-kit/postgres/postgres-cluster'
import { lockFolder } from '@roadworthy/service-kit/process/folder-lock'
import { BackupProblem } from '../../backup/backup-problem.ts'
import { explainFullDisk } from '../../backup/full-disk.ts'
import { flush } from '../../backup/part-file.ts'
import type { KeyFiles } from '../../backup/passphrase.ts'
import { type Restored, type RestoreRequest, restoreDatabase } from '../../backup/restore-backup.ts'
import { SECRET_KEY_FILE } from '../../backup/write-backup.ts'

/** What an instance keeps in its data folder. A folder with other things in it, such as map, may still be restored into. */
const KEPT = ['postgres', SECRET_KEY_FILE, 'credentials.json', 'history']
/** In the folder while a restore is under way. Nothing is started on such a folder. */
const MARKER = 'restore-unfinished'

/** Many tables and partitions are made in one transaction. */
const SERVER_SETTINGS = { max_locks_per_transaction: '512', max_wal_size: '4GB' }

export type FolderRestore = Omit<RestoreRequest, 'ownerUrl' | 'isFlushed'> & {
  readonly dataDir: string
  readonly log: (message: string) => void
}

/** What an instance has in the folder; nothing where a restore may begin. */
export function findKept(dataDir: string): string[] {
  if (isUnfinished(dataDir)) return []
  const isThere = (path: string) => existsSync(path) && !(statSync(path).isDirectory() && readdirSync(path).length === 0)
  return KEPT.filter((name) => isThere(join(dataDir, name)))
}

/** Whether a restore into this folder was begun and did not end. */
export function isUnfinished(dataDir: string): boolean {
  return existsSync(join(dataDir, MARKER))
}

/** In the keys of a base backup: the password of the owner's role, which the files of its cluster have. It goes into the home of the cluster. */
export const POSTGRES_PASSWORD_FILE = 'postgres-password'

export async function restoreIntoFolder({ dataDir: given, log, ...request }: FolderRestore): Promise<Restored> {
  return await withNewFolder(given, request.backup.keyFiles ?? {}, async (dataDir) => {
    const { signal } = request
    const server = await startEmbeddedPostgres({ dataDir, log, settings: SERVER_SETTINGS, ...(signal === undefined ? {} : { signal }) })
    try {
      return await restoreDatabase({ ...request, ownerUrl: server.url, isFlushed: true })
    } finally {
      await server.stop()
    }
  })
}

/**
 * Has `fill` make a database in a folder that has no instance; with the key files beside it, it is one from then on. What an earlier restore into this folder left unfinished is
 * removed first, because it never was an instance.
 */
export async function withNewFolder<T>(given: string, keyFiles: KeyFiles, fill: (dataDir: string) => Promise<T>): Promise<T> {
  mkdirSync(given, { recursive: true })
  const dataDir = realpathSync(given)
  try {
    await prepareFolder(dataDir)
    const filled = await fill(dataDir)
    await writeKeyFiles(dataDir, keyFiles)
    rmSync(join(dataDir, MARKER))
    await flush(dataDir)
    return filled
  } catch (error) {
    throw explainFullDisk(error, dataDir)
  }
}

async function prepareFolder(dataDir: string): Promise<void> {
  const unlock = lockFolder(dataDir, join(dataDir, 'service.lock'))
  try {
    const kept = findKept(dataDir)
    if (kept.length > 0) {
      const fix = 'A backup is restored into an empty folder only, and nothing is ever replaced: choose another with --data-dir.'
      throw new BackupProblem(`${dataDir} holds an instance already: it has ${kept.join(', ')}. ${fix}`)
    }
    if (isUnfinished(dataDir)) removeUnfinished(dataDir)
    writeFileSync(join(dataDir, MARKER), 'A restore into this folder was begun and did not end. Restore again; that begins anew.\n')
    await flush(dataDir)
  } finally {
    unlock()
  }
}

/** The cluster may be outside of the folder. */
function removeUnfinished(dataDir: string): void {
  rmSync(findHome(dataDir), { recursive: true, force: true })
  for (const name of KEPT) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** Those that are not there yet. Answers which. */
export async function writeKeyFiles(dataDir: string, files: KeyFiles): Promise<string[]> {
  mkdirSync(dataDir, { recursive: true })
  const written = Object.entries(files).filter(([name]) => KEPT.includes(name) && !existsSync(join(dataDir, name)))
  for (const [name, text] of written) {
    const file = join(dataDir, name)
    writeFileSync(file, `${text.trimEnd()}\n`, { mode: 0o600, flag: 'wx' })
    await flush(file)
  }
  await flush(dataDir)
  return written.map(([name]) => name)
}
