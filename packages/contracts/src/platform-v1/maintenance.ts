// Maintenance: work that was done or is planned, and what it shows about predictions and lives (Spec gap §6.1: `maintenance.completed`).

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'

export const maintenanceStatuses = ['planned', 'completed'] as const
export const conditionsFound = ['sound', 'worn', 'failed'] as const
const MAX_NOTES_LENGTH = 2_000
const MAX_ODOMETER_KM = 10_000_000
const MAX_ENGINE_HOURS = 1_000_000

const maintenanceIdExample = 'mnt-4k7p0s3v6y9b2e5h8j1m'
export const scheduleIdExample = 'msc-8f1h4k7n0q3t6w9z2c5e'
const predictionIdExample = 'prd-9s4d7f2g5h8j1k3l6z0x'

export const vehicleReference = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Our id, or the caller's own reference.",
  examples: [vehicleIdExample],
})
export const component = Type.String({
  pattern: '^[a-z][a-z0-9]*([ _-][a-z0-9]+)*$',
  maxLength: 64,
  description:
    'In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called.',
  examples: ['brakes'],
})
export const odometerKm = (description: string) => Type.Number({ minimum: 0, maximum: MAX_ODOMETER_KM, description })
export const engineHours = (description: string) => Type.Number({ minimum: 0, maximum: MAX_ENGINE_HOURS, description })

const Cost = Type.Object(
  {
    amount_minor: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'In the smallest unit of the currency: paise, cents.',
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['INR'] }),
  },
  { title: 'Cost', additionalProperties: false, description: 'What the work cost.' },
)
const notes = Type.String({ minLength: 1, maxLength: MAX_NOTES_LENGTH, pattern: '\\S', description: 'For people.' })
const conditionFound = Type.Enum(conditionsFound, {
  type: 'string',
  description: 'How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long.',
})
const renewed = Type.Boolean({
  description:
    'Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age.',
})
const shareOfDays = (description: string) => Type.Integer({ minimum: 0, description })

const PredictionOutcome = Type.Object(
  {
    id: Type.String({ description: 'Of the prediction.' }),
    toldAt: timestamp('When it was last published: first, or after its remaining life had moved by more than 20 %.'),
    rul_days: shareOfDays('What it predicted then: median remaining life.'),
    interval: Type.Array(Type.Number({ minimum: 0 }), {
      minItems: 2,
      maxItems: 2,
      description: '`[p10, p90]` in days, as published then.',
    }),
    actual_days: Type.Number({ minimum: 0, description: 'From then to the work.' }),
    outcome: Type.Enum(['inside', 'earlier', 'later', 'censored', 'unknown'], {
      type: 'string',
      description:
        '`inside`: it failed within the interval; `earlier` and `later`: before and after it. `censored`: it was replaced before it failed, so nobody knows. `unknown`: nobody reported how the part was.',
    }),
  },
  { title: 'PredictionOutcome' },
)

const recordExample = {
  id: maintenanceIdExample,
  vehicleId: vehicleIdExample,
  component: 'brakes',
  status: 'completed',
  scheduleId: null,
  dueAt: null,
  completedAt: timestampExample,
  odometer_km: 171_300,
  engine_hours: null,
  cost: { amount_minor: 845_000, currency: 'INR' },
  notes: 'Front pads and discs',
  condition_found: 'worn',
  renewed: true,
  predictionId: predictionIdExample,
  prediction: {
    id: predictionIdExample,
    toldAt: '2026-01-12T08:15:00.000Z',
    rul_days: 26,
    interval: [11, 48],
    actual_days: 19,
    outcome: 'censored',
  },
  createdAt: timestampExample,
  updatedAt: timestampExample,
}

export const Maintenance = Type.Object(
  {
    id: Type.String(),
    vehicleId: Type.String(),
    component: Type.String(),
    status: Type.Enum(maintenanceStatuses, { type: 'string' }),
    scheduleId: nullable(Type.String({ description: 'The schedule that the work is for.' })),
    dueAt: nullable(timestamp('When planned work is to be done.')),
    completedAt: nullable(timestamp('When the work was done.')),
    odometer_km: nullable(odometerKm('At the work. What the vehicle reported then, where nobody gave it.')),
    engine_hours: nullable(engineHours('At the work. What the vehicle reported then, where nobody gave it.')),
    cost: Type.Union([Cost, Type.Null()]),
    notes: nullable(notes),
    condition_found: nullable(conditionFound),
    renewed,
    predictionId: nullable(Type.String({ description: 'The prediction that led to the work, or else that stood when it was done.' })),
    prediction: Type.Union([PredictionOutcome, Type.Null()], {
      description: 'What the prediction that stood had predicted, beside what happened. Null where there was none.',
    }),
    createdAt: timestamp('When the record was made.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Maintenance', description: 'Work on one component of one vehicle.', examples: [recordExample] },
)
export type Maintenance = Static<typeof Maintenance>

const completionFields = {
  completedAt: Type.Optional(timestamp('When the work was done, not in the future. Now, when left out.')),
  odometer_km: Type.Optional(odometerKm('At the work. What the vehicle reported then, when left out.')),
  engine_hours: Type.Optional(engineHours('At the work. What the vehicle reported then, when left out.')),
  cost: Type.Optional(Cost),
  notes: Type.Optional(notes),
  condition_found: Type.Optional(conditionFound),
  renewed: Type.Optional(renewed),
}

export const CreateMaintenanceRequest = Type.Object(
  {
    vehicleId: vehicleReference,
    component,
    status: Type.Enum(maintenanceStatuses, {
      type: 'string',
      description: '`completed` is the same as planning it and completing it at once.',
    }),
    scheduleId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The schedule that the work is for.', examples: [scheduleIdExample] }),
    ),
    dueAt: Type.Optional(timestamp('When planned work is to be done.')),
    predictionId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The prediction that led to it.', examples: [predictionIdExample] }),
    ),
    ...completionFields,
  },
  {
    title: 'CreateMaintenanceRequest',
    additionalProperties: false,
    description: 'Of planned work `completedAt`, `odometer_km`, `engine_hours` and `condition_found` are not known yet and refused.',
    examples: [{ vehicleId: vehicleIdExample, component: 'brakes', status: 'planned', dueAt: timestampExample, notes: 'Front pads' }],
  },
)
export type CreateMaintenanceRequest = Static<typeof CreateMaintenanceRequest>

export const CompleteMaintenanceRequest = Type.Object(completionFields, {
  title: 'CompleteMaintenanceRequest',
  additionalProperties: false,
  examples: [{ completedAt: timestampExample, odometer_km: 171_300, condition_found: 'worn', notes: 'Front pads and discs' }],
})
export type CompleteMaintenanceRequest = Static<typeof CompleteMaintenanceRequest>

export const ChangeMaintenanceRequest = Type.Object(
  {
    dueAt: Type.Optional(nullable(timestamp('Of planned work only. Null takes it away.'))),
    cost: Type.Optional(Type.Union([Cost, Type.Null()])),
    notes: Type.Optional(nullable(notes)),
    condition_found: Type.Optional(nullable(conditionFound)),
    odometer_km: Type.Optional(nullable(odometerKm('Of completed work only.'))),
    engine_hours: Type.Optional(nullable(engineHours('Of completed work only.'))),
    renewed: Type.Optional(renewed),
  },
  {
    title: 'ChangeMaintenanceRequest',
    minProperties: 1,
    additionalProperties: false,
    description: 'What is left out stays. `condition_found` too is of completed work only.',
    examples: [{ condition_found: 'failed' }],
  },
)
export type ChangeMaintenanceRequest = Static<typeof ChangeMaintenanceRequest>

export const MaintenanceList = Type.Object(
  { maintenance: Type.Array(Maintenance), total, pagination: Pagination },
  { title: 'MaintenanceList', description: 'A page of records, newest first.' },
)
export const MaintenanceListQuery = Type.Object({
  vehicleId: Type.Optional(vehicleReference),
  status: Type.Optional(Type.Enum(maintenanceStatuses, { type: 'string', description: 'Only records in this status.' })),
  component: Type.Optional(component),
  from: Type.Optional(timestamp('Only work that was done, or that is to be done, at this time or later. Work without a day is left out.')),
  to: Type.Optional(timestamp('Only work that was done, or that is to be done, before this time. Work without a day is left out.')),
  ...pageQuery,
})
export const MaintenanceParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [maintenanceIdExample] }) })

export const RemovedMaintenance = Type.Object(
  { id: Type.String(), removed: Type.Literal(true) },
  { title: 'RemovedMaintenance', description: 'The record is gone.', examples: [{ id: maintenanceIdExample, removed: true }] },
)

const ComponentAccuracy = Type.Object(
  {
    component: Type.String(),
    failures: shareOfDays('Predictions of parts that then failed: what the figures below are made of.'),
    inside: shareOfDays('Of those, how many failed within the interval.'),
    coverage: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: '`inside` of `failures`; to be compared with `expectedCoverage`.' }),
    ),
    coverage95: Type.Union([Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 2, maxItems: 2 }), Type.Null()], {
      description: 'Between these the true coverage lies with 95 % confidence (Wilson). With few failures they are far apart.',
    }),
    meanError_days: nullable(
      Type.Number({ description: 'Days to failure less days predicted: below 0 means that parts failed earlier than predicted.' }),
    ),
    meanAbsoluteError_days: nullable(Type.Number({ minimum: 0 })),
    censored: shareOfDays('Parts that were replaced before they failed. They are in no figure above.'),
    censoredLater: shareOfDays('Of those, how many had outlasted the interval already.'),
    unknown: shareOfDays('Parts of which nobody reported how they were found. They are in no figure above.'),
  },
  { title: 'ComponentAccuracy' },
)
export type ComponentAccuracy = Static<typeof ComponentAccuracy>

export const PredictionAccuracy = Type.Object(
  {
    expectedCoverage: Type.Number({ description: 'Of an interval from p10 to p90.' }),
    components: Type.Array(ComponentAccuracy),
  },
  {
    title: 'PredictionAccuracy',
    description: 'What had been predicted, compared with what was found when the work was done.',
    examples: [
      {
        expectedCoverage: 0.8,
        components: [
          {
            component: 'brakes',
            failures: 9,
            inside: 7,
            coverage: 0.78,
            coverage95: [0.45, 0.94],
            meanError_days: -2.4,
            meanAbsoluteError_days: 6.1,
            censored: 21,
            censoredLater: 2,
            unknown: 3,
          },
        ],
      },
    ],
  },
)
export const PredictionAccuracyQuery = Type.Object({ component: Type.Optional(component) })

export const lifeUnits = ['km', 'days', 'engine_hours'] as const
export const LifeQuery = Type.Object({
  component,
  unit: Type.Optional(Type.Enum(lifeUnits, { type: 'string', default: 'km', description: 'What lives are counted in.' })),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      type: 'string',
      default: 'json',
      description: '`csv` answers all of them at once, for `npx roadworthy fit life`.',
    }),
  ),
  ...pageQuery,
})
const Life = Type.Object(
  {
    vehicleId: Type.String(),
    startedAt: timestamp('When the part was put in.'),
    endedAt: timestamp('When it was replaced, or last looked at.'),
    age: Type.Number({ exclusiveMinimum: 0, description: 'In the unit asked for.' }),
    failed: Type.Boolean({ description: 'False: it had not failed by then, and either still runs or was replaced before.' }),
  },
  {
    title: 'Life',
    examples: [
      { vehicleId: vehicleIdExample, startedAt: '2024-11-02T08:15:00.000Z', endedAt: timestampExample, age: 41_870, failed: true },
    ],
  },
)
export type Life = Static<typeof Life>
export const LifeList = Type.Object(
  {
    component: Type.String({ examples: ['brakes'] }),
    unit: Type.Enum(lifeUnits, { type: 'string' }),
    lives: Type.Array(Life),
    leftOut: Type.Integer({
      minimum: 0,
      description: 'Lives whose end nobody described, or whose age in this unit is not known.',
      examples: [3],
    }),
    total,
    pagination: Pagination,
  },
  {
    title: 'LifeList',
    description:
      'Lives of one component that began with a replacement that is on record. A part that was in the vehicle before has an unknown age.',
  },
)
