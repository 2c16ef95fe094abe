// What to do about each component, why, and what waiting risks: the decision that findings and remaining life lead to.
import { type Severity, severityRank } from '@roadworthy/signals/severity'
import { dependencies } from '../assess-health.ts'
import { type Component, componentLabels, rowOf } from '../components.ts'
import { isLamp } from '../detection/lamps.ts'
import type { Finding } from '../finding.ts'
import { componentOf, type Incident, worstFirst } from '../incidents.ts'
import { type RemainingLife, reportedDays } from '../lives/prognose.ts'
import { hasEngine, type VehicleTraits } from '../vehicle/vehicle-traits.ts'

/** Most urgent first. */
export const acts = ['stop', 'now', 'plan', 'next_service', 'run_on'] as const
export type Act = (typeof acts)[number]

export type ComponentAdvice = {
  readonly act: Act
  /** 10th and 90th percentile of the days the component still lasts; left out where no life of it is known. */
  readonly interval?: [number, number]
  readonly what: string
  readonly why: string
  readonly risk: string
}

/** SAE J1939-73: red stops, amber needs attention and no stop. The other steps are assumptions, as `driving-on.ts` has them for fault codes. */
const actAt: Readonly<Record<Severity, Act>> = { critical: 'stop', high: 'now', medium: 'plan', low: 'next_service', info: 'run_on' }
/** A flat battery strands a vehicle and endangers nobody on the road. Assumption. */
const neverStops: ReadonlySet<Component> = new Set(['battery', 'charging'])

/** What happens to a component that is left as it is. Judgements. */
const risks: Readonly<Record<Component, string>> = {
  engine: 'The engine may be ruined, or stop on the road',
  cooling: 'Heat ruins the head gasket, and then the engine',
  lubrication: 'Without oil pressure the bearings seize within minutes',
  fuel: 'The engine may lose power or stop on the road',
  intake: 'Less power and more fuel; the turbocharger may be ruined',
  transmission: 'The vehicle may lose drive, and wear spreads through the gearbox',
  brakes: 'Longer stopping distances, up to a loss of braking force',
  battery: 'The vehicle may not start',
  charging: 'The battery runs flat, and the vehicle stops',
  emissions: 'It fails its emission test, and the catalyst may be harmed',
  aftertreatment: 'Power, and where the law asks for it speed, is taken away; a blocked filter has to be replaced',
  high_voltage: 'Loss of drive; damaged parts can give an electric shock',
  chassis: 'Steering and stability may fail',
  body: 'Belts and airbags may not protect in a crash',
  network: 'Control units lose each other, and functions fail without a warning',
}
const risksOfType: Readonly<Record<string, string>> = {
  fuel_loss: 'More fuel is lost, through a leak or by theft',
  fuel_low: 'The vehicle stops for want of fuel',
  unit_suspected: 'What is read in another unit is judged wrongly',
  unusual_reading: 'None that is known',
  red_stop_lamp: 'What the lamp was lit for ruins the vehicle or makes it unsafe',
  amber_warning_lamp: 'What the lamp was lit for grows, up to a breakdown on the road',
  protect_lamp: 'Heat or a lack of fluid harms what it protects',
  mil_lamp: 'The vehicle fails its emission test, and a small fault grows unseen',
}

/** By component and by type, in the place of the others where there is no engine. */
const risksWithoutEngine: Readonly<Record<string, string>> = {
  cooling: 'Heat harms the drive and its electronics, and power is taken away',
  mil_lamp: 'A small fault grows unseen',
}
const risksOfTrailers: Readonly<Record<string, string>> = { battery: 'What the battery supplies may fail' }

const MAX_REASONS = 3

/** Only of components that need advice: the others run on. */
export function adviceOf(
  incidents: readonly Incident[],
  remainingLife: readonly RemainingLife[],
  traits: VehicleTraits,
): Partial<Record<Component, ComponentAdvice>> {
  const advice: Partial<Record<Component, ComponentAdvice>> = {}
  if (incidents.length === 0) return advice
  const found = new Map<Component, Finding[]>()
  for (const incident of incidents) {
    for (const finding of incident.findings) {
      const component = componentOf(finding, incident)
      found.set(component, [...(found.get(component) ?? []), finding])
    }
  }
  for (const [component, findings] of found) {
    const life = rowOf(remainingLife, component)
    advice[component] = {
      ...(life === undefined ? {} : intervalOf(life)),
      ...adviceOn(component, findings, traits),
    }
  }
  for (const { on, dependent } of dependencies) {
    const cause = advice[on]
    const life = rowOf(remainingLife, dependent)
    if (cause === undefined || !HARMS_OTHERS.has(cause.act) || life === undefined) continue
    const own = advice[dependent]
    advice[dependent] =
      own === undefined
        ? { ...intervalOf(life), ...adviceOnDependent(dependent, { on, act: cause.act }, traits) }
        : worsened(own, on, cause.act)
  }
  // An incident is as urgent as its worst finding, also one of a part that suffers by it; so is the advice on the component whose incident it is. After the
  // dependencies: the part that suffers is not to be worn by what was found on itself.
  for (const incident of incidents) {
    const { component, findings } = incident
    if (!findings.some((finding) => componentOf(finding, incident) !== component)) continue
    const life = rowOf(remainingLife, component)
    const all = new Set([...(found.get(component) ?? []), ...findings])
    advice[component] = { ...(life === undefined ? {} : intervalOf(life)), ...adviceOn(component, [...all], traits) }
  }
  return advice
}

const intervalOf = ({ p10Days, p90Days }: RemainingLife) => ({
  interval: [reportedDays(p10Days), reportedDays(p90Days)] as [number, number],
})

/** From here on the trouble of one component takes noticeable life from another. */
const HARMS_OTHERS: ReadonlySet<Act> = new Set(['stop', 'now', 'plan'])

/**
 * Its interval is shortened by the other component's trouble, and its advice has to state that. What was found on itself may leave more time, and "drive on" must
 * not be read beside an act to stop.
 */
function worsened(own: ComponentAdvice, on: Component, act: Act): ComponentAdvice {
  const isSooner = acts.indexOf(act) < acts.indexOf(own.act)
  const first = `See to the ${componentLabels[on]} first${isSooner ? '; what follows holds after that' : ''}`
  return {
    ...own,
    act: isSooner ? act : own.act,
    what: `${first}. ${own.what}`,
    why: `${own.why}; the trouble of the ${componentLabels[on]} wears it as well`,
  }
}

function adviceOnDependent(
  dependent: Component,
  { on, act }: { readonly on: Component; readonly act: Act },
  traits: VehicleTraits,
): ComponentAdvice {
  return {
    act,
    what: `See to the ${componentLabels[on]} first, then look whether the ${componentLabels[dependent]} was harmed`,
    why: `Nothing was found on it, but the trouble of the ${componentLabels[on]} wears it`,
    risk: riskOfComponent(dependent, traits),
  }
}

function adviceOn(component: Component, findings: readonly Finding[], traits: VehicleTraits): ComponentAdvice {
  const sorted = findings.toSorted(worstFirst)
  const [worst] = sorted as [Finding, ...Finding[]]
  // A lamp reports how urgent a fault is; the finding that explains the lamp names the fault.
  const lead = sorted.find((finding) => !isLamp(finding)) ?? worst
  const act = actOf(component, worst)
  const what =
    lead !== worst && severityRank[worst.severity] > severityRank[lead.severity]
      ? `${worst.recommendation}. ${lead.recommendation}`
      : lead.recommendation
  const reasons = [lead, ...sorted.filter((finding) => finding !== lead)].slice(0, MAX_REASONS).map(({ message }) => message)
  return { act, what, why: reasons.join('; '), risk: riskOf(component, lead, act, traits) }
}

export function actOf(component: Component, { severity, score, type }: Pick<Finding, 'severity' | 'score' | 'type'>): Act {
  // What takes nothing off health needs nobody to act, but for a life that ends.
  if (score >= 100 && type !== 'life_ending') return 'run_on'
  const act = actAt[severity]
  return act === 'stop' && neverStops.has(component) ? 'now' : act
}

function riskOfComponent(component: Component, traits: VehicleTraits): string {
  return unlikeWithEngine(component, traits) ?? risks[component]
}

function unlikeWithEngine(name: string, traits: VehicleTraits): string | undefined {
  if (hasEngine(traits)) return undefined
  return (traits.powertrain === 'none' ? risksOfTrailers[name] : undefined) ?? risksWithoutEngine[name]
}

function riskOf(component: Component, { type }: Finding, act: Act, traits: VehicleTraits): string {
  const ofType = unlikeWithEngine(type, traits) ?? risksOfType[type]
  if (ofType !== undefined) return ofType
  if (act === 'run_on') return 'None that is known'
  const risk = riskOfComponent(component, traits)
  return act === 'next_service' ? `If it is left for long: ${risk.charAt(0).toLowerCase()}${risk.slice(1)}` : risk
}
