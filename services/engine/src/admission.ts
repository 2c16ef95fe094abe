// Whether a prediction is taken on at this moment. Every input of the engine asks here, so that none is a way around a licence or a stop.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { isLicensed, type LicenseGate } from './license/license-gate.ts'
import { canPredict, type Models } from './models/model-set.ts'

/** A caller comes back to another replica at once, or to this one when it has caught up. */
const RETRY_AFTER_S = 1

export type AdmissionDeps = {
  readonly models: Models
  readonly license: LicenseGate
  readonly isDraining: () => boolean
  readonly isOverloaded: () => boolean
}

/** Why no prediction is taken on, if so. */
export function refusalNow({ models, license, isDraining, isOverloaded }: AdmissionDeps): Problem | undefined {
  const retry = { retryAfterS: RETRY_AFTER_S }
  if (isDraining()) return new Problem('draining', 'The engine is stopping; another replica will answer.', retry)
  const judgement = license.judge()
  if (judgement !== undefined && !isLicensed(judgement)) {
    return new Problem('license_invalid', judgement.message, { details: { license: judgement.state } })
  }
  if (!canPredict(models.current())) return new Problem('models_not_loaded', 'No model is loaded yet; GET /v1/models shows why.', retry)
  if (isOverloaded()) return new Problem('overloaded', 'The engine has more to do than it can answer in time.', retry)
  return undefined
}
