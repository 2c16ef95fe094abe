// How lives and use of each class differ from those of a passenger car, which the priors are of. Component by component: an engine that is
// built for more kilometres does not make a lead-acid battery last longer.

import { statedIn } from '../provenance.ts'
import type { KnownClass, VehicleTraits } from '../vehicle/vehicle-traits.ts'
import { type LifeComponent, lifeComponents } from './life-models.ts'

export type ClassLife = {
  readonly usualKmPerDay: number
  /** Without an odometer: a vehicle in the middle of its life. */
  readonly usualOdometerKm: number
  /** Multiples of a passenger car's life; 1 where nothing stands. */
  readonly lives: Readonly<Partial<Record<LifeComponent, number>>>
}

const WORK_BATTERY = 0.85

export const classLives: Readonly<Record<KnownClass, ClassLife>> = {
  passenger: { usualKmPerDay: 50, usualOdometerKm: 80_000, lives: {} },
  van: { usualKmPerDay: 50, usualOdometerKm: 80_000, lives: {} },
  light_truck: { usualKmPerDay: 50, usualOdometerKm: 80_000, lives: {} },
  medium_truck: {
    ...{ usualKmPerDay: 55, usualOdometerKm: 90_000 },
    lives: { engine: 1.2, cooling: 1.2, fuel: 1.2, transmission: 1.2, battery: WORK_BATTERY, charging: 1.2 },
  },
  heavy_truck: {
    ...{ usualKmPerDay: 300, usualOdometerKm: 400_000 },
    lives: { engine: 2.5, cooling: 2.5, fuel: 2, transmission: 2.5, brakes: 3, battery: WORK_BATTERY, charging: 2 },
  },
  bus: {
    ...{ usualKmPerDay: 190, usualOdometerKm: 300_000 },
    lives: { engine: 2, cooling: 2, fuel: 2, transmission: 1.5, brakes: 1, battery: WORK_BATTERY, charging: 1.5 },
  },
  motorcycle: {
    ...{ usualKmPerDay: 10, usualOdometerKm: 16_000 },
    lives: { engine: 0.25, cooling: 0.5, fuel: 0.4, transmission: 0.3, brakes: 0.35, battery: WORK_BATTERY, charging: 0.4 },
  },
  off_highway: { usualKmPerDay: 30, usualOdometerKm: 50_000, lives: { battery: WORK_BATTERY } },
  trailer: { usualKmPerDay: 100, usualOdometerKm: 150_000, lives: { brakes: 3, battery: WORK_BATTERY } },
}

/** Recuperation takes much of the braking. */
const HYBRID_BRAKES = 1.5
const ELECTRIC_BRAKES = 2

const ofClasses = (lives: typeof classLives, read: (life: ClassLife) => number | undefined, of: readonly KnownClass[]) =>
  Object.fromEntries(of.flatMap((known) => (read(lives[known]) === undefined ? [] : [[known, read(lives[known])]])))
const allBut = (...left: readonly KnownClass[]) => (Object.keys(classLives) as KnownClass[]).filter((known) => !left.includes(known))
const judgedLives = lifeComponents
  .filter((component) => component !== 'battery')
  .map((component): [string, object] => {
    const isPublished: readonly KnownClass[] =
      component === 'engine' ? ['medium_truck'] : component === 'brakes' ? ['heavy_truck', 'trailer'] : []
    return [`lives.${component}.judged`, ofClasses(classLives, ({ lives }) => lives[component], allBut(...isPublished))]
  })

const OF_A_CAR = "times a passenger car's life"
export const classLifeNumbers = statedIn('class-lives', [
  [
    { 'usualKmPerDay.published': ofClasses(classLives, ({ usualKmPerDay }) => usualKmPerDay, allBut('off_highway', 'trailer')) },
    'km a day',
    'literature',
    'US Department of Energy, AFDC 10309, average annual vehicle miles traveled: class 8 trucks 276 km a day, transit buses 193, delivery trucks 55, light trucks and vans 51, cars 51, motorcycles 10; rounded.',
  ],
  [
    { 'usualKmPerDay.judged': ofClasses(classLives, ({ usualKmPerDay }) => usualKmPerDay, ['off_highway', 'trailer']) },
    'km a day',
    'assumption',
    'No published use of machines and trailers is at hand.',
  ],
  [
    { usualOdometerKm: ofClasses(classLives, ({ usualOdometerKm }) => usualOdometerKm, allBut()) },
    'km',
    'assumption',
    'A vehicle in the middle of its life: three and a half to four and a half years of usual use.',
  ],
  [
    { 'lives.engine.published': ofClasses(classLives, ({ lives }) => lives.engine, ['medium_truck']) },
    OF_A_CAR,
    'literature',
    'Useful life in emission law: 185,000 miles of medium engines (40 CFR 1036.104) beside 150,000 of cars (40 CFR 86.1805-17).',
  ],
  [
    { 'lives.brakes.published': ofClasses(classLives, ({ lives }) => lives.brakes, ['heavy_truck', 'trailer']) },
    OF_A_CAR,
    'literature',
    'Truck pads last 100,000 to 150,000 miles in many fleets (kevinsautos.com), 400,000 and more on the highway (jittruckparts.com); half of them reach 172,000 km with this.',
  ],
  [
    { WORK_BATTERY },
    OF_A_CAR,
    'literature',
    'Truck batteries last 2 to 3 years flooded, 4 to 5 as AGM (Fuel Logic, "Heavy duty truck batteries"); half of them reach 3.4 years with this.',
  ],
  [
    Object.fromEntries(judgedLives),
    OF_A_CAR,
    'assumption',
    'What such vehicles are built for. Engines of heavy trucks have 2.9 times the useful life in emission law (435,000 miles, 40 CFR 1036.104), nonroad engines 8,000 h (40 CFR 1039.101) beside the 9,000 h of the prior.',
  ],
  [
    { HYBRID_BRAKES, ELECTRIC_BRAKES },
    'times the life without recuperation',
    'assumption',
    'Taxi drivers of hybrids report 200,000 km and more on their first pads (carsguide.com.au); less than that, as what is not used corrodes.',
  ],
])

export function lifeFactorOf({ vehicleClass, powertrain, fuelType }: VehicleTraits, component: LifeComponent): number {
  const factor = classLives[vehicleClass].lives[component] ?? 1
  if (component !== 'brakes') return factor
  if (powertrain === 'electric' || fuelType === 'plug_in_hybrid') return factor * ELECTRIC_BRAKES
  return fuelType === 'hybrid' ? factor * HYBRID_BRAKES : factor
}
