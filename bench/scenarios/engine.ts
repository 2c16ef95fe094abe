// How fast the engine answers, as one process and as many as it is when workers are not set, next to a bare Fastify route in the same
// run: `node bench/scenarios/engine.ts [--seconds 0.4] [--rounds 41]`. Rounds are short and take turns, and a share is the median of what it is
// in each round: a machine that others use too changes its speed by half from one second to the next. Processor time per request is what that
// disturbs least. Latencies and batches are those of one process. Appends a line to bench/results/engine.jsonl, with the load of the machine.
// The run itself is a load of about two; far above its number of cores no figure of a line is worth much, and the engine may refuse (503).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type LoadResult, runLoad } from './http-load.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CONNECTIONS = 16
const BATCH_REPEATS = 7
/** V8 goes on compiling the engine for some nine seconds of full load; a service runs for weeks. */
const WARM_UP_MS = 10_000
/** Thousands of answers each, so that one in a hundred is a number. */
const HALF_LOAD_MS = 1500
const HALF_LOAD_ROUNDS = 9
/** USER_HZ is 100 on every Linux Node runs on. */
const MS_PER_TICK = 10
const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '0.4' }, rounds: { type: 'string', default: '41' } },
})
const durationMs = Number(flags.seconds) * 1000
const rounds = Number(flags.rounds)

const reading = (index: number, secondsAgo = 0) => ({
  timestamp: new Date(Date.UTC(2026, 5, 1, 12) - secondsAgo * 1000).toISOString(),
  engine_speed: 1500 + (index % 40),
  coolant: 88 + (index % 5),
  battery_voltage: 13.8 + (index % 3) / 10,
  fuel_level: 62 - (index % 7) / 10,
  vehicleSpeed: 50 + (index % 20),
})
const vehicle = (index: number) => ({
  vehicleId: `TRUCK-${index}`,
  ...reading(index),
  obdDistance: 120_000 + index,
  mil_lamp: 'LAMP_OFF',
  dtc_codes: [],
})
const withHistory = (index: number) => ({
  ...vehicle(index),
  history: Array.from({ length: 120 }, (_, step) => reading(index + step, 120 - step)),
})
const single = JSON.stringify(vehicle(1))
const batch1000 = JSON.stringify({ vehicles: Array.from({ length: 1000 }, (_, index) => vehicle(index)) })
const history100 = JSON.stringify({ vehicles: Array.from({ length: 100 }, (_, index) => withHistory(index)) })

const children: ChildProcess[] = []
try {
  console.log(await measure())
} finally {
  for (const child of children) child.kill('SIGTERM')
}

async function measure(): Promise<Record<string, number>> {
  // The engine as one process is child 0, the bare server child 1, the engine as it is preset child 2.
  const engineFlags = ['--port', '0', '--exit-with-parent']
  const engine = await start(resolve(ROOT, 'services/engine/src/main.ts'), [...engineFlags, '--workers', '1'])
  const answer = await (await post(`${engine}/v1/predict`, single)).text()
  const bare = await start(resolve(import.meta.dirname, 'bare-fastify.ts'), [], { ANSWER: answer })
  const preset = await start(resolve(ROOT, 'services/engine/src/main.ts'), engineFlags)
  const targets = {
    bare: `${bare}/`,
    bareSameAnswer: `${bare}/same`,
    engine: `${engine}/v1/predict`,
    enginePreset: `${preset}/v1/predict`,
  }
  for (const url of Object.values(targets)) await runLoad({ url, body: single, connections: CONNECTIONS, durationMs: WARM_UP_MS })
  const rates: Record<keyof typeof targets, number[]> = { bare: [], bareSameAnswer: [], engine: [], enginePreset: [] }
  const cpuUs: Record<keyof typeof targets, number[]> = { bare: [], bareSameAnswer: [], engine: [], enginePreset: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(targets) as (keyof typeof targets)[]) {
      const child = children[{ engine: 0, bare: 1, bareSameAnswer: 1, enginePreset: 2 }[name]]
      const cpuBeforeMs = cpuMs(child?.pid)
      const { requestsPerSecond, failedCount } = await runLoad({ url: targets[name], body: single, connections: CONNECTIONS, durationMs })
      if (failedCount > 0) throw new Error(`${failedCount} requests to ${name} failed`)
      rates[name].push(requestsPerSecond)
      cpuUs[name].push(((cpuMs(child?.pid) - cpuBeforeMs) * 1000) / ((requestsPerSecond * durationMs) / 1000))
    }
  }
  const engineRate = median(rates.engine)
  const { engine: half, bare: bareHalf } = await measureHalfLoad(targets, engineRate / 2)
  const result = {
    bareRequestsPerSecond: Math.round(median(rates.bare)),
    bareSameAnswerRequestsPerSecond: Math.round(median(rates.bareSameAnswer)),
    engineRequestsPerSecond: Math.round(engineRate),
    shareOfBare: shareOf(rates.engine, rates.bare),
    shareOfBareSameAnswer: shareOf(rates.engine, rates.bareSameAnswer),
    presetWorkers: await readWorkers(preset),
    presetRequestsPerSecond: Math.round(median(rates.enginePreset)),
    presetShareOfBare: shareOf(rates.enginePreset, rates.bare),
    presetShareOfBareSameAnswer: shareOf(rates.enginePreset, rates.bareSameAnswer),
    bareCpuUs: round2(median(cpuUs.bare)),
    bareSameAnswerCpuUs: round2(median(cpuUs.bareSameAnswer)),
    engineCpuUs: round2(median(cpuUs.engine)),
    halfLoadP50Ms: round2(half.p50Ms),
    halfLoadP99Ms: round2(half.p99Ms),
    bareHalfLoadP99Ms: round2(bareHalf.p99Ms),
    batch1000Ms: round2(await timePost(`${engine}/v1/predict/batch`, batch1000)),
    batch100WithHistoryMs: round2(await timePost(`${engine}/v1/predict/batch`, history100)),
    healthMs: round2(await timeGet(`${engine}/v1/health`)),
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const line = JSON.stringify({
    at: new Date().toISOString(),
    commit,
    node: process.version,
    machine,
    loadAverage: loadavg().map(round2),
    seconds: durationMs / 1000,
    rounds,
    ...result,
  })
  appendFileSync(resolve(ROOT, 'bench/results/engine.jsonl'), `${line}\n`)
  return result
}

async function readWorkers(url: string): Promise<number> {
  return Number(/^engine_workers (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
}

/** Of rates that were measured in turns. */
function shareOf(rates: readonly number[], ofRates: readonly number[]): number {
  return round2(median(rates.map((rate, round) => rate / (ofRates[round] ?? Number.NaN))))
}

/** Latencies at a fixed rate, medians of the rounds; next to the bare server's at the same rate, which has the machine's pauses and no others. */
async function measureHalfLoad(targets: { engine: string; bare: string }, perSecond: number) {
  const measured = { engine: [] as LoadResult[], bare: [] as LoadResult[] }
  for (let round = 0; round < HALF_LOAD_ROUNDS; round++) {
    for (const name of ['engine', 'bare'] as const) {
      const load = { url: targets[name], body: single, connections: CONNECTIONS, durationMs: HALF_LOAD_MS, perSecond }
      measured[name].push(await runLoad(load))
    }
  }
  const medians = (results: readonly LoadResult[]) => ({
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  })
  return { engine: medians(measured.engine), bare: medians(measured.bare) }
}

async function start(file: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
  children.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return line.split(' ').at(-1) ?? ''
}

/** User and system time of a process so far; NaN where the kernel keeps it elsewhere than Linux does. */
function cpuMs(pid: number | undefined): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [userTicks, systemTicks] = fields.split(' ').slice(11, 13).map(Number)
    return ((userTicks ?? 0) + (systemTicks ?? 0)) * MS_PER_TICK
  } catch {
    return Number.NaN
  }
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

async function timePost(url: string, body: string): Promise<number> {
  return medianTime(() => post(url, body))
}

async function timeGet(url: string): Promise<number> {
  return medianTime(() => fetch(url))
}

async function medianTime(send: () => Promise<Response>): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < BATCH_REPEATS; repeat++) {
    const startedAtMs = performance.now()
    const response = await send()
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${response.status} from ${response.url}`)
    times.push(performance.now() - startedAtMs)
  }
  return median(times)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
