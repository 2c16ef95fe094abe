import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditList, AuditListQuery, type AuditEntry as WireEntry } from '@roadworthy/contracts/platform-v1/audit'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { queryRange } from '@roadworthy/service-kit/http/query-instant'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, type Position, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Static } from 'typebox'
import type { Caller } from '../keys/caller.ts'
import { type AuditRow, countAuditRows, selectAuditRemovedUpTo, selectAuditRows } from './audit.sql.ts'
import { selectNamesOfThings } from './names.read.sql.ts'

const THING_ID = /^(dev|veh|inc|sim|whe)-[a-z0-9]{1,40}$/
/** Twice as many as there are entries on the longest page: most entries name one thing. What is beyond shows its id. Assumption. */
const MAX_NAMED = 1_000

export function auditPlatformRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      {
        config: { scope: '*' },
        schema: {
          operationId: 'listAudit',
          tags: ['Audit'],
          summary: 'List changes, newest first',
          description:
            'Every change through any surface and the command line, with who made it: not telemetry, and not what is predicted. A key that belongs to one sub-client sees none of it. A cursor of what is no longer kept is refused.',
          querystring: AuditListQuery,
          response: { 200: AuditList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listAudit(database, caller, query),
    )
  }
}

async function listAudit(database: Database, caller: Caller, query: Static<typeof AuditListQuery>): Promise<Static<typeof AuditList>> {
  const page = pageRequest('audit', query, 'newest first')
  const filter = {
    actorId: query.actor,
    action: query.action,
    objectId: query.objectId,
    ...queryRange(query),
  }
  // Rows name the reseller's own people and addresses, also where they are about the sub-client's things.
  if (caller.subClientPin !== undefined) return { total: 0, ...toPage([], page), names: {} }
  const db = database.tenantPool(caller.resellerId)
  const [rows, total] = await Promise.all([
    selectAuditRows(db, caller.resellerId, filter, page),
    // A log of a year: a list of many pages counts it once.
    page.total ?? countAuditRows(db, caller.resellerId, filter),
  ])
  // Asked after the page was read: what is removed from here on was in it.
  if (query.after !== undefined) requireKept(page.after, await selectAuditRemovedUpTo(db, caller.resellerId))
  const answer = { total, ...toPage(rows, page, total) }
  const ids = idsOfThings(answer.entries)
  return { ...answer, names: ids.length === 0 ? {} : await selectNamesOfThings(db, caller.resellerId, ids) }
}

/** Of what `selectNamesOfThings` knows, each once. */
function idsOfThings(entries: readonly WireEntry[]): string[] {
  const values = entries.flatMap(({ objectId, changes }) => [
    objectId,
    ...Object.values(changes).flatMap(({ from, to }) => [from, to].flat()),
  ])
  const ids = values.filter((value): value is string => typeof value === 'string' && THING_ID.test(value))
  return [...new Set(ids)].slice(0, MAX_NAMED)
}

/** A list that began before rows were removed would end without them, as if they had never been. */
function requireKept({ at }: Position, removedUpTo: Date | undefined): void {
  if (!(at instanceof Date) || removedUpTo === undefined || at > removedUpTo) return
  throw new Problem('invalid_request', 'Changes before this cursor are no longer kept. Leave "after" out to begin with the newest.', {
    details: { in: 'querystring', field: 'after' },
  })
}

function toPage(rows: readonly AuditRow[], page: PageRequest, total?: number) {
  const { items, pagination } = endPage(rows, page, ({ at, auditId }) => ({ at, id: auditId }), total)
  return { entries: items.map(toPlatformEntry), pagination }
}

function toPlatformEntry(row: AuditRow): WireEntry {
  return {
    id: row.auditId,
    at: row.at.toISOString(),
    actor: { type: row.type, id: row.id, name: row.name ?? null },
    action: row.action,
    objectId: row.objectId,
    subClientId: row.subClientId ?? null,
    requestId: row.requestId ?? null,
    address: row.address ?? null,
    changes: { ...row.changes },
  }
}
