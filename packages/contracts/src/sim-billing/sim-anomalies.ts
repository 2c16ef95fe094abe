// What is odd about a SIM at present (Spec gap §2.10).

import { type Static, Type } from 'typebox'
import { timestamp, timestampExample } from '../wire-fields.ts'

export const anomalyTypes = ['wrong_device', 'usage_above_habit', 'traffic_in_custody'] as const

const SimAnomaly = Type.Object(
  {
    type: Type.Enum([...anomalyTypes], {
      type: 'string',
      description:
        '`wrong_device`: the operator sees it in another device. `usage_above_habit`: it uses far more than it did. `traffic_in_custody`: it has ' +
        'traffic while it is parked.',
    }),
    message: Type.String({ description: 'One sentence that names what was seen and what was expected.' }),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'What was seen: amounts in bytes, IMEIs.' }),
    opened_at: timestamp('When it was first seen.'),
    last_seen_at: timestamp('When it was last seen.'),
  },
  { title: 'SimAnomaly' },
)

export const SimAnomalies = Type.Object(
  { anomalies: Type.Array(SimAnomaly, { description: 'Newest first; one of each type at most.' }) },
  {
    title: 'SimAnomalies',
    description: 'What is odd about a SIM at present.',
    examples: [
      {
        anomalies: [
          {
            type: 'wrong_device',
            message: 'The operator sees SIM 89910009000000000013 in a device with IMEI 490154203237518; it was given to 356938035643809.',
            evidence: { expected_imei: '356938035643809', seen_imei: '490154203237518' },
            opened_at: timestampExample,
            last_seen_at: timestampExample,
          },
        ],
      },
    ],
  },
)
export type SimAnomalies = Static<typeof SimAnomalies>
