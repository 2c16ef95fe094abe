// Which models lie in a folder `<name>/<version>/`, and whether they have changed since they were last looked at.

import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isModelName } from '@roadworthy/model-store/manifest'
import { compareVersions } from './model-versions.ts'

export type ModelFolder = {
  readonly name: string
  readonly version: string
  readonly dir: string
  /** Differs when a file of it was added, removed, replaced or written to. */
  readonly fingerprint: string
}

/** Far more than anyone serves from one engine; a folder with more is not a model store. */
const MAX_MODELS = 200
const MAX_VERSIONS = 500

export type FoundModels = {
  /** Every version of every model, by name, the newest first. */
  readonly models: ReadonlyMap<string, readonly ModelFolder[]>
  /** By name: why the versions of that model could not be listed. */
  readonly unlisted: ReadonlyMap<string, Error>
}

/** Names that begin with a dot are being written, or are none of ours. What is wrong with one folder leaves the others to be served. */
export async function listModelFolders(modelsDir: string): Promise<FoundModels> {
  const models = new Map<string, readonly ModelFolder[]>()
  const unlisted = new Map<string, Error>()
  for (const name of await listSubfolders(modelsDir, MAX_MODELS)) {
    try {
      const folders = await listVersions(modelsDir, name)
      if (folders.length > 0) models.set(name, folders)
    } catch (error) {
      // What can be no model, such as the `lost+found` of a volume, which is its owner's alone, is nobody's trouble.
      if (isModelName(name)) unlisted.set(name, explain(error as NodeJS.ErrnoException))
    }
  }
  return { models, unlisted }
}

async function listVersions(modelsDir: string, name: string): Promise<ModelFolder[]> {
  const folders: ModelFolder[] = []
  for (const version of (await listSubfolders(path.join(modelsDir, name), MAX_VERSIONS)).sort(compareVersions).reverse()) {
    const dir = path.join(modelsDir, name, version)
    const fingerprint = await fingerprintOf(dir)
    if (fingerprint !== undefined) folders.push({ name, version, dir, fingerprint })
  }
  return folders
}

function explain(error: NodeJS.ErrnoException): Error {
  return error.code === undefined ? error : new Error(`Its folder cannot be read (${error.code}).`, { cause: error })
}

/** Links to folders count: that is how Kubernetes mounts a ConfigMap. */
async function listSubfolders(dir: string, limit: number): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).sort()
  const folders: string[] = []
  for (const name of names) if ((await stat(path.join(dir, name)).catch(unlessGone))?.isDirectory() === true) folders.push(name)
  if (folders.length > limit) throw new Error(`${dir} holds ${folders.length} folders; at most ${limit} are read.`)
  return folders
}

async function fingerprintOf(dir: string): Promise<string | undefined> {
  try {
    const names = await readdir(dir)
    if (names.length === 0) return undefined
    const parts: string[] = []
    for (const name of names.sort()) {
      const stats = await stat(path.join(dir, name), { bigint: true }).catch(unlessGone)
      parts.push(stats === undefined ? name : `${name} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`)
    }
    return parts.join('\n')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The registry, which loads it, reports that it cannot be read.
    return code === 'ENOENT' ? undefined : `cannot be read ${code}`
  }
}

/** What was removed between listing and looking is not there, nor is what a link that leads to itself stands for. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ELOOP') throw error
}
