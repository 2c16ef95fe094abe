// The trained model that a path of the inference protocol names.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { Type } from 'typebox'
import type { LoadedModel } from '../models/load-model.ts'
import type { ModelSet } from '../models/model-set.ts'

export const ModelParams = Type.Object({ model: Type.String({ description: 'Name of a trained model; `GET /v1/models` lists them.' }) })
export const VersionParams = Type.Object({
  model: Type.String({ description: 'Name of a trained model; `GET /v1/models` lists them.' }),
  version: Type.String({ description: 'The version that is served.' }),
})
export type Addressed = { Params: { model: string; version?: string } }

/** Throws `Problem` with `not_found`, or `models_not_loaded` where there is one that does not answer. */
export function requireModel({ learned, refused }: ModelSet, { model: name, version }: Addressed['Params']): LoadedModel {
  const model = learned.get(name)
  if (model === undefined) {
    const refusal = refused.get(name)
    if (refusal === undefined) throw new Problem('not_found', `There is no model "${name.slice(0, 64).toWellFormed()}".`)
    throw new Problem('models_not_loaded', `Model "${name}" could not be loaded: ${refusal.reason}`)
  }
  const served = model.manifest.version
  if (version === undefined || version === served) return model
  throw new Problem(
    'not_found',
    `Model "${name}" is served in version ${served}; there is no version "${version.slice(0, 64).toWellFormed()}".`,
  )
}
