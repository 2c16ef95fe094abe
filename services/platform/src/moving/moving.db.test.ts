// Goal: a reseller that moves is the same in the other installation, to the last value, and nobody else's rows move or are touched. Method: one installation with
// something of every kind, one export of it, and others to import it into.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { OPERATOR_SECRETS, openCredentials } from '../sims/connections/operator-secrets.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import type { MadeExport } from './export-reseller.ts'
import { movedTables, tablesLeft, tablesOfReadings } from './moved-tables.ts'
import { asOwner, exportMover, fillMover, importMover, MOVER, openInstallation, sumsOf, temporaryFolder } from './test-moving.ts'

const folder = temporaryFolder({ after })
const mover = await fillMover({ after })
const keyHash = createHash('sha256').update(mover.apiKey).digest()
let made: MadeExport

before(async () => {
  made = await exportMover(mover, path.join(folder, 'export'))
})

test('every table is decided once, and what a row refers to is loaded before it', async () => {
  await asOwner(mover, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    )
    const decided = [...movedTables.map(({ name }) => name), ...tablesOfReadings, ...Object.keys(tablesLeft)].sort()
    assert.deepEqual(
      rows.map(({ name }) => name),
      decided,
      'decide new tables in moved-tables.ts',
    )
    const named = made.manifest.notIncluded.map(({ what }) => what)
    assert.ok(!named.some((what) => tablesOfReadings.includes(what)), 'readings are in the export')
    const { rows: references } = await client.query<{ from: string; to: string }>(
      `select c.conrelid::regclass::text as from, c.confrelid::regclass::text as to from pg_constraint c
        where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace`,
    )
    const placeOf = (name: string) => movedTables.findIndex((table) => table.name === name)
    const wrong = references.filter(({ from, to }) => placeOf(from) !== -1 && placeOf(to) >= placeOf(from))
    assert.deepEqual(wrong, [])
    const { rows: sealed } = await client.query<{ table: string; column: string }>(
      `select c.relname as "table", a.attname as "column" from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
          and a.attname ~ '(sealed|sha256|scrypt|password_hash|hmac)$'`,
    )
    const open = sealed.filter(({ table, column }) => {
      const moved = movedTables.find(({ name }) => name === table)
      return moved !== undefined && !Object.hasOwn({ ...moved.secrets, ...moved.arrivesAs }, column)
    })
    assert.deepEqual(open, [{ table: 'brand_logos', column: 'sha256' }])
  })
})

test('what arrives is what left: rows, secrets under the other key, readings in PostgreSQL and in files', async (t) => {
  const other = await openInstallation(t)
  const imported = await importMover(t, made.folder, other)
  assert.equal(imported.isResumed, false)
  assert.deepEqual(imported.readings, { newCount: 1_504, knownCount: 0 })
  const again = await exportMover(other, path.join(folder, 'again'))
  assert.deepEqual(sumsOf(again), sumsOf(made))
  await asOwner(other, async (client) => {
    await client.query(`insert into readings_cleared (reseller_id, sub_client_id, cleared_until) values ($1, '', now())`, [MOVER])
    assert.equal((await importMover(t, made.folder, other)).isResumed, true)
    assert.equal((await client.query('select from readings_cleared')).rowCount, 0, 'what is past its time is looked for anew')
  })
  const filled = made.manifest.tables.filter(({ rowCount }) => rowCount > 0)
  assert.ok(filled.length >= 20, filled.map(({ name }) => name).join())
  await asOwner(other, async (client) => {
    const { rows: devices } = await client.query(`select mqtt_secret_sha256 from devices where reseller_id = $1`, [MOVER])
    assert.deepEqual(devices, [{ mqtt_secret_sha256: Buffer.alloc(32, 10) }])
    const { rows: keys } = await client.query<{ key_sha256: Buffer }>('select key_sha256 from api_keys where reseller_id = $1', [MOVER])
    assert.deepEqual(
      keys.map(({ key_sha256 }) => key_sha256),
      [keyHash],
    )
    const { rows: users } = await client.query(`select email, password_scrypt from users where reseller_id = $1`, [MOVER])
    assert.deepEqual(users, [{ email: 'ann@example.com', password_scrypt: null }])
    const { rows: operators } = await client.query(`select enabled, secrets_sealed from operator_connections`)
    const secretsSealed = operators[0].secrets_sealed as Buffer
    const place = { resellerId: MOVER, connectionId: 'opc-a', secretsSealed }
    assert.equal(operators[0].enabled, false)
    assert.deepEqual(openCredentials(createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS), place), { username: 'u', api_key: 'of the operator' })
    const { rows: others } = await client.query('select reseller_id from resellers order by 1')
    assert.deepEqual(others, [{ reseller_id: MOVER }])
  })
})

test('no file has a secret in the clear, and all are for their owner only', async () => {
  for (const entry of readdirSync(made.folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    assert.equal(statSync(file).mode & 0o077, 0, file)
    if (entry.isDirectory() || file.endsWith('.parquet')) continue
    const text = readFileSync(file, 'utf8')
    const secrets = [
      'of the header',
      'whsec_abc',
      'of the stream',
      'of the operator',
      'services/secret',
      keyHash.toString('hex'),
      TEST_SECRET_KEY,
    ]
    for (const secret of secrets) assert.ok(!text.includes(secret), `${file} has ${secret}`)
    assert.ok(!text.includes('stays') || entry.name === 'manifest.json', file)
  }
})
