// Where sealed files are. A file is written once, under a name that no other has, and never changed.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

export type FileStore = {
  /** On a local disk: what is being written. Its content may go at any time that nobody seals. */
  readonly stagingFolder: string
  /** Stores a staged file and removes it there. Once it resolves, a crash does not lose it. */
  put(stagedFile: string, storedPath: string): Promise<void>
  /** A local copy of what is stored, or the stored file itself, taken anew. Afterwards `discardFetched`. */
  fetch(storedPath: string): Promise<string>
  /** The same for reading it again and again: what was fetched once may be kept. Rejects when it is gone or has another length. */
  local(file: { readonly path: string; readonly bytes: number; readonly sha256: string }): Promise<string>
  /** Nothing when it is gone. */
  remove(storedPath: string): Promise<void>
}

const STAGING = '.staging'

/** Removes a copy that `fetch` made. */
export async function discardFetched({ stagingFolder }: Pick<FileStore, 'stagingFolder'>, file: string): Promise<void> {
  if (path.dirname(file) === stagingFolder) await rm(file, { force: true })
}

/** A folder. It may be a network file system that all processes of the installation see. */
export function createFolderStore(folder: string): FileStore {
  const stored = (storedPath: string) => path.join(folder, storedPath)
  return {
    stagingFolder: path.join(folder, STAGING),
    put: async (stagedFile, storedPath) => {
      const target = stored(storedPath)
      await flush(stagedFile)
      await makeFolder(path.dirname(target), folder)
      await rename(stagedFile, target)
      await flush(path.dirname(target))
    },
    fetch: async (storedPath) => stored(storedPath),
    local: async ({ path: storedPath, bytes }) => {
      const { size } = await stat(stored(storedPath))
      if (size !== bytes) throw new Error(`${storedPath} has ${size} bytes, and was sealed with ${bytes}`)
      return stored(storedPath)
    },
    remove: async (storedPath) => await rm(stored(storedPath), { force: true }),
  }
}

/** A new folder survives a crash when the one that holds it was flushed. */
async function makeFolder(wanted: string, root: string): Promise<void> {
  if ((await mkdir(wanted, { recursive: true })) === undefined) return
  for (let each = path.dirname(wanted); each.startsWith(root); each = path.dirname(each)) await flush(each)
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function sha256OfFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of createReadStream(file)) {
    hash.update(part as Buffer)
    bytes += (part as Buffer).length
  }
  return { sha256: hash.digest('hex'), bytes }
}
