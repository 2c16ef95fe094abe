// Goal: an operator sees what an instance of theirs takes, and no more is sent than its key allows. Method: the command on a running service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { untilTaken } from '@roadworthy/platform/test-support'
import { BIN, type Ended, roadworthy } from '../support/command-line.ts'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'

const MOST_LOADS = 10

let platform: RunningPlatform
let folder: string
let key: string
const cleanUps: (() => Promise<void>)[] = []

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-load-'))
  platform = await startPlatform({ after: (cleanUp) => cleanUps.push(cleanUp) })
  key = await makeKey('0', '0')
})

after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  rmSync(folder, { recursive: true })
})

async function makeKey(perMinute: string, perDay: string): Promise<string> {
  const limits = ['--per-minute', perMinute, '--per-day', perDay]
  const scopes = ['--scopes', 'devices:read,devices:write,telemetry:write']
  const args = ['keys', 'create', '--reseller', 'roadworthy', '--name', `load ${perMinute}`, ...scopes, ...limits, '--json']
  const made = await roadworthy(['--data-dir', platform.dataDir, ...args], { env: platform.env })
  assert.equal(made.code, 0, made.stderr)
  return (JSON.parse(made.stdout) as { api_key: string }).api_key
}

const load = (args: readonly string[], apiKey = key) =>
  roadworthy(['--data-dir', platform.dataDir, 'load', ...args], { env: { ROADWORTHY_API_KEY: apiKey }, cwd: folder })

/** On a machine with much to do the service asks for a reading to come back, which the command counts as failed: the same load again. */
async function loadAllTaken(args: readonly string[]): Promise<Ended> {
  for (let turn = 1; ; turn++) {
    const ended = await load(args)
    if (turn === MOST_LOADS || !/readings were not taken at a rate/.test(ended.stderr)) return ended
  }
}

type Device = { name: string | null; status: string; last_seen_at: string | null }

async function listDevices(): Promise<Device[]> {
  const { body } = await untilTaken(() => call(platform.credentials.base_url, 'GET', '/api/external/devices?limit=500', { key }))
  return (body as unknown as { devices: Device[] }).devices
}

async function activeLoadDevices(): Promise<number> {
  return (await listDevices()).filter(({ name, status }) => name?.startsWith('load ') === true && status === 'active').length
}

type Half = { sent: number; failed: number; statuses: Record<string, number>; latency_ms: { p50: number; p99: number; max: number } | null }
type Answer = { complete: boolean; planned: number; sent: number; failed: number; rest: Half; mqtt: Half }

test('readings go over REST and MQTT, are counted by their answers, and their devices do not stay', async () => {
  const { code, stdout, stderr } = await loadAllTaken(['--devices', '3', '--rate', '40', '--seconds', '1', '--json'])
  assert.equal(code, 0, stderr)
  const { complete, planned, sent, failed, rest, mqtt } = JSON.parse(stdout) as Answer
  assert.deepEqual([complete, planned, sent, failed], [true, 40, 40, 0])
  assert.deepEqual([rest.statuses, mqtt.statuses], [{ 200: 20 }, { PUBACK: 20 }])
  for (const { latency_ms: latency } of [rest, mqtt])
    assert.ok(latency !== null && latency.p50 > 0 && latency.p50 <= latency.p99 && latency.p99 <= latency.max)
  assert.equal(await activeLoadDevices(), 0)
})

test('a load is refused beyond the limits of the key, on another machine, and out of its own bounds', async () => {
  const narrow = await makeKey('60', '5000')
  const refusals = await Promise.all([
    load(['--over', 'rest', '--devices', '1', '--rate', '10', '--seconds', '30'], narrow),
    load(['--over', 'rest', '--base-url', 'http://fleet.example.com']),
    load(['--over', 'rest', '--base-url', 'http://fleet.example.com', '--confirm-host', 'fleet.example.org']),
    load(['--rate', '5000']),
    load(['--device', 'absent.json']),
  ])
  assert.deepEqual(
    refusals.map(({ code }) => code),
    [2, 2, 2, 2, 2],
    refusals.map(({ stderr }) => stderr).join(),
  )
  const [limited, other, unconfirmed, bounds, absent] = refusals.map(({ stderr }) => stderr)
  assert.match(limited ?? '', /The key may make 60 calls a minute, and this would be 301\./)
  assert.match(other ?? '', /fleet\.example\.com is another machine\..*--confirm-host fleet\.example\.com/)
  assert.match(unconfirmed ?? '', /--confirm-host is fleet\.example\.org/)
  assert.match(bounds ?? '', /A number from 0\.1 to 1000/)
  assert.match(absent ?? '', /ENOENT/)
  assert.equal(await activeLoadDevices(), 0)
})

test('Ctrl-C ends it in order: what was measured is reported, and no device stays; a given device is kept', async () => {
  const args = ['--data-dir', platform.dataDir, 'load', '--devices', '2', '--rate', '20', '--seconds', '60', '--json']
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env['PATH'], ROADWORTHY_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  const stored = async () =>
    (await listDevices()).some((each) => each.name?.startsWith('load ') === true && each.status === 'active' && each.last_seen_at !== null)
  while (!(await stored())) assert.equal(child.exitCode, null)
  child.kill('SIGINT')
  const [stdout, [code]] = await ended
  const { complete, sent, planned } = JSON.parse(stdout) as Answer
  assert.deepEqual([code, complete], [130, false])
  assert.ok(sent > 0 && sent < planned)
  assert.equal(await activeLoadDevices(), 0)

  const { body } = await call(platform.credentials.base_url, 'POST', '/api/external/devices', { key, body: { name: 'kept' } })
  writeFileSync(path.join(folder, 'device.json'), JSON.stringify(body))
  const own = await loadAllTaken(['--over', 'mqtt', '--device', 'device.json', '--rate', '10', '--seconds', '1'])
  assert.equal(own.code, 0, own.stderr)
  assert.match(own.stdout, /^mqtt +10 +0 .*PUBACK: 10$/m)
  assert.equal((await listDevices()).find(({ name }) => name === 'kept')?.status, 'active')
})
