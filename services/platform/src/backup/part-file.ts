// Files of a backup: written in a stream, hashed on the way, flushed to the disk, and named when all of them are there.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BackupProblem } from './backup-problem.ts'

/** Everything in a backup is for its owner only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export type Written = { readonly bytes: number; readonly sha256: string }

/**
 * Has `fill` write into a folder of another name, which gets its own when everything in it is on the disk. What fails or is stopped leaves nothing, and what is there already is
 * never replaced.
 */
export async function inDraft<T>(to: string, fill: (draft: string) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (existsSync(to)) throw new BackupProblem(`${to} is there already. A backup replaces nothing: choose another name.`)
  const above = path.dirname(to)
  await mkdir(above, { recursive: true })
  const draft = await mkdtemp(`${to}.unfinished-`)
  try {
    const filled = await fill(draft)
    await flushFolders(draft)
    await rename(draft, to)
    await flush(above)
    return filled
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    signal?.throwIfAborted()
    const { code } = error as { code?: unknown }
    if (code === 'ENOSPC') throw new BackupProblem(`The disk of ${above} is full. Nothing was kept.`, { cause: error })
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new BackupProblem(`${to} appeared meanwhile, and is left as it is.`, { cause: error })
    throw error
  }
}

/** `parts` are what a pipeline begins with. Rejects where the file is there already. */
export async function writePart(
  file: string,
  parts: readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream)[],
  signal?: AbortSignal,
): Promise<Written> {
  // Not awaited: a stream that is open already fails where nobody listens, until the pipeline does.
  mkdirSync(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
  const digest = new FileDigest()
  const output = createWriteStream(file, { flags: 'wx', mode: FILE_MODE })
  await pipeline([...parts, digest, output], signal === undefined ? {} : { signal })
  await flush(file)
  return digest.written
}

export async function copyPart(source: string, target: string, signal?: AbortSignal): Promise<Written> {
  return await writePart(target, [createReadStream(source)], signal)
}

/** What a file or a folder holds survives a loss of power once this resolves. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names of files are durable once the folder that holds them is. */
async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(path.join(folder, entry.name))
  }
  await flush(folder)
}

export function streamOf(text: string): Readable {
  return Readable.from([Buffer.from(text)])
}

class FileDigest extends Transform {
  readonly #hash = createHash('sha256')
  #bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    done(null, chunk)
  }

  get written(): Written {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
