// What the engine takes (spec §2.6). The numeric fields, their ranges and aliases come from the signal table.
import { healthStatuses } from '@roadworthy/signals/health-bands'
import { engineAliases, lampStates, lamps, signalNames, signals, wholeNumberSignals } from '@roadworthy/signals/registry'
import { batteryVoltages, drivetrains, fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { type Static, type TSchema, Type } from 'typebox'

export const MAX_BATCH_VEHICLES = 1000
export const MAX_HISTORY_READINGS = 120
export const MAX_VEHICLE_ID_LENGTH = 256
export const MAX_DTC_CODES = 64
export const MAX_DTC_CODE_LENGTH = 64
export const MAX_REPLACED_PARTS = 64
export const MAX_COMPONENT_LENGTH = 64

const timestampExample = '2026-01-31T08:15:00.000Z'

/** An alias is named in the description: JSON Schema describes the standard form, which the engine maps every other one to. */
function withAliases(key: string, text: string): string {
  const aliases = engineAliases[key] ?? []
  return aliases.length === 0 ? text : `${text} Also: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
}

function numericFields(): Record<string, TSchema> {
  return Object.fromEntries(
    signalNames.map((name) => {
      const { label, engine, min, max } = signals[name]
      const range = { minimum: roundInward(min / engine.scale, Math.ceil), maximum: roundInward(max / engine.scale, Math.floor) }
      const description = withAliases(engine.key, `${label}, ${engine.unit}.`)
      return [
        engine.key,
        Type.Optional(wholeNumberSignals.has(name) ? Type.Integer({ ...range, description }) : Type.Number({ ...range, description })),
      ]
    }),
  )
}

/** A limit converted to the wire's unit is rounded to the inside, so that what the schema allows is never out of range. */
function roundInward(limit: number, round: (value: number) => number): number {
  return Number.isInteger(limit) ? limit : round(limit * 100) / 100
}

const lampFields = Object.fromEntries(
  Object.values(lamps).map(({ label, engineKey }) => [
    engineKey,
    Type.Optional(Type.Enum([...lampStates], { type: 'string', description: `${label}. Leave out when unknown.` })),
  ]),
)

const readingFields = {
  timestamp: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'RFC 3339 with an offset: when the vehicle read this. The time of receipt when left out.',
      examples: [timestampExample],
    }),
  ),
  ...numericFields(),
  ...lampFields,
  dtc_codes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_DTC_CODE_LENGTH }), {
      maxItems: MAX_DTC_CODES,
      description: withAliases(
        'dtc_codes',
        'Active fault codes: SAE J2012 (`P0217`, with a failure-type byte `C0035-64`) or J1939 (`SPN 110 FMI 0`). Empty means there are none.',
      ),
    }),
  ),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north. Not used for scoring.' })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east. Not used for scoring.' })),
}

/** Documentation of the body. The engine reads it leniently: a field it cannot use is dropped and named in `_validation.ignored`. */
export const EngineInput = Type.Object(
  {
    vehicleId: Type.String({
      minLength: 1,
      maxLength: MAX_VEHICLE_ID_LENGTH,
      description: withAliases('vehicleId', 'The only required field.'),
    }),
    ...readingFields,
    vehicleAgeDays: Type.Optional(Type.Number({ minimum: 0, maximum: 36_525, description: 'Days since first registration, where known.' })),
    vehicleClass: Type.Optional(
      Type.Enum([...vehicleClasses], {
        type: 'string',
        description:
          'Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Without it class follows from J1939 fault codes, the VIN, a 24 V system, else a passenger car is assumed.',
        examples: ['heavy_truck'],
      }),
    ),
    fuelType: Type.Optional(
      Type.Enum([...fuelTypes], {
        type: 'string',
        description: 'What it runs on. Without it electric vehicles are known by some VINs, else a combustion engine is assumed.',
        examples: ['diesel'],
      }),
    ),
    drivetrain: Type.Optional(
      Type.Enum([...drivetrains], { type: 'string', description: 'Which wheels are driven. Not used for scoring.', examples: ['6x4'] }),
    ),
    batteryNominalV: Type.Optional(
      Type.Enum([...batteryVoltages], {
        type: 'integer',
        description: 'Nominal voltage of the starter battery, in volts. Readings that clearly show another one are judged by that.',
        examples: [12],
      }),
    ),
    vin: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_VEHICLE_ID_LENGTH,
        description:
          'Vehicle identification number: its first three characters may show class and drive. Beside `vehicleId` it is only that, without one it is the id as well.',
        examples: ['3AKJHHDR5JSJT1234'],
      }),
    ),
    replacedParts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            component: Type.String({
              minLength: 1,
              maxLength: MAX_COMPONENT_LENGTH,
              description:
                '`engine`, `cooling`, `fuel`, `transmission`, `brakes`, `battery` or `charging`; any other is left out and named in `_validation`.',
            }),
            odometerKm: Type.Optional(
              Type.Number({
                minimum: 0,
                maximum: signals.odometerKm.max,
                description: 'What the odometer showed when the part was put in.',
              }),
            ),
            replacedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When the part was put in.' })),
          },
          { title: 'ReplacedPart', additionalProperties: true },
        ),
        {
          maxItems: MAX_REPLACED_PARTS,
          description:
            'Parts that are not as old as the vehicle: their remaining life counts from there. Each with `odometerKm`, `replacedAt` or both.',
          examples: [[{ component: 'brakes', odometerKm: 171_300, replacedAt: timestampExample }]],
        },
      ),
    ),
    previousHealthStatus: Type.Optional(
      Type.Enum(healthStatuses, {
        type: 'string',
        description: 'The `healthStatus` last reported of this vehicle; it is left for a better one only 3 points inside that one.',
      }),
    ),
    history: Type.Optional(
      Type.Array(Type.Object(readingFields, { title: 'EngineReading', additionalProperties: true }), {
        maxItems: MAX_HISTORY_READINGS,
        description:
          'Earlier readings of the same vehicle, oldest first, each with its `timestamp`; those that name another vehicle are left out, and one that is there twice counts once. With it, also when empty, a condition must be seen to hold before it alerts; without it, every reading is taken as lasting.',
      }),
    ),
  },
  {
    title: 'EngineInput',
    additionalProperties: true,
  },
)
/** Numeric fields and lamps are read by their name from the signal table, so their keys are not spelt out in the type. */
export type EngineInput = Static<typeof EngineInput> & Record<string, unknown>

export const engineInputExample = {
  vehicleId: 'TRUCK-001',
  timestamp: timestampExample,
  engine_speed: 1850,
  coolant: 92,
  battery_voltage: 13.9,
  fuel_level: 64,
  vehicleSpeed: 72,
  obdDistance: 184_200,
  mil_lamp: 'LAMP_OFF',
  dtc_codes: [],
}

export const EngineBatchInput = Type.Object(
  { vehicles: Type.Array(EngineInput, { maxItems: MAX_BATCH_VEHICLES, description: `At most ${MAX_BATCH_VEHICLES}.` }) },
  { title: 'EngineBatchInput', additionalProperties: false },
)
