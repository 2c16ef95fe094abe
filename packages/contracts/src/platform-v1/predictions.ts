// Maintenance predictions (spec §2.8, §4.2).

import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'

export const Prediction = Type.Object(
  {
    id: Type.String(),
    vehicleId: Type.String(),
    component: Type.String({ description: 'The part it is about.' }),
    issue: Type.String({ description: 'A few words: what is expected to need work.' }),
    rul_days: Type.Integer({ minimum: 0, description: 'Remaining useful life in days, median.' }),
    interval: Type.Array(Type.Number({ minimum: 0 }), {
      minItems: 2,
      maxItems: 2,
      description: '`[p10, p90]` in days: in 8 of 10 cases the part lasts between the two.',
    }),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How much there was to judge this component by.' }),
    severity: Type.Enum(severities, {
      type: 'string',
      description: 'By remaining life (`high` up to 7 days, `medium` up to 30), or what the part shows now, whichever is worse.',
    }),
    healthScore: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Of the vehicle.' })),
    subClientId: nullable(Type.String({ description: 'Owner of the vehicle.' })),
    createdAt: timestamp('When this component was first predicted.'),
    updatedAt: timestamp('When the prediction last changed.'),
  },
  {
    title: 'Prediction',
    examples: [
      {
        id: 'prd-9s4d7f2g5h8j1k3l6z0x',
        vehicleId: vehicleIdExample,
        component: 'brakes',
        issue: 'Brakes: close to the end of its expected life',
        rul_days: 26,
        interval: [11, 48],
        confidence: 0.82,
        severity: 'medium',
        healthScore: 81.4,
        subClientId: 'acme-logistics',
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Prediction = Static<typeof Prediction>

export const PredictionList = Type.Object(
  { predictions: Type.Array(Prediction), total, pagination: Pagination },
  { title: 'PredictionList', description: 'A page of predictions.' },
)

export const PredictionListQuery = Type.Object({
  vehicleId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Our id, or the caller's own reference.", examples: [vehicleIdExample] }),
  ),
  ...pageQuery,
})
