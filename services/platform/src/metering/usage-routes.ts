// The usage route, which is the same on both surfaces.

import type { usageQuery } from '@roadworthy/contracts/usage'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { csvRow, csvText } from '@roadworthy/service-kit/text/csv'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { requireReseller } from '../resellers/resellers.ts'
import { allUsage, reportUsage, type UsageQuestion, type UsageReport, type UsageRow } from './usage-report.ts'

type UsageQuery = Static<TObject<typeof usageQuery>>
type Format = 'json' | 'csv' | 'ndjson'

export type UsageRouteDeps = { readonly database: Database; readonly now: () => Date }

/** How a surface spells it. */
type Wire = {
  readonly querystring: TObject
  readonly report: TSchema
  /** By media type. */
  readonly text: Readonly<Record<string, TSchema>>
  readonly errorResponses: Record<number, unknown>
  /** The name of the filter, and of the member of a row, that names the sub-client. */
  readonly subClientKey: 'sub_client_id' | 'subClientId'
  toReport(report: UsageReport): unknown
}

export function addUsageRoute(app: App, { database, now }: UsageRouteDeps, wire: Wire): void {
  app.get(
    '/usage',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getUsage',
        summary: 'What was used, by period, sub-client and meter',
        description:
          'Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and ' +
          'whatever was refused count nothing.',
        tags: ['Usage'],
        querystring: wire.querystring,
        response: {
          200: {
            description: 'The rows, and what they add up to.',
            content: {
              'application/json': { schema: wire.report },
              ...Object.fromEntries(Object.entries(wire.text).map(([type, schema]) => [type, { schema }])),
            },
          },
          ...wire.errorResponses,
        },
      },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request
      const query = request.query as UsageQuery & Record<string, unknown>
      const question: UsageQuestion = {
        subClientId: query[wire.subClientKey] as string | undefined,
        from: query.from,
        to: query.to,
        granularity: query.granularity ?? 'day',
        limit: query.limit,
        after: query.after,
      }
      const { timeZone } = await requireReseller(database, caller.resellerId)
      const db = database.tenantPool(caller.resellerId)
      const format = formatOf(request)
      if (format === 'json') return wire.toReport(await reportUsage(db, caller, timeZone, question, now()))
      const { rows } = await allUsage(db, caller, timeZone, question, now())
      const asText = format === 'csv' ? toCsv(rows, wire.subClientKey) : toNdjson(rows, wire.subClientKey)
      return await reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson').send(asText)
    },
  )
}

function formatOf({ query, headers }: FastifyRequest): Format {
  const { format } = query as { format?: Format }
  if (format !== undefined) return format
  const accept = headers.accept ?? ''
  if (accept.includes('text/csv')) return 'csv'
  return accept.includes('application/x-ndjson') ? 'ndjson' : 'json'
}

/** A row as a surface shows it. */
export function rowToWire<Key extends string>({ period, subClientId, meter, count }: UsageRow, subClientKey: Key) {
  const owner = { [subClientKey]: subClientId ?? null } as Record<Key, string | null>
  return { period, ...owner, meter, count }
}

/** RFC 4180. The id of a sub-client may begin with a hyphen, which a spreadsheet takes for a formula. */
function toCsv(rows: readonly UsageRow[], subClientKey: string): string {
  const lines = rows.map(({ period, subClientId, meter, count }) => csvRow([period, csvText(subClientId ?? ''), meter, String(count)]))
  return [csvRow(['period', subClientKey, 'meter', 'count']), ...lines].join('')
}

function toNdjson(rows: readonly UsageRow[], subClientKey: string): string {
  return rows.map((row) => `${JSON.stringify(rowToWire(row, subClientKey))}\n`).join('')
}
