// Sub-clients with their counts, which are counted when asked for and so are right after every change.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { SubClient, SubClientStatus } from './sub-client.ts'
import type { Viewer } from './viewer.ts'

const columns = `
  s.sub_client_id, s.name, s.contact_email, s.contact_phone, s.metadata, s.status, s.created_at, s.updated_at,
  s.max_devices, s.max_readings_per_month::float8 as max_readings_per_month, s.max_predictions_per_month::float8 as max_predictions_per_month,
  (select count(*) from devices d
    where d.reseller_id = s.reseller_id and d.sub_client_id = s.sub_client_id and d.status <> 'decommissioned')::integer as device_count,
  (select count(*) from vehicles v
    where v.reseller_id = s.reseller_id and v.sub_client_id = s.sub_client_id and v.status = 'active')::integer as vehicle_count`

export async function selectSubClient(db: Db, viewer: Viewer, subClientId: string): Promise<SubClient | undefined> {
  const { rows } = await db.query<SubClientRow>(
    `select ${columns}
       from sub_clients s
      where s.reseller_id = $1 and s.sub_client_id = $2 and ($3::text is null or s.sub_client_id = $3)`,
    [viewer.resellerId, subClientId, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : subClientFromRow(rows[0])
}

export type SubClientFilter = {
  readonly status: SubClientStatus | undefined
  /** What the name or the id contains. */
  readonly search: string | undefined
}

const filtered = `
  s.reseller_id = $1 and ($2::text is null or s.sub_client_id = $2) and ($3::text is null or s.status = $3)
  and ($4::text is null or position(lower($4) in lower(s.name || ' ' || s.sub_client_id)) > 0)`

function filterValues(viewer: Viewer, { status, search }: SubClientFilter): unknown[] {
  return [viewer.resellerId, viewer.subClientPin ?? null, status ?? null, search ?? null]
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectSubClients(db: Db, viewer: Viewer, filter: SubClientFilter, page: PageRequest): Promise<SubClient[]> {
  const { rows } = await db.query<SubClientRow>(
    `select ${columns}
       from sub_clients s
      where ${filtered} and (s.created_at, s.sub_client_id) > ($5::timestamptz, $6)
      order by s.created_at, s.sub_client_id
      limit $7`,
    [...filterValues(viewer, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(subClientFromRow)
}

export async function countSubClients(db: Db, viewer: Viewer, filter: SubClientFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from sub_clients s where ${filtered}`,
    filterValues(viewer, filter),
  )
  return rows[0]?.count ?? 0
}

type SubClientRow = {
  sub_client_id: string
  name: string
  contact_email: string | null
  contact_phone: string | null
  metadata: Record<string, unknown>
  status: SubClientStatus
  device_count: number
  vehicle_count: number
  max_devices: number | null
  max_readings_per_month: number | null
  max_predictions_per_month: number | null
  created_at: Date
  updated_at: Date
}

function subClientFromRow(row: SubClientRow): SubClient {
  return {
    subClientId: row.sub_client_id,
    name: row.name,
    contactEmail: row.contact_email ?? undefined,
    contactPhone: row.contact_phone ?? undefined,
    metadata: row.metadata,
    status: row.status,
    deviceCount: row.device_count,
    vehicleCount: row.vehicle_count,
    limits: {
      devices: row.max_devices ?? undefined,
      readingsPerMonth: row.max_readings_per_month ?? undefined,
      predictionsPerMonth: row.max_predictions_per_month ?? undefined,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
