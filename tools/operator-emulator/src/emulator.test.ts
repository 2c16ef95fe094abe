// Goal: the emulator is a platform that tests and the demo can lean on: the same for the same seed, a process that ends, a state that lasts, and
// faults that hit what they are set to, as often as they are set. Method: the process itself, over HTTP.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CallLog } from './call-log.ts'
import { airtelConnection, ciscoConnection } from './connections.ts'
import { type EmulatorOptions, type RunningEmulator, startEmulator } from './testing-emulator.ts'

const clock = new Date('2026-11-10T06:00:00Z')

async function started(t: TestContext, options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const emulator = await startEmulator({ clock, ...options })
  t.after(() => emulator.stop())
  return emulator
}

async function temporaryFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'operator-emulator-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'state.json')
}

function ask({ url }: RunningEmulator, method: string, below: string, body?: object, signal: AbortSignal | null = null): Promise<Response> {
  const { baseUrl, secrets } = ciscoConnection(url)
  const authorization = `Basic ${Buffer.from(`${secrets.username}:${secrets.apiKey}`).toString('base64')}`
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return fetch(`${baseUrl}/${below}`, { method, headers: { authorization }, signal, ...sent })
}

test('it reports how to connect to each of its accounts, by either wire form, with paths for addresses', async (t) => {
  const { url } = await started(t, { accounts: 2 })
  const { connections } = (await (await fetch(`${url}/_connections`)).json()) as { connections: unknown }
  const of = (account: number) => [ciscoConnection('', account), airtelConnection('', account)].map((at) => ({ account, ...at }))
  assert.deepEqual(connections, [...of(1), ...of(2)])
})

describe('its SIMs', () => {
  test('are the same for the same seed and time, and others for another', async (t) => {
    const states = await Promise.all([11, 11, 12].map(async (seed) => (await started(t, { seed, sims: 32 })).state()))
    const [one, same, other] = states.map(({ accounts }) => accounts)
    assert.deepEqual(one, same)
    assert.notDeepEqual(one?.[0]?.sims[0]?.iccid, other?.[0]?.sims[0]?.iccid)
  })

  test('are in every state, with the history that led there', async (t) => {
    const { accounts } = await (await started(t, { sims: 16 })).state()
    const sims = accounts[0]?.sims ?? []
    assert.deepEqual([...new Set(sims.map(({ state }) => state))].toSorted(), [
      'active',
      'custody',
      'disconnecting',
      'inventory',
      'suspended',
      'terminated',
      'test',
    ])
    for (const sim of sims) {
      const last = sim.history.findLast(({ field }) => field === 'SIM Status')
      assert.equal(last?.value ?? 'inventory', sim.state)
    }
  })

  test('use as much however often they are looked at', async (t) => {
    const [often, once] = [await started(t, { sims: 8 }), await started(t, { sims: 8 })]
    for (let hour = 1; hour <= 60; hour++) await often.patch({ clock: { set: new Date(clock.getTime() + hour * 3_600_000).toISOString() } })
    const set = new Date(clock.getTime() + 60 * 3_600_000).toISOString()
    const [one, other] = [await often.state(), await once.patch({ clock: { set } })]
    assert.deepEqual(
      one.accounts[0]?.sims.map(({ current }) => current),
      other.accounts[0]?.sims.map(({ current }) => current),
    )
    assert.ok(one.accounts[0]?.sims.some(({ current }) => current.bytes > 0))
  })

  test('are terminated when the grace of their disconnection ends', async (t) => {
    const emulator = await started(t, { sims: 16 })
    const { accounts } = await emulator.patch({ clock: { advance_ms: 5 * 86_400_000 } })
    assert.equal(accounts[0]?.sims.filter(({ state }) => state === 'disconnecting').length, 0)
  })
})

describe('its process', () => {
  test('ends when whoever started it is gone, with exit code 0', async (t) => {
    const script = fileURLToPath(new URL('./main.ts', import.meta.url))
    const child = spawn(process.execPath, [script, '--exit-with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.stdin.end()
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('goes on without standard input where nobody asked it to end with its parent, as in the background of a shell', async (t) => {
    const script = fileURLToPath(new URL('./main.ts', import.meta.url))
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    // By the time of a second answer it has found out that its standard input is at its end.
    for (let turn = 0; turn < 2; turn++) assert.equal((await fetch(`${line.toString().slice('ready '.length).trim()}/_state`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('reports what is wrong with a flag', async () => {
    await assert.rejects(startEmulator({ sims: 1.5 }), /--sims must be a whole number/)
  })

  test('keeps its state in a file, also when it is killed', async (t) => {
    const stateFile = await temporaryFile(t)
    const first = await startEmulator({ clock, sims: 8, stateFile })
    const { accounts } = await first.state()
    const sim = accounts[0]?.sims.find(({ state }) => state === 'active')
    assert.equal((await ask(first, 'PUT', `devices/${sim?.iccid}`, { status: 'DEACTIVATED' })).status, 200)
    await first.kill()
    const second = await started(t, { sims: 3, stateFile })
    const after = await second.state()
    assert.equal(after.accounts[0]?.sims.length, 8)
    assert.equal(after.accounts[0]?.sims.find(({ iccid }) => iccid === sim?.iccid)?.state, 'suspended')
    assert.equal(after.accounts[0]?.received.length, 1)
  })

  test('does not overwrite a file that is something else', async (t) => {
    const stateFile = await temporaryFile(t)
    await writeFile(stateFile, '{"precious":true}')
    await assert.rejects(startEmulator({ stateFile }), /not a state file/)
    assert.equal(await readFile(stateFile, 'utf8'), '{"precious":true}')
  })
})

describe('its faults', () => {
  test('hit the method and path they are for, as often as they are set, after those they let pass', async (t) => {
    const emulator = await started(t, { sims: 4 })
    await emulator.fault({ kind: 'error', method: 'GET', path: '/rws/api/v1/devices', count: 2, skip: 1, status: 503 })
    const statuses: number[] = []
    for (const method of ['GET', 'GET', 'POST', 'GET', 'GET']) {
      statuses.push((await ask(emulator, method, 'devices?modifiedSince=2000-01-01T00:00:00Z')).status)
    }
    assert.deepEqual(statuses, [200, 503, 200, 503, 200])
  })

  test('are refused when they are none', async (t) => {
    const emulator = await started(t, { sims: 1 })
    await assert.rejects(emulator.fault({ kind: 'meteor' as never }), /kind must be one of/)
    await assert.rejects(emulator.patch({ sims: [{ iccid: '1' }] }), /there is no SIM/)
  })

  test('and limits, where a test wants them enforced, are those of the platform', async (t) => {
    const emulator = await started(t, { sims: 4 })
    await emulator.patch({ enforce_limits: true })
    const below = 'devices?modifiedSince=2000-01-01T00:00:00Z'
    // One at a time: the first is never answered, and the others come while it waits.
    await emulator.fault({ kind: 'timeout_before' })
    const leaving = new AbortController()
    const first = ask(emulator, 'GET', below, undefined, leaving.signal)
    first.catch(() => undefined)
    while ((await emulator.state()).calls.count === 0) await sleep(10)
    assert.equal((await ask(emulator, 'GET', below)).status, 429)
    leaving.abort()
    await assert.rejects(first, { name: 'AbortError' })
    // Each counts among those of its second.
    while ((await ask(emulator, 'GET', below)).status !== 200) await sleep(300)
  })

  test('and so is the number of calls in a second', () => {
    const calls = new CallLog()
    calls.isEnforced = true
    const begin = (nowMs: number) => {
      const isWithin = calls.begin(nowMs)
      calls.end()
      return isWithin
    }
    assert.deepEqual([0, 100, 200, 300, 400, 999, 1_100].map(begin), [true, true, true, true, true, false, true])
  })
})

test('a move that a platform does not allow is refused, and counted as such', async (t) => {
  const emulator = await started(t, { sims: 16 })
  const { accounts } = await emulator.state()
  const sim = accounts[0]?.sims.find(({ state }) => state === 'terminated')
  const answer = await ask(emulator, 'PUT', `devices/${sim?.iccid}`, { status: 'ACTIVATED' })
  assert.equal(answer.status, 400)
  assert.match(((await answer.json()) as { errorMessage: string }).errorMessage, /terminated cannot become active/)
  const received = (await emulator.state()).accounts[0]?.received
  assert.deepEqual(
    received?.map(({ outcome }) => outcome),
    ['rejected'],
  )
})
