// For tests only: a reseller with something of every kind in one installation, and other installations.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Database, databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { migrate, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import pg from 'pg'
import { createFolderStore, type FileStore } from '../history/file-store.ts'
import { sealWeeks } from '../history/seal-weeks.ts'
import { DAY_MS, reading, requireDuckdb, sealingDeps, store, WEEK_MS, weeksBefore } from '../history/test-history.ts'
import { applyAllEffects } from '../ingest/apply-effects.ts'
import { createKey } from '../keys/keys.ts'
import { ensurePartitionsOf } from '../main/database/partitions.ts'
import { CHANNEL_SECRETS, sealTarget } from '../notifications/channels/channel.ts'
import { createTestUser } from '../people/test-users.ts'
import { OPERATOR_SECRETS, sealCredentials } from '../sims/connections/operator-secrets.ts'
import { STREAM_SECRETS, sealStreamSecrets } from '../streams/secrets.ts'
import { insertReseller, openDatabasePatiently, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { sealHeaders, sealSecrets, WEBHOOK_SECRETS } from '../webhooks/secrets.ts'
import { type ExportRequest, exportReseller, type MadeExport } from './export-reseller.ts'
import { type ImportRequest, importReseller } from './import-reseller.ts'
import { openExport } from './read-export.ts'

export const PASSPHRASE = 'correct horse battery staple'
const MIGRATIONS_DIRECTORY = path.join(import.meta.dirname, '../../migrations')
export const MOVER = 'acme'
export const VEHICLE = 'veh-aaaaaaaaaa'
export const DEVICE = 'dev-aaaaaaaaaa'

export type Installation = {
  readonly database: Database
  readonly ownerUrl: string
  readonly history: FileStore
}

export function temporaryFolder(t: CleanUp): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-moving-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function openInstallation(t: CleanUp, at?: Date): Promise<Installation> {
  const { database, ownerUrl } = await openTestDatabase(t, at)
  return { database, ownerUrl, history: createFolderStore(path.join(temporaryFolder(t), 'history')) }
}

/** On one PostgreSQL, also where the others are on a cluster: a database beside theirs on its coordinator, without the extension. */
export async function openInstallationOnOnePostgres(t: CleanUp): Promise<Installation> {
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `plain_${randomBytes(6).toString('hex')}`
  const ofServer = async (sql: string) => asOwner({ ownerUrl: server }, async (client) => void (await client.query(sql)))
  await ofServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await migrate(url.href, { directory: MIGRATIONS_DIRECTORY, secretKey: TEST_SECRET_KEY })
  const pools = { appConnections: 2, systemConnections: 2, onError: (error: Error) => console.error(error) }
  const database = openDatabasePatiently(databaseUrls(url.href, TEST_SECRET_KEY), pools)
  t.after(async () => {
    await database.close()
    await ofServer(`drop database ${name} with (force)`)
  })
  return { database, ownerUrl: url.href, history: createFolderStore(path.join(temporaryFolder(t), 'history')) }
}

export async function asOwner<T>({ ownerUrl }: Pick<Installation, 'ownerUrl'>, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** Readings before and after what is sealed, secrets of every kind, rows of old weeks, values that a row of text has to escape. */
export async function fillMover(t: CleanUp): Promise<Installation & { readonly apiKey: string }> {
  const installation = await openInstallation(t, new Date(WEEK_MS))
  const { database, ownerUrl, history } = installation
  const now = new Date()
  for (const resellerId of [MOVER, 'stays']) await insertReseller(database, resellerId)
  const { apiKey } = await createKey(database, MOVER, { name: 'Key', scopes: ['*'] }, now)
  // As a name may be that was stored before names were one line.
  await database.systemPool.query('update api_keys set name = $1 where reseller_id = $2', ['A\ttab, a \\, a "quote" and a\nnewline', MOVER])
  await createTestUser(database, { resellerId: MOVER, email: 'ann@example.com', role: 'owner', password: PASSPHRASE }, now)
  await ensurePartitionsOf(database.systemPool, 'health_history', [new Date('2026-01-05T00:00:00Z')])
  await asOwner(installation, (client) => insertRows(client))
  const about = { resellerId: MOVER, vehicleId: VEHICLE, sourceId: DEVICE, subClientId: 'north' }
  const signals = { coolantTempC: 90.1, batteryVoltageV: 13.700000000000001 }
  await store(
    database,
    [0, 1, 8, 9].map((day) => reading(about, WEEK_MS + day * DAY_MS, { signals })),
  )
  await store(
    database,
    Array.from({ length: 1_500 }, (_, nth) =>
      reading(about, now.getTime() - nth * 1_000, { signals, attributes: { extra: { note: 'a\nb\\"' } } }),
    ),
  )
  await store(database, [reading({ resellerId: 'stays', vehicleId: 'veh-bbbbbbbbbb' }, now.getTime(), { signals })])
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, history)
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  return { ...installation, apiKey }
}

async function insertRows(client: pg.Client): Promise<void> {
  const sealer = (purpose: string) => createSealer(TEST_SECRET_KEY, purpose)
  const webhooks = sealer(WEBHOOK_SECRETS)
  const endpoint = { resellerId: MOVER, endpointId: 'whe-a' }
  const run = async (sql: string, values: unknown[] = []) => void (await client.query(sql, values))
  await run(
    `insert into sub_clients (reseller_id, sub_client_id, name, metadata) values ($1, 'north', 'North', '{"big": 12345678901234567890.5}')`,
    [MOVER],
  )
  await run(
    `insert into vehicles (reseller_id, vehicle_id, vin, sub_client_id, created_at) values ($1, $2, '1HGBH41JXMN109186', 'north', now())`,
    [MOVER, VEHICLE],
  )
  await run(`insert into vehicles (reseller_id, vehicle_id, created_at) values ('stays', 'veh-bbbbbbbbbb', now())`)
  await run(
    `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, sub_client_id, vehicle_id, mqtt_secret_sha256, created_at, updated_at)
     values ($1, $2, '356938035643809', 'obd', 'mqtt', 'active', 'north', $3, decode(repeat('0a', 32), 'hex'), now(), now())`,
    [MOVER, DEVICE, VEHICLE],
  )
  await run(
    `insert into device_tokens (token_sha256, reseller_id, device_id, created_at) values (decode(repeat('01', 32), 'hex'), $1, $2, now())`,
    [MOVER, DEVICE],
  )
  await run(
    `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status, components)
     values ($1, $2, '2026-01-06T01:02:03.456789Z', 87.3, 'healthy', '[{"component": "engine"}]')`,
    [MOVER, VEHICLE],
  )
  await run(
    `insert into vehicle_use (reseller_id, vehicle_id, day, recorded_at, driven_km, engine_hours) values ($1, $2, current_date, now(), 12.1, 0.1)`,
    [MOVER, VEHICLE],
  )
  await run(
    `insert into calendar_links (reseller_id, vehicle_id, token_sha256, created_at) values ($1, $2, decode(repeat('02', 32), 'hex'), now())`,
    [MOVER, VEHICLE],
  )
  await run(
    `insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count, folded) values ($1, '', 'points_ingested', date_bin('15 minutes', now(), '2000-01-01'), 9007199254740993, false)`,
    [MOVER],
  )
  await run(
    `insert into webhook_endpoints (reseller_id, endpoint_id, url, description, header_names, headers_sealed, secrets_sealed, created_at, updated_at)
     values ($1, 'whe-a', 'https://example.com/hook', '', '{x-key}', $2, $3, now(), now())`,
    [
      MOVER,
      sealHeaders(webhooks, endpoint, { 'x-key': 'of the header' }),
      sealSecrets(webhooks, endpoint, [{ secret: 'whsec_abc' } as never]),
    ],
  )
  await run(
    `insert into stream_connections (reseller_id, enabled, brokers, topic, group_id, start_at, has_tls, secrets_sealed, has_password, has_key, revision, created_at, updated_at)
     values ($1, true, '{kafka:9092}', 'fleet', 'us', 'earliest', false, $2, true, false, 'r1', now(), now())`,
    [MOVER, sealStreamSecrets(sealer(STREAM_SECRETS), MOVER, { password: 'of the stream', key: undefined })],
  )
  await run(
    `insert into operator_connections (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision, custody_min_days, custody_max_days,
                                       custody_on_expiry, termination_grace_days, sync_every_minutes, created_at, updated_at)
     values ($1, 'opc-a', 'cisco', 'Cisco', true, 'https://example.com', '{}', $2, 'r1', 1, 30, 'suspend', 0, 60, now(), now())`,
    [
      MOVER,
      sealCredentials(sealer(OPERATOR_SECRETS), { resellerId: MOVER, connectionId: 'opc-a' }, {
        username: 'u',
        api_key: 'of the operator',
      } as never),
    ],
  )
  const channel = { resellerId: MOVER, channelId: 'chn-a' }
  await run(
    `insert into notification_channels (reseller_id, channel_id, name, kind, shown_target, target_sealed, created_at, updated_at, language, units)
     values ($1, 'chn-a', 'Ops', 'slack', 'hooks.slack.com', $2, now(), now(), 'en', 'metric')`,
    [MOVER, sealTarget(sealer(CHANNEL_SECRETS), channel, { url: 'https://hooks.slack.com/services/secret' } as never)],
  )
  await run(`insert into ledger_entries (reseller_id, entry_id, at, kind, source) values ($1, 'len-a', now(), 'invoice', 'inv-a')`, [MOVER])
  await run(
    `insert into ledger_postings (reseller_id, entry_id, line, account, customer_id, currency, amount_minor)
     values ($1, 'len-a', 0, 'receivable', 'north', 'EUR', 100), ($1, 'len-a', 1, 'revenue', 'north', 'EUR', -100)`,
    [MOVER],
  )
}

/** Of everything in an export that moves: counts and hashes of content. */
export function sumsOf({ manifest }: MadeExport): unknown[] {
  return [
    ...manifest.tables.filter(({ name }) => name !== 'audit_log').map(({ name, rowCount, rowsDigest }) => [name, rowCount, rowsDigest]),
    ...manifest.readings.map(({ week, month, rowCount, contentSha256 }) => [week, month, rowCount, contentSha256]),
  ]
}

export async function exportMover({ database, ownerUrl, history }: Installation, to: string, changes: Partial<ExportRequest> = {}) {
  return await exportReseller({
    ...{ ownerUrl, secretKey: TEST_SECRET_KEY, resellerId: MOVER, to, passphrase: PASSPHRASE, duckdb: await requireDuckdb(), history },
    drain: () => applyAllEffects(database),
    ...{ productVersion: '2.0.0', migrations: await readMigrations(MIGRATIONS_DIRECTORY), now: new Date(), ...changes },
  })
}

export async function importMover(t: CleanUp, folder: string, installation: Installation, changes: Partial<ImportRequest> = {}) {
  const { database, ownerUrl, history } = installation
  const deps = await sealingDeps(t, database, databaseUrls(ownerUrl, TEST_SECRET_KEY).system, history)
  return await importReseller({
    ...{ export: await openExport(folder, PASSPHRASE), ownerUrl, secretKey: TEST_SECRET_KEY, database, workFolder: temporaryFolder(t) },
    ensurePartitions: (table, weeks) => ensurePartitionsOf(database.systemPool, table, weeks),
    author: (resellerId) => ({ resellerId, type: 'cli', id: 'test', at: new Date() }),
    withSealing: (run) => run(deps),
    now: new Date(),
    ...changes,
  })
}
