// Which models lie in a folder `<name>/<version>/`, and whether they have changed since they were last looked at.

import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
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

/** Every version of every model, by name, the newest first. Names that begin with a dot are being written, or are none of ours. */
export async function listModelFolders(modelsDir: string): Promise<ReadonlyMap<string, readonly ModelFolder[]>> {
  const models = new Map<string, readonly ModelFolder[]>()
  for (const name of await listSubfolders(modelsDir, MAX_MODELS)) {
    const folders: ModelFolder[] = []
    for (const version of (await listSubfolders(path.join(modelsDir, name), MAX_VERSIONS)).sort(compareVersions).reverse()) {
      const dir = path.join(modelsDir, name, version)
      const fingerprint = await fingerprintOf(dir)
      if (fingerprint !== undefined) folders.push({ name, version, dir, fingerprint })
    }
    if (folders.length > 0) models.set(name, folders)
  }
  return models
}

/** Links to folders count: that is how Kubernetes mounts a ConfigMap. */
async function listSubfolders(dir: string, limit: number): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('.')).sort()
  const folders: string[] = []
  for (const name of names) if ((await stat(path.join(dir, name)).catch(unlessGone))?.isDirectory() === true) folders.push(name)
  if (folders.length > limit) throw new Error(`${dir} holds ${folders.length} folders; at most ${limit} are read`)
  return folders
}

async function fingerprintOf(dir: string): Promise<string | undefined> {
  const names = await readdir(dir).catch(unlessGone)
  if (names === undefined || names.length === 0) return undefined
  const parts: string[] = []
  for (const name of names.sort()) {
    const stats = await stat(path.join(dir, name), { bigint: true }).catch(unlessGone)
    parts.push(stats === undefined ? name : `${name} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`)
  }
  return parts.join('\n')
}

/** What was removed between listing and looking is not there. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
