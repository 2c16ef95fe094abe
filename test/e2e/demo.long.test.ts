// Goal: what `npm start` shows of SIMs, invoices and payments works as it is. Method: the real process with its demo, killed while the demo is made,
// started again, used over the API and at the emulated gateway's page as a person would, and started once more on other ports.

import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTaken } from '@roadworthy/platform/test-support'
import { FREE_PORTS, leftOf, RunningService, readCommand } from './running-service.ts'

const STATES = ['inventory', 'test', 'active', 'suspended', 'safe_custody', 'terminating', 'terminated']
const DAY_MS = 86_400_000
const POLL_MS = 200
/** A demo may be made before this process, on a machine with much to do, has seen its first SIMs: then another is begun. */
const MOST_DEMOS = 5

type Sim = { id: string; iccid: string; status: string; operator: string; pending_action: string | null; device_id: string | null }
type Invoice = { invoice_id: string; status: string; sub_client_id: string; total_minor: number }

let folder: string
let dataDir: string
let service: RunningService
const started: RunningService[] = []

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-demo-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
})

after(async () => {
  for (const each of started) if (each.child.exitCode === null && each.child.signalCode === null) await each.signal('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<RunningService> {
  service = new RunningService(dataDir, FREE_PORTS)
  started.push(service)
  await service.ready()
  return service
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const { base_url: baseUrl, api_key: apiKey } = service.credentials()
  const request = {
    method,
    headers: { 'x-api-key': apiKey ?? '', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const response = await untilTaken(() => fetch(`${baseUrl}/api/sim-billing${path}`, request))
  const text = await response.text()
  assert.equal(response.status, 200, `${method} ${path}: ${text}`)
  return JSON.parse(text) as T
}

async function until<T>(what: string, withinMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    const found = await ask()
    if (found !== undefined) return found
    await sleep(POLL_MS)
  }
  return assert.fail(`${what} did not come:\n${service.stdout.slice(-4_000)}`)
}

const listSims = async () => (await call<{ sims: Sim[] }>('GET', '/sims?limit=100')).sims
const listInvoices = async () => (await call<{ invoices: Invoice[] }>('GET', '/invoices')).invoices

/** Waits for an action to be over. */
async function settled(simId: string): Promise<Sim> {
  return await until(`the end of what was asked of ${simId}`, 180_000, async () => {
    const { sim } = await call<{ sim: Sim }>('GET', `/sims/${simId}`)
    return sim.pending_action === null ? sim : undefined
  })
}

/** What the emulated operator has of a SIM. */
async function atOperator(iccid: string): Promise<string | undefined> {
  const { connections } = await call<{ connections: { base_url: string }[] }>('GET', '/operator-connections')
  const [connection] = connections
  assert.ok(connection)
  const answer = await fetch(new URL('/_state', connection.base_url))
  const { accounts } = (await answer.json()) as { accounts: { sims: { iccid: string; state: string }[] }[] }
  return accounts.flatMap(({ sims }) => sims).find((each) => each.iccid === iccid)?.state
}

async function suspendAndResume(): Promise<void> {
  const sim = (await listSims()).find(({ operator, status }) => operator === 'cisco' && status === 'active')
  assert.ok(sim)
  await call('POST', `/sims/${sim.id}/suspend`, { reason: 'Stolen' })
  assert.equal((await settled(sim.id)).status, 'suspended')
  assert.equal(await atOperator(sim.iccid), 'suspended')
  await call('POST', `/sims/${sim.id}/activate`, {})
  assert.equal((await settled(sim.id)).status, 'active')
  assert.equal(await atOperator(sim.iccid), 'active')
}

async function pay({ invoice_id: id }: Invoice): Promise<void> {
  const { payment } = await call<{ payment: { checkout_url: string } }>('POST', `/invoices/${id}/pay`, {})
  const page = await fetch(payment.checkout_url)
  assert.match(await page.text(), /<form method="post">[\s\S]*name="outcome" value="paid"/)
  const paid = await fetch(payment.checkout_url, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'paid' }),
    redirect: 'manual',
  })
  assert.equal(paid.status, 303)
  assert.equal(new URL(paid.headers.get('location') ?? '').pathname, `/invoices/${id}`)
  await until('the payment', 120_000, async () => {
    return (await listInvoices()).find((each) => each.invoice_id === id)?.status === 'paid' ? true : undefined
  })
}

async function synchronise(): Promise<void> {
  // One that began by itself may be under way.
  const { sync } = await until('a synchronisation of all', 300_000, async () => {
    const answer = await call<{ already_running: boolean; sync: { id: string } }>('POST', '/sync', { full: true })
    return answer.already_running ? undefined : answer
  })
  const ended = await until('the end of the synchronisation', 300_000, async () => {
    const shown = await call<{ sync: { status: string; errors: unknown[]; sims: { seen: number } } }>('GET', `/sync/${sync.id}`)
    return shown.sync.status === 'running' ? undefined : shown.sync
  })
  assert.deepEqual([ended.status, ended.errors, ended.sims.seen], ['completed', [], 40])
}

async function stop(): Promise<void> {
  const pids = service.processes()
  assert.ok(pids.length > 5)
  assert.equal(await service.signal('SIGTERM'), 0)
  assert.deepEqual(await leftOf(pids), [])
}

const isMade = () => existsSync(join(dataDir, 'demo-business.json'))

/** Begins a demo and kills it, with some of its SIMs there. */
async function killWithin(): Promise<void> {
  await start()
  await until('the first SIMs', 300_000, async () => ((await listSims()).length > 5 ? true : undefined))
  const emulators = service.processes().filter((pid) => readCommand(pid).includes('-emulator/'))
  assert.equal(emulators.length, 2)
  await service.signal('SIGKILL')
  assert.deepEqual(await leftOf(emulators), [])
}

test('a demo that was killed while it was made is made by the next start', async () => {
  for (let nth = 1; nth === 1 || isMade(); nth++) {
    assert.ok(nth <= MOST_DEMOS, 'each was made before it could be killed')
    dataDir = join(folder, `data-${nth}`)
    await killWithin()
  }
  await start()
  await until('the demo', 600_000, async () => (isMade() ? true : undefined))
  const sims = await listSims()
  assert.equal(sims.length, 40)
  assert.equal(new Set(sims.map(({ iccid }) => iccid)).size, 40)
  assert.deepEqual(new Set(sims.map(({ status }) => status)), new Set(STATES))
  assert.ok(sims.filter(({ device_id: device }) => device !== null).length >= 15)
})

test('there is maintenance that is overdue, due soon, not due yet, planned and done, once each', async () => {
  const { base_url: baseUrl, api_key: apiKey } = service.credentials()
  const ask = async <T>(path: string) =>
    (await (await fetch(`${baseUrl}/api/v1${path}`, { headers: { 'x-api-key': apiKey ?? '' } })).json()) as T
  const { schedules } = await ask<{ schedules: { status: string }[] }>('/maintenance/schedules')
  const { maintenance } = await ask<{ maintenance: { status: string; component: string }[] }>('/maintenance')
  const counts = (statuses: readonly { status: string }[]) =>
    Object.fromEntries(Object.entries(Object.groupBy(statuses, ({ status }) => status)).map(([status, of]) => [status, of?.length]))
  assert.deepEqual(counts(schedules), { overdue: 1, due_soon: 2, ok: 4 })
  assert.deepEqual(counts(maintenance), { planned: 2, completed: 3 })
})

test('SIMs have a history of weeks, and use of many days', async () => {
  const sims = await listSims()
  for (const { id, status } of sims) {
    const { history } = await call<{ history: { at: string; change: string; status: string }[] }>('GET', `/sims/${id}/history?limit=50`)
    const moves = history.filter(({ change }) => change === 'status').map((each) => each.status)
    assert.equal(new Set(moves).size, moves.length, `each change is recorded once: ${moves}`)
    assert.equal(history.at(-1)?.change, 'created')
    assert.ok(Date.now() - Date.parse(history.at(-1)?.at ?? '') > 20 * DAY_MS)
    if (status !== 'active') continue
    const { daily } = await call<{ daily: { data_usage_bytes: number }[] }>('GET', `/sims/${id}/usage`)
    assert.ok(daily.filter(({ data_usage_bytes: bytes }) => bytes > 0).length >= 25)
  }
})

test('the connections work: synchronising, suspending and resuming, and paying', async () => {
  await synchronise()
  assert.deepEqual(new Set((await listSims()).map(({ status }) => status)), new Set(STATES), 'the operators report the same')
  await suspendAndResume()
  const invoices = await listInvoices()
  assert.deepEqual(invoices.map(({ status }) => status).sort(), ['open', 'overdue', 'paid'])
  assert.ok(invoices.every(({ total_minor: total }) => total > 0))
  const open = invoices.find(({ status }) => status === 'open')
  assert.ok(open)
  await pay(open)
})

test('after a restart on other ports everything goes on, and SIGTERM leaves no process', async () => {
  await stop()
  await start()
  await until('the emulators of this start', 180_000, async () => {
    const { connections } = await call<{ connections: { base_url: string }[] }>('GET', '/operator-connections')
    const isNew = connections.every(({ base_url: url }) => service.stdout.includes(new URL(url).origin))
    return isNew ? true : undefined
  })
  const sims = await listSims()
  assert.equal(sims.length, 40)
  await synchronise()
  await suspendAndResume()
  const overdue = (await listInvoices()).find(({ status }) => status === 'overdue')
  assert.ok(overdue)
  await pay(overdue)
  assert.deepEqual(
    (await listInvoices()).map(({ status }) => status),
    ['paid', 'paid', 'paid'],
  )
  await stop()
})
