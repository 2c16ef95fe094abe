// ISO 13374 health assessment: condition and health of each component, then of the vehicle.
import { type Component, coreComponents, FURTHER_SHARE, importance, rowOf } from './components.ts'
import { isLamp } from './detection/lamps.ts'
import { componentOf, type Incident, toIncident } from './incidents.ts'
import { statedIn } from './provenance.ts'

/** Per component, in the order in which they are reported. */
export type Scores = readonly { readonly component: Component; readonly score: number }[]

/** The share of expected life used up, 0 to 1, of each component that there is a life model of. */
export type Consumed = readonly { readonly component: Component; readonly consumed: number }[]

const ALL_SOUND: Scores = coreComponents.map((component) => ({ component, score: 100 }))

/** What one component's trouble does to another: the dependent takes this share of the other's deficit. */
export const dependencies: readonly { readonly on: Component; readonly dependent: Component; readonly share: number }[] = [
  { on: 'cooling', dependent: 'engine', share: 0.5 },
  { on: 'lubrication', dependent: 'engine', share: 0.5 },
  { on: 'charging', dependent: 'battery', share: 0.3 },
]

/**
 * 0 (failed) to 100 (nothing found) of each of these components, and of those that something was found on. Of one incident the worst finding
 * counts, and no other. Of several incidents of a component the worst counts in full, every further one a little: never better for one more.
 */
function conditionOf(incidents: readonly Incident[], components: readonly Component[]): Scores {
  if (incidents.length === 0) return components === coreComponents ? ALL_SOUND : components.map((component) => ({ component, score: 100 }))
  const conditions = new Map<Component, number>(components.map((component) => [component, 100]))
  const touched = new Set<Component>()
  // A lamp that is held against another component still names its own, which is then listed, too.
  for (const { findings } of incidents)
    for (const { component } of findings.filter(isLamp)) if (!conditions.has(component)) conditions.set(component, 100)
  for (const { component, score } of incidents.flatMap(effectsOf).sort((a, b) => a.score - b.score)) {
    if (!touched.has(component)) conditions.set(component, score)
    else conditions.set(component, (conditions.get(component) ?? 100) * (1 - (FURTHER_SHARE * (100 - score)) / 100))
    touched.add(component)
  }
  for (const { on, dependent, share } of dependencies) {
    if (!conditions.has(dependent)) continue
    const deficit = 100 - (conditions.get(on) ?? 100)
    conditions.set(dependent, (conditions.get(dependent) ?? 100) * (1 - (share * deficit) / 100))
  }
  return [...conditions].map(([component, score]) => ({ component, score }))
}

/** What one incident leaves of each component that it touches. */
function effectsOf(incident: Incident): Scores {
  const worst = new Map<Component, number>()
  for (const finding of incident.findings) {
    const component = componentOf(finding, incident)
    worst.set(component, Math.min(finding.score, worst.get(component) ?? 100))
  }
  return [...worst].map(([component, score]) => ({ component, score }))
}

/** A component that has used up all its expected life and shows nothing is worn, not broken: wear takes at most this many points. */
const MAX_WEAR_DEFICIT = 12

export const healthNumbers = statedIn('assess-health', [
  [
    { dependencies: Object.fromEntries(dependencies.map(({ on, dependent, share }) => [`${dependent} by ${on}`, share])) },
    'share',
    'assumption',
    'Heat and missing oil ruin the engine, and a battery that is not charged properly ages.',
  ],
  [
    { MAX_WEAR_DEFICIT },
    'points of 100',
    'assumption',
    'Kilometres alone never leave the healthy band, whichever components they add up over.',
  ],
])

function componentHealth(conditions: Scores, wear: Consumed): Scores {
  const health: { component: Component; score: number }[] = []
  for (const { component, score } of conditions) {
    health.push({ component, score: Math.max(0, score - MAX_WEAR_DEFICIT * (rowOf(wear, component)?.consumed ?? 0)) })
  }
  return health
}

export type Health = {
  /** By what was found. */
  readonly conditions: Scores
  /** By what was found and by wear. */
  readonly components: Scores
  readonly vehicle: number
}

/**
 * Health of the vehicle: a lamp and what it was lit for are one event, so it is what the worse of the two leaves, lamps alone or all the rest.
 * Thus one more lamp, code or reading never raises it, whichever of them the lamp turns out to belong to.
 */
export function assessHealth(incidents: readonly Incident[], wear: Consumed, components: readonly Component[]): Health {
  const conditions = conditionOf(incidents, components)
  const health = componentHealth(conditions, wear)
  const { lamps, rest } = splitLamps(incidents)
  if (lamps === undefined) return { conditions, components: health, vehicle: norm(health) }
  const vehicleOf = (some: readonly Incident[]) => norm(componentHealth(conditionOf(some, components), wear))
  return { conditions, components: health, vehicle: Math.min(vehicleOf(rest), vehicleOf([lamps])) }
}

/** All lamps as one incident of what drives the vehicle, and the incidents without their lamps. */
export function splitLamps(incidents: readonly Incident[]): { readonly lamps: Incident | undefined; readonly rest: readonly Incident[] } {
  if (incidents.length === 0) return { lamps: undefined, rest: incidents }
  const lit = incidents.flatMap(({ findings }) => findings.filter(isLamp))
  const [first] = lit
  if (first === undefined) return { lamps: undefined, rest: incidents }
  const rest = incidents.flatMap((incident) => {
    const findings = incident.findings.filter((finding) => !isLamp(finding))
    return findings.length === 0 ? [] : [toIncident(incident.cause, { component: incident.component, findings })]
  })
  return { lamps: toIncident('lamps', { component: first.component, findings: lit }), rest }
}

/** What health would gain if the incident were not there, in points. */
export function healthLostBy(
  incident: Incident,
  incidents: readonly Incident[],
  wear: Consumed,
  healthScore: number,
  components: readonly Component[],
): number {
  const others = incidents.filter((other) => other !== incident)
  return assessHealth(others, wear, components).vehicle - healthScore
}

/**
 * Near the worst component's score, never a mean: a vehicle with perfect brakes and a dead engine is a dead vehicle. This is the 4-norm of
 * the deficits: high enough that the worst decides, low enough that many middling ones still count.
 */
function norm(health: Scores): number {
  let sum = 0
  for (const { component, score } of health) {
    const squared = (importance[component] * (100 - score)) ** 2
    sum += squared * squared
  }
  return Math.max(0, 100 - Math.sqrt(Math.sqrt(sum)))
}
