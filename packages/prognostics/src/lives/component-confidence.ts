// How well the remaining life of a component is known: how narrow its interval is beside that of a vehicle of which only the kind is known.
import type { Scores } from '../assess-health.ts'
import { type Component, rowOf } from '../components.ts'
import { PRIORS_ALONE } from '../confidence.ts'
import { statedIn } from '../provenance.ts'
import type { VehicleTraits } from '../vehicle/vehicle-traits.ts'
import type { LifeModel } from './life-models.ts'
import { assumedUse, type RemainingLife, remainingLifeOf, wearOf } from './prognose.ts'

const MOST = 0.95
/** What a component without a life of its own may last when nothing is known. */
const UNKNOWN_LIFE_DAYS = 3_650

export const componentConfidenceNumbers = statedIn('component-confidence', [
  [{ MOST }, 'confidence', 'assumption', 'No prediction is certain.'],
  [{ UNKNOWN_LIFE_DAYS }, 'days', 'assumption', 'Longer than fleets keep vehicles.'],
])

/**
 * Of each remaining life: 0.1 for an interval as wide as without any knowledge, to 0.95 for one that leaves no room. Where something was found
 * the interval is narrow by an assumption (how long parts last that show it), so no surer than the component is bad: of a failed one it is
 * plain that it needs work, of one with a small fault nobody knows when.
 */
export function confidenceOfLives(
  lives: readonly RemainingLife[],
  conditions: Scores,
  models: readonly LifeModel[],
  traits: VehicleTraits,
): Partial<Record<Component, number>> {
  const unknown = unknownWidths(models, traits)
  const confidence: Partial<Record<Component, number>> = {}
  for (const { component, p10Days, p90Days } of lives) {
    const known = 1 - Math.min(1, (p90Days - p10Days) / (unknown.get(component) ?? UNKNOWN_LIFE_DAYS))
    const condition = rowOf(conditions, component)?.score ?? 100
    const most = condition < 100 ? Math.max(PRIORS_ALONE, Math.min(MOST, 1 - condition / 100)) : MOST
    confidence[component] = Math.round(100 * Math.min(most, PRIORS_ALONE + (MOST - PRIORS_ALONE) * known)) / 100
  }
  return confidence
}

type Widths = ReadonlyMap<Component, number>
type KnownWidths = { readonly byTraits: WeakMap<VehicleTraits, Widths>; readonly byKind: Map<string, Widths> }
const widthsOfModels = new WeakMap<readonly LifeModel[], KnownWidths>()

/** There are only a few models and kinds of vehicle; every prediction needs their widths for an unknown vehicle. */
function unknownWidths(models: readonly LifeModel[], traits: VehicleTraits): Widths {
  const known = widthsOfModels.get(models) ?? { byTraits: new WeakMap(), byKind: new Map() }
  widthsOfModels.set(models, known)
  const found = known.byTraits.get(traits)
  if (found !== undefined) return found
  const kind = `${traits.vehicleClass} ${traits.powertrain} ${traits.fuelType} ${traits.components.length}`
  const widths = known.byKind.get(kind) ?? widthsOf(models, traits)
  known.byKind.set(kind, widths)
  known.byTraits.set(traits, widths)
  return widths
}

function widthsOf(models: readonly LifeModel[], traits: VehicleTraits): Widths {
  const lives = wearOf(assumedUse(traits), models).map((wear) => remainingLifeOf(wear, 0))
  return new Map(lives.map(({ component, p10Days, p90Days }) => [component, p90Days - p10Days]))
}
