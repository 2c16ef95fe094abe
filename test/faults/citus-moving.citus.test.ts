// Goal: an export that is made of a cluster while devices send is of one moment: everything acknowledged before it is in it, and what is billed in it are the readings that
// are in it. Taken in by one PostgreSQL, it is predicted as where it came from. Method: the real service, command line and engine. `upgrade` and `backup` of a cluster
// are looked at beside it.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { ExportManifest } from '@roadworthy/platform/moving/export-manifest'
import { RunningService } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation } from '../support/citus-installation.ts'
import { roadworthy } from '../support/command-line.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { acknowledgedCount, addressOf, loadFor, register } from './fleet-under-load.ts'

const WORKERS = 2
/** Of each device between two messages: the nodes share the machine with them. */
const PAUSE_MS = 100
const DEVICES = { rest: 6, mqtt: 2 }
const LEAST_BEFORE = 200

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('an export of a cluster under load is of one moment, and is predicted alike on one PostgreSQL', {
  skip: script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-moved-'))
  cleanUp.after(async () => rmSync(folder, { recursive: true, force: true }))
  const passphrase = ['--passphrase-file', join(folder, 'passphrase.txt')]
  writeFileSync(join(folder, 'passphrase.txt'), 'seven words of your own and no others\n')
  await (await at.startService()).signal('SIGTERM')
  await at.answerOf('citus', 'init', '--shards', '8')
  const service = await at.startService()
  cleanUp.after(async () => void (await service.signal('SIGKILL')))

  await refuseBackup(at, folder)
  await checkUpgrade(at)

  const senders = await register(addressOf(service), Date.now() - 3_600_000, DEVICES)
  let isOver = false
  const load = loadFor(senders, addressOf(service), () => isOver, PAUSE_MS)
  cleanUp.after(async () => {
    isOver = true
    await load
  })
  await at.until('readings are acknowledged', async () => acknowledgedCount(senders) >= LEAST_BEFORE)
  const before = acknowledgedCount(senders)
  await at.answerOf('export', '--reseller', 'roadworthy', '--to', join(folder, 'under-load'), ...passphrase)
  isOver = true
  await load
  const after = senders.reduce((sum, { sent }) => sum + sent.size, 0)
  const counts = countsOf(join(folder, 'under-load'))
  t.diagnostic(`acknowledged before ${before}, in the export ${counts.readings}, sent at the end ${after}`)
  assert.ok(counts.readings >= before && counts.readings <= after)
  assert.equal(counts.billed, counts.readings, 'billed are the readings that are there')
  assert.ok(after > counts.readings, 'they went on sending')
  for (const { surprises } of senders) assert.deepEqual(surprises, [])

  await at.answerOf('export', '--reseller', 'roadworthy', '--to', join(folder, 'quiet'), ...passphrase)
  assert.equal(countsOf(join(folder, 'quiet')).readings, acknowledgedCount(senders))
  const home = join(folder, 'home')
  const imported = await roadworthy(['import', join(folder, 'quiet'), ...passphrase, '--data-dir', home])
  assert.equal(imported.code, 0, imported.stderr)
  const other = new RunningService(home)
  cleanUp.after(async () => void (await other.signal('SIGTERM')))
  await other.ready()
  const { apiKey } = addressOf(service)
  const places = [addressOf(service).baseUrl, addressOf(other).baseUrl]
  const vehicleId = senders[0]?.vehicleId ?? ''
  const sentMs = Date.now()
  const reading = { device_id: senders[0]?.deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 900, coolant_temp: 112 } }
  for (const baseUrl of places) ok<Row>(await call(baseUrl, 'POST', '/api/external/telemetry', { key: apiKey, body: reading }))
  let predicted: unknown[] = []
  await at.until('both predict the same of it', async () => {
    const health = await Promise.all(places.map(async (baseUrl) => await healthOf(baseUrl, apiKey, vehicleId)))
    predicted = health.map(({ scoredAt: _, alerts: __, ...rest }) => rest)
    return health.every(({ scoredAt }) => Date.parse(String(scoredAt)) > sentMs) && isDeepStrictEqual(predicted[0], predicted[1])
  })
  await at.migrateFurther()
  t.diagnostic(`predicted by both: ${JSON.stringify(predicted[0]).slice(0, 200)}`)
})

/** It would lack the rows of the workers. */
async function refuseBackup(at: CitusInstallation, folder: string): Promise<void> {
  const to = join(folder, 'backup')
  const args = ['--to', to, '--passphrase-file', join(folder, 'passphrase.txt')]
  const ofRows = await at.run('backup', ...args)
  assert.equal(ofRows.code, 1)
  assert.match(ofRows.stderr, /Citus cluster.*citus_create_restore_point/s)
  // Of the embedded PostgreSQL alone.
  const ofFiles = await at.run('backup', '--base', ...args)
  assert.equal(ofFiles.code, 2)
  assert.equal(existsSync(to), false)
}

async function checkUpgrade(at: CitusInstallation): Promise<void> {
  const { findings } = (await at.answerOf('upgrade', '--check')) as unknown as { findings: Row[] }
  assert.deepEqual(
    findings.find(({ name }) => name === 'cluster'),
    { name: 'cluster', status: 'ok', detail: '3 nodes, which all answer' },
  )
}

async function healthOf(baseUrl: string, key: string, vehicleId: string): Promise<Row> {
  return ok<Row>(await call(baseUrl, 'GET', `/api/v1/vehicles/${vehicleId}/health`, { key }))
}

/** Readings of an export, and those that its ledger has. */
function countsOf(folder: string): { readings: number; billed: number } {
  const { readings, tables } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as ExportManifest
  const file = tables.find(({ name }) => name === 'usage_entries')?.file ?? ''
  const entries = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)
  const points = entries.map((line) => JSON.parse(line) as Row).filter(({ meter }) => meter === 'points_ingested')
  return {
    readings: readings.reduce((sum, { rowCount }) => sum + rowCount, 0),
    billed: points.reduce((sum, { count }) => sum + Number(count), 0),
  }
}
