// Every signal a vehicle can report, in one table. Wire schemas, alias maps, unit conversion, plausibility ranges, the simulator and
// page labels are read from here; a signal that is missing here does not exist for Roadworthy.

/** Units inside the service. A wire may use another unit; the receiver converts, by `scale`. */
export type Unit = 'rpm' | '°C' | 'V' | '%' | 'km/h' | 'km' | 's' | 'kPa' | 'L/100km' | 'gear'

export type WireKey = {
  /** Name of the field on that wire. */
  readonly key: string
  /** Unit on that wire. */
  readonly unit: string
  /** Canonical value = wire value × scale. */
  readonly scale: number
}

export type SignalSpec = {
  readonly label: string
  readonly unit: Unit
  /** Documented range in the canonical unit, both ends included. A value outside is implausible and never used for scoring. */
  readonly min: number
  readonly max: number
  /** SAE J1939-71 suspect parameter number, where one exists. */
  readonly spn: number | null
  /** SAE J1979 mode 01 parameter id (hexadecimal), where one exists. */
  readonly pid: string | null
  /** Sensor key of the External API (spec §2.5). */
  readonly external: WireKey | null
  /** Standard field of the ML engine (spec §2.6) and the other names it answers to. */
  readonly engine: (WireKey & { readonly aliases: readonly string[] }) | null
}

/** 1 lbf/in² in kPa (NIST SP 811, appendix B.8). */
export const KPA_PER_PSI = 6.894757

const wire = (key: string, unit: string, scale = 1): WireKey => ({ key, unit, scale })
const engine = (key: string, unit: string, aliases: readonly string[] = [], scale = 1) => ({ key, unit, scale, aliases })

/**
 * SPNs from SAE J1939-71 and PIDs from SAE J1979, as tabulated in published parameter lists. Ranges of the five core fields are the
 * spec's (§2.6); the others are what the sensor can physically report.
 */
export const signals = {
  engineSpeedRpm: {
    label: 'Engine speed',
    unit: 'rpm',
    min: 0,
    max: 10_000,
    spn: 190,
    pid: '0C',
    external: wire('rpm', 'RPM'),
    engine: engine('engine_speed', 'RPM', ['rpm', 'engine_rpm', 'engineRPM', 'motor_speed']),
  },
  coolantTempC: {
    label: 'Coolant temperature',
    unit: '°C',
    min: -40,
    max: 150,
    spn: 110,
    pid: '05',
    external: wire('coolant_temp', '°C'),
    engine: engine('coolant', '°C', ['coolant_temp', 'engine_temp', 'ect', 'water_temp']),
  },
  batteryVoltageV: {
    label: 'Battery voltage',
    unit: 'V',
    min: 0,
    max: 30,
    spn: 168,
    pid: '42',
    external: wire('battery_voltage', 'V'),
    engine: engine('battery_voltage', 'V', ['battery', 'bat_v', 'voltage', 'batt_voltage']),
  },
  fuelLevelPct: {
    label: 'Fuel level',
    unit: '%',
    min: 0,
    max: 100,
    spn: 96,
    pid: '2F',
    external: wire('fuel_level', '%'),
    engine: engine('fuel_level', '%', ['fuel', 'tank', 'fuel_pct', 'tank_level']),
  },
  vehicleSpeedKmh: {
    label: 'Vehicle speed',
    unit: 'km/h',
    min: 0,
    max: 300,
    spn: 84,
    pid: '0D',
    external: wire('speed', 'km/h'),
    engine: engine('vehicleSpeed', 'km/h', ['speed', 'vehicle_speed', 'gps_speed', 'kph']),
  },
  engineOilTempC: {
    label: 'Engine oil temperature',
    unit: '°C',
    min: -40,
    max: 210,
    spn: 175,
    pid: '5C',
    external: null,
    engine: engine('engineOilTemp', '°C'),
  },
  fuelTempC: {
    label: 'Fuel temperature',
    unit: '°C',
    min: -40,
    max: 150,
    spn: 174,
    pid: null,
    external: null,
    engine: engine('engineFuelTemp', '°C'),
  },
  odometerKm: {
    label: 'Odometer',
    unit: 'km',
    min: 0,
    max: 10_000_000,
    spn: 917,
    pid: 'A6',
    external: wire('odometer', 'km'),
    engine: engine('obdDistance', 'km', ['odometer', 'odo', 'mileage', 'total_km', 'distance']),
  },
  engineRunTimeS: {
    label: 'Run time since engine start',
    unit: 's',
    min: 0,
    // 200,000 h: vehicles may report their hour meter here.
    max: 720_000_000,
    spn: null,
    pid: '1F',
    external: null,
    engine: engine('runTime', 's'),
  },
  currentGear: {
    label: 'Current gear',
    unit: 'gear',
    min: -125,
    max: 125,
    spn: 523,
    pid: null,
    external: null,
    engine: engine('current_gear', 'gear'),
  },
  fuelConsumptionLPer100Km: {
    label: 'Fuel consumption',
    unit: 'L/100km',
    min: 0,
    max: 500,
    spn: null,
    pid: null,
    external: null,
    engine: engine('fuel_consumption', 'L/100km'),
  },
  ambientTempC: {
    label: 'Ambient air temperature',
    unit: '°C',
    min: -60,
    max: 70,
    spn: 171,
    pid: '46',
    external: wire('ambient_temp', '°C'),
    engine: engine('ambient_air_temperature', '°C'),
  },
  // The next three are External sensor keys which spec §2.6 does not name. Spec gap §2.6: the engine takes them under the same key.
  oilPressureKpa: {
    label: 'Engine oil pressure',
    unit: 'kPa',
    min: 0,
    max: 1_000,
    spn: 100,
    pid: null,
    external: wire('oil_pressure', 'PSI', KPA_PER_PSI),
    engine: engine('oil_pressure', 'PSI', [], KPA_PER_PSI),
  },
  throttlePct: {
    label: 'Throttle position',
    unit: '%',
    min: 0,
    max: 100,
    spn: 51,
    pid: '11',
    external: wire('throttle', '%'),
    engine: engine('throttle', '%'),
  },
  intakeAirTempC: {
    label: 'Intake air temperature',
    unit: '°C',
    min: -40,
    max: 150,
    spn: 105,
    pid: '0F',
    external: wire('intake_air_temp', '°C'),
    engine: engine('intake_air_temp', '°C'),
  },
} as const satisfies Record<string, SignalSpec>

export type SignalName = keyof typeof signals
export const signalNames = Object.keys(signals) as SignalName[]

/** Run time over a day is an hour meter, not the time since this start. */
export const HOUR_METER_FROM_S = 86_400

/** Counted, not measured (spec §2.6: integer). */
export const wholeNumberSignals: ReadonlySet<SignalName> = new Set(['currentGear'])
/** Values in canonical units; an absent key means the vehicle did not report it. */
export type SignalValues = Partial<Record<SignalName, number>>

/** J1939-73 DM1 lamps, with their SPN. On the wire `LAMP_ON` or `LAMP_OFF`; absent means unknown, never off. */
export const lamps = {
  milLamp: { label: 'Malfunction indicator lamp', spn: 1213, engineKey: 'mil_lamp' },
  redStopLamp: { label: 'Red stop lamp', spn: 623, engineKey: 'red_stop_lamp' },
  amberWarningLamp: { label: 'Amber warning lamp', spn: 624, engineKey: 'amber_warning_lamp' },
  protectLamp: { label: 'Protect lamp', spn: 987, engineKey: 'protect_lamp' },
} as const
export type LampName = keyof typeof lamps
export const lampNames = Object.keys(lamps) as LampName[]
/** `true` is on, `false` is off, absent is unknown. */
export type LampStates = Partial<Record<LampName, boolean>>
export const lampStates = ['LAMP_ON', 'LAMP_OFF'] as const

/** Aliases of the two engine fields that are not numeric signals (spec §2.6). */
export const vehicleIdAliases = ['vin', 'VIN', 'vehicle_id', 'fleet_id', 'asset_id'] as const
export const dtcCodesAliases = ['dtc', 'fault_codes', 'faultCodes', 'error_codes'] as const

/** Standard engine field → every alias it answers to, in the spec's order. Fields without an alias are left out. */
export const engineAliases: Readonly<Record<string, readonly string[]>> = {
  vehicleId: vehicleIdAliases,
  ...Object.fromEntries(
    signalNames
      .map((name) => [signals[name].engine.key, signals[name].engine.aliases])
      .filter(([, aliases]) => (aliases as readonly string[]).length > 0),
  ),
  dtc_codes: dtcCodesAliases,
}

export type WireSignal = { readonly name: SignalName; readonly scale: number }

/**
 * Any wire key a device may use for a numeric signal (External key, engine field or alias) → the signal and its scale. The three
 * vocabularies agree wherever they overlap; a test holds them to that, so one map serves every receiver.
 */
export const signalsByWireKey: ReadonlyMap<string, WireSignal> = new Map(
  signalNames.flatMap((name): [string, WireSignal][] => {
    const { external, engine: field } = signals[name] as SignalSpec
    const keys: [string, WireSignal][] = []
    if (field) for (const key of [field.key, ...field.aliases]) keys.push([key, { name, scale: field.scale }])
    if (external) keys.push([external.key, { name, scale: external.scale }])
    return keys
  }),
)

export const lampsByWireKey: ReadonlyMap<string, LampName> = new Map(lampNames.map((name) => [lamps[name].engineKey, name]))

/** Whether a canonical value lies in the signal's documented range. Not finite is never plausible. */
export function isPlausible(name: SignalName, value: number): boolean {
  const { min, max } = signals[name]
  return value >= min && value <= max
}
