// What a vehicle is, in the words that its record and the engine's input share. Closed lists, so that models can go by them. Every list of a
// record ends in `other`: known to be none of these, which shows no more than nothing.

/**
 * Kinds of vehicle as fleets group them, with the classes of gross vehicle weight rating (GVWR) of 49 CFR 565 and the categories of UN ECE
 * R.E.3 that they stand for: light up to class 2 or N1, medium 3 to 6 or N2, heavy 7 and 8 or N3, as FHWA groups them.
 */
export const vehicleClasses = [
  'passenger',
  'van',
  'light_truck',
  'medium_truck',
  'heavy_truck',
  'bus',
  'motorcycle',
  'off_highway',
  'trailer',
  'other',
] as const
export type VehicleClass = (typeof vehicleClasses)[number]

/** What it runs on, after COVESA VSS (FuelSystem.SupportedFuelTypes). A hybrid has an engine; hydrogen is taken to feed a fuel cell. */
export const fuelTypes = ['petrol', 'diesel', 'cng', 'lng', 'lpg', 'hybrid', 'plug_in_hybrid', 'electric', 'hydrogen', 'other'] as const
export type FuelType = (typeof fuelTypes)[number]

/** Which wheels are driven, after COVESA VSS (Transmission.DriveType), or of how many: the axle configurations of trucks. */
export const drivetrains = ['fwd', 'rwd', 'awd', '4x2', '4x4', '6x2', '6x4', '6x6', '8x4', '8x8', 'other'] as const
export type Drivetrain = (typeof drivetrains)[number]

/** Nominal voltages of on-board supplies: ISO 16750-2 (12 and 24 V) and ISO 21780 (48 V). */
export const batteryVoltages = [12, 24, 48] as const
export type BatteryVoltage = (typeof batteryVoltages)[number]
