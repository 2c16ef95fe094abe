import { checkGoldenRows } from '@roadworthy/model-store/golden-rows'
import type { ModelManifest } from '@roadworthy/model-store/manifest'
import { readModel } from '@roadworthy/model-store/read-model'
import type { Backend, BackendLoader } from './backend.ts'
import type { ModelFolder } from './model-folders.ts'

/** A model that answers: its files are what the manifest states, and it has answered its golden rows. Never changed once made. */
export type LoadedModel = {
  readonly manifest: ModelManifest
  readonly backend: Backend
}

/** Throws with what is wrong, as a sentence without the folder it happened in. */
export async function loadModel({ name, version, dir }: ModelFolder, load: BackendLoader): Promise<LoadedModel> {
  const stored = await readModel(dir)
  const { manifest } = stored
  if (manifest.name !== name || manifest.version !== version) {
    throw new Error(`its folder is ${name}/${version}, but its manifest states ${manifest.name}/${manifest.version}.`)
  }
  const backend = await load(stored)
  const { outputs } = manifest
  if (outputs !== undefined && outputs.join('\n') !== backend.outputs.join('\n')) {
    throw new Error(`its manifest names the outputs ${outputs.join(', ')}; the model gives ${backend.outputs.join(', ')}.`)
  }
  await checkGoldenRows(manifest, backend.scoreRows)
  return { manifest, backend }
}
