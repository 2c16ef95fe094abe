// What was used and what is billed for it, as far as both surfaces report it by the same names.

import { Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, total } from './wire-fields.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
export const month = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}$', description, examples: ['2026-01'] })
export const timeZone = Type.String({ description: 'IANA name; where days and months begin.', examples: ['Asia/Kolkata'] })
export const ownerSubClientId = nullable(Type.String({ description: 'Null: what belongs to no sub-client.', examples: ['acme-logistics'] }))

/** All but the filter by sub-client. */
export const usageQuery = {
  from: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}(-\\d{2})?$',
      description: 'First day, in the time zone of the reseller. With `granularity=month` a month. The first of this month when left out.',
      examples: ['2026-01-01'],
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}(-\\d{2})?$',
      description: 'The day, or month, after the last. What comes after the present when left out.',
      examples: ['2026-02-01'],
    }),
  ),
  granularity: Type.Optional(
    Type.Enum(['day', 'month', 'hour'], {
      type: 'string',
      default: 'day',
      description: 'Length of a row’s period: at most 31 days by hour, 400 by day, 60 months by month.',
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'ndjson'], {
      type: 'string',
      description: '`csv` and `ndjson` hold every row at once. Also by `Accept: text/csv` or `application/x-ndjson`.',
    }),
  ),
  ...pageQuery,
}

export const Totals = Type.Object(
  {
    points_ingested: count('Readings that were stored; one that was known already counts nothing.'),
    api_calls: count('Requests of keys that were let in, to both APIs.'),
    predictions: count('Predictions that were asked for.'),
    active_devices: count('Devices of which a reading was stored, once in each period.'),
  },
  { title: 'UsageTotals', examples: [{ points_ingested: 86_400, api_calls: 912, predictions: 40, active_devices: 12 }] },
)

/** All of a row but whose it is. */
export const rowFields = {
  period: Type.String({ description: '`2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`.', examples: ['2026-01-31'] }),
  meter: Type.Enum(['points_ingested', 'api_calls', 'predictions', 'active_devices'], { type: 'string' }),
  count: count('Never 0: what was not used has no row.'),
}

/** All of a report but rows, time zone and projection. */
export const reportFields = {
  total,
  granularity: Type.String({ examples: ['day'] }),
  from: timestamp('Start of the first period.'),
  to: timestamp('End of the last period.'),
  totals: Totals,
  pagination: Pagination,
}
export const elapsedPercent = Type.Number({ minimum: 0, maximum: 100, examples: [50], description: 'How much of the month is over.' })
export const projectionFields = { period: month('The month it is.'), used: Totals, totals: Totals }
export const projectionDescription = 'What this month comes to if it goes on as it has until now. Active devices are not projected.'
export const reportDescription = 'What was used, by period, sub-client and meter. Calls of the last second may be missing.'

/** The same content once more, for programs that read tables. */
export const csvOf = (header: string) =>
  Type.String({
    description: `With the header \`${header}\`.`,
    examples: [`${header}\r\n2026-01-31,acme-logistics,points_ingested,12\r\n`],
  })
export const ndjson = Type.String({
  description: 'A row in each line.',
  examples: ['{"period":"2026-01-31","sub_client_id":"acme-logistics","meter":"points_ingested","count":12}\n'],
})
