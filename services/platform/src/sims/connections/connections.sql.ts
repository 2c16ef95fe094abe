import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { OperatorId } from '../operators/operator.ts'
import type { OperatorConnection, SealedConnection, StoredSettings } from './connection.ts'

/** With how many SIMs there are of it. */
export type ListedConnection = SealedConnection & { readonly simCount: number }

const listed = `
  select c.*, (select count(*)::integer from sims s where s.reseller_id = c.reseller_id and s.connection_id = c.connection_id) as sim_count
    from operator_connections c`

export async function selectListedConnection(db: Db, resellerId: string, connectionId: string): Promise<ListedConnection | undefined> {
  const { rows } = await db.query<ListedRow>(`${listed} where c.reseller_id = $1 and c.connection_id = $2`, [resellerId, connectionId])
  return rows[0] === undefined ? undefined : listedFromRow(rows[0])
}

/** One more than the page holds. */
export async function selectListedConnections(db: Db, resellerId: string, page: PageRequest): Promise<ListedConnection[]> {
  const { rows } = await db.query<ListedRow>(
    `${listed} where c.reseller_id = $1 and (c.created_at, c.connection_id) > ($2::timestamptz, $3)
      order by c.created_at, c.connection_id
      limit $4`,
    [resellerId, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(listedFromRow)
}

export async function countConnections(db: Db, resellerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::integer as count from operator_connections where reseller_id = $1', [
    resellerId,
  ])
  return rows[0]?.count ?? 0
}

export async function selectConnection(db: Db, resellerId: string, connectionId: string): Promise<SealedConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>('select * from operator_connections where reseller_id = $1 and connection_id = $2', [
    resellerId,
    connectionId,
  ])
  return rows[0] === undefined ? undefined : connectionFromRow(rows[0])
}

/** Nobody else changes it until the transaction ends. */
export async function selectConnectionForUpdate(db: Db, resellerId: string, connectionId: string): Promise<SealedConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>(
    'select * from operator_connections where reseller_id = $1 and connection_id = $2 for no key update',
    [resellerId, connectionId],
  )
  return rows[0] === undefined ? undefined : connectionFromRow(rows[0])
}

/** Those that are switched on; of one that is named, that one. */
export async function selectEnabledConnectionIds(db: Db, resellerId: string, connectionId: string | undefined): Promise<string[]> {
  const { rows } = await db.query<{ connection_id: string }>(
    `select connection_id
       from operator_connections
      where reseller_id = $1 and enabled and ($2::text is null or connection_id = $2)
      order by connection_id`,
    [resellerId, connectionId ?? null],
  )
  return rows.map((row) => row.connection_id)
}

/** Never goes back. Undefined: nothing was reported. */
export async function updateSyncedUntil(
  db: Db,
  { resellerId, connectionId }: Pick<OperatorConnection, 'resellerId' | 'connectionId'>,
  syncedUntil: Date | undefined,
): Promise<void> {
  await db.query(
    'update operator_connections set synced_until = greatest(synced_until, $3) where reseller_id = $1 and connection_id = $2',
    [resellerId, connectionId, syncedUntil ?? null],
  )
}

/** Leaves `synced_until` of one that is there as it is. */
export async function upsertConnection(db: Db, connection: SealedConnection): Promise<void> {
  await db.query(
    `insert into operator_connections as c
       (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision, custody_min_days, custody_max_days,
        custody_on_expiry, termination_grace_days, sync_every_minutes, default_plan_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict (reseller_id, connection_id) do update
            set name = excluded.name, enabled = excluded.enabled, base_url = excluded.base_url, settings = excluded.settings,
                secrets_sealed = excluded.secrets_sealed, revision = excluded.revision, custody_min_days = excluded.custody_min_days,
                custody_max_days = excluded.custody_max_days, custody_on_expiry = excluded.custody_on_expiry,
                termination_grace_days = excluded.termination_grace_days, sync_every_minutes = excluded.sync_every_minutes,
                default_plan_id = excluded.default_plan_id, updated_at = excluded.updated_at`,
    [
      connection.resellerId,
      connection.connectionId,
      connection.operator,
      connection.name,
      connection.enabled,
      connection.baseUrl,
      JSON.stringify(connection.settings),
      connection.secretsSealed,
      connection.revision,
      connection.custodyMinDays,
      connection.custodyMaxDays,
      connection.custodyOnExpiry,
      connection.terminationGraceDays,
      connection.syncEveryMinutes,
      connection.defaultPlanId ?? null,
      connection.createdAt,
      connection.updatedAt,
    ],
  )
}

/** Violates a foreign key while it has SIMs. */
export async function deleteConnection(db: Db, resellerId: string, connectionId: string): Promise<void> {
  await db.query('delete from operator_connections where reseller_id = $1 and connection_id = $2', [resellerId, connectionId])
}

type ConnectionRow = {
  reseller_id: string
  connection_id: string
  operator: OperatorId
  name: string
  enabled: boolean
  base_url: string
  settings: StoredSettings
  secrets_sealed: Buffer
  revision: string
  custody_min_days: number
  custody_max_days: number
  custody_on_expiry: OperatorConnection['custodyOnExpiry']
  termination_grace_days: number
  sync_every_minutes: number
  default_plan_id: string | null
  synced_until: Date | null
  created_at: Date
  updated_at: Date
}
type ListedRow = ConnectionRow & { sim_count: number }

function connectionFromRow(row: ConnectionRow): SealedConnection {
  return {
    resellerId: row.reseller_id,
    connectionId: row.connection_id,
    operator: row.operator,
    name: row.name,
    enabled: row.enabled,
    baseUrl: row.base_url,
    settings: row.settings,
    secretsSealed: row.secrets_sealed,
    custodyMinDays: row.custody_min_days,
    custodyMaxDays: row.custody_max_days,
    custodyOnExpiry: row.custody_on_expiry,
    terminationGraceDays: row.termination_grace_days,
    syncEveryMinutes: row.sync_every_minutes,
    defaultPlanId: row.default_plan_id ?? undefined,
    syncedUntil: row.synced_until ?? undefined,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function listedFromRow(row: ListedRow): ListedConnection {
  return { ...connectionFromRow(row), simCount: row.sim_count }
}
