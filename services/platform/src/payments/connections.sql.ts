import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { ConnectionSettings, StoredConnection } from './gateway-connection.ts'
import type { GatewayId } from './gateways/gateway.ts'

/** All of one owner, oldest first. There are ten at most. */
export async function selectConnections(db: Db, resellerId: string): Promise<StoredConnection[]> {
  const { rows } = await db.query<ConnectionRow>(
    'select * from gateway_connections where reseller_id = $1 order by created_at, connection_id',
    [resellerId],
  )
  return rows.map(connectionFromRow)
}

/** The same, and nobody adds or changes one of them until the transaction ends. */
export async function selectConnectionsForUpdate(db: Db, resellerId: string): Promise<StoredConnection[]> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('gateway connections of ' || $1, 0))`, [resellerId])
  const { rows } = await db.query<ConnectionRow>(
    'select * from gateway_connections where reseller_id = $1 order by created_at, connection_id for no key update',
    [resellerId],
  )
  return rows.map(connectionFromRow)
}

export async function selectConnection(db: Db, resellerId: string, connectionId: string): Promise<StoredConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>('select * from gateway_connections where reseller_id = $1 and connection_id = $2', [
    resellerId,
    connectionId,
  ])
  return rows.map(connectionFromRow)[0]
}

/** Those through which something new may be paid, oldest first. None of them goes away until the transaction ends. */
export async function selectEnabledConnectionsForShare(db: Db, resellerId: string): Promise<StoredConnection[]> {
  const { rows } = await db.query<ConnectionRow>(
    'select * from gateway_connections where reseller_id = $1 and enabled order by created_at, connection_id for share',
    [resellerId],
  )
  return rows.map(connectionFromRow)
}

/** And if so, until the transaction ends. */
export async function isConnectionThereForShare(db: Db, resellerId: string, connectionId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from gateway_connections where reseller_id = $1 and connection_id = $2 for share', [
    resellerId,
    connectionId,
  ])
  return rowCount === 1
}

/** Whose callback it may be: the one named, or the only one of the gateway in the whole installation. */
export async function selectConnectionForCallbackAcrossResellers(
  db: Db,
  gateway: string,
  connectionId: string | undefined,
): Promise<StoredConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>(
    'select * from gateway_connections where gateway = $1 and ($2::text is null or connection_id = $2) limit 2',
    [gateway, connectionId ?? null],
  )
  return rows.length === 1 ? rows.map(connectionFromRow)[0] : undefined
}

export async function insertConnection(db: Db, connection: StoredConnection): Promise<void> {
  await db.query(
    `insert into gateway_connections (reseller_id, connection_id, gateway, name, enabled, settings, secrets_sealed, revision, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[connection.resellerId, connection.connectionId, connection.gateway, connection.name, connection.enabled],
      ...[JSON.stringify(connection.settings), connection.secretsSealed, connection.revision, connection.createdAt, connection.updatedAt],
    ],
  )
}

export async function updateConnection(db: Db, connection: StoredConnection): Promise<void> {
  await db.query(
    `update gateway_connections
        set name = $3, enabled = $4, settings = $5, secrets_sealed = $6, revision = $7, updated_at = $8
      where reseller_id = $1 and connection_id = $2`,
    [
      ...[connection.resellerId, connection.connectionId, connection.name, connection.enabled, JSON.stringify(connection.settings)],
      ...[connection.secretsSealed, connection.revision, connection.updatedAt],
    ],
  )
}

export async function deleteConnection(db: Db, resellerId: string, connectionId: string): Promise<void> {
  await db.query('delete from gateway_connections where reseller_id = $1 and connection_id = $2', [resellerId, connectionId])
}

/** That it talks to us. */
export async function updateLastEvent(db: Db, { resellerId, connectionId }: ConnectionId, at: Date): Promise<void> {
  await db.query(
    `update gateway_connections
        set last_event_at = $3
      where reseller_id = $1 and connection_id = $2 and (last_event_at is null or last_event_at < $3::timestamptz - interval '1 minute')`,
    [resellerId, connectionId, at],
  )
}

/** That somebody sent callbacks to it that were not shown to be its gateway's. */
export async function updateRefusals(
  db: Db,
  { resellerId, connectionId }: ConnectionId,
  count: number,
  refusal: string,
  at: Date,
): Promise<void> {
  await db.query(
    `update gateway_connections
        set refused_count = refused_count + $3, last_refusal = $4, last_refused_at = $5
      where reseller_id = $1 and connection_id = $2`,
    [resellerId, connectionId, count, refusal, at],
  )
}

/** Never back: another process may have looked further. */
export async function updateDisputesListed(db: Db, { resellerId, connectionId }: ConnectionId, until: Date): Promise<void> {
  await db.query(
    `update gateway_connections
        set disputes_listed_until = greatest(disputes_listed_until, $3)
      where reseller_id = $1 and connection_id = $2`,
    [resellerId, connectionId, until],
  )
}

export type ConnectionId = Pick<StoredConnection, 'resellerId' | 'connectionId'>

type ConnectionRow = {
  reseller_id: string
  connection_id: string
  gateway: GatewayId
  name: string
  enabled: boolean
  settings: ConnectionSettings
  secrets_sealed: Buffer
  revision: string
  last_event_at: Date | null
  refused_count: string
  last_refused_at: Date | null
  last_refusal: string | null
  disputes_listed_until: Date | null
  created_at: Date
  updated_at: Date
}

function connectionFromRow(row: ConnectionRow): StoredConnection {
  return {
    resellerId: row.reseller_id,
    connectionId: row.connection_id,
    gateway: row.gateway,
    name: row.name,
    enabled: row.enabled,
    settings: row.settings,
    secretsSealed: row.secrets_sealed,
    revision: row.revision,
    lastEventAt: row.last_event_at ?? undefined,
    refusedCount: Number(row.refused_count),
    lastRefusedAt: row.last_refused_at ?? undefined,
    lastRefusal: row.last_refusal ?? undefined,
    disputesListedUntil: row.disputes_listed_until ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
