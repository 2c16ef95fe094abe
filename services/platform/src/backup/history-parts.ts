// Files of the history, into a backup and back.

import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '@roadworthy/service-kit/ids'
import type { FileStore } from '../history/file-store.ts'
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
