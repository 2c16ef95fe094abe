// Models that `roadworthy train` writes, as rows of features: what `/v2` asks for, and what golden rows are made of.
import type { StoredModel } from '@roadworthy/model-store/read-model'
import {
  classifierModelFromFiles,
  classifierOutputs,
  scoreClassifierRow,
} from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { inputFeatureNames } from '@roadworthy/prognostics/learning/classifier/columns'
import { fleetLifeFromFiles, lifeFeatures, lifeOutputs, scoreLifeRow, toLifeModel } from '@roadworthy/prognostics/learning/life/fleet-life'
import { rulModelFromFiles, rulOutputs, scoreRulRow } from '@roadworthy/prognostics/learning/rul/rul-model'
import { trendFeatureNames } from '@roadworthy/prognostics/learning/rul/trend-features'
import type { Backend } from './backend.ts'

export function loadRulBackend({ manifest, files }: StoredModel): Backend {
  const model = rulModelFromFiles(files)
  requireFeatures(manifest.features, trendFeatureNames(model.pipeline))
  return { outputs: rulOutputs, scoreRows: (rows) => rows.map((row) => scoreRulRow(model, row)) }
}

export function loadLifeBackend({ manifest, files }: StoredModel): Backend {
  const life = fleetLifeFromFiles(files)
  requireFeatures(manifest.features, lifeFeatures)
  return { outputs: lifeOutputs, scoreRows: (rows) => rows.map((row) => scoreLifeRow(life, row)), life: toLifeModel(life) }
}

export function loadClassifierBackend({ manifest, files }: StoredModel): Backend {
  const model = classifierModelFromFiles(files)
  requireFeatures(manifest.features, inputFeatureNames(model.inputs))
  return { outputs: classifierOutputs, scoreRows: (rows) => rows.map((row) => scoreClassifierRow(model, row)) }
}

/** Callers put their rows together by the manifest. */
function requireFeatures(declared: readonly string[], taken: readonly string[]): void {
  const at = taken.findIndex((name, index) => declared[index] !== name)
  if (at === -1 && declared.length === taken.length) return
  const place = at === -1 ? taken.length : at
  throw new Error(`feature ${place} is "${declared[place] ?? 'absent'}" in its manifest and "${taken[place] ?? 'absent'}" in its files.`)
}
