// ISO 13374 health assessment: condition and health of each component, then of the vehicle.
import { type Component, coreComponents, FURTHER_SHARE, importance, rowOf } from './components.ts'
import type { Finding } from './finding.ts'

/** Per component, in the order they are told. */
export type Scores = readonly { readonly component: Component; readonly score: number }[]

const ALL_SOUND: Scores = coreComponents.map((component) => ({ component, score: 100 }))

/**
 * What one component's trouble does to another: heat and missing oil ruin the engine, and a battery that is not charged properly ages.
 * The dependent takes this share of the other's deficit [J].
 */
const dependencies: readonly { readonly on: Component; readonly dependent: Component; readonly share: number }[] = [
  { on: 'cooling', dependent: 'engine', share: 0.5 },
  { on: 'lubrication', dependent: 'engine', share: 0.5 },
  { on: 'charging', dependent: 'battery', share: 0.3 },
]

/** 0 (failed) to 100 (nothing found). The worst finding counts in full, every further one a little: never better for one more. */
export function conditionOf(findings: readonly Finding[]): Scores {
  if (findings.length === 0) return ALL_SOUND
  const conditions = new Map<Component, number>(coreComponents.map((component) => [component, 100]))
  const sorted = findings.toSorted((a, b) => a.score - b.score)
  const touched = new Set<Component>()
  for (const { component, score } of sorted) {
    if (!touched.has(component)) conditions.set(component, score)
    else conditions.set(component, (conditions.get(component) ?? 100) * (1 - (FURTHER_SHARE * (100 - score)) / 100))
    touched.add(component)
  }
  for (const { on, dependent, share } of dependencies) {
    const deficit = 100 - (conditions.get(on) ?? 100)
    conditions.set(dependent, (conditions.get(dependent) ?? 100) * (1 - (share * deficit) / 100))
  }
  return [...conditions].map(([component, score]) => ({ component, score }))
}

/**
 * A component that has used up all its expected life and shows nothing is worn, not broken: wear takes at most this many points, so that
 * kilometres alone never leave the `healthy` band, whichever components they add up over.
 */
const MAX_WEAR_DEFICIT = 12

/** `consumed`: the share of expected life used up, 0 to 1, of each component that there is a life model of. */
export function componentHealth(conditions: Scores, wear: readonly { readonly component: Component; readonly consumed: number }[]): Scores {
  return conditions.map(({ component, score }) => ({
    component,
    score: Math.max(0, score - MAX_WEAR_DEFICIT * (rowOf(wear, component)?.consumed ?? 0)),
  }))
}

/**
 * Near the worst component's score, never a mean: a vehicle with perfect brakes and a dead engine is a dead vehicle. This is the 4-norm of
 * the deficits: high enough that the worst decides, low enough that many middling ones still count.
 */
export function vehicleHealth(health: Scores): number {
  let sum = 0
  for (const { component, score } of health) {
    const squared = (importance[component] * (100 - score)) ** 2
    sum += squared * squared
  }
  return Math.max(0, 100 - Math.sqrt(Math.sqrt(sum)))
}
