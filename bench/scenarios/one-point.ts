// What one point a request costs: `POST /telemetry` with one reading each, from 40 connections. Bar: 30 µs of the service's processor time a point.
//
// Run: node bench/scenarios/one-point.ts [rounds]     Result: a line in bench/results/one-point.jsonl

import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { keepResult, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const POINTS = 30_000
const ROUNDS = Number(process.argv[2] ?? 5)

type Load = { readonly rowsPerS: number; readonly p50Ms: number; readonly p99Ms: number }

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

await withServiceUnderLoad(async ({ service, postgres, prepareLoads }) => {
  const { restPlan } = await prepareLoads(DEVICES)
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  let startMs = Date.now() - 20 * 3_600_000
  const load = () => {
    // Each load reports of another hour, so that no reading is known.
    startMs += 3_600_000
    return runLoad<Load>('rest-load.ts', { ...restPlan, batchSize: 1, batches: POINTS, startMs })
  }
  await load()
  const rounds: (Load & { cpuUsPerRow: Record<string, number> })[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await withCpu(trees, POINTS, load))
  const medianOf = (tree: string) => median(rounds.map(({ cpuUsPerRow }) => cpuUsPerRow[tree] ?? Number.NaN))
  keepResult('one-point', {
    at: new Date().toISOString(),
    node: process.version,
    cpuUsPerPoint: { service: medianOf('service'), postgres: medianOf('postgres') },
    rounds,
  })
})
