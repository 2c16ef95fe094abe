// What was used, and signed statements of it (spec §1; added: Spec gap §4.2).

import { type Static, Type } from 'typebox'
import { subClientFilter } from '../external/references.ts'
import {
  csvOf,
  elapsedPercent,
  month,
  ndjson,
  ownerSubClientId,
  projectionDescription,
  projectionFields,
  reportDescription,
  reportFields,
  rowFields,
  Totals,
  timeZone,
  usageQuery,
} from '../usage.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

export const UsageQuery = Type.Object({ subClientId: subClientFilter, ...usageQuery })

const UsageRow = Type.Object({ ...rowFields, subClientId: ownerSubClientId }, { title: 'UsageRow' })

const UsagePeriod = Type.Object({ period: rowFields.period, totals: Totals }, { title: 'UsagePeriod' })

export const UsageReport = Type.Object(
  {
    ...reportFields,
    timeZone,
    rows: Type.Array(UsageRow, { description: 'By period, sub-client and meter.' }),
    periods: Type.Array(UsagePeriod, {
      description:
        'Every period that was asked for, whether something was used in it or not, with what all rows of it add up to, of every page.',
    }),
    projected: Type.Object({ ...projectionFields, elapsedPercent }, { title: 'UsageProjection', description: projectionDescription }),
  },
  { title: 'UsageReport', description: reportDescription },
)
export type UsageReport = Static<typeof UsageReport>

export const usageText = { 'text/csv': csvOf('period,subClientId,meter,count'), 'application/x-ndjson': ndjson }

const limit = (description: string) =>
  Type.Object(
    {
      limit: nullable(Type.Integer({ minimum: 0, description: 'Null: no limit.', examples: [100_000] })),
      used: Type.Integer({ minimum: 0, description: 'Of it, so far.', examples: [91_200] }),
    },
    { title: 'SubClientQuota', description },
  )

const UsageLimit = Type.Object(
  {
    id: Type.String({ examples: ['acme-logistics'] }),
    name: Type.String({ examples: ['Acme Logistics'] }),
    usedPercent: Type.Integer({
      minimum: 0,
      description:
        'Of the limit that is nearest to its end, rounded down; above 100 where a limit was set below what is used. 100 of a limit of 0.',
      examples: [91],
    }),
    devices: limit('Devices that are not decommissioned.'),
    readings: limit('Readings in a month.'),
    predictions: limit('Predictions on demand in a month.'),
  },
  { title: 'UsageLimit' },
)

export const UsageLimitsQuery = Type.Object({
  subClientId: subClientFilter,
  minUsedPercent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Only those with a limit that is used to so many percent or more.',
      examples: [80],
    }),
  ),
  ...pageQuery,
})

export const UsageLimits = Type.Object(
  {
    month: Type.Object(
      { from: timestamp('Its first moment.'), until: timestamp('The first moment of the next.') },
      { title: 'CalendarMonth', description: 'The calendar month, in UTC, that limits count by.' },
    ),
    total,
    subClients: Type.Array(UsageLimit, { description: 'Those that have a limit, oldest first.' }),
    pagination: Pagination,
  },
  { title: 'UsageLimits', description: 'Limits of sub-clients, and what of them is used. Those of the plan are at `/plan`.' },
)
export type UsageLimits = Static<typeof UsageLimits>

const ledgerMeterNames = [
  'points_ingested',
  'api_calls_external',
  'api_calls_platform',
  'predictions',
  'active_devices',
  'active_device_days',
]

const StatementLine = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Place in the chain of the sub-client.' }),
    bucket: timestamp('Start of the quarter-hour in which the service received it.'),
    meter: Type.Enum(ledgerMeterNames, { type: 'string' }),
    count: Type.Integer({ minimum: 1 }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 over this line and the hash before it.' }),
  },
  { title: 'UsageStatementLine' },
)

export const UsageStatement = Type.Object(
  {
    statement: Type.Literal('roadworthy-usage-1'),
    status: Type.Enum(['draft', 'final'], {
      type: 'string',
      description:
        '`draft` while the month goes on: it lags the usage report by up to 16 minutes. `final` about a day after its end: it does not change any more.',
    }),
    resellerId: Type.String(),
    subClientId: ownerSubClientId,
    month: month('Of the time zone.'),
    timeZone,
    from: timestamp('Start of the month.'),
    to: timestamp('End of the month.'),
    totals: Totals,
    previousHash: nullable(Type.String({ description: 'What the first line follows. Null when there are no lines.' })),
    lines: Type.Array(StatementLine, {
      description: 'Without gaps. One of another month, which came between, counts in no total here.',
    }),
    publicKey: Type.String({ description: 'Ed25519, base64 of its SPKI DER.' }),
    signature: Type.String({ description: 'Ed25519 over the canonical JSON of all other members, base64.' }),
  },
  {
    title: 'UsageStatement',
    description: '`npx roadworthy verify-statement` checks it offline.',
    examples: [
      {
        statement: 'roadworthy-usage-1',
        status: 'final',
        resellerId: 'north',
        subClientId: 'acme-logistics',
        month: '2026-01',
        timeZone: 'Asia/Kolkata',
        from: '2025-12-31T18:30:00.000Z',
        to: '2026-01-31T18:30:00.000Z',
        totals: { points_ingested: 12, api_calls: 0, predictions: 0, active_devices: 0 },
        previousHash: '3b1f0c6f7c1f2a5d0e9b8c7a6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c',
        lines: [
          {
            seq: 1,
            bucket: timestampExample,
            meter: 'points_ingested',
            count: 12,
            hash: '9f2d1c6f7c1f2a5d0e9b8c7a6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c',
          },
        ],
        publicKey: 'MCowBQYDK2VwAyEAy1rWm0c2r0r8vKq6m8bQm0kqM6l2m8X0m9u0y6Yw1dE=',
        signature: 'base64',
      },
    ],
  },
)
export type UsageStatement = Static<typeof UsageStatement>

export const StatementQuery = Type.Object({
  month: Type.Optional(month('The month before this one when left out.')),
  subClientId: subClientFilter,
})

export const StatementKeyAnswer = Type.Object(
  {
    algorithm: Type.Literal('Ed25519'),
    publicKey: Type.String({
      description: 'Base64 of its SPKI DER.',
      examples: ['MCowBQYDK2VwAyEAy1rWm0c2r0r8vKq6m8bQm0kqM6l2m8X0m9u0y6Yw1dE='],
    }),
  },
  { title: 'StatementKey', description: 'What statements of this service are signed with.' },
)
