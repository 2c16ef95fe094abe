// What answers predictions, and a reading to try it on.

import { healthStatuses, riskLevels } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { nullable, RESTS_ON_ASSUMPTION, timestamp, timestampExample } from '../wire-fields.ts'

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const Model = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: '`rules` and `weibull` come from knowledge; learned models name their kind.' }),
    version: Type.String(),
    status: Type.String({
      description: '`serving`; `kept`: a newer version was refused and this one goes on; `failed`: it does not answer.',
    }),
    reason: nullable(Type.String({ description: 'Why it was kept or failed.' })),
    description: Type.String(),
    source: Type.String({ description: 'What it was made from: the data set, or the literature.' }),
    measuredAt: nullable(timestamp('When its figures were measured.')),
    metrics: Type.Record(Type.String(), Type.Number(), { description: 'Its figures, by the names that the engine gives them.' }),
    numbersByOrigin: Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 0 })), Type.Null()], {
      description: 'Of what comes from knowledge: how many of its numbers are from data, literature, the benchmark, or are an assumption.',
    }),
  },
  { title: 'Model' },
)
export type Model = Static<typeof Model>

export const ModelList = Type.Object(
  {
    models: Type.Array(Model),
    problem: nullable(Type.String({ description: 'Why the folder of models could not be read at the last look.' })),
  },
  {
    title: 'ModelList',
    description: 'The models that answer predictions, as the engine describes them.',
    examples: [
      {
        models: [
          {
            name: 'driving-normal',
            type: 'normal',
            version: '1.0.0',
            status: 'serving',
            reason: null,
            description: 'How coolant temperature and battery voltage move within a minute.',
            source: '83 trips of two sound cars.',
            measuredAt: timestampExample,
            metrics: { coolantTempC_coverage90: 0.884 },
            numbersByOrigin: null,
          },
        ],
        problem: null,
      },
    ],
  },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const ClosedIncidents = Type.Object(
  {
    from: timestamp('Start, included.'),
    to: timestamp('End, not included.'),
    closed: count('Incidents of readings that people closed in this time; those that ended by themselves are not counted.'),
    falseAlarms: count('Of these, closed as false alarms.'),
  },
  { title: 'ClosedIncidents' },
)

export const ModelDrift = Type.Object(
  {
    judged: count('Active vehicles that were judged in the last 24 hours.'),
    unusual: count('Of these, those whose newest readings are unlike normal.'),
    unexplained: count(
      'Of the unusual ones, those without an open alert of the readings that explains it: any of the engine but `unusual_reading` and `life_ending`.',
    ),
    unjudgeable: count('Of those that were judged, those of whose readings none could be.'),
    confidence: Type.Union([share('Mean of how much there was to judge by.'), Type.Null()]),
    falseAlarms: Type.Array(ClosedIncidents, { description: 'The last 30 days, and the 30 days before.' }),
  },
  {
    title: 'ModelDrift',
    description: 'How well the models fit the fleet of the account, or of the sub-client.',
    examples: [
      {
        ...{ judged: 24, unusual: 5, unexplained: 1, unjudgeable: 0, confidence: 0.81 },
        falseAlarms: [
          { from: '2026-01-01T08:15:00.000Z', to: timestampExample, closed: 12, falseAlarms: 2 },
          { from: '2025-12-02T08:15:00.000Z', to: '2026-01-01T08:15:00.000Z', closed: 9, falseAlarms: 1 },
        ],
      },
    ],
  },
)
export type ModelDrift = Static<typeof ModelDrift>

export const TryRequest = Type.Object(
  {
    reading: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 200,
      description: 'One reading, with the keys of the External API, of the ML engine or their aliases.',
    }),
  },
  {
    title: 'TryRequest',
    additionalProperties: false,
    examples: [{ reading: { rpm: 1850, coolant_temp: 116, battery_voltage: 13.9, oil_pressure: 42 } }],
  },
)

const FieldMeaning = Type.Object(
  {
    field: Type.String({ description: 'The key as it was sent, cut after 128 characters.' }),
    kind: Type.Enum(['signal', 'lamp', 'fault codes', 'other', 'unknown'], {
      type: 'string',
      description: '`other`: known and not judged, such as a position. `unknown`: it means nothing.',
    }),
    signal: nullable(Type.String({ description: 'What it is, in words.' })),
    sentUnit: nullable(Type.String({ description: 'The unit in which this key is read.' })),
    value: nullable(Type.Number({ description: 'As it is judged, in `unit`.' })),
    unit: nullable(Type.String()),
    warning: nullable(Type.String({ description: 'Why it is not used, with the closest known key where there is one.' })),
  },
  { title: 'FieldMeaning' },
)
export type FieldMeaning = Static<typeof FieldMeaning>

const TriedPrediction = Type.Object(
  {
    healthScore: Type.Number({ minimum: 0, maximum: 100 }),
    healthStatus: Type.Enum(healthStatuses, { type: 'string' }),
    riskLevel: Type.Enum(riskLevels, { type: 'string', description: `By the probability. ${RESTS_ON_ASSUMPTION}` }),
    confidence: share('How much there was to judge by.'),
    components: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 100 }), { description: 'Score of each part.' }),
    findings: Type.Array(
      Type.Object(
        { component: Type.String(), severity: Type.Enum(severities, { type: 'string' }), message: Type.String() },
        { title: 'TriedFinding' },
      ),
      { description: 'What was found, worst first.' },
    ),
    insights: Type.Array(Type.String(), { description: 'What was found and not found, with readings and thresholds.' }),
    recommendations: Type.Array(Type.String()),
    missingFields: Type.Array(Type.String(), { description: 'Keys that would raise confidence.' }),
  },
  { title: 'TriedPrediction' },
)

export const TryAnswer = Type.Object(
  { fields: Type.Array(FieldMeaning, { description: 'Each key of the reading, in its order.' }), prediction: TriedPrediction },
  {
    title: 'TryAnswer',
    description: 'How the reading was understood, and what the engine answers to it as if it lasted.',
    examples: [
      {
        fields: [
          {
            field: 'oil_pressure',
            kind: 'signal',
            signal: 'Engine oil pressure',
            sentUnit: 'PSI',
            value: 289.58,
            unit: 'kPa',
            warning: null,
          },
        ],
        prediction: {
          healthScore: 12,
          healthStatus: 'critical',
          riskLevel: 'high',
          confidence: 0.61,
          components: { cooling: 12 },
          findings: [{ component: 'cooling', severity: 'critical', message: 'Coolant is at 116 °C, above 114 °C' }],
          insights: [],
          recommendations: ['Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump'],
          missingFields: ['odometer'],
        },
      },
    ],
  },
)
export type TryAnswer = Static<typeof TryAnswer>
