import type { EventType } from '@roadworthy/contracts/webhooks/events'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Viewer } from '../fleet/viewer.ts'
import type { DisabledReason, Endpoint, EndpointHealth, EndpointStatus, Interest } from './endpoint.ts'

/** As stored: what is secret is sealed. */
export type SealedEndpoint = Endpoint & { readonly headersSealed: Buffer | undefined; readonly secretsSealed: Buffer }

export async function insertEndpoint(db: Db, resellerId: string, endpoint: SealedEndpoint): Promise<void> {
  await db.query(
    `insert into webhook_endpoints (reseller_id, endpoint_id, url, description, event_types, sub_client_id, header_names, headers_sealed,
                                    secrets_sealed, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      resellerId,
      endpoint.endpointId,
      endpoint.url,
      endpoint.description,
      endpoint.eventTypes ?? null,
      endpoint.subClientId ?? null,
      endpoint.headerNames,
      endpoint.headersSealed ?? null,
      endpoint.secretsSealed,
      endpoint.createdAt,
    ],
  )
}

/** Held to the end of the transaction: endpoints of a reseller are counted and added by one at a time. */
export async function lockEndpointCount(db: Db, resellerId: string): Promise<number> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || $1, 0))", [resellerId])
  return selectEndpointCount(db, { resellerId, subClientPin: undefined })
}

export async function selectEndpointCount(db: Db, viewer: Viewer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from webhook_endpoints
      where reseller_id = $1 and status <> 'deleted' and ($2::text is null or sub_client_id = $2)`,
    [viewer.resellerId, viewer.subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/** Oldest first. One more than asked. */
export async function selectEndpoints(db: Db, viewer: Viewer, page: PageRequest): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointRow>(
    `select *
       from webhook_endpoints
      where reseller_id = $1 and status <> 'deleted' and ($2::text is null or sub_client_id = $2)
        and (created_at, endpoint_id) > ($3::timestamptz, $4)
      order by created_at, endpoint_id
      limit $5`,
    [viewer.resellerId, viewer.subClientPin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(endpointFromRow)
}

export async function selectEndpoint(db: Db, viewer: Viewer, endpointId: string): Promise<SealedEndpoint | undefined> {
  return await selectOne(db, viewer, endpointId, '')
}

/** The same, and nobody else changes it before the transaction ends. */
export async function selectEndpointForUpdate(db: Db, viewer: Viewer, endpointId: string): Promise<SealedEndpoint | undefined> {
  return await selectOne(db, viewer, endpointId, 'for no key update')
}

async function selectOne(db: Db, { resellerId, subClientPin }: Viewer, endpointId: string, lock: string) {
  const { rows } = await db.query<EndpointRow>(
    `select *
       from webhook_endpoints
      where reseller_id = $1 and endpoint_id = $2 and status <> 'deleted' and ($3::text is null or sub_client_id = $3)
      ${lock}`,
    [resellerId, endpointId, subClientPin ?? null],
  )
  return rows[0] && endpointFromRow(rows[0])
}

/** Writes everything about an endpoint that can change. */
export async function updateEndpoint(db: Db, resellerId: string, endpoint: SealedEndpoint): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set url = $3, description = $4, event_types = $5, header_names = $6, headers_sealed = $7, secrets_sealed = $8,
            previous_secret_expires_at = $9, status = $10, disabled_reason = $11, failing_since = $12, failure_count = $13,
            warned_at = $14, last_success_at = $15, updated_at = $16
      where reseller_id = $1 and endpoint_id = $2`,
    [
      resellerId,
      endpoint.endpointId,
      endpoint.url,
      endpoint.description,
      endpoint.eventTypes ?? null,
      endpoint.headerNames,
      endpoint.headersSealed ?? null,
      endpoint.secretsSealed,
      endpoint.previousSecretExpiresAt ?? null,
      endpoint.status,
      endpoint.disabledReason ?? null,
      endpoint.health.failingSince ?? null,
      endpoint.health.failureCount,
      endpoint.health.warnedAt ?? null,
      endpoint.lastSuccessAt ?? null,
      endpoint.updatedAt,
    ],
  )
}

/** Its secrets go at once; its rows when housekeeping finds time, because they may be a million. */
export async function markEndpointDeleted(db: Db, resellerId: string, endpointId: string, at: Date): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set status = 'deleted', secrets_sealed = '', headers_sealed = null, header_names = '{}', updated_at = $3
      where reseller_id = $1 and endpoint_id = $2`,
    [resellerId, endpointId, at],
  )
}

/** Which endpoints of these resellers are to be sent which events. A paused endpoint is among them: its deliveries are kept. */
export async function selectInterestsAcrossResellers(
  db: Db,
  resellerIds: readonly string[],
): Promise<(Interest & { readonly resellerId: string })[]> {
  const { rows } = await db.query<{
    reseller_id: string
    endpoint_id: string
    event_types: EventType[] | null
    sub_client_id: string | null
  }>(
    `select reseller_id, endpoint_id, event_types, sub_client_id
       from webhook_endpoints
      where reseller_id = any ($1) and status in ('enabled', 'paused')`,
    [resellerIds],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    endpointId: row.endpoint_id,
    eventTypes: row.event_types ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
  }))
}

/** Notes a success. What is right already is not written again: an endpoint may be sent a hundred events a second. */
export async function updateEndpointSucceededAcrossResellers(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  at: Date,
): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set failing_since = null, failure_count = 0, warned_at = null, last_success_at = $3
      where reseller_id = $1 and endpoint_id = $2
        and (failing_since is not null or last_success_at is null or last_success_at < $3::timestamptz - interval '1 minute')`,
    [resellerId, endpointId, at],
  )
}

export async function updateEndpointFailedAcrossResellers(
  db: Db,
  { resellerId, endpointId }: { resellerId: string; endpointId: string },
  failed: { health: EndpointHealth; disabledReason: DisabledReason | undefined; at: Date },
): Promise<void> {
  await db.query(
    `update webhook_endpoints
        set failing_since = $3, failure_count = $4, warned_at = $5,
            status = case when $6::text is null then status else 'disabled' end,
            disabled_reason = coalesce($6, disabled_reason),
            updated_at = case when $6::text is null then updated_at else $7 end
      where reseller_id = $1 and endpoint_id = $2`,
    [
      resellerId,
      endpointId,
      failed.health.failingSince ?? null,
      failed.health.failureCount,
      failed.health.warnedAt ?? null,
      failed.disabledReason ?? null,
      failed.at,
    ],
  )
}

type EndpointRow = {
  endpoint_id: string
  url: string
  description: string
  event_types: EventType[] | null
  sub_client_id: string | null
  header_names: string[]
  headers_sealed: Buffer | null
  secrets_sealed: Buffer
  previous_secret_expires_at: Date | null
  status: EndpointStatus
  disabled_reason: DisabledReason | null
  failing_since: Date | null
  failure_count: number
  warned_at: Date | null
  last_success_at: Date | null
  created_at: Date
  updated_at: Date
}

function endpointFromRow(row: EndpointRow): SealedEndpoint {
  return {
    endpointId: row.endpoint_id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    headerNames: row.header_names,
    headersSealed: row.headers_sealed ?? undefined,
    secretsSealed: row.secrets_sealed,
    previousSecretExpiresAt: row.previous_secret_expires_at ?? undefined,
    status: row.status,
    disabledReason: row.disabled_reason ?? undefined,
    health: {
      failingSince: row.failing_since ?? undefined,
      failureCount: row.failure_count,
      warnedAt: row.warned_at ?? undefined,
    },
    lastSuccessAt: row.last_success_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
