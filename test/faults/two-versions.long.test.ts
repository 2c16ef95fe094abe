// Goal: a rolling deployment and a rollback within one release. Method: two checkouts on one database, each run as it is: this one, and a copy of it
// with a newer migration; then the last commit of before versions could share a database, beside this one.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type CleanUp, createTestDatabase } from '@roadworthy/service-kit/postgres/test-database'
import { lastFirst } from '../../services/platform/src/surfaces/test-api.ts'
import { connectAsOwner } from '../../services/platform/src/test-support.ts'
import { FREE_PORTS, ROOT, RunningService } from '../e2e/running-service.ts'
import { callPatiently } from '../support/running-platform.ts'

const SECRET_KEY = 'test secret key, 32 characters or more'
/** It refuses every migration that it does not know. */
const LAST_THAT_SHARES_NOTHING = 'ef679bc'
/** The readings of a device for vehicles that it names are of one source there (ADR 0021). */
const LAST_WITH_ONE_SOURCE_FOR_A_GATEWAY = '246cfe1'
/** Its audit log and its attempts at webhooks are not partitioned. */
const LAST_WITH_WHOLE_LOGS = 'b40fc18'
const MIGRATIONS = 'services/platform/migrations'

test('an older version goes on beside a newer schema and starts again on it, unless a migration breaks with it', async (t) => {
  const cleanUp = lastFirst(t)
  const { url } = await createTestDatabase(cleanUp)
  const newerRoot = checkout(cleanUp, copyOfThis())
  writeFileSync(
    join(newerRoot, MIGRATIONS, '9001_colours.sql'),
    `-- Owner: fleet.\nalter table vehicles add column colour text not null default 'white';\n`,
  )
  const older = start(cleanUp, ROOT, url)
  await older.ready()
  const newer = start(cleanUp, newerRoot, url)
  await newer.ready()
  const { api_key: key } = older.credentials()
  for (const [nth, service] of [older, newer, older].entries()) await storeReading(service, key, `truck-${nth}`)
  assert.equal(await older.signal('SIGTERM'), 0)
  assert.equal(await newer.signal('SIGTERM'), 0)

  const rolledBack = start(cleanUp, ROOT, url)
  await rolledBack.ready()
  await storeReading(rolledBack, key, 'truck-back')
  assert.equal(await rolledBack.signal('SIGTERM'), 0)

  writeFileSync(join(newerRoot, MIGRATIONS, '9002_plain.sql'), '-- Owner: fleet.\n-- breaking\nalter table vehicles drop column colour;\n')
  const breaking = start(cleanUp, newerRoot, url)
  await breaking.ready()
  const refused = start(cleanUp, ROOT, url)
  assert.equal(await refused.exit(), 1)
  assert.match(refused.stderr, /could not start: the database was used by a newer version: its migration 9002_plain\.sql/)
})

test('a process of the last version of before goes on while this one takes its database over, rows and all', async (t) => {
  const before = filesOf(LAST_THAT_SHARES_NOTHING)
  if (before === undefined) {
    return t.skip(`the history of this checkout does not reach back to ${LAST_THAT_SHARES_NOTHING}; fetch all of it to run this`)
  }
  const cleanUp = lastFirst(t)
  const { url } = await createTestDatabase(cleanUp)
  const olderRoot = checkout(cleanUp, before)
  const older = start(cleanUp, olderRoot, url)
  await older.ready()
  const { api_key: key, reseller_slug: reseller } = older.credentials()
  await storeReading(older, key, 'truck-before')
  const owner = await connectAsOwner(cleanUp, url)
  await owner.query(
    `insert into health_history (reseller_id, vehicle_id, scored_at, health_score, health_status)
     select $1, 'veh-1', now() - i * interval '1 hour', 90, 'healthy' from generate_series(1, 100) i`,
    [reseller],
  )
  const newer = start(cleanUp, ROOT, url)
  await newer.ready()
  await storeReading(older, key, 'truck-beside')
  await storeReading(newer, key, 'truck-after')
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int as n from health_history where vehicle_id = 'veh-1'`)
  assert.deepEqual(rows, [{ n: 100 }])
  assert.equal(await older.signal('SIGTERM'), 0)
  const again = start(cleanUp, olderRoot, url)
  assert.equal(await again.exit(), 1)
  assert.match(again.stderr, /which this version does not know/)
})

test('what a gateway reports of a vehicle is found by both versions, whichever stored it, and after a rollback', async (t) => {
  const before = filesOf(LAST_WITH_ONE_SOURCE_FOR_A_GATEWAY)
  if (before === undefined) {
    return t.skip(`the history of this checkout does not reach back to ${LAST_WITH_ONE_SOURCE_FOR_A_GATEWAY}; fetch all of it to run this`)
  }
  const cleanUp = lastFirst(t)
  const { url } = await createTestDatabase(cleanUp)
  const olderRoot = checkout(cleanUp, before)
  // Until the first release migrations are still edited, and a process refuses one that is not as it knows it.
  for (const name of readdirSync(join(olderRoot, MIGRATIONS))) cpSync(join(ROOT, MIGRATIONS, name), join(olderRoot, MIGRATIONS, name))
  const older = start(cleanUp, olderRoot, url)
  await older.ready()
  const newer = start(cleanUp, ROOT, url)
  await newer.ready()
  const { api_key: key } = older.credentials()
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  const ask = async (service: RunningService, method: 'GET' | 'POST', path: string, body?: object): Promise<any> => {
    const answer = await callPatiently(service.credentials().base_url, method, path, { key, ...(body === undefined ? {} : { body }) })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const { device_id } = await ask(older, 'POST', '/api/external/devices', { name: 'gateway', device_type: 'can_gateway' })
  const { vehicle_id } = await ask(older, 'POST', '/api/external/vehicles', { license_plate: 'GW-1', make: 'MAN' })
  const startMs = Date.now() - 60_000
  let sentCount = 0
  const report = async (service: RunningService) => {
    const timestamp = new Date(startMs + ++sentCount * 1000).toISOString()
    const sent = { device_id, vehicle_id, coolant_temp: 80, lat: sentCount, lon: 20, timestamp }
    return (await ask(service, 'POST', '/api/external/telemetry', sent)).telemetry_id as string
  }
  /** How many readings it finds of the vehicle, and where it shows the device. */
  const sees = async (service: RunningService) => [
    (await ask(service, 'GET', `/api/v1/vehicles/${vehicle_id}/readings`)).total,
    (await ask(service, 'GET', `/api/external/devices/${device_id}/location`)).location.latitude,
  ]
  for (const service of [older, newer, older, newer]) {
    const id = await report(service)
    await ask(newer, 'GET', `/api/external/telemetry/${id}`)
    for (const other of [older, newer]) assert.deepEqual(await sees(other), [sentCount, sentCount])
  }
  for (const service of [older, newer]) assert.equal(await service.signal('SIGTERM'), 0)
  const rolledBack = start(cleanUp, olderRoot, url)
  await rolledBack.ready()
  await report(rolledBack)
  assert.deepEqual(await sees(rolledBack), [sentCount, sentCount])
})

// Goal: a change is logged and a webhook is sent by whichever version, before, while and after the two logs become partitioned, and both read
// all of it. Method: sub-clients made, and tests of a webhook asked for, in turns.
test('both versions write and read the audit log and the attempts at webhooks, and the older one goes on alone', async (t) => {
  const before = filesOf(LAST_WITH_WHOLE_LOGS)
  if (before === undefined) {
    return t.skip(`the history of this checkout does not reach back to ${LAST_WITH_WHOLE_LOGS}; fetch all of it to run this`)
  }
  const cleanUp = lastFirst(t)
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  cleanUp.after(async () => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const { url } = await createTestDatabase(cleanUp)
  const olderRoot = checkout(cleanUp, before)
  const flags = ['--webhook-allow-cidrs', '127.0.0.0/8']
  const older = start(cleanUp, olderRoot, url, flags)
  await older.ready()
  const { api_key: key } = older.credentials()
  // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
  const ask = async (service: RunningService, method: 'GET' | 'POST', path: string, body?: object): Promise<any> => {
    const answer = await callPatiently(service.credentials().base_url, method, path, { key, ...(body === undefined ? {} : { body }) })
    assert.ok(answer.status >= 200 && answer.status < 300, JSON.stringify(answer.body))
    return answer.body
  }
  const { webhook } = await ask(older, 'POST', '/api/v1/webhooks', { url: `http://127.0.0.1:${port}/` })
  let changes = 0
  /** A change through one, which the others then have in their logs; and an event that somebody delivers. */
  const changeThrough = async (service: RunningService, others: readonly RunningService[]) => {
    changes++
    await ask(service, 'POST', '/api/external/sub-clients', { name: 'Depot', sub_client_id: `depot-${changes}` })
    await ask(service, 'POST', `/api/v1/webhooks/${webhook.id}/test`)
    for (const other of others) {
      assert.equal((await ask(other, 'GET', '/api/v1/audit?action=sub_client.created')).total, changes)
      await deliveredTo(other, changes)
    }
  }
  const deliveredTo = async (service: RunningService, count: number) => {
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`
    for (;;) {
      const { deliveries } = await ask(service, 'GET', `${path}?status=delivered`)
      if (deliveries.length < count) {
        await delay(100)
        continue
      }
      for (const { id } of deliveries) assert.equal((await ask(service, 'GET', `${path}/${id}`)).attempts.length, 1)
      return
    }
  }
  await changeThrough(older, [older])
  const newer = start(cleanUp, ROOT, url, flags)
  await newer.ready()
  for (const service of [older, newer, older]) await changeThrough(service, [older, newer])
  assert.equal(await newer.signal('SIGTERM'), 0)
  await changeThrough(older, [older])
  assert.equal(await older.signal('SIGTERM'), 0)
  const rolledBack = start(cleanUp, olderRoot, url, flags)
  await rolledBack.ready()
  await changeThrough(rolledBack, [rolledBack])
})

async function storeReading(service: RunningService, key: string, vehicleId: string): Promise<void> {
  const { base_url: baseUrl } = service.credentials()
  const stored = await callPatiently(baseUrl, 'POST', '/api/external/telemetry', { key, body: { vehicle_id: vehicleId, coolant_temp: 90 } })
  assert.equal(stored.status, 200, JSON.stringify(stored.body))
  const read = await callPatiently(baseUrl, 'GET', `/api/external/telemetry/${stored.body['telemetry_id']}`, { key })
  assert.equal(read.status, 200, JSON.stringify(read.body))
}

function start(t: CleanUp, root: string, databaseUrl: string, more: readonly string[] = []): RunningService {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-version-'))
  const flags = ['--no-demo', '--host', '127.0.0.1', '--engine-url', 'http://127.0.0.1:9', ...FREE_PORTS, ...more]
  const service = new RunningService(dataDir, flags, { root, env: { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY } })
  t.after(async () => {
    if (service.child.exitCode === null) await service.signal('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return service
}

/** A folder with these files and what is installed here, in which the workspaces are its own. */
function checkout(t: CleanUp, fill: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-checkout-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  fill(folder)
  const [installed, own] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(own, '@roadworthy'), { recursive: true })
  for (const name of readdirSync(installed)) {
    if (name !== '@roadworthy' && name !== '.cache') symlinkSync(join(installed, name), join(own, name))
  }
  // Its own workspaces, which have had other names and places.
  for (const manifest of globSync('{packages,services,apps,tools}/*/package.json', { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as { name: string }
    if (name.startsWith('@roadworthy/')) symlinkSync(join(folder, dirname(manifest)), join(own, name))
  }
  return folder
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 30 })

/** What is here, committed or not. */
function copyOfThis(): (folder: string) => void {
  return (folder) => {
    for (const name of ['packages', 'services', 'tools', 'apps', 'models']) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith('node_modules') })
    }
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  }
}

/** Undefined: the history does not hold it, or this is no checkout of git. */
function filesOf(commit: string): ((folder: string) => void) | undefined {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
  } catch {
    return undefined
  }
  return (folder) => {
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  }
}
