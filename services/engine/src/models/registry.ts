// The models of a folder, kept up to date. What is served changes by one assignment, after the new model has proved itself; whatever goes
// wrong leaves the last good one where it is, and is reported in `GET /v1/models`.

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { BackendLoader } from './backend.ts'
import { type LoadedModel, loadModel } from './load-model.ts'
import { type FoundModels, listModelFolders, type ModelFolder } from './model-folders.ts'
import type { ModelSet, Models, RefusedModel } from './model-set.ts'

/** A model that is replaced in place is gone for the moment between two renames. */
const LOOK_AGAIN_MS = 100

/** Also where MODELS_DIR names a folder too low: that of one model, or of one version. */
const HOLDS_NONE = 'The folder of models holds none: a model lies in <name>/<version>/ of it, beside its manifest.json.'

export type ReloadOutcome = 'loaded' | 'refused' | 'unreadable'

export type RegistryOptions = {
  readonly modelsDir: string
  /** Whether the engine is to answer nothing while no model of the folder is loaded. */
  readonly isRequired: boolean
  readonly knowledge: readonly EngineModel[]
  readonly loadBackend: BackendLoader
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Reported once for every attempt. */
  readonly onReload?: (outcome: ReloadOutcome) => void
}

export type Registry = Models & {
  /**
   * Looks at the folder and resolves when that is done. Models that have not changed are left alone; `force` reads all again, hashes
   * included. Calls while one is under way share one more look after it.
   */
  readonly refresh: (options?: { force?: boolean }) => Promise<void>
}

export function createRegistry(options: RegistryOptions): Registry {
  const { knowledge, isRequired } = options
  const attempts: Attempts = new Map()
  let current: ModelSet = { knowledge, learned: new Map(), refused: new Map(), lacksModels: isRequired }
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  let isForced = false

  const look = async () => {
    if (isForced) attempts.clear()
    isForced = false
    current = await nextSet(current, attempts, options)
  }
  const start = () => {
    waiting = undefined
    running = look().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    current: () => current,
    refresh: ({ force = false } = {}) => {
      isForced ||= force
      if (running === undefined) return start()
      waiting ??= running.then(start, start)
      return waiting
    },
  }
}

/** By `name/version`: what the folder was when it was last tried, and why it was refused, if it was. */
type Attempts = Map<string, { readonly fingerprint: string; readonly reason?: string }>

/** The set to serve after a look at the folder. */
async function nextSet(before: ModelSet, attempts: Attempts, options: RegistryOptions): Promise<ModelSet> {
  let found: FoundModels
  try {
    found = await listSettled(options.modelsDir, before)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Nobody asked for it, and nothing was ever in it: an engine without trained models.
    if (code === 'ENOENT' && !options.isRequired && before.learned.size === 0) return before
    const unreadable = `The folder of models cannot be read (${code ?? reasonOf(error, options)}).`
    return keepAll(before, unreadable, options)
  }
  const isEmpty = found.models.size + found.unlisted.size === 0
  // An empty folder in place of a full one is a volume that is not mounted, rather than somebody's wish.
  if (isEmpty && before.learned.size > 0) return keepAll(before, 'The folder of models holds none.', options)
  // What was refused is gone with its folder.
  if (isEmpty && options.isRequired) return keepAll({ ...before, refused: new Map() }, HOLDS_NONE, options)
  const learned = new Map<string, LoadedModel>()
  const refused = new Map<string, RefusedModel>()
  for (const [name, folders] of found.models) {
    const choice = await chooseVersion(folders, before.learned.get(name), attempts, options)
    if (choice.model !== undefined) learned.set(name, choice.model)
    if (choice.refused !== undefined) refused.set(name, choice.refused)
  }
  for (const [name, error] of found.unlisted) {
    const reason = reasonOf(error, options)
    const served = before.learned.get(name)
    if (served !== undefined) learned.set(name, served)
    refused.set(name, { name, version: served?.manifest.version ?? '', reason })
    if (before.refused.get(name)?.reason !== reason) refuse({ model: name, reason }, options)
  }
  for (const [name, { manifest }] of before.learned) {
    if (!learned.has(name)) options.log.info({ model: name, version: manifest.version }, 'a model was removed')
  }
  return { knowledge: options.knowledge, learned, refused, lacksModels: options.isRequired && learned.size === 0 }
}

function keepAll(before: ModelSet, unreadable: string, { log, onReload }: RegistryOptions): ModelSet {
  const kept = before.learned.size === 0 ? 'no model is loaded' : 'the models that are loaded are kept'
  if (before.unreadable !== unreadable) log.warn({ reason: unreadable }, kept)
  onReload?.('unreadable')
  return { ...before, unreadable }
}

async function listSettled(modelsDir: string, { learned }: ModelSet): Promise<FoundModels> {
  const found = await listModelFolders(modelsDir)
  const isGone = [...learned.values()].some(
    ({ manifest }) => found.models.get(manifest.name)?.some(({ version }) => version === manifest.version) !== true,
  )
  if (!isGone) return found
  await sleep(LOOK_AGAIN_MS)
  return listModelFolders(modelsDir)
}

type Choice = { readonly model: LoadedModel | undefined; readonly refused: RefusedModel | undefined }

/** The newest version that loads. Where the one that is served has gone bad on disk, it is kept rather than an older one brought back. */
async function chooseVersion(
  folders: readonly ModelFolder[],
  served: LoadedModel | undefined,
  attempts: Attempts,
  options: RegistryOptions,
): Promise<Choice> {
  // Of several that are refused, the newest is the one that is reported.
  let refused: RefusedModel | undefined
  for (const folder of folders) {
    const isServed = served?.manifest.version === folder.version
    const last = attempts.get(`${folder.name}/${folder.version}`)
    const isUnchanged = last?.fingerprint === folder.fingerprint
    if (isServed && isUnchanged && last.reason === undefined) return { model: served, refused }
    const outcome = isUnchanged && last.reason !== undefined ? last.reason : await tryModel(folder, attempts, options)
    if (typeof outcome !== 'string') return { model: outcome, refused }
    refused ??= { name: folder.name, version: folder.version, reason: outcome }
    if (isServed) return { model: served, refused }
  }
  return { model: served, refused }
}

/** The model, or why it is refused. */
async function tryModel(folder: ModelFolder, attempts: Attempts, options: RegistryOptions): Promise<LoadedModel | string> {
  const { name, version, fingerprint } = folder
  const key = `${name}/${version}`
  try {
    const model = await loadModel(folder, options.loadBackend)
    attempts.set(key, { fingerprint })
    options.log.info({ model: name, version }, 'a model is served')
    options.onReload?.('loaded')
    return model
  } catch (error) {
    const reason = reasonOf(error, options)
    attempts.set(key, { fingerprint, reason })
    refuse({ model: name, version, reason }, options)
    return reason
  }
}

function refuse(refused: { readonly model: string; readonly version?: string; readonly reason: string }, options: RegistryOptions): void {
  options.log.warn(refused, 'a model was refused')
  options.onReload?.('refused')
}

/** For callers, who have no business with where the folder lies. */
function reasonOf(error: unknown, { modelsDir }: RegistryOptions): string {
  return (error as Error).message.replaceAll(`${modelsDir}${path.sep}`, '')
}
