import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { SubClientChanges, SubClientStatus } from './sub-client.ts'
import type { Viewer } from './viewer.ts'

/** The first of the candidates that no sub-client of the reseller has. */
export async function selectFreeSlug(db: Db, resellerId: string, candidates: readonly string[]): Promise<string | undefined> {
  const { rows } = await db.query<{ candidate: string }>(
    `select c.candidate
       from unnest($2::text[]) with ordinality as c (candidate, position)
      where not exists (select from sub_clients s where s.reseller_id = $1 and s.sub_client_id = c.candidate)
      order by c.position
      limit 1`,
    [resellerId, candidates],
  )
  return rows[0]?.candidate
}

/** False when the id is taken, also by a transaction that committed meanwhile. */
export async function insertSubClient(
  db: Db,
  resellerId: string,
  subClient: {
    subClientId: string
    name: string
    contactEmail: string | undefined
    contactPhone: string | undefined
    metadata: Readonly<Record<string, unknown>>
  },
  createdAt: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sub_clients (reseller_id, sub_client_id, name, contact_email, contact_phone, metadata, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict on constraint sub_clients_pkey do nothing`,
    [
      resellerId,
      subClient.subClientId,
      subClient.name,
      subClient.contactEmail ?? null,
      subClient.contactPhone ?? null,
      JSON.stringify(subClient.metadata),
      createdAt,
    ],
  )
  return rowCount === 1
}

/** False when the viewer has no such sub-client. A change that changes nothing leaves `updated_at` as it is. */
export async function updateSubClient(db: Db, viewer: Viewer, subClientId: string, changes: SubClientChanges, at: Date): Promise<boolean> {
  const { limits = {} } = changes
  const { rowCount } = await db.query(
    `update sub_clients s
        set name = n.name, status = n.status, contact_email = n.contact_email, contact_phone = n.contact_phone, metadata = n.metadata,
            max_devices = n.max_devices, max_readings_per_month = n.max_readings_per_month,
            max_predictions_per_month = n.max_predictions_per_month,
            deactivated_at = case when n.status <> 'deactivated' then null when s.status <> 'deactivated' then $11 else s.deactivated_at end,
            updated_at = case when (s.name, s.status, s.contact_email, s.contact_phone, s.metadata,
                                    s.max_devices, s.max_readings_per_month, s.max_predictions_per_month)
                                   is distinct from (n.name, n.status, n.contact_email, n.contact_phone, n.metadata,
                                                     n.max_devices, n.max_readings_per_month, n.max_predictions_per_month)
                              then $11 else s.updated_at end
       from (select coalesce($4, name) as name,
                    coalesce($5, status) as status,
                    case when $6 then $7 else contact_email end as contact_email,
                    case when $8 then $9 else contact_phone end as contact_phone,
                    coalesce($10::jsonb, metadata) as metadata,
                    case when $12 then $13 else max_devices end as max_devices,
                    case when $14 then $15 else max_readings_per_month end as max_readings_per_month,
                    case when $16 then $17 else max_predictions_per_month end as max_predictions_per_month
               from sub_clients
              where reseller_id = $1 and sub_client_id = $2 and ($3::text is null or sub_client_id = $3)
                for no key update) n
      where s.reseller_id = $1 and s.sub_client_id = $2`,
    [
      viewer.resellerId,
      subClientId,
      viewer.subClientPin ?? null,
      changes.name ?? null,
      changes.status ?? null,
      'contactEmail' in changes,
      changes.contactEmail ?? null,
      'contactPhone' in changes,
      changes.contactPhone ?? null,
      changes.metadata === undefined ? null : JSON.stringify(changes.metadata),
      at,
      'devices' in limits,
      limits.devices ?? null,
      'readingsPerMonth' in limits,
      limits.readingsPerMonth ?? null,
      'predictionsPerMonth' in limits,
      limits.predictionsPerMonth ?? null,
    ],
  )
  return rowCount === 1
}

/** Its status, which then cannot change before the end of the transaction. */
export async function selectSubClientStatusForShare(db: Db, viewer: Viewer, subClientId: string): Promise<SubClientStatus | undefined> {
  const { rows } = await db.query<{ status: SubClientStatus }>(
    `select status
       from sub_clients
      where reseller_id = $1 and sub_client_id = $2 and ($3::text is null or sub_client_id = $3)
        for share`,
    [viewer.resellerId, subClientId, viewer.subClientPin ?? null],
  )
  return rows[0]?.status
}

/**
 * How many more devices the sub-client may have, where that is limited. Until the end of the transaction nobody else learns it, so that two
 * who put a device into it at once do not both get the last place.
 */
export async function holdDeviceRoom(
  db: Db,
  resellerId: string,
  subClientId: string,
): Promise<{ left: number; limit: number } | undefined> {
  const select = 'select max_devices as "limit" from sub_clients where reseller_id = $1 and sub_client_id = $2 and max_devices is not null'
  const { rows } = await db.query<{ limit: number }>(select, [resellerId, subClientId])
  const [row] = rows
  if (row === undefined) return undefined
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`devices ${resellerId} ${subClientId}`])
  const { rows: counted } = await db.query<{ count: number }>(
    `select count(*)::integer as count
       from devices
      where reseller_id = $1 and sub_client_id = $2 and status <> 'decommissioned'`,
    [resellerId, subClientId],
  )
  return { limit: row.limit, left: row.limit - (counted[0]?.count ?? 0) }
}

/** In the order asked, of the resellers of this transaction. */
export async function selectSubClientStatuses(
  db: Db,
  asked: readonly { resellerId: string; reference: string }[],
): Promise<(SubClientStatus | undefined)[]> {
  const { rows } = await db.query<{ status: SubClientStatus | null }>(
    `select s.status
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join sub_clients s on s.reseller_id = a.reseller_id and s.sub_client_id = a.reference
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map(({ status }) => status ?? undefined)
}
