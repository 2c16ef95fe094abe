// Reads a model directory and believes none of it before it is checked.

import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { checkManifest, MANIFEST_FILE, MAX_MANIFEST_BYTES, type ModelManifest } from './manifest.ts'
import { ModelError } from './model-error.ts'

export type StoredModel = {
  /** Where it was read from. */
  readonly dir: string
  readonly manifest: ModelManifest
  /** Every file of the manifest by its path, with the size and the hash that the manifest states. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** All files of one model together. Ours are below 3 MB; a gradient-boosted model of another maker may have hundreds. */
const MAX_MODEL_BYTES = 512 * 1024 * 1024

/** Throws `ModelError` when the directory is not what its manifest states, with what is wrong. Golden rows are for `checkGoldenRows`. */
export async function readModel(dir: string, { maxModelBytes = MAX_MODEL_BYTES }: { maxModelBytes?: number } = {}): Promise<StoredModel> {
  const manifest = await readManifest(dir)
  const totalBytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  if (totalBytes > maxModelBytes) {
    throw new ModelError('file_too_large', `${dir}: its files have ${totalBytes} bytes together; at most ${maxModelBytes} are loaded.`)
  }
  const files = new Map<string, Uint8Array>()
  for (const entry of manifest.files) files.set(entry.path, await readVerified(dir, entry))
  return { dir, manifest, files }
}

/** The manifest alone, checked; the files it names are not looked at. */
async function readManifest(dir: string): Promise<ModelManifest> {
  const file = path.join(dir, MANIFEST_FILE)
  const bytes = await readBounded(file, MAX_MANIFEST_BYTES, (message, cause) => new ModelError('model_missing', message, cause))
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new ModelError('manifest_invalid', `${file} is not JSON: ${(error as Error).message}.`, error)
  }
  return checkManifest(value)
}

async function readVerified(
  dir: string,
  { path: name, sha256, bytes: expectedBytes }: ModelManifest['files'][number],
): Promise<Uint8Array> {
  const file = path.join(dir, name)
  const bytes = await readBounded(file, expectedBytes, (message, cause) => new ModelError('file_missing', message, cause))
  if (bytes.length !== expectedBytes) {
    throw new ModelError('file_size_differs', `${file} has ${bytes.length} bytes; its manifest states ${expectedBytes}.`)
  }
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new ModelError('file_hash_differs', `${file} has sha256 ${found}; its manifest states ${sha256}.`)
  return bytes
}

/** A named pipe that is opened without it waits for a writer: for ever, and the process could not even end. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Never takes more memory than `maxBytes`, whatever the file does meanwhile. */
async function readBounded(
  file: string,
  maxBytes: number,
  missing: (message: string, cause: unknown) => ModelError,
): Promise<Buffer<ArrayBuffer>> {
  let handle: FileHandle
  try {
    handle = await open(file, WITHOUT_WAITING)
  } catch (error) {
    throw missing(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, error)
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw missing(`${file} is not a file.`, undefined)
    if (stats.size > maxBytes) throw new ModelError('file_too_large', `${file} has ${stats.size} bytes; at most ${maxBytes} are expected.`)
    const buffer = Buffer.alloc(stats.size)
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  } finally {
    await handle.close()
  }
}
