// Goal: a reseller moves with its business: SIMs with their past, invoices, payments, the ledger, incidents and alerts, schedules and predictions. Method: the
// fleet of the demo, as each release keeps it to be upgraded from, with an emulated operator's SIMs and an emulated gateway's payment.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { migrate, readMigrations } from '@roadworthy/service-kit/postgres/migrate'
import { createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { openBackup } from '../backup/read-backup.ts'
import { restoreDatabase } from '../backup/restore-backup.ts'
import { assertLedgerBalances } from '../billing/ledger/ledger.ts'
import { createFolderStore } from '../history/file-store.ts'
import { onOnePostgres, openDatabasePatiently, TEST_SECRET_KEY } from '../test-support.ts'
import type { MadeExport } from './export-reseller.ts'
import { asOwner, exportMover, type Installation, importMover, openInstallation, temporaryFolder } from './test-moving.ts'

const MIGRATIONS = path.join(import.meta.dirname, '../../migrations')
const FIXTURES = path.join(import.meta.dirname, '../../../../test/fixtures/schemas')
/** The reseller that a first start makes. */
const DEMO = 'roadworthy'
const onOne = onOnePostgres('moving-cluster.db.test.ts moves in and out')

/** What the demo has of its business; a fixture without it would prove nothing. */
const OF_BUSINESS = [
  ...['sims', 'sim_actions', 'sim_history', 'sim_usage', 'operator_connections'],
  ...['invoices', 'invoice_inputs', 'invoice_lines', 'billing_customers', 'price_lists', 'rate_plans', 'ledger_entries', 'ledger_postings'],
  ...['gateway_connections', 'gateway_events', 'payment_attempts', 'payment_captures'],
  ...['incidents', 'alerts', 'maintenance_schedules', 'maintenance_records', 'predictions', 'health_history', 'usage_periods'],
]

for (const release of readdirSync(FIXTURES)) {
  test(`the demo fleet of ${release} moves with its SIMs, invoices, payments and incidents`, onOne, async (t) => {
    const { url: ownerUrl } = await createTestDatabase(t)
    const migrations = await readMigrations(MIGRATIONS)
    const backup = await openBackup(path.join(FIXTURES, release), undefined, migrations)
    const others = { secretKey: undefined, history: undefined, migrationsDirectory: MIGRATIONS, comparison: 'none' } as const
    await restoreDatabase({ backup, ownerUrl, ...others })
    await migrate(ownerUrl, { directory: MIGRATIONS, secretKey: TEST_SECRET_KEY })
    const database = openDatabasePatiently(
      { owner: ownerUrl, app: ownerUrl, system: ownerUrl },
      { appConnections: 1, systemConnections: 1, onError: () => undefined },
    )
    t.after(() => database.close())
    const folder = temporaryFolder(t)
    const demo: Installation = { database, ownerUrl, history: createFolderStore(path.join(folder, 'history')) }

    const made = await exportMover(demo, path.join(folder, 'export'), { resellerId: DEMO })
    const counts = new Map(made.manifest.tables.map(({ name, rowCount }) => [name, rowCount]))
    assert.deepEqual(
      OF_BUSINESS.filter((name) => (counts.get(name) ?? 0) === 0),
      [],
    )
    for (const { name, rowCount } of backup.manifest.tables) {
      if (OF_BUSINESS.includes(name)) assert.equal(counts.get(name), rowCount, `${name}: the demo has no other reseller`)
    }

    const other = await openInstallation(t)
    const { readings } = await importMover(t, made.folder, other)
    assert.equal(readings.newCount, backup.manifest.tables.find(({ name }) => name === 'readings')?.rowCount)
    const again = await exportMover(other, path.join(folder, 'again'), { resellerId: DEMO })
    assert.deepEqual(digestsOf(again), digestsOf(made))
    await assertLedgerBalances(other.database.systemPool)
    await asOwner(other, async (client) => {
      const { rows } = await client.query<{ invoices: number; numbers: number }>(
        'select count(*)::int as invoices, count(distinct number)::int as numbers from invoices where reseller_id = $1',
        [DEMO],
      )
      assert.equal(rows[0]?.numbers, rows[0]?.invoices)
      const { rows: acting } = await client.query(
        'select connection_id from operator_connections where enabled union all select connection_id from gateway_connections where enabled',
      )
      assert.deepEqual(acting, [], 'what acts outside arrives switched off')
    })
  })
}

/** Of what is the same in both; connections arrive switched off, and the audit log has the import. */
function digestsOf({ manifest }: MadeExport) {
  return [
    ...manifest.tables.filter(({ name }) => name !== 'audit_log').map(({ name, rowCount, rowsDigest }) => [name, rowCount, rowsDigest]),
    ...manifest.readings.map(({ week, month, rowCount, contentSha256 }) => [week, month, rowCount, contentSha256]),
  ]
}
