// A model directory appears whole or not at all: it is written beside its place and renamed.

import { createHash, randomBytes } from 'node:crypto'
import { access, constants, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { checkManifest, MANIFEST_FILE, type ManifestDraft, type ModelManifest, manifestBytes } from './manifest.ts'
import { ModelError } from './model-error.ts'

export type ModelFiles = Readonly<Record<string, Uint8Array>>

/**
 * Writes `files` and their manifest to `dir`, and returns that manifest. A model that is there is replaced; a folder that holds anything
 * else is left alone, with an error. Folders whose name begins with a dot are never models, so a reader never sees a half-written one.
 */
export async function writeModel(dir: string, model: { manifest: ManifestDraft; files: ModelFiles }): Promise<ModelManifest> {
  const manifest = checkManifest({ ...model.manifest, schema_version: 1, files: listFiles(model.files) })
  const place = path.resolve(dir)
  try {
    await putModel(place, manifest, model.files)
  } catch (error) {
    throw explained(place, error)
  }
  return manifest
}

/** Refuses a `dir` that `writeModel` could not write to, before anything is trained. Writes nothing. */
export async function requirePlaceForModel(dir: string): Promise<void> {
  const place = path.resolve(dir)
  try {
    await holdsModel(place)
    await access(await nearestFolder(path.dirname(place)), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw explained(place, error)
  }
}

async function nearestFolder(dir: string): Promise<string> {
  try {
    await access(dir)
    return dir
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return nearestFolder(path.dirname(dir))
  }
}

async function putModel(place: string, manifest: ModelManifest, files: ModelFiles): Promise<void> {
  await makeFolder(path.dirname(place))
  const isTaken = await holdsModel(place)
  const staged = besideOf(place, 'partial')
  await mkdir(staged)
  try {
    for (const [name, bytes] of Object.entries(files)) await writeDurably(path.join(staged, name), bytes)
    await writeDurably(path.join(staged, MANIFEST_FILE), manifestBytes(manifest))
    if (isTaken) {
      const replaced = besideOf(place, 'replaced')
      await rename(place, replaced)
      await rename(staged, place)
      await rm(replaced, { recursive: true })
    } else {
      await rename(staged, place)
    }
  } catch (error) {
    await rm(staged, { recursive: true, force: true })
    throw error
  }
}

function besideOf(place: string, what: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${randomBytes(6).toString('hex')}.${what}`)
}

/** In place of `recursive` of `mkdir`, which reports a read-only file system as a missing folder, and never ends below /proc. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdirUnlessThere(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makeFolder(path.dirname(dir))
    await mkdirUnlessThere(dir)
  }
}

async function mkdirUnlessThere(dir: string): Promise<void> {
  try {
    await mkdir(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** What the file system refuses, in a sentence with the model's own folder: what is staged beside it is nobody's concern. */
function explained(place: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  return new ModelError('not_writable', `${place} cannot be written (${code}).`, error)
}

function listFiles(files: ModelFiles): ModelManifest['files'] {
  return Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => ({ path: name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }))
}

/** Whether there is a model to replace. An empty folder is nothing; rename(2) takes its place. */
async function holdsModel(place: string): Promise<boolean> {
  let names: string[]
  try {
    names = await readdir(place)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code === 'ENOTDIR') throw new ModelError('model_exists', `${place} is a file or lies below one; a model takes a folder.`, error)
    throw error
  }
  if (names.includes(MANIFEST_FILE)) return true
  if (names.length === 0) return false
  throw new ModelError('model_exists', `${place} holds other files and no model; name a new or empty folder.`)
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
