// How lives and use of each class differ from those of a passenger car, which the priors are of. Component by component: an engine that is
// built for more kilometres does not make a lead-acid battery last longer.
import type { LifeComponent } from './life-models.ts'
import type { KnownClass, VehicleTraits } from './vehicle-traits.ts'

export type ClassLife = {
  readonly usualKmPerDay: number
  /** Where no odometer tells: a vehicle in the middle of its life. */
  readonly usualOdometerKm: number
  /** Multiples of a passenger car's life; 1 where nothing stands. */
  readonly lives: Readonly<Partial<Record<LifeComponent, number>>>
}

/** Truck batteries: flooded 2 to 3 years, AGM 4 to 5 (Fuel Logic, "Heavy duty truck batteries"). With this half of them reach 3.4 years. */
const WORK_BATTERY = 0.85

/**
 * Use is that of the table "Average annual vehicle miles traveled by major vehicle category" of the US Department of Energy (AFDC 10309): class 8
 * trucks 276 km a day, transit buses 193, delivery trucks 55, light trucks and vans 51, cars 51, motorcycles 10. Of machines and trailers
 * it is an assumption.
 *
 * Engines: useful life in emission law, 40 CFR 1036.104 (435,000 miles of heavy, 185,000 of medium engines to model year 2026) beside the
 * 150,000 miles of 40 CFR 86.1805-17: 2.9 and 1.2. Nonroad engines: 8,000 h (40 CFR 1039.101), next to the 9,000 h of the prior. Brakes:
 * truck pads 100,000 to 150,000 miles in many fleets (kevinsautos.com), 400,000 and more on the highway (jittruckparts.com); half of them
 * reach 172,000 km with this. All other numbers are assumptions.
 */
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

/**
 * Recuperation takes much of the braking: taxi drivers of hybrids report 200,000 km and more on their first pads (carsguide.com.au). Assumption:
 * less than that, as what is not used corrodes.
 */
const HYBRID_BRAKES = 1.5
const ELECTRIC_BRAKES = 2

export function lifeFactorOf({ vehicleClass, powertrain, fuelType }: VehicleTraits, component: LifeComponent): number {
  const factor = classLives[vehicleClass].lives[component] ?? 1
  if (component !== 'brakes') return factor
  if (powertrain === 'electric' || fuelType === 'plug_in_hybrid') return factor * ELECTRIC_BRAKES
  return fuelType === 'hybrid' ? factor * HYBRID_BRAKES : factor
}
