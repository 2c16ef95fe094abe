// Files of a backup: written and read in a stream, hashed on the way, and flushed to the disk.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Everything in a backup is for its owner only. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export type Written = { readonly bytes: number; readonly sha256: string }

/** `parts` are what a pipeline begins with. Rejects where the file is there already. */
export async function writePart(
  file: string,
  parts: readonly (NodeJS.ReadableStream | NodeJS.ReadWriteStream)[],
  signal?: AbortSignal,
): Promise<Written> {
  await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE })
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
