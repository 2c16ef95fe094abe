// What one point a request costs: `POST /telemetry` with one reading each, from 40 connections. Bar: 30 µs of the service's processor time a point, on
// a machine where a bare Fastify route takes 12 to 14; that route gets the same requests in the same run, and gives an answer of the same length.
//
// Run: node bench/scenarios/one-point.ts [rounds]     Result: a line in bench/results/one-point.jsonl

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { keepResult, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const POINTS = 30_000
const ROUNDS = Number(process.argv[2] ?? 5)

type Load = { readonly rowsPerS: number; readonly p50Ms: number; readonly p99Ms: number }
type Round = Load & { readonly cpuUsPerRow: Record<string, number> }

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const ANSWER = {
  success: true,
  telemetry_id: 'telemetry-019f0000000-0000000000000000000000000000000000000000000',
  device_id: 'dev-00000000-0000-4000-8000-000000000000',
  vehicle_id: 'veh-00000000-0000-4000-8000-000000000000',
  sub_client_id: null,
  received_at: '2026-01-01T00:00:00.000Z',
  duplicate: false,
}

async function startBare() {
  const bare = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-fastify.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ANSWER: JSON.stringify(ANSWER) },
  })
  const [ready] = (await once(bare.stdout, 'data')) as [Buffer]
  return { bare, bareUrl: String(ready).trim().split(' ').at(-1) ?? '' }
}

await withServiceUnderLoad(async ({ service, postgres, prepareLoads }) => {
  const { restPlan } = await prepareLoads(DEVICES)
  const { bare, bareUrl } = await startBare()
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath), bare: bare.pid ?? 0 }
  let startMs = Date.now() - 20 * 3_600_000
  const load = (elsewhere: { baseUrl?: string; path?: string } = {}) => {
    // Each load reports of another hour, so that no reading is known.
    startMs += 3_600_000
    return runLoad<Load>('rest-load.ts', { ...restPlan, ...elsewhere, batchSize: 1, batches: POINTS, startMs })
  }
  const loadBare = () => load({ baseUrl: bareUrl, path: '/same' })
  await load()
  await loadBare()
  const rounds: Round[] = []
  const bareRounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareRounds.push(await withCpu(trees, POINTS, loadBare))
    rounds.push(await withCpu(trees, POINTS, load))
  }
  bare.kill('SIGTERM')
  const medianOf = (of: readonly Round[], tree: string) => median(of.map(({ cpuUsPerRow }) => cpuUsPerRow[tree] ?? Number.NaN))
  keepResult('one-point', {
    at: new Date().toISOString(),
    node: process.version,
    cpuUsPerPoint: { bare: medianOf(bareRounds, 'bare'), service: medianOf(rounds, 'service'), postgres: medianOf(rounds, 'postgres') },
    rounds,
    bareRounds,
  })
})
