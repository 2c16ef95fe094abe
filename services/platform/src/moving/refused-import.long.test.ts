// Goal: an export that was damaged or made up is refused with its reason, and leaves nothing behind. Method: copies of one export, each changed in one way, with every hash and the
// signature made right again where a stranger could do so.

import assert from 'node:assert/strict'
import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { checkOf } from '../backup/manifest.ts'
import { DAY_MS, reading, store, WEEK_MS } from '../history/test-history.ts'
import { insertReseller, onOnePostgres } from '../test-support.ts'
import { openExport } from './read-export.ts'
import { type Forged, forge } from './test-forged-export.ts'
import {
  DEVICE,
  exportMover,
  fillMover,
  type Installation,
  importMover,
  MOVER,
  openInstallation,
  PASSPHRASE,
  temporaryFolder,
  VEHICLE,
} from './test-moving.ts'

const onOne = onOnePostgres('moving-cluster.db.test.ts moves in and out')
const folder = temporaryFolder({ after })
const mover = await fillMover({ after })
const other = await openInstallation({ after })
let source: string

before(async () => {
  if (onOne.skip !== false) return
  source = (await exportMover(mover, path.join(folder, 'export'))).folder
  // Somebody else, who is to stay as they are.
  await insertReseller(other.database, 'stays')
  await other.database.systemPool.query(
    `insert into vehicles (reseller_id, vehicle_id, created_at) values ('stays', 'veh-bbbbbbbbbb', now())`,
  )
  await store(other.database, [
    reading({ resellerId: 'stays', vehicleId: 'veh-bbbbbbbbbb' }, Date.now() - DAY_MS, { signals: { coolantTempC: 80 } }),
  ])
})

/** What is there of anybody. */
async function everything({ database }: Installation): Promise<unknown> {
  const { rows } = await database.systemPool.query(
    `select (select json_agg(r.reseller_id) from resellers r) as resellers, (select count(*)::int from readings) as readings,
            (select count(*)::int from latest_states) as states, (select count(*)::int from devices) as devices, (select count(*)::int from audit_log) as audit`,
  )
  return rows[0]
}

const nobodyElse = { resellers: ['stays'], readings: 1, states: 1, devices: 0, audit: 0 }

const rename = (from: RegExp, to: string) => (lines: string[]) => lines.map((line) => line.replace(from, to))
const refusals: [what: string, change: (forged: Forged) => void, reason: RegExp][] = [
  [
    'a later format',
    ({ manifest }) => Object.assign(manifest, { formatVersion: 2, productVersion: '3.1.0' }),
    /has format 2, and this version reads 1\. Install Roadworthy 3\.1\.0/,
  ],
  ['another kind of folder', ({ manifest }) => Object.assign(manifest, { format: 'roadworthy-backup' }), /holds no export of a reseller/],
  [
    'a later schema',
    ({ manifest }) => manifest.migrations.push({ name: '9999_later.sql', sha256: '0'.repeat(64) }),
    /newer version \(9999_later\.sql\)/,
  ],
  ['an earlier schema', ({ manifest }) => manifest.migrations.pop(), /older version, without 00\d\d_/],
  [
    'a path out of the folder',
    ({ manifest }) => Object.assign(manifest.tables[0] ?? {}, { file: 'tables/../../../etc/passwd.ndjson' }),
    /manifest\.json cannot be used: \/tables\/0\/file/,
  ],
  [
    'a table that does not move',
    ({ manifest }) => Object.assign(manifest.tables[0] ?? {}, { name: 'installation_key' }),
    /"installation_key", which does not move/,
  ],
  ['a table twice', ({ manifest }) => manifest.tables.push(manifest.tables[0] as never), /has to have the table "resellers" once/],
  [
    'a million weeks',
    ({ manifest }) => Object.assign(manifest.tables[0] ?? {}, { weeks: Array(3_000).fill('2026-01-05') }),
    /\/tables\/0\/weeks/,
  ],
  [
    'a week to come',
    ({ manifest }) => manifest.tables.find(({ weeks }) => weeks.length > 0)?.weeks.push('2099-01-05'),
    /2099-01-05 as a week of vehicle_use, which is no Monday that has begun/,
  ],
  [
    'rows of another reseller',
    (forged) => forged.lines('sub_clients', rename(/"acme"/, '"stays"')),
    /1 rows that are not of the reseller "acme"/,
  ],
  [
    'rows of no reseller',
    (forged) => forged.lines('sub_clients', rename(/"reseller_id":"acme",/, '')),
    /1 rows that are not of the reseller/,
  ],
  [
    'a row too many in the count',
    ({ manifest }) => Object.assign(manifest.tables[1] ?? {}, { rowCount: 2 }),
    /has 1 rows, and the manifest has 2/,
  ],
  [
    'a field that no column is for',
    (forged) => forged.lines('sub_clients', rename(/^\{/, '{"unknown":1,')),
    /rows of sub_clients are not those of the manifest/,
  ],
  [
    'no JSON',
    (forged) => forged.lines('sub_clients', () => ['nothing']),
    /cannot be stored, and nothing was: invalid input syntax for type json/,
  ],
  [
    'a value that the table refuses',
    (forged) => forged.lines('vehicles', rename(/"status":"active"/, '"status":"stolen"')),
    /Rows of vehicles cannot be stored.*vehicles_status_check/,
  ],
  [
    'a reference to what is not there',
    (forged) => forged.lines('vehicle_groups', () => [groupOf('south')]),
    /Rows of vehicle_groups cannot be stored.*sub_clients/,
  ],
  [
    'secrets of another row',
    (forged) => forged.lines('webhook_endpoints', rename(/example\.com/, 'example.org')),
    /Secrets of a row of webhook_endpoints do not belong to it/,
  ],
  ['no secrets', (forged) => forged.lines('devices', rename(/,"secrets":"[^"]*"\}$/, '}')), /A row of devices has no secrets/],
  [
    'the state of a vehicle of others',
    (forged) => forged.lines('latest_states', rename(new RegExp(`"source_id":"${DEVICE}"`), '"source_id":"veh-bbbbbbbbbb"')),
    /latest_states|taken/,
  ],
  [
    'a source of others',
    (forged) => forged.lines('vehicle_sources', rename(new RegExp(DEVICE), 'veh-bbbbbbbbbb')),
    /rows of vehicle_sources are not those of the manifest/,
  ],
  [
    'a vehicle of others',
    (forged) => forged.lines('vehicles', rename(new RegExp(VEHICLE, 'g'), 'veh-bbbbbbbbbb')),
    /another reseller of this installation has veh-bbbbbbbbbb/,
  ],
  [
    "an invoice in the operator's book",
    (forged) => forged.lines('invoices', () => [INVOICE]),
    /rows of invoices are not those of the manifest/,
  ],
]

const groupOf = (subClientId: string) =>
  JSON.stringify({
    reseller_id: MOVER,
    group_id: 'vgr-a',
    name: 'A',
    sub_client_id: subClientId,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
  })
const INVOICE = JSON.stringify({
  ...{
    reseller_id: MOVER,
    invoice_id: 'inv-x',
    issuer_id: '_operator',
    sub_client_id: '',
    kind: 'invoice',
    corrects_id: null,
    month: '2026-01',
    status: 'draft',
    number: null,
  },
  ...{
    currency: 'EUR',
    subtotal_minor: 0,
    tax_minor: 0,
    total_minor: 0,
    paid_minor: 0,
    credited_minor: 0,
    content: {},
    drafted_at: '2026-01-01T00:00:00+00:00',
  },
  ...{ reminded_count: 0, updated_at: '2026-01-01T00:00:00+00:00', revision: 1 },
})

for (const [what, change, reason] of refusals) {
  test(`refused, and nothing is kept: ${what}`, onOne, async (t) => {
    const forged = await forge(t, source, change)
    await assert.rejects(importMover(t, forged, other), (error: Error) => {
      assert.match(error.message, reason)
      assert.equal(error.name, 'MoveProblem', error.stack)
      return true
    })
    assert.deepEqual(await everything(other), nobodyElse)
  })
}

function copyOf(t: Parameters<typeof temporaryFolder>[0]): string {
  const copy = path.join(temporaryFolder(t), 'copy')
  cpSync(source, copy, { recursive: true })
  return copy
}

test('files that were cut, changed, swapped for links or are missing are named', onOne, async (t) => {
  const file = (copy: string) => path.join(copy, 'tables/devices.ndjson')
  const damages: [(copy: string) => void, RegExp][] = [
    [(copy) => appendFileSync(file(copy), ' '), /tables\/devices\.ndjson has \d+ bytes, and had \d+/],
    [(copy) => rmSync(file(copy)), /tables\/devices\.ndjson cannot be read \(ENOENT\)/],
    [
      (copy) => {
        renameSync(file(copy), path.join(copy, '../elsewhere'))
        symlinkSync(path.join(copy, '../elsewhere'), file(copy))
      },
      /tables\/devices\.ndjson is no file within the folder/,
    ],
    [
      (copy) => {
        renameSync(path.join(copy, 'tables'), path.join(copy, '../elsewhere-too'))
        symlinkSync(path.join(copy, '../elsewhere-too'), path.join(copy, 'tables'))
      },
      /tables\/resellers\.ndjson is no file within the folder/,
    ],
    [(copy) => appendFileSync(path.join(copy, 'manifest.json'), ' '), /manifest\.json is damaged/],
  ]
  for (const [damage, reason] of damages) {
    const copy = copyOf(t)
    damage(copy)
    await assert.rejects(importMover(t, copy, other), reason)
  }
  assert.deepEqual(await everything(other), nobodyElse)
})

test('another passphrase, none, and an export without secrets are refused', onOne, async () => {
  await assert.rejects(openExport(source, 'another passphrase of words'), /not the one that this export was made with/)
  await assert.rejects(openExport(source, undefined), /give the passphrase/)
  const { folder: toRead, manifest } = await exportMover(mover, path.join(folder, 'to-read'), {
    passphrase: undefined,
    secretKey: undefined,
  })
  assert.equal(manifest.keys, null)
  await assert.rejects(openExport(toRead, PASSPHRASE), /made with --no-secrets, for reading/)
})

test(
  'a manifest that was changed by somebody without the passphrase is refused, with its hash made right again or no signature',
  onOne,
  async (t) => {
    const copy = path.join(temporaryFolder(t), 'changed')
    cpSync(source, copy, { recursive: true })
    const [manifest, check] = [path.join(copy, 'manifest.json'), path.join(copy, 'manifest.check.json')]
    const text = readFileSync(manifest, 'utf8').replace('"acme"', '"else"')
    const { hmacSha256 } = JSON.parse(readFileSync(check, 'utf8')) as { hmacSha256: string }
    writeFileSync(manifest, text)
    for (const signature of [hmacSha256, null]) {
      writeFileSync(check, checkOf(text, signature))
      await assert.rejects(openExport(copy, PASSPHRASE), /its signature does not match/)
    }
  },
)

test('a reseller that is here already is neither replaced nor merged', onOne, async (t) => {
  const taken = await openInstallation(t)
  await insertReseller(taken.database, MOVER)
  await assert.rejects(importMover(t, source, taken), /There is a reseller "acme" here, which did not come from this export/)
  const { rows } = await taken.database.systemPool.query('select count(*)::int as count from devices')
  assert.deepEqual(rows, [{ count: 0 }])
})

test('a key, a device or a token that another reseller has is named', onOne, async (t) => {
  const taken = await openInstallation(t)
  await insertReseller(taken.database, 'stays')
  await taken.database.systemPool.query(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status, created_at, updated_at) values ('stays', $1, 'obd', 'mqtt', 'active', now(), now())`,
    [DEVICE],
  )
  await assert.rejects(importMover(t, source, taken), new RegExp(`another reseller of this installation has ${DEVICE}`))
  await taken.database.systemPool.query('delete from devices')
  await taken.database.systemPool.query(
    `insert into api_keys (reseller_id, key_id, name, key_sha256, prefix, last4, scopes) select 'stays', 'key-x', 'X', decode($1, 'hex'), 'rw', 'abcd', '{*}'`,
    [await hashOfKey()],
  )
  await assert.rejects(importMover(t, source, taken), /Something of api_keys is taken.*api_keys_sha256_key/)
})

async function hashOfKey(): Promise<string> {
  const { rows } = await mover.database.systemPool.query<{ hash: string }>(
    `select encode(key_sha256, 'hex') as hash from api_keys where reseller_id = $1`,
    [MOVER],
  )
  return rows[0]?.hash ?? ''
}

test('readings of others, of another week or out of order are refused', onOne, async (t) => {
  const line = (changes: object) =>
    JSON.stringify({
      ...{ attributes: {}, deviceId: DEVICE, digestHex: 'ab'.repeat(16), kind: 'telemetry', latitude: null, longitude: null },
      ...{
        receivedAtUs: `${WEEK_MS}000`,
        recordedAtUs: `${WEEK_MS}000`,
        signals: { coolantTempC: 1 },
        sourceId: DEVICE,
        subClientId: null,
        vehicleId: VEHICLE,
        ...changes,
      },
    })
  const bad: [string[], RegExp][] = [
    [[line({ sourceId: 'veh-bbbbbbbbbb' })], /readings of veh-bbbbbbbbbb, which belongs to another reseller/],
    [[line({}), line({})], /is not in its order/],
    [['{"recordedAtUs":"x"}'], /a line that is no reading/],
  ]
  for (const [lines, reason] of bad) {
    const forged = await forge(t, source, (each) => each.readings(0, lines))
    await assert.rejects(importMover(t, forged, await fresh(t)), reason)
  }
})

async function fresh(t: Parameters<typeof openInstallation>[0]): Promise<Installation> {
  const installation = await openInstallation(t)
  await insertReseller(installation.database, 'stays')
  await installation.database.systemPool.query(
    `insert into vehicles (reseller_id, vehicle_id, created_at) values ('stays', 'veh-bbbbbbbbbb', now())`,
  )
  return installation
}

test('an export needs the key of its database', onOne, async () => {
  const to = path.join(folder, 'never')
  await assert.rejects(exportMover(mover, to, { secretKey: 'another secret key of enough characters' }), /not the one of this database/)
  await assert.rejects(exportMover(mover, to, { resellerId: 'nobody' }), /There is no reseller "nobody"/)
  await assert.rejects(exportMover(mover, source), /is there already/)
})
