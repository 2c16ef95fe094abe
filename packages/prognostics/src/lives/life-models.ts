// How long parts last when nothing is known of them but their use: priors, to be read as such. A fleet's own fit (learning/life/) replaces a
// row.
import type { Component } from '../components.ts'
import { type NumberRow, type Provenance, statedIn } from '../provenance.ts'
import type { Weibull } from './weibull.ts'

/** Those that there is a prior for, in the order in which they are reported. */
export const lifeComponents = ['engine', 'cooling', 'fuel', 'transmission', 'brakes', 'battery', 'charging'] as const satisfies Component[]
export type LifeComponent = (typeof lifeComponents)[number]

export type LifeModel = {
  readonly component: LifeComponent
  /** What age is counted in. */
  readonly clock: 'km' | 'days'
  readonly life: Weibull
  /** The same life in engine hours, where an hour meter may know better. */
  readonly scaleHours?: number
  /** A wearing part is replaced in the life of a vehicle, so the vehicle's age is not the part's. */
  readonly isReplaced: boolean
  /** Whether it is of the fleet's own vehicles, heavy or not. */
  readonly isFitted?: boolean
}

const JUDGED: Provenance = {
  origin: 'assumption',
  source:
    'A judgement on what workshops and makers publish of such parts; shapes between the 2.0 of bearings and the 3.2 of shock absorbers in field data.',
}

export const lifeModels: readonly (LifeModel & Provenance)[] = [
  { component: 'engine', clock: 'km', life: { shape: 2.2, scale: 400_000 }, scaleHours: 9_000, isReplaced: false, ...JUDGED },
  { component: 'cooling', clock: 'km', life: { shape: 2, scale: 200_000 }, isReplaced: true, ...JUDGED },
  { component: 'fuel', clock: 'km', life: { shape: 1.5, scale: 250_000 }, isReplaced: true, ...JUDGED },
  { component: 'transmission', clock: 'km', life: { shape: 2, scale: 350_000 }, isReplaced: false, ...JUDGED },
  {
    component: 'brakes',
    clock: 'km',
    life: { shape: 3, scale: 65_000 },
    isReplaced: true,
    origin: 'literature',
    source: 'Hella Pagid: brake pads last 15,000 to 80,000 km; with this eight in ten last 31,000 to 86,000 km.',
  },
  {
    component: 'battery',
    clock: 'days',
    life: { shape: 2.5, scale: 1_700 },
    isReplaced: true,
    origin: 'assumption',
    source: 'Lead-acid batteries are commonly given 3 to 5 years; with this half of them last four.',
  },
  { component: 'charging', clock: 'km', life: { shape: 2.5, scale: 240_000 }, isReplaced: true, ...JUDGED },
]

export function priorOf(component: LifeComponent): LifeModel {
  return lifeModels.find((prior) => prior.component === component) as LifeModel
}

/** The priors, but for components that there are fitted lives of. */
export function withFitted(fitted: readonly LifeModel[]): readonly LifeModel[] {
  return lifeModels.map((prior) => fitted.find(({ component }) => component === prior.component) ?? prior)
}

/** Four vehicles in five are driven between this part and this multiple of what is usual. */
export const USUAL_USE_FACTOR = 2

export const lifeNumbers: readonly NumberRow[] = [
  ...lifeModels.flatMap(({ component, clock, life, scaleHours, origin, source }) =>
    statedIn(`life-models.${component}`, [
      [{ shape: life.shape }, 'Weibull shape', origin, source],
      [{ scale: life.scale }, clock, origin, source],
      ...(scaleHours === undefined ? [] : [[{ scaleHours }, 'engine hours', origin, source] as const]),
    ]),
  ),
  ...statedIn('life-models', [[{ USUAL_USE_FACTOR }, 'times', 'assumption', 'No public data show how daily use differs within a class.']]),
]
