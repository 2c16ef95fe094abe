// A model directory appears whole or not at all: it is written beside its place and renamed.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
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
  const beside = (what: string) => path.join(path.dirname(place), `.${path.basename(place)}.${randomBytes(6).toString('hex')}.${what}`)
  await mkdir(path.dirname(place), { recursive: true })
  const isTaken = await holdsModel(place)
  const staged = beside('partial')
  await mkdir(staged)
  try {
    for (const [name, bytes] of Object.entries(model.files)) await writeDurably(path.join(staged, name), bytes)
    await writeDurably(path.join(staged, MANIFEST_FILE), manifestBytes(manifest))
    if (isTaken) {
      const replaced = beside('replaced')
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
  return manifest
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
    if (code === 'ENOTDIR') throw new ModelError('model_exists', `${place} is a file, not a folder for a model.`, error)
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
