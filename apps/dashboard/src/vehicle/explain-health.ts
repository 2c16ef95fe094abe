// Why numbers of a vehicle's health stand as they do, where they look odd beside each other. Pure.

import type { Prediction } from '@roadworthy/contracts/platform-v1/predictions'
import type { Health, HealthPoint } from '@roadworthy/contracts/platform-v1/vehicles'
import { HEALTHY_FROM } from '@roadworthy/signals/health-bands'
import { componentName } from '../health/component-name.ts'
import { t } from '../text/translate.ts'

type Judged = Pick<Health, 'healthScore' | 'components' | 'alerts' | 'scoredAt'>

/** Where the health of the whole is not that of its weakest part. Undefined where nobody would wonder. */
export function healthBesideParts({ healthScore, components }: Pick<Judged, 'healthScore' | 'components'>): string | undefined {
  const [weakest] = Object.entries(components).sort(([, a], [, b]) => a - b)
  if (weakest === undefined) return undefined
  const [component, score] = weakest
  const [whole, part] = [Math.round(healthScore), Math.round(score)]
  const names = { part: componentName(component), score: part }
  if (whole < part) return t('Below its weakest part ({part}, {score}): what was found on several parts adds up.', names)
  if (whole > part + 5) return t('Above its weakest part ({part}, {score}): a fault of that part counts less for the whole vehicle.', names)
  return undefined
}

/** Why there is no remaining life of a part. */
export function whyNotPredicted(component: string, { components, alerts, scoredAt }: Judged): string {
  if (scoredAt === null) return t('Not predicted: too little was reported yet.')
  const found = alerts.filter((alert) => alert.component === component)
  if (found.some(({ evidence }) => evidence['lamp'] !== undefined)) {
    return t('Not predicted: a lamp is lit. It says that something is wrong, not how long it lasts.')
  }
  if (found.length > 0 || (components[component] ?? 100) < HEALTHY_FROM) {
    return t('Not predicted: something was found, and how long a part lasts with it is not known. See to what was found.')
  }
  return t('Not predicted: it does not wear out by distance or age. It is watched by its readings and fault codes.')
}

/** How well a remaining life is known, in words: a number alone looks more certain than it is. */
export function confidenceWord({ confidence }: Pick<Prediction, 'confidence'>): string {
  if (confidence >= 0.75) return t('well known')
  return confidence >= 0.4 ? t('roughly known') : t('mostly assumed')
}

export type HealthStep = {
  readonly at: string
  readonly from: number
  readonly to: number
  /** The parts that changed most, with where they came from and went. */
  readonly parts: readonly { readonly component: string; readonly from: number; readonly to: number }[]
}

/** What people notice. */
const NOTABLE_POINTS = 5
const MAX_PARTS = 3
const MAX_STEPS = 20

/** Where the score moved notably from one point to the next, newest first, and which parts moved with it. */
export function healthSteps(points: readonly HealthPoint[]): readonly HealthStep[] {
  const steps: HealthStep[] = []
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before === undefined) continue
    const isNotable = Math.abs(point.healthScore - before.healthScore) >= NOTABLE_POINTS || point.healthStatus !== before.healthStatus
    if (isNotable) steps.push({ at: point.scoredAt, from: before.healthScore, to: point.healthScore, parts: changedParts(before, point) })
  }
  return steps.reverse().slice(0, MAX_STEPS)
}

function changedParts({ components: before }: HealthPoint, { components: after }: HealthPoint): HealthStep['parts'] {
  if (before === null || after === null) return []
  return Object.keys({ ...before, ...after })
    .map((component) => ({ component, from: before[component] ?? 100, to: after[component] ?? 100 }))
    .filter(({ from, to }) => Math.abs(to - from) >= 1)
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))
    .slice(0, MAX_PARTS)
}
