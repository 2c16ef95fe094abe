import type { SaslMechanism } from '@roadworthy/contracts/stream/sasl-mechanisms'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { servedSubscriptions } from '../limits/plans.ts'
import type { StartAt, StreamConnection } from './stream-connection.ts'

export type SealedConnection = StreamConnection & { readonly secretsSealed: Buffer }

export async function selectConnection(db: Db, resellerId: string): Promise<SealedConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>('select * from stream_connections where reseller_id = $1', [resellerId])
  return rows[0] === undefined ? undefined : connectionFromRow(rows[0])
}

/** Nobody else changes it until the transaction ends. */
export async function selectConnectionForUpdate(db: Db, resellerId: string): Promise<SealedConnection | undefined> {
  const { rows } = await db.query<ConnectionRow>('select * from stream_connections where reseller_id = $1 for update', [resellerId])
  return rows[0] === undefined ? undefined : connectionFromRow(rows[0])
}

/** Those that are to be read: switched on, of resellers that are served, and not left out. What the others are sent waits at their brokers. */
export async function selectServedConnectionsAcrossResellers(db: Db, at: Date): Promise<SealedConnection[]> {
  const { rows } = await db.query<ConnectionRow>(
    `select c.*
       from stream_connections c
       join resellers r using (reseller_id)
      where c.enabled and r.subscription = any ($1)
        and not exists (
              select from stream_strikes s
               where s.reseller_id = c.reseller_id and s.revision = c.revision and s.left_out_until > $2)
      order by c.reseller_id`,
    [servedSubscriptions, at],
  )
  return rows.map(connectionFromRow)
}

/** Whether any is to be read. */
export async function hasServedConnectionsAcrossResellers(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_any: boolean }>(
    `select exists (select from stream_connections c join resellers r using (reseller_id)
                     where c.enabled and r.subscription = any ($1)) as is_any`,
    [servedSubscriptions],
  )
  return rows[0]?.is_any === true
}

export async function upsertConnection(db: Db, connection: SealedConnection): Promise<void> {
  const { resellerId, tls, sasl } = connection
  await db.query(
    `insert into stream_connections (reseller_id, enabled, brokers, topic, group_id, start_at, has_tls, tls_ca, tls_certificate, sasl_mechanism,
                                     sasl_username, secrets_sealed, has_password, has_key, revision, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict (reseller_id) do update
            set enabled = excluded.enabled, brokers = excluded.brokers, topic = excluded.topic, group_id = excluded.group_id,
                start_at = excluded.start_at, has_tls = excluded.has_tls, tls_ca = excluded.tls_ca,
                tls_certificate = excluded.tls_certificate, sasl_mechanism = excluded.sasl_mechanism,
                sasl_username = excluded.sasl_username, secrets_sealed = excluded.secrets_sealed, has_password = excluded.has_password,
                has_key = excluded.has_key, revision = excluded.revision, updated_at = excluded.updated_at`,
    [
      resellerId,
      connection.enabled,
      connection.brokers,
      connection.topic,
      connection.groupId,
      connection.startAt,
      tls !== undefined,
      tls?.ca ?? null,
      tls?.certificate ?? null,
      sasl?.mechanism ?? null,
      sasl?.username ?? null,
      connection.secretsSealed,
      sasl?.hasPassword ?? false,
      tls?.hasKey ?? false,
      connection.revision,
      connection.createdAt,
      connection.updatedAt,
    ],
  )
}

export async function deleteConnection(db: Db, resellerId: string): Promise<void> {
  await db.query('delete from stream_connections where reseller_id = $1', [resellerId])
}

type ConnectionRow = {
  reseller_id: string
  enabled: boolean
  brokers: string[]
  topic: string
  group_id: string
  start_at: StartAt
  has_tls: boolean
  tls_ca: string | null
  tls_certificate: string | null
  sasl_mechanism: SaslMechanism | null
  sasl_username: string | null
  secrets_sealed: Buffer
  has_password: boolean
  has_key: boolean
  revision: string
  created_at: Date
  updated_at: Date
}

function connectionFromRow(row: ConnectionRow): SealedConnection {
  const tls = { ca: row.tls_ca ?? undefined, certificate: row.tls_certificate ?? undefined, hasKey: row.has_key }
  return {
    resellerId: row.reseller_id,
    enabled: row.enabled,
    brokers: row.brokers,
    topic: row.topic,
    groupId: row.group_id,
    startAt: row.start_at,
    tls: row.has_tls ? tls : undefined,
    sasl:
      row.sasl_mechanism === null
        ? undefined
        : { mechanism: row.sasl_mechanism, username: row.sasl_username ?? '', hasPassword: row.has_password },
    secretsSealed: row.secrets_sealed,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
