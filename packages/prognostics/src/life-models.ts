// How long parts last when nothing is known of them but their use: priors, to be read as such. A fleet's own fit (learning/life/) replaces a
// row.
import type { Component } from './components.ts'
import type { Weibull } from './weibull.ts'

/** Those that there is a prior for, in the order they are told. */
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

/**
 * Judgements on published lives: brake pads 15,000-80,000 km (Hella Pagid), lead-acid batteries 3-5 years; shapes between the 2.0 of
 * bearings and the 3.2 of shock absorbers in field data.
 */
export const lifeModels: readonly LifeModel[] = [
  { component: 'engine', clock: 'km', life: { shape: 2.2, scale: 400_000 }, scaleHours: 9_000, isReplaced: false },
  { component: 'cooling', clock: 'km', life: { shape: 2, scale: 200_000 }, isReplaced: true },
  { component: 'fuel', clock: 'km', life: { shape: 1.5, scale: 250_000 }, isReplaced: true },
  { component: 'transmission', clock: 'km', life: { shape: 2, scale: 350_000 }, isReplaced: false },
  { component: 'brakes', clock: 'km', life: { shape: 3, scale: 65_000 }, isReplaced: true },
  { component: 'battery', clock: 'days', life: { shape: 2.5, scale: 1_700 }, isReplaced: true },
  { component: 'charging', clock: 'km', life: { shape: 2.5, scale: 240_000 }, isReplaced: true },
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
