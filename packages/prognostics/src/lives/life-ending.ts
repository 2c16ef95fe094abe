// Remaining life that runs short is a finding of its own. It takes nothing off health: wear does that already.
import type { Severity } from '@roadworthy/signals/severity'
import { componentLabels } from '../components.ts'
import { type Finding, formatNumber } from '../finding.ts'
import { statedIn } from '../provenance.ts'
import { hasEngine, type VehicleTraits } from '../vehicle/vehicle-traits.ts'
import type { LifeComponent } from './life-models.ts'
import { medianDaysByWear, remainingLifeOf, type Wear } from './prognose.ts'

/** Past what so many of such parts last. */
const WORN_FROM = 0.9
/** Median days up to which work has to be planned, and done now. */
const PLAN_UP_TO_DAYS = 30
const NOW_UP_TO_DAYS = 7

export const lifeEndingNumbers = statedIn('life-ending', [
  [{ WORN_FROM }, 'share of such parts', 'assumption', 'Worth an inspection, and nothing a driver notices.'],
  [{ PLAN_UP_TO_DAYS, NOW_UP_TO_DAYS }, 'days', 'assumption', 'The longest and the shortest horizon of the predictions.'],
])

/** What wears out first in each, and how a workshop sees it. Judgements. */
const inspections: Readonly<Record<LifeComponent, string>> = {
  engine: 'compression, oil consumption and leaks',
  cooling: 'water pump, hoses, thermostat and radiator',
  fuel: 'fuel pump pressure, injectors and filter',
  transmission: 'oil level and condition, clutch or converter, and how it shifts',
  brakes: 'pads, discs or linings, and brake fluid',
  battery: 'the battery under load',
  charging: 'alternator output, brushes and belt',
}

/** Where there is no engine. */
const inspectionsWithoutEngine: Readonly<Partial<Record<LifeComponent, string>>> = {
  cooling: 'coolant pump, hoses and radiator',
  transmission: 'oil level and condition of the reduction gear, and its noise',
}

/** Of parts whose age is known, those whose life is nearly over: what lasts shortest first, for that is what to inspect first. */
export function findLifeEnding(wear: readonly Wear[], traits: VehicleTraits): readonly Finding[] {
  let ending = NOT_ENDING
  for (const one of wear) {
    const severity = severityOf(one)
    if (severity !== undefined) ending = [...ending, { wear: one, severity }]
  }
  return ending
    .toSorted((a, b) => medianDaysByWear(a.wear) - medianDaysByWear(b.wear))
    .map(({ wear: one, severity }, index) => {
      const component = one.component as LifeComponent
      const inspection = (hasEngine(traits) ? undefined : inspectionsWithoutEngine[component]) ?? inspections[component]
      return toFinding(one, severity, `${index === 0 ? 'Inspect first' : 'Inspect then'}: ${inspection}`)
    })
}

const NOT_ENDING: readonly { readonly wear: Wear; readonly severity: Severity }[] = []

function severityOf(wear: Wear): Severity | undefined {
  if (!wear.isAgeKnown || wear.stage !== undefined || isFarFromIt(wear)) return undefined
  const medianDays = medianDaysByWear(wear)
  if (medianDays <= NOW_UP_TO_DAYS) return 'high'
  if (medianDays <= PLAN_UP_TO_DAYS) return 'medium'
  return wear.consumed >= WORN_FROM ? 'low' : undefined
}

/** Of parts that wear out, fewer than half are worn out at this share of their scale (a cumulative hazard below ln 2), whatever their shape. */
const FAR_BELOW = 0.65

/** Nearly every part of every vehicle ends here. */
function isFarFromIt({ life, age, unitsPerDay }: Wear): boolean {
  return life.shape >= 1 && age + PLAN_UP_TO_DAYS * unitsPerDay < FAR_BELOW * life.scale
}

/** As the meter shows it that the age was taken from. */
function shownAge({ age, clock, unitsPerHour }: Wear): { age: number; clock: 'km' | 'days' | 'hours' } {
  return unitsPerHour === undefined ? { age, clock } : { age: age / unitsPerHour, clock: 'hours' }
}

/** Some part lasts longer than any that is known. */
const MAX_REPORTED_PCT = 99

function toFinding(wear: Wear, severity: Severity, recommendation: string): Finding {
  const { component, consumed, isFitted } = wear
  const { age, clock } = shownAge(wear)
  const { medianDays, p10Days, p90Days } = remainingLifeOf(wear, 0)
  const label = componentLabels[component]
  const basis = isFitted ? 'by the lives of this fleet' : 'by published lives, not by records of this fleet'
  const wornPct = Math.min(MAX_REPORTED_PCT, Math.floor(100 * consumed))
  const left = `half of those that got this far end by day ${dayOf(medianDays)} from now, one in ten by day ${dayOf(p10Days)}`
  return {
    type: 'life_ending',
    component,
    severity,
    score: 100,
    description: `Past its expected life: ${label}`,
    message: `At ${formatNumber(Math.round(age))} ${clock}, ${wornPct} of 100 are worn out (${label}, ${basis}); ${left}`,
    recommendation,
    code: undefined,
    evidence: {
      clock,
      age: Math.round(age),
      wornSharePct: wornPct,
      medianDays: Math.round(medianDays),
      p10Days: Math.round(p10Days),
      p90Days: Math.round(p90Days),
      basis: isFitted ? 'fleet' : 'published_lives',
    },
  }
}

/** The first is today. Rounded up, the median is on the same side of the advice's limits as it was. */
const dayOf = (days: number) => Math.max(1, Math.ceil(days))
