// Memory of the engine over a million predictions by HTTP. Bar: flat. Half go one by one and half in batches of a thousand; no vehicle comes
// twice, and their content varies: aliases, faults, fields that are dropped, history. After each tenth it is measured with nothing under way:
// the heap after a collection, asked for over the inspector, so that garbage is not counted; and resident memory, which is what an operator
// sees. The slopes leave out the first tenth, in which code is compiled and buffers are sized.
//
// Run: node bench/scenarios/prediction-memory.ts [--predictions 1000000]     Result: a line in bench/results/prediction-memory.jsonl
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { residentMbOfTree } from '../load/process-cost.ts'
import { keepResult } from '../load/service-under-load.ts'
import { sendEach } from './http-load.ts'

const STEPS = 10
const BATCH_SIZE = 1000
const CONNECTIONS = 16
const BATCH_CONNECTIONS = 2
const HISTORY_READINGS = 20
const BYTES_PER_MB = 1024 * 1024
const { values: flags } = parseArgs({ options: { predictions: { type: 'string', default: '1000000' } } })
const predictionsPerStep = Math.round(Number(flags.predictions) / STEPS)

let sentCount = 0

function nextVehicle(): Record<string, unknown> {
  const index = sentCount++
  const timestamp = new Date(Date.UTC(2026, 5, 1) + index * 1000).toISOString()
  const reading = { engine_speed: 900 + (index % 1500), battery_voltage: 12.4 + (index % 30) / 10, vehicleSpeed: index % 110 }
  return {
    vehicleId: `TRUCK-${index}`,
    timestamp,
    ...reading,
    [index % 5 === 0 ? 'ect' : 'coolant']: 80 + (index % 45),
    ...(index % 7 === 0 ? { fuel_level: 'half' } : { fuel_level: index % 100 }),
    mil_lamp: index % 11 === 0 ? 'LAMP_ON' : 'LAMP_OFF',
    dtc_codes: index % 13 === 0 ? [`P0${100 + (index % 800)}`] : [],
    ...(index % 50 === 0 ? { history: Array<object>(HISTORY_READINGS).fill(reading) } : {}),
  }
}

function* singles(count: number): Generator<string> {
  for (let sent = 0; sent < count; sent++) yield JSON.stringify(nextVehicle())
}

function* batches(count: number): Generator<string> {
  for (let sent = 0; sent < count; sent++) yield JSON.stringify({ vehicles: Array.from({ length: BATCH_SIZE }, nextVehicle) })
}

// One process: its heap is the one that is looked at.
const engineFlags = ['--port', '0', '--exit-with-parent', '--workers', '1']
const engine = spawn(
  process.execPath,
  ['--inspect=127.0.0.1:0', resolve(import.meta.dirname, '../../services/engine/src/main.ts'), ...engineFlags],
  { stdio: ['pipe', 'pipe', 'pipe'] },
)
try {
  await measure(engine)
} finally {
  engine.kill('SIGTERM')
}

async function measure({ pid = 0, stdout, stderr }: ChildProcess): Promise<void> {
  const inspectorUrl = waitForLine(stderr, /^Debugger listening on (ws:\S+)/)
  const url = await waitForLine(stdout, /^ready engine (\S+)/)
  // Disposed of at the end: a process that is stopped waits for its inspector to leave.
  using inspector = await connectInspector(await inspectorUrl)
  const { readHeapMb } = inspector
  const heapMb = [await readHeapMb()]
  const residentMb = [residentMbOf(pid)]
  let refusedCount = 0
  for (let step = 0; step < STEPS; step++) {
    const single = await sendEach(`${url}/v1/predict`, singles(predictionsPerStep / 2), CONNECTIONS)
    const batch = await sendEach(`${url}/v1/predict/batch`, batches(predictionsPerStep / 2 / BATCH_SIZE), BATCH_CONNECTIONS)
    refusedCount += single.refusedCount + batch.refusedCount
    heapMb.push(await readHeapMb())
    residentMb.push(residentMbOf(pid))
    console.error(`${sentCount} predictions: heap ${heapMb.at(-1)} MB, resident ${residentMb.at(-1)} MB`)
  }
  keepResult('prediction-memory', {
    at: new Date().toISOString(),
    node: process.version,
    predictions: sentCount,
    refusedCount,
    heapMb,
    residentMb,
    heapMbPer100000: slopePer100000(heapMb.slice(1)),
    residentMbPer100000: slopePer100000(residentMb.slice(1)),
  })
}

async function waitForLine(stream: ChildProcess['stdout'], pattern: RegExp): Promise<string> {
  if (stream === null) throw new Error('the engine has no output')
  const reader = createInterface({ input: stream })
  return new Promise((found) => {
    reader.on('line', (line) => {
      const match = pattern.exec(line)?.[1]
      if (match !== undefined) found(match)
    })
  })
}

type Inspector = Disposable & {
  /** What is left of the heap after a collection. */
  readonly readHeapMb: () => Promise<number>
}

/** Speaks the Chrome DevTools Protocol. */
async function connectInspector(inspectorUrl: string): Promise<Inspector> {
  const socket = new WebSocket(inspectorUrl)
  await once(socket, 'open')
  let lastId = 0
  const call = async (method: string): Promise<{ usedSize: number }> => {
    const id = ++lastId
    socket.send(JSON.stringify({ id, method }))
    for (;;) {
      const [{ data: text }] = (await once(socket, 'message')) as [{ data: string }]
      const answer = JSON.parse(text) as { id?: number; result: { usedSize: number } }
      if (answer.id === id) return answer.result
    }
  }
  const readHeapMb = async () => {
    await call('HeapProfiler.collectGarbage')
    return round2((await call('Runtime.getHeapUsage')).usedSize / BYTES_PER_MB)
  }
  return { readHeapMb, [Symbol.dispose]: () => socket.close() }
}

function residentMbOf(pid: number): number {
  return Object.values(residentMbOfTree(pid)).reduce((sum, mb) => sum + mb, 0)
}

/** Least squares. */
function slopePer100000(valuesMb: readonly number[]): number {
  const middle = (valuesMb.length - 1) / 2
  const mean = valuesMb.reduce((sum, mb) => sum + mb, 0) / valuesMb.length
  let covariance = 0
  let variance = 0
  for (const [step, mb] of valuesMb.entries()) {
    covariance += (step - middle) * (mb - mean)
    variance += (step - middle) ** 2
  }
  return round2(((covariance / variance) * 100_000) / predictionsPerStep)
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
