// Goal: who follows the guides about the engine and about training gets an engine of their own, models of their own, and sees what the guides describe. Method:
// the blocks of each guide in their order, by a shell, in an empty folder; what a guide shows as a file is one.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@roadworthy/prognostics/learning/random'
import { simulateRuns } from '@roadworthy/prognostics/testing/simulated-runs'
import { findFreePorts } from '@roadworthy/service-kit/network/free-ports'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { findProgram } from '../support/programs.ts'
import { assertShown, blocksOf, runIn, stepsOf } from './guide-blocks.ts'
import { startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const ENDS_WITHIN_MS = 120_000
/** A network without a way out, which some containers do not allow. */
const canBeAlone = spawnSync('unshare', ['--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0
const noCaddy = findProgram('caddy') === undefined ? 'Caddy is not installed' : false

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-guides-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
})

afterEach(async () => {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
})

const pidFiles = () => readdirSync(folder).filter((name) => name.endsWith('.pid'))
const pidOf = (file: string) => Number(readFileSync(path.join(folder, file), 'utf8'))

/** What a guide started and did not stop, also when it failed half way. */
async function stopAll(): Promise<void> {
  for (const pid of pidFiles().map(pidOf)) if (isAlive(pid)) process.kill(pid, 'SIGTERM')
  await untilAllEnded()
}

async function untilAllEnded(): Promise<void> {
  for (let waitedMs = 0; pidFiles().some((file) => isAlive(pidOf(file))); waitedMs += 50) {
    assert.ok(waitedMs < ENDS_WITHIN_MS, `still running: ${pidFiles().filter((file) => isAlive(pidOf(file)))}`)
    await sleep(50)
  }
}

test('the guide about the engine: one, several behind TLS and a key, a platform on them, and what happens when they are away', {
  skip: noCaddy,
}, async (t) => {
  const page = await openPage('engine.md', { DEMO: 'off', MQTT_PORT: '0', METRICS_PORT: '0', HOST: '127.0.0.1' })
  await page.run('engine-1.pid')
  assert.match(await page.run('van-7'), /"healthStatus":"critical".*"act":"stop"/)
  assert.match(await page.run('fleet.json'), /^van-7 +\d+ +healthy.*\ntruck-1 +[\d.]+ +critical/m)
  assert.match(await page.run('v2'), /"model_name":"driving-normal".*"coolantTempC_change_low","shape":\[1,1\]/)
  assert.match(await page.run('v1/health'), /^driving-normal +\d+\.\d+\.\d+ +normal +serving$/m)
  assert.match(await page.run('metrics'), /^engine_workers [1-4]$/m)
  await page.run('engine-2.pid')
  writeFileSync(path.join(folder, 'Caddyfile'), page.ported(blocksOf('engine.md', 'caddyfile').join('')))
  assert.match(await page.run('caddy'), /"status":"ready".*401 without the key\n.*^truck-1 +[\d.]+ +critical/ms)
  assert.match(await page.run('doctor'), /^ok +engine +https:.* is healthy.*models loaded$/m)
  page.signIn()
  await page.run('models.json')
  assert.match(readFileSync(path.join(folder, 'models.json'), 'utf8'), /"driving-normal"/)
  await page.run('engine-1.pid')
  assert.match(readFileSync(path.join(folder, 'prediction.json'), 'utf8'), /"healthStatus":"healthy"/, 'the other engine answered')
  assert.match(await page.run('from a prediction'), /"unavailable".*^503 from a prediction$.*"success":true/ms)
  assert.match(await page.run('critical'), /"healthStatus":"critical"/)
  if (canBeAlone) await page.run('alone.json')
  else {
    t.diagnostic('the engine was not started without the internet: a network of its own is not allowed here')
    page.left.splice(0, 1)
  }
  for (const log of ['engine-1.log', 'engine-2.log']) assert.doesNotMatch(readFileSync(path.join(folder, log), 'utf8'), /van-7|truck-1/)
  await page.run('platform.pid')
  await untilAllEnded()
  assert.equal(page.left.length, 0, 'every block was run')
})

test('the guide about training: trips from readings, models, a trial beside the one that answers, and back', async () => {
  const platform = await startOwnInstance()
  symlinkSync(platform.dataDir, path.join(folder, '.data'))
  try {
    writeRuns()
    writeInspections()
    const [trips = '', compare = ''] = blocksOf('training.md', 'js')
    const page = await openPage('training.md')
    writeFileSync(path.join(folder, 'trips.mjs'), trips)
    writeFileSync(path.join(folder, 'compare.mjs'), page.ported(compare))
    page.signIn()
    await page.run('simulate')
    assert.match(await page.run('trips.mjs'), /^\w{17}-0\.csv$/m)
    await trainAll(page)
    const served = await page.run('trial.pid')
    await page.run('models/pads')
    for (const model of ['brakes-life', 'our-fleet', 'pads', 'pumps']) assert.match(served, new RegExp(`^${model} 1\\.0\\.0 serving`, 'm'))
    const compared = (await page.run('compare.mjs')).trim().split('\n')
    assert.equal(compared.length, readdirSync(path.join(folder, 'trips')).length)
    const days = /answers: (?:true|false) (\d+) days; tried: (?:true|false) (\d+) days/
    for (const line of compared) {
      const [, answers, tried] = days.exec(line) ?? assert.fail(line)
      assert.notEqual(tried, answers, 'the trial knows the lives of this fleet')
    }
    await page.run('serving.pid')
    assert.match(await page.run('1.1.0'), /"version":"1\.1\.0"/)
    assert.match(await page.run('withdrawn'), /"version":"1\.0\.0"/)
    await page.run('kill')
    await untilAllEnded()
    assert.equal(page.left.length, 0, 'every block was run')
  } finally {
    await platform.stop()
  }
})

/** The figures that the guide explains are those that are printed. */
async function trainAll(page: Page): Promise<void> {
  const normal = await page.run('train normal')
  const text = readFileSync(path.join(ROOT, 'docs/guides/training.md'), 'utf8')
  const explained = [...text.matchAll(/`((?:expected|measured|coolantTempC|batteryVoltageV)_\w+)`/g)].map(([, name = '']) => name)
  assert.ok(explained.length >= 5)
  for (const name of explained) assert.match(normal, new RegExp(`^${name}: [\\d.]+$`, 'm'))
  await page.run('maintenance/lives')
  assert.match(readFileSync(path.join(folder, 'recorded.csv'), 'utf8'), /km,failed/)
  assert.match(await page.run('fit life'), /written to models\/brakes-life\/1\.0\.0.*beta +[\d.]+.*eta +\d+/s)
  const measured = await page.run('train rul')
  for (const name of ['rmse_clipped', 'mae', 'score', 'coverage90', 'mean_width90']) {
    assert.ok(text.includes(`\`${name}\``))
    assert.match(measured, new RegExp(`^${name} +[\\d.]+$`, 'm'))
  }
  await page.run('train classifier')
}

/** Pumps that ran until they failed, and others that were cut off. */
function writeRuns(): void {
  const [train, tested] = [simulateRuns(12, 1), simulateRuns(8, 2, true)]
  const csvOf = ({ units, times, settings, sensors, settingNames, sensorNames }: typeof train.runs) => {
    const lines = [['unit', 'cycle', ...settingNames, ...sensorNames].join()]
    for (const { name, start, end } of units)
      for (let row = start; row < end; row++)
        lines.push([name, times[row], ...[...settings, ...sensors].map((column) => column[row])].join())
    return lines.join('\n')
  }
  writeFileSync(path.join(folder, 'runs.csv'), csvOf(train.runs))
  writeFileSync(path.join(folder, 'test.csv'), csvOf(tested.runs))
  const truth = tested.runs.units.map(({ name }, at) => `${name},${tested.lives[at]}`)
  writeFileSync(path.join(folder, 'truth.csv'), ['unit,rul', ...truth].join('\n'))
}

/** Pads that wear with distance, load and hard stops, as workshops found them. */
function writeInspections(): void {
  const random = createRandom(4)
  const rowsOf = (count: number, first: number) =>
    Array.from({ length: count }, (_, at) => {
      const [km, loadPct, harshStops] = [2_000 + 58_000 * random(), 20 + 75 * random(), 9 * random()]
      const worn = km * (0.6 + loadPct / 100) * (0.8 + harshStops / 10) + 18_000 * (random() - 0.5) > 42_000
      return [`van-${first + at}`, Math.round(km), Math.round(loadPct), harshStops.toFixed(1), worn ? 'worn' : 'sound'].join()
    })
  const csvOf = (rows: readonly string[]) => ['vehicle,km,load_pct,harsh_stops,state', ...rows].join('\n')
  writeFileSync(path.join(folder, 'inspections.csv'), csvOf(rowsOf(240, 0)))
  writeFileSync(path.join(folder, 'inspected-later.csv'), csvOf(rowsOf(80, 1_000)))
}

/** The blocks of a guide with ports that are free here, in a folder that may have an instance. */
type Page = Awaited<ReturnType<typeof openPage>>

async function openPage(name: string, settings: Readonly<Record<string, string>> = {}) {
  const steps = stepsOf(name)
  const [port = 0, ...free] = await findFreePorts(5)
  const ported = (lines: string) =>
    [8090, 8091, 8443, 8092].reduce(
      (text, shown, at) => text.replaceAll(`:${shown}`, `:${free[at]}`).replaceAll(`--port ${shown}`, `--port ${free[at]}`),
      lines,
    )
  let signedIn: Record<string, string> = {}
  return {
    ported,
    /** The next block, which must be the one that is meant. */
    run: async (mark: string) => {
      const step = steps.shift() ?? assert.fail(`there is no block with ${mark}`)
      assert.ok(step.lines.includes(mark), `the next block has no ${mark}:\n${step.lines}`)
      const printed = await runIn(folder, ported(step.lines), { PORT: String(port), ...settings, ...signedIn })
      assertShown(step, printed)
      return printed
    },
    signIn: () => {
      const credentials = JSON.parse(readFileSync(path.join(folder, '.data/credentials.json'), 'utf8')) as {
        api_key: string
        base_url: string
      }
      signedIn = { KEY: credentials.api_key, BASE_URL: credentials.base_url }
    },
    left: steps,
  }
}
