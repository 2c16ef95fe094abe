// Files of the history, into a backup and back.

import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '@roadworthy/service-kit/text/ids'
import { createFolderStore, discardFetched, type FileStore, sha256OfFile } from '../history/file-store.ts'
import { BackupProblem } from './backup-problem.ts'
import { copyPart, type Written } from './part-file.ts'

export type HistoryFile = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** `history` undefined: where the files are is not set. */
export async function copyHistory(
  draft: string,
  files: readonly HistoryFile[],
  { history, signal }: { readonly history: FileStore | undefined; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  if (files.length === 0) return
  if (history === undefined) {
    throw new BackupProblem(
      `Readings are in ${files.length} files of the history, and where these are is not set here. Set HISTORY_DIR or HISTORY_S3_… as for the service, or give --no-history.`,
    )
  }
  for (const { path: storedPath, sha256 } of files) {
    const written = await copyStored(history, storedPath, path.join(draft, 'history', storedPath), signal)
    if (written.sha256 !== sha256) {
      throw new BackupProblem(
        `The file ${storedPath} of the history is not as it was sealed. "npx roadworthy history verify" checks every file.`,
      )
    }
  }
}

async function copyStored(history: FileStore, storedPath: string, target: string, signal: AbortSignal | undefined): Promise<Written> {
  const source = await history.fetch(storedPath)
  try {
    return await copyPart(source, target, signal)
  } catch (error) {
    const { code, path: failed } = error as NodeJS.ErrnoException
    if (failed !== source) throw error
    throw new BackupProblem(
      `The file ${storedPath} of the history cannot be read (${code}). "npx roadworthy history verify" checks every file; --no-history leaves them out.`,
      { cause: error },
    )
  } finally {
    await discardFetched(history, source)
  }
}

/** From a folder that has them by their stored paths. A file that is put again is the same one. */
export async function putHistory(folder: string, files: readonly HistoryFile[], history: FileStore | undefined): Promise<void> {
  if (files.length === 0) return
  if (history === undefined) {
    throw new BackupProblem(
      `The backup has ${files.length} files of the history, and where they go is not set. Set HISTORY_DIR or HISTORY_S3_… as the service will have it.`,
    )
  }
  await mkdir(history.stagingFolder, { recursive: true })
  for (const { path: storedPath } of files) {
    // A name of its own: another process of the installation may restore the same file.
    const staged = path.join(history.stagingFolder, `restored-${newId('srf')}`)
    try {
      await copyPart(path.join(folder, storedPath), staged)
      await history.put(staged, storedPath)
    } finally {
      await rm(staged, { force: true })
    }
  }
}

export type LaterHistory = {
  /** The live files of the restored catalogue. */
  readonly live: readonly HistoryFile[]
  /** Those that the base backup holds, and the folder that it holds them in. */
  readonly ofBase: readonly HistoryFile[]
  readonly baseFolder: string
  /** Where the service has its history; undefined: not set. */
  readonly history: FileStore | undefined
  /** A copy of the folder of the history as it was at the end. */
  readonly copyFolder: string | undefined
  readonly mayLack: boolean
}

/**
 * The files of a catalogue that goes beyond its base backup: those of the backup are put into the history. What was sealed since is there already, as in a bucket that
 * outlived the machine, or comes from a copy. Answers how many are nowhere.
 */
export async function putLaterHistory({ live, ofBase, baseFolder, history, copyFolder, mayLack }: LaterHistory): Promise<number> {
  const inBase = new Set(ofBase.map(({ path }) => path))
  const later = live.filter(({ path }) => !inBase.has(path))
  const there = history === undefined ? new Set<HistoryFile>() : await findStored(history, later, 'the history')
  const absent = later.filter((file) => !there.has(file))
  const copied = copyFolder === undefined ? new Set<HistoryFile>() : await findStored(createFolderStore(copyFolder), absent, copyFolder)
  const lacking = absent.length - copied.size
  if (lacking > 0 && !mayLack) {
    throw new BackupProblem(
      `${lacking} files of the history were sealed since the base backup, and are neither in it nor where the history is set to be. Set HISTORY_DIR or HISTORY_S3_… as for the service, name a copy of its folder with --history, or give --no-history.`,
    )
  }
  await putHistory(
    baseFolder,
    live.filter(({ path }) => inBase.has(path)),
    history,
  )
  if (copyFolder !== undefined) await putHistory(copyFolder, [...copied], history)
  return lacking
}

/** Those of the files that a store has. One that is not as it was sealed is refused. */
async function findStored(store: FileStore, files: readonly HistoryFile[], where: string): Promise<Set<HistoryFile>> {
  const found = new Set<HistoryFile>()
  for (const file of files) {
    const sha256 = await storedSha256(store, file.path)
    if (sha256 === undefined) continue
    if (sha256 !== file.sha256) throw new BackupProblem(`${file.path} in ${where} is not as it was sealed.`)
    found.add(file)
  }
  return found
}

/** Undefined: the store has no such file. */
export async function storedSha256(store: FileStore, storedPath: string): Promise<string | undefined> {
  try {
    const local = await store.fetch(storedPath)
    try {
      return (await sha256OfFile(local)).sha256
    } finally {
      await discardFetched(store, local)
    }
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    // Of a folder, and of a bucket.
    if (code === 'ENOENT' || name === 'NoSuchKey') return undefined
    throw error
  }
}
