// For tests, where no image can be built or started: what is put into the images runs by itself, as a user that may write nowhere but in its data folder. The
// files of each image are made as deploy/container/Containerfile has them made, started by its command, called as a user would, and ended by SIGTERM.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { imageFiles } from '../../tools/setup/image-files.ts'
import type { FirstCredentials } from '../support/running-platform.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const CONTAINERFILE = readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')
const NOBODY = 65_534
const READY_WITHIN_MS = 120_000

/** The files of the image, which belong to another user than the one that runs them where the test may change users. */
async function makeImage(t: TestContext, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `roadworthy-image-${name}-`))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  await imageFiles(name, join(folder, 'app'))
  mkdirSync(join(folder, 'data'))
  if (process.getuid?.() === 0) chownSync(join(folder, 'data'), NOBODY, NOBODY)
  return folder
}

/** What the Containerfile has after `CMD` in the stage of that name. */
function commandOf(stage: string): string[] {
  const text = CONTAINERFILE.split(/^FROM /m).find((each) => each.startsWith(`base AS ${stage}\n`)) ?? assert.fail(stage)
  return JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? assert.fail(`no command of ${stage}`)) as string[]
}

async function start(t: TestContext, folder: string, stage: string, args: string[], env: Record<string, string>) {
  const [, ...command] = commandOf(stage)
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [...command, ...args], {
    ...{ cwd: join(folder, 'app'), env: { PATH, NODE_ENV: 'production', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    ...asNobody,
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  for (let waitedMs = 0; !/^ready/m.test(output); waitedMs += 50) {
    assert.ok(child.exitCode === null && waitedMs < READY_WITHIN_MS, output)
    await sleep(50)
  }
  return { child, output: () => output }
}

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

export async function startPlatformFromFiles(t: TestContext): Promise<void> {
  assert.match(await ensureBuilt(ROOT), /built/)
  const folder = await makeImage(t, 'platform')
  const app = join(folder, 'app')
  assert.deepEqual(globSync('{apps,packages,services,tools}/**/*.test.ts', { cwd: app, exclude: ['**/node_modules'] }), [])
  const dataDir = join(folder, 'data')
  const ports = ['--port', '0', '--engine-port', '0', '--mqtt-port', '0', '--metrics-port', '0', '--host', '127.0.0.1', '--no-demo']
  const { child, output } = await start(t, folder, 'platform', ports, { DATA_DIR: dataDir })
  assert.doesNotMatch(output(), /programs are copied/)
  const { base_url: baseUrl, api_key: key } = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials
  assert.match(await (await fetch(baseUrl)).text(), /<div id="root">/)
  const body = { name: 'A', vehicle: { mode: 'create', make: 'A' } }
  const { device_id: deviceId } = ok<Row>(await call(baseUrl, 'POST', '/api/external/devices', { key, body }))
  const reading = { device_id: deviceId, timestamp: new Date().toISOString(), sensor_data: { rpm: 800 } }
  assert.equal((await call(baseUrl, 'POST', '/api/external/telemetry', { key, body: reading })).status, 200)
  assert.equal(await stop(child), 0)
}

export async function startEngineFromFiles(t: TestContext): Promise<void> {
  const folder = await makeImage(t, 'engine')
  assert.deepEqual(globSync('services/*', { cwd: join(folder, 'app') }).sort(), ['services/engine', 'services/platform'])
  assert.deepEqual(globSync('services/platform/*', { cwd: join(folder, 'app') }), ['services/platform/package.json'])
  const { child, output } = await start(t, folder, 'engine', ['--port', '0'], {})
  const url = /^ready engine (\S+)/m.exec(output())?.[1] ?? assert.fail(output())
  const answer = await call(url, 'POST', '/v1/predict', { body: { vehicleId: 'v', coolant_temp: 120 } })
  assert.equal(ok<{ vehicleId: string }>(answer).vehicleId, 'v')
  assert.equal(await stop(child), 0)
}
