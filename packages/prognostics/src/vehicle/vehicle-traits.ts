// What kind of vehicle it is, as far as a prognosis depends on it, and how that is known. The caller's description wins; else class follows from
// J1939, then from the VIN, then from a 24 V system; what drives the vehicle from the VIN, then from fault codes. What is unknown is
// assumed, which is reported and costs confidence. North American trucks have 12 V: 12 V shows nothing.
import type { SignalName } from '@roadworthy/signals/registry'
import type { FuelType, VehicleClass } from '@roadworthy/signals/vehicle-description'
import { type Component, coreComponents } from '../components.ts'
import type { Observation, PredictionInput, VehicleDescription } from '../inputs/observation.ts'
import type { SystemVoltage } from '../inputs/system-voltage.ts'
import { statedIn } from '../provenance.ts'
import { type CodeEvidence, evidenceOfCodes, NO_EVIDENCE } from './code-evidence.ts'
import { type VinMaker, vinMakerOf } from './vin.ts'

export type Powertrain = 'combustion' | 'hybrid' | 'electric' | 'none'
export type KnownClass = Exclude<VehicleClass, 'other'>

export type VehicleTraits = {
  readonly vehicleClass: KnownClass
  readonly powertrain: Powertrain
  readonly fuelType: FuelType | undefined
  /** Those that it has, as far as they are judged without a fault code that names them. */
  readonly components: readonly Component[]
  /** Of these, those that priors of a combustion vehicle do not cover. */
  readonly componentsWithoutLife: readonly Component[]
  /** Signals that do not apply to such a vehicle. */
  readonly unjudged: ReadonlySet<SignalName>
  /** 0 (assumed) to 1 (described). */
  readonly certainty: { readonly vehicleClass: number; readonly powertrain: number }
  /** What was concluded, assumed or contradicted, for the reader. */
  readonly notes: readonly string[]
}

/** How much each way of knowing is worth beside a description. */
const certainties = { described: 1, j1939: 0.8, vin: 0.8, faultCodes: 0.8, voltage: 0.5, assumed: 0 } as const
type Source = keyof typeof certainties

export const traitNumbers = statedIn('vehicle-traits', [
  [{ certainties }, 'share', 'assumption', 'Whatever can be added to an input is worth no less than what it replaces.'],
])

type Fitment = Pick<VehicleTraits, 'components' | 'componentsWithoutLife' | 'unjudged'>
const FULL: Fitment = { components: coreComponents, componentsWithoutLife: [], unjudged: new Set() }
const OF_ENGINE: readonly SignalName[] = ['oilPressureKpa', 'engineOilTempC', 'fuelTempC', 'throttlePct', 'intakeAirTempC', 'currentGear']
/**
 * `charging` is the DC/DC converter that feeds the low-voltage battery in the place of an alternator, `transmission` the reduction gear. No life
 * of such converters is published, and that of alternators is not theirs.
 */
const ELECTRIC: Fitment = {
  components: ['cooling', 'transmission', 'brakes', 'battery', 'charging'],
  componentsWithoutLife: ['charging'],
  unjudged: new Set([...OF_ENGINE, 'fuelLevelPct']),
}
/** Its tank and valves are a fuel system, but not one that the prior of injection is about. */
const FUEL_CELL: Fitment = {
  components: [...ELECTRIC.components, 'fuel'],
  componentsWithoutLife: [...ELECTRIC.componentsWithoutLife, 'fuel'],
  unjudged: new Set(OF_ENGINE),
}
/** Not every trailer has a battery of its own: it is judged where a voltage is reported. */
const TRAILER: Fitment = {
  components: ['brakes'],
  componentsWithoutLife: [],
  unjudged: new Set([...OF_ENGINE, 'fuelLevelPct', 'engineSpeedRpm', 'coolantTempC', 'engineRunTimeS']),
}
const TRAILER_WITH_BATTERY: Fitment = { ...TRAILER, components: ['brakes', 'battery'] }

const labels: Readonly<Record<KnownClass, string>> = {
  passenger: 'a passenger car',
  van: 'a van',
  light_truck: 'a light truck',
  medium_truck: 'a medium truck',
  heavy_truck: 'a heavy truck',
  bus: 'a bus',
  motorcycle: 'a motorcycle',
  off_highway: 'an off-highway machine',
  trailer: 'a trailer',
}

export function hasEngine({ powertrain }: VehicleTraits): boolean {
  return powertrain === 'combustion' || powertrain === 'hybrid'
}

/** By the description alone: a fault code of a high-voltage drive shall not make another alert go away. */
export function restsWhileDriving({ powertrain, fuelType }: VehicleTraits): boolean {
  return powertrain === 'hybrid' && (fuelType === 'hybrid' || fuelType === 'plug_in_hybrid')
}

/** Classes that differ more than a record that is filled in roughly does. */
const groups: Readonly<Record<KnownClass, string>> = {
  ...{ passenger: 'light', van: 'light', light_truck: 'light' },
  ...{ medium_truck: 'heavy', heavy_truck: 'heavy', bus: 'heavy', off_highway: 'heavy' },
  ...{ motorcycle: 'motorcycle', trailer: 'trailer' },
}

/** What drives the vehicle as far as the description or the VIN shows it, which is known before any reading is looked at. */
export function describedPowertrain(vehicle: VehicleDescription | undefined): Powertrain | undefined {
  if (vehicle === undefined) return undefined
  if (vehicle.vehicleClass === 'trailer') return 'none'
  const described = powertrainOf(vehicle.fuelType)
  if (described !== undefined) return described
  const maker = vehicle.vin === undefined ? undefined : vinMakerOf(vehicle.vin)
  if (maker?.vehicleClass === 'trailer' && isOther(vehicle.vehicleClass)) return 'none'
  return maker?.isElectric === true ? 'electric' : undefined
}

export function traitsOf(input: PredictionInput, earlier: readonly Observation[], systemVoltage: SystemVoltage): VehicleTraits {
  const codes = evidenceOfCodes(input, earlier)
  const { vehicle } = input
  if (vehicle === undefined && codes === NO_EVIDENCE) return systemVoltage === 24 ? TAKEN_BY_24_V : ASSUMED
  const maker = vehicle?.vin === undefined ? undefined : vinMakerOf(vehicle.vin)
  const hasVoltage = reportsVoltage(input) || earlier.some(reportsVoltage)
  return concluded(vehicle ?? {}, maker, codes, systemVoltage, hasVoltage)
}

function reportsVoltage({ signals: { batteryVoltageV } }: Observation): boolean {
  return batteryVoltageV !== undefined
}

function concluded(
  vehicle: VehicleDescription,
  maker: VinMaker | undefined,
  codes: CodeEvidence,
  systemVoltage: SystemVoltage,
  hasVoltage: boolean,
): VehicleTraits {
  const [vehicleClass, classBy] = classOf(vehicle, maker, codes, systemVoltage)
  const [driven, drivenBy] = drivenBySource(vehicle, maker, codes)
  const isTrailer = vehicleClass === 'trailer'
  const powertrain = isTrailer ? 'none' : driven
  const powertrainBy = isTrailer && classBy === 'described' ? 'described' : drivenBy
  const fuelType = vehicle.fuelType === 'other' ? undefined : vehicle.fuelType
  return {
    vehicleClass,
    powertrain,
    fuelType,
    ...fitmentOf(powertrain, fuelType, hasVoltage),
    certainty: { vehicleClass: certainties[classBy], powertrain: certainties[powertrainBy] },
    notes: [
      ...conclusions(vehicleClass, classBy, powertrain, powertrainBy, maker),
      ...contradictions(vehicle, maker, codes, powertrain, systemVoltage),
    ],
  }
}

function classOf(
  { vehicleClass, batteryNominalV }: VehicleDescription,
  maker: VinMaker | undefined,
  { isJ1939 }: CodeEvidence,
  systemVoltage: SystemVoltage,
): [KnownClass, Source] {
  if (vehicleClass !== undefined && vehicleClass !== 'other') return [vehicleClass, 'described']
  const byVin = maker?.vehicleClass as KnownClass | undefined
  // J1939 is of heavy vehicles; which of them the VIN may know, and a trailer's brakes speak it too.
  if (isJ1939 && (byVin === undefined || groups[byVin] === 'light' || groups[byVin] === 'motorcycle')) return ['heavy_truck', 'j1939']
  if (byVin !== undefined) return [byVin, 'vin']
  return systemVoltage === 24 || batteryNominalV === 24 ? ['heavy_truck', 'voltage'] : ['passenger', 'assumed']
}

function drivenBySource(vehicle: VehicleDescription, maker: VinMaker | undefined, codes: CodeEvidence): [Powertrain, Source] {
  const described = powertrainOf(vehicle.fuelType)
  if (described !== undefined) return [described, 'described']
  if (maker?.isElectric === true) return ['electric', 'vin']
  // A code of the high-voltage drive may be of an electric vehicle as well: as a hybrid it keeps all that is judged.
  if (codes.isHighVoltage) return ['hybrid', 'faultCodes']
  return ['combustion', codes.combustionCode === undefined ? 'assumed' : 'faultCodes']
}

function powertrainOf(fuelType: FuelType | undefined): Powertrain | undefined {
  if (fuelType === undefined || fuelType === 'other') return undefined
  if (fuelType === 'electric' || fuelType === 'hydrogen') return 'electric'
  return fuelType === 'hybrid' || fuelType === 'plug_in_hybrid' ? 'hybrid' : 'combustion'
}

function fitmentOf(powertrain: Powertrain, fuelType: FuelType | undefined, hasVoltage: boolean): Fitment {
  if (powertrain === 'none') return hasVoltage ? TRAILER_WITH_BATTERY : TRAILER
  if (powertrain === 'electric') return fuelType === 'hydrogen' ? FUEL_CELL : ELECTRIC
  return FULL
}

function conclusions(
  vehicleClass: KnownClass,
  classBy: Source,
  powertrain: Powertrain,
  powertrainBy: Source,
  maker: VinMaker | undefined,
): string[] {
  if (classBy === 'assumed' && powertrainBy === 'assumed')
    return [`Taken as ${labels[vehicleClass]} with a combustion engine: nothing shows otherwise`]
  const because: Readonly<Record<Source, string | undefined>> = {
    described: undefined,
    j1939: ', by its J1939 fault codes',
    vin: `, by its VIN (${maker?.wmi}: ${maker?.maker})`,
    faultCodes: ', by its fault codes',
    voltage: ', by its 24 V system',
    assumed: ': nothing shows otherwise',
  }
  const notes: string[] = []
  if (because[classBy] !== undefined) notes.push(`Taken as ${labels[vehicleClass]}${because[classBy]}`)
  if (powertrain !== 'none' && because[powertrainBy] !== undefined)
    notes.push(`Taken to have ${drives[powertrain]}${because[powertrainBy]}`)
  return notes
}

const drives: Readonly<Record<Powertrain, string>> = {
  combustion: 'a combustion engine',
  hybrid: 'a hybrid drive',
  electric: 'an electric drive and no engine',
  none: 'no drive of its own',
}

const MILD_HYBRID_V = 48

/** The description is kept, except that voltages are judged by what is measured. */
function contradictions(
  { vehicleClass, fuelType, batteryNominalV }: VehicleDescription,
  maker: VinMaker | undefined,
  { combustionCode }: CodeEvidence,
  powertrain: Powertrain,
  systemVoltage: SystemVoltage,
): string[] {
  const notes: string[] = []
  // A 48 V system is beside one of 12 V.
  if (batteryNominalV !== undefined && batteryNominalV !== MILD_HYBRID_V && batteryNominalV !== systemVoltage)
    notes.push(
      `Described as having ${batteryNominalV} V, but the readings are those of a ${systemVoltage} V system, and are judged as such`,
    )
  const byVin = maker?.vehicleClass as KnownClass | undefined
  if (!isOther(vehicleClass) && byVin !== undefined && groups[vehicleClass as KnownClass] !== groups[byVin])
    notes.push(
      `Described as ${labels[vehicleClass as KnownClass]}, but its VIN (${maker?.wmi}: ${maker?.maker}) is that of ${labels[byVin]}`,
    )
  if (maker?.isElectric === true && powertrain !== 'electric' && powertrain !== 'none')
    notes.push(`Described as running on ${spelled(fuelType)}, but its VIN (${maker.wmi}: ${maker.maker}) is that of an electric vehicle`)
  if (powertrain === 'electric' && combustionCode !== undefined)
    notes.push(`Taken to be electric, but fault code ${combustionCode} is that of a combustion engine`)
  return notes
}

function spelled(fuelType: FuelType | undefined): string {
  return (fuelType ?? 'fuel').replaceAll('_', ' ')
}

function isOther(vehicleClass: VehicleClass | undefined): boolean {
  return vehicleClass === undefined || vehicleClass === 'other'
}

/** Most inputs describe nothing: made once. */
const ASSUMED: VehicleTraits = concluded({}, undefined, NO_EVIDENCE, 12, false)
const TAKEN_BY_24_V: VehicleTraits = concluded({}, undefined, NO_EVIDENCE, 24, true)
