// What the plan of the account allows, what of it is used, and how long what is kept.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'

const quota = (description: string) =>
  Type.Object(
    {
      limit: nullable(Type.Integer({ minimum: 1, description: 'In a month. Null: no limit.', examples: [100_000] })),
      used: Type.Integer({ minimum: 0, description: 'In this month, so far.', examples: [4_120] }),
    },
    { title: 'PlanQuota', description },
  )

const rate = (description: string) => nullable(Type.Integer({ minimum: 1, description: `${description} Null: no limit.`, examples: [60] }))

/** `readings` with the history of health, in the order in which they are shown. */
const keptKinds = ['readings', 'events', 'webhook_deliveries', 'request_log', 'notifications', 'audit'] as const

export const Plan = Type.Object(
  {
    plan: Type.Enum(['starter', 'professional', 'enterprise'], { type: 'string' }),
    subscription: Type.Enum(['trialing', 'active', 'past_due', 'canceled'], { type: 'string' }),
    month: Type.Object(
      { from: timestamp('Its first moment.'), until: timestamp('The first moment of the next.') },
      { title: 'CalendarMonth', description: 'The calendar month, in UTC, that quotas count by.' },
    ),
    platformCalls: quota('Platform API calls.'),
    predictions: quota('Predictions on demand.'),
    keyPerMinute: rate(
      'Requests of one key in any 60 s on the External API and the SIM and billing API, unless the key has its own limit.',
    ),
    keyPerDay: rate('Requests of one key in a UTC day on these, unless the key has its own limit.'),
    kept: Type.Array(
      Type.Object(
        {
          what: Type.Enum(keptKinds, { type: 'string' }),
          days: Type.Integer({ minimum: 1, description: 'What is older is removed, some of it up to a week later.' }),
        },
        { title: 'RetentionPeriod' },
      ),
      { description: 'What is kept for how long. It is set for the whole service.' },
    ),
  },
  {
    title: 'PlanOverview',
    description: 'The plan of the account.',
    examples: [
      {
        plan: 'starter',
        subscription: 'active',
        month: { from: timestampExample, until: timestampExample },
        platformCalls: { limit: 100_000, used: 4_120 },
        predictions: { limit: 10_000, used: 12 },
        keyPerMinute: 60,
        keyPerDay: 5_000,
        kept: [{ what: 'readings', days: 400 }],
      },
    ],
  },
)
export type Plan = Static<typeof Plan>
