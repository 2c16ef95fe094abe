// Predictions on the External API (spec §2.7, §4.1).

import { healthStatuses, riskLevels } from '@roadworthy/signals/health-bands'
import { lampStates, lamps, type SignalSpec, signalNames, signals } from '@roadworthy/signals/registry'
import { severities } from '@roadworthy/signals/severity'
import { type Static, type TSchema, Type } from 'typebox'
import { AdviceByComponent, adviceExample, stopAdviceExample } from '../platform-v1/advice.ts'
import { nullable, Pagination, pageQuery, RESTS_ON_ASSUMPTION, timestamp, timestampExample, total } from '../wire-fields.ts'
import { reference, subClientFilter } from './references.ts'

const vehicleIdExample = 'veh-7h3d9s2k5f8j1l4a6g0q'
const score = Type.Number({ minimum: 0, maximum: 100 })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const vehicleReference = (description: string) => reference(description, vehicleIdExample)

function sensorKeys(): Record<string, TSchema> {
  const keys: Record<string, TSchema> = {}
  for (const name of signalNames) {
    const { label, external, engine } = signals[name] as SignalSpec
    const wire = external ?? engine
    if (wire !== null) keys[wire.key] = Type.Optional(nullable(Type.Number({ description: `${label}, ${wire.unit}.` })))
  }
  for (const { label, engineKey } of Object.values(lamps)) {
    keys[engineKey] = Type.Optional(Type.Enum([...lampStates], { type: 'string', description: label }))
  }
  return keys
}

export const PredictRequest = Type.Object(
  {
    vehicle_id: vehicleReference("Our id, or the caller's own reference, known or not."),
    sensor_data: Type.Object(
      {
        ...sensorKeys(),
        dtc_codes: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 64, description: 'Active fault codes.' }),
        ),
      },
      {
        title: 'PredictSensorData',
        additionalProperties: true,
        description: 'The keys and units of `/telemetry`; the aliases of the ML engine are taken too. Unknown keys are not looked at.',
      },
    ),
    timestamp: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the sensors were read. Now when left out.', examples: [timestampExample] }),
    ),
  },
  {
    title: 'PredictRequest',
    examples: [{ vehicle_id: vehicleIdExample, sensor_data: { rpm: 1850, coolant_temp: 116, battery_voltage: 13.9, oil_pressure: 42 } }],
  },
)
export type PredictRequest = Static<typeof PredictRequest>

const MaintenanceAlert = Type.Object(
  {
    type: Type.String(),
    component: Type.String(),
    severity: Type.Enum(severities, { type: 'string' }),
    description: Type.String({ description: 'A few words: what is wrong.' }),
    message: Type.String({ description: 'One sentence that names the reading and the threshold.' }),
    urgency: Type.String({ description: '`monitor`, `routine`, `soon`, `urgent` or `immediate`.' }),
    code: nullable(Type.String({ description: 'The fault code, for an alert that comes from one.' })),
    evidence: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What drove it: `signal` (a sensor key), `value`, `threshold`, `unit` …',
    }),
  },
  { title: 'MaintenanceAlert' },
)

/** Spec §2.7, second shape, with the first one's `predictions` beside it. Its fields are spelt as the spec spells them. */
export const PredictAnswer = Type.Object(
  {
    vehicleId: Type.String(),
    vehicle_id: Type.String({ description: 'The same, for clients that read snake_case.' }),
    health_score: score,
    health_status: Type.Enum(healthStatuses, { type: 'string' }),
    risk_level: Type.Enum(riskLevels, { type: 'string', description: `By \`maintenanceProbability\`. ${RESTS_ON_ASSUMPTION}` }),
    components: Type.Record(Type.String(), score),
    maintenance_alerts: Type.Array(MaintenanceAlert, { description: 'Worst first. They are not stored.' }),
    recommendations: Type.Array(Type.String()),
    insights: Type.Array(Type.String()),
    confidence: share('How much there was to judge by.'),
    missing_fields: Type.Array(Type.String(), {
      description: "Sensor keys, and fields of the vehicle's record, that would raise confidence.",
    }),
    ignored_fields: Type.Array(Type.String(), { description: 'Fields that were out of range or could not be used.' }),
    predictions: Type.Object(
      {
        healthScore: score,
        maintenanceNeeded: Type.Boolean(),
        maintenanceProbability: share(`That some component needs work within 30 days. ${RESTS_ON_ASSUMPTION}`),
        remainingUsefulLife: Type.Record(Type.String(), Type.Number({ minimum: 0 }), { description: 'Component to days, median.' }),
        anomalyScore: share('How unlike the normal the readings are.'),
        anomalyDetected: Type.Boolean(),
        advice: Type.Optional(AdviceByComponent),
      },
      { title: 'EngineFigures', additionalProperties: true, description: 'As the ML engine gave it.' },
    ),
    processed_at: timestamp('When this was predicted.'),
  },
  {
    title: 'PredictAnswer',
    description: 'What these readings mean for the vehicle.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        vehicle_id: vehicleIdExample,
        health_score: 30,
        health_status: 'critical',
        risk_level: 'high',
        components: { engine: 71, cooling: 30, brakes: 91 },
        maintenance_alerts: [
          {
            type: 'coolant_high',
            component: 'cooling',
            severity: 'critical',
            description: 'Coolant overheating',
            message: 'Coolant is at 116 °C, above 114 °C',
            urgency: 'immediate',
            code: null,
            evidence: { signal: 'coolant_temp', value: 116, threshold: 114, unit: '°C' },
          },
        ],
        recommendations: ['Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump'],
        insights: ['Coolant is at 116 °C, above 114 °C'],
        confidence: 0.55,
        missing_fields: ['fuel_level', 'speed'],
        ignored_fields: [],
        predictions: {
          healthScore: 30,
          maintenanceNeeded: true,
          maintenanceProbability: 0.93,
          remainingUsefulLife: { cooling: 2, brakes: 410 },
          anomalyScore: 0.998,
          anomalyDetected: true,
          advice: { cooling: stopAdviceExample, brakes: adviceExample },
        },
        processed_at: timestampExample,
      },
    ],
  },
)
export type PredictAnswer = Static<typeof PredictAnswer>

export const Prediction = Type.Object(
  {
    prediction_id: Type.String(),
    vehicle_id: Type.String(),
    sub_client_id: nullable(Type.String({ description: 'Owner of the vehicle.' })),
    component: Type.String({ description: 'The part it is about.' }),
    issue: Type.String({ description: 'A few words: what is expected to need work.' }),
    rul_days: Type.Integer({ minimum: 0, description: 'Remaining useful life in days, median.' }),
    interval: Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2, description: '`[p10, p90]` in days.' }),
    confidence: share('How much there was to judge by.'),
    severity: Type.Enum(severities, { type: 'string' }),
    health_score: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Of the vehicle.' })),
    created_at: timestamp('When this component was first predicted.'),
    updated_at: timestamp('When the prediction last changed.'),
  },
  {
    title: 'Prediction',
    examples: [
      {
        prediction_id: 'prd-9s4d7f2g5h8j1k3l6z0x',
        vehicle_id: vehicleIdExample,
        sub_client_id: 'acme-logistics',
        component: 'brakes',
        issue: 'Brakes: close to the end of its expected life',
        rul_days: 26,
        interval: [11, 48],
        confidence: 0.82,
        severity: 'medium',
        health_score: 81.4,
        created_at: timestampExample,
        updated_at: timestampExample,
      },
    ],
  },
)
export type Prediction = Static<typeof Prediction>

export const PredictionList = Type.Object(
  { total, predictions: Type.Array(Prediction), pagination: Pagination },
  { title: 'PredictionList', description: 'A page of predictions.' },
)

export const PredictionListQuery = Type.Object({
  sub_client_id: subClientFilter,
  vehicle_id: Type.Optional(vehicleReference("Only this vehicle: our id, or the caller's own reference.")),
  ...pageQuery,
})
