// Goal: what the operators report is known here, once and whole, whatever they do meanwhile. Method: the routes and jobs over a real database, against
// the emulator as a process of its own, with faults on demand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { openSyncBench } from './test-sync-bench.ts'

const DAY_MS = 86_400_000
const bench = await openSyncBench({ after }, { sims: 120 })
const { database, emulator, call } = bench
await bench.newConnection('cisco')

const stateOf = async () => (await emulator.state()).accounts[0]?.sims ?? []
const simOf = async (iccid: string): Promise<Sim> => (await call('GET', `/sims/${iccid}`)).body.sim
const usedBytes = async (iccid: string) => {
  const { rows } = await database.systemPool.query<{ bytes: string }>(
    'select coalesce(sum(u.bytes), 0) as bytes from sim_usage u join sims s using (reseller_id, sim_id) where s.iccid = $1',
    [iccid],
  )
  return Number(rows[0]?.bytes)
}
const ourWords: Record<string, string> = { custody: 'safe_custody', disconnecting: 'terminating' }

test('the first run finds every SIM with its state and what it used; the next finds nothing new', async () => {
  const { status, sims, usage, errors } = await bench.sync()
  assert.deepEqual({ status, errors }, { status: 'completed', errors: [] })
  assert.deepEqual(sims, { seen: 120, created: 120, updated: 0, unchanged: 0, failed: 0 })
  assert.ok(usage.updated > 20, `${usage.updated} have used something`)
  for (const emulated of await stateOf()) {
    const sim = await simOf(emulated.iccid)
    // A platform of this kind distinguishes neither a test mode from an active SIM nor a grace: what it reports is in operator_status.
    if (emulated.state === 'active' || emulated.state === 'suspended' || emulated.state === 'custody' || emulated.state === 'inventory')
      assert.equal(sim.status, ourWords[emulated.state] ?? emulated.state, `${emulated.iccid} ${sim.operator_status}`)
    if (emulated.state === 'active') assert.equal(sim.data_usage_bytes, emulated.current.bytes)
  }
  const again = await bench.sync()
  assert.equal(again.sims.created + again.sims.updated, 0, JSON.stringify(again))
  assert.equal(again.usage.updated, 0)
})

test('only what changed is asked for, and all of it when the run is to be full', async () => {
  await bench.moveClock(DAY_MS)
  await bench.sync()
  await bench.moveClock(DAY_MS)
  const [first] = (await stateOf()).filter(({ state }) => state === 'active')
  assert.ok(first)
  await emulator.patch({ sims: [{ iccid: first.iccid, state: 'suspended' }] })
  const changed = await bench.sync({ scope: 'sims' })
  assert.ok(changed.sims.seen < 60, `${changed.sims.seen} seen`)
  assert.equal(changed.sims.updated, 1)
  const sim = await simOf(first.iccid)
  assert.deepEqual([sim.status, sim.suspended_by], ['suspended', 'operator'])
  assert.equal((await bench.sync({ scope: 'sims', full: true })).sims.seen, 120)
})

test('single SIMs by id or ICCID', async () => {
  const [a, b] = await stateOf()
  assert.ok(a && b)
  const { sims, status } = await bench.sync({ sim_ids: [a.iccid, (await simOf(b.iccid)).id] })
  assert.deepEqual([sims.seen, status], [2, 'completed'])
})

test('usage never goes down inside a cycle, and goes on in the next one', async () => {
  const [sim] = (await stateOf()).filter(({ state }) => state === 'active')
  assert.ok(sim)
  const before = await usedBytes(sim.iccid)
  await emulator.patch({ sims: [{ iccid: sim.iccid, add_bytes: 5_000_000 }] })
  await bench.sync({ scope: 'usage' })
  const after = await usedBytes(sim.iccid)
  assert.ok(after >= before + 5_000_000)
  await emulator.patch({ sims: [{ iccid: sim.iccid, lag_bytes: 4_000_000 }] })
  await bench.sync({ scope: 'usage' })
  assert.equal(await usedBytes(sim.iccid), after)
  assert.ok((await simOf(sim.iccid)).data_usage_bytes >= 5_000_000)
  // What was counted late in the cycle that ended is counted once, and the new one from zero.
  await emulator.patch({ sims: [{ iccid: sim.iccid, lag_bytes: 0 }] })
  await bench.moveClock(25 * DAY_MS)
  await bench.sync({ scope: 'usage' })
  const [known] = (await stateOf()).filter(({ iccid }) => iccid === sim.iccid)
  assert.equal(await usedBytes(sim.iccid), (known?.previous?.bytes ?? 0) + (known?.current.bytes ?? 0))
  assert.equal((await simOf(sim.iccid)).data_usage_bytes, known?.current.bytes)
})

test('an operator that fails in the middle of its list is asked again from there; nothing is counted twice', async () => {
  await emulator.fault({ kind: 'error', path: '*devices', skip: 1, count: 1, status: 503 })
  const asked = call('POST', '/sync', { scope: 'sims', full: true })
  // The run is begun once the request was taken.
  while ((await bench.runJobs()) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const { rows } = await database.systemPool.query("select sims_seen from sim_syncs where status = 'running'")
  assert.equal(rows[0]?.['sims_seen'], 50, 'the first page is stored')
  await bench.moveClock(60_000)
  await bench.runJobs()
  const sync = await bench.ended(asked)
  assert.deepEqual([sync.status, sync.sims.seen], ['completed', 120])
})

test('garbage, and an operator that refuses the credentials, end the run with the reason', async () => {
  await emulator.fault({ kind: 'error', path: '*devices', status: 401 })
  const refused = await bench.sync({ scope: 'sims', full: true })
  assert.equal(refused.status, 'failed')
  assert.deepEqual(
    refused.errors.map(({ code, iccid }) => [code, iccid]),
    [['auth', null]],
  )
  await emulator.clearFaults()
  const [hidden] = await stateOf()
  assert.ok(hidden)
  await emulator.patch({ sims: [{ iccid: hidden.iccid, hidden: true }] })
  const partial = await bench.sync({ sim_ids: [hidden.iccid], scope: 'sims' })
  assert.equal(partial.status, 'partial')
  assert.deepEqual(
    partial.errors.map(({ code, iccid }) => [code, iccid]),
    [['not_found', hidden.iccid]],
  )
  await emulator.patch({ sims: [{ iccid: hidden.iccid, hidden: false }] })
})

test('one run at a time, whoever asks and however many processes are at it', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, () => call('GET', '/sync')))
  assert.ok(asked.every(({ status }) => status === 200))
  const first = call('POST', '/sync', { full: true })
  while (((await database.systemPool.query("select 1 from sim_syncs where status = 'running'")).rowCount ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const others = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/sync', { full: true })))
  assert.ok(others.every(({ body }) => body.already_running && body.sync.status === 'running'))
  assert.equal(new Set(others.map(({ body }) => body.sync.id)).size, 1)
  await Promise.all([bench.runJobs(), bench.runJobs()])
  const sync = await bench.ended(first)
  const isAlreadyRunning = (await first).body.already_running
  assert.deepEqual([sync.id, sync.status, sync.sims.seen, isAlreadyRunning], [others[0]?.body.sync.id, 'completed', 120, false])
})

test('another reseller sees neither the run nor the SIMs', async () => {
  const rival = await bench.as('rival')
  const { sync } = (await call('GET', '/sync')).body
  assert.equal((await rival('GET', `/sync/${sync.id}`)).status, 404)
  assert.equal((await rival('GET', '/sims')).body.total, 0)
  assert.deepEqual([(await rival('POST', '/sync', {})).body.sync.status], ['completed'], 'without a connection there is nobody to ask')
})

test('a run that was begun for one connection goes on with the others when all are asked for', async () => {
  const second = await bench.newConnection('airtel')
  await bench.moveClock(1_000)
  const first = call('POST', '/sync', { connection_id: second, scope: 'all' })
  while (((await database.systemPool.query("select 1 from sim_syncs where status = 'running'")).rowCount ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const { sync, already_running: isAlreadyRunning } = (await call('POST', '/sync', {})).body
  assert.deepEqual([isAlreadyRunning, sync.connection_id], [true, null])
  await bench.runJobs()
  const ended = await bench.ended(first)
  assert.deepEqual([ended.id, ended.connection_id], [sync.id, null])
  // Both connections were asked; the emulator has one set of SIMs for both, which belong to the one that found them first.
  assert.deepEqual([...new Set(ended.errors.map(({ code }) => code))], ['sim_of_other_connection'])
  assert.ok(ended.sims.seen > 120, `${ended.sims.seen} seen`)
  await call('PUT', `/operator-connections/${second}`, { enabled: false })
  const invoices = await bench.sync({ scope: 'invoices' })
  assert.equal((await call('GET', '/sync')).body.sync.id, ended.id, `and not ${invoices.id}`)
})

test('a connection is synchronised by itself as often as it sets', async () => {
  const connectionId = await bench.newConnection('airtel', { sync_every_minutes: 30 })
  await call('PUT', `/operator-connections/${connectionId}`, { name: 'Airtel, second account' })
  const runsOf = async () => {
    const { rows } = await database.systemPool.query<{ count: number }>(
      "select count(*)::integer as count from sim_syncs where requested_by = 'schedule' and connection_ids is not null",
    )
    return rows[0]?.count
  }
  await bench.runJobs()
  await bench.runJobs()
  assert.equal(await runsOf(), 1)
  await bench.moveClock(29 * 60_000)
  await bench.runJobs()
  assert.equal(await runsOf(), 1)
  await bench.moveClock(60_000)
  await bench.runJobs()
  await bench.runJobs()
  assert.equal(await runsOf(), 2)
  await call('PUT', `/operator-connections/${connectionId}`, { enabled: false })
  await bench.moveClock(DAY_MS)
  await bench.runJobs()
  assert.equal(await runsOf(), 2)
})
