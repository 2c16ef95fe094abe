// A live map of a whole fleet: 5,000 positions in one NDJSON answer. Bar: 40 ms. Beside it, in the same run, a bare Fastify route that sends the same bytes,
// which is what no answer of that size can be faster than.
//
// Run: node bench/scenarios/whole-fleet.ts [repeats]     Result: a line in bench/results/whole-fleet.jsonl

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import pg from 'pg'
import { insertFleet } from '../load/fleet-in-sql.ts'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { timeReads } from '../load/read-load.ts'
import { sampleReadingJson } from '../load/sample-reading.ts'
import { keepResult, REST_BATCH_SIZE, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 5_000
const REPEATS = Number(process.argv[2] ?? 60)
const ROUTE = '/api/v1/fleet/positions'

await withServiceUnderLoad(async ({ service, postgres, reader }) => {
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  const { deviceIds } = await insertFleet(owner, { devices: DEVICES, subClients: 5 })
  for (let first = 0; first < DEVICES; first += REST_BATCH_SIZE) {
    const records = deviceIds.slice(first, first + REST_BATCH_SIZE).map((id, i) => sampleReadingJson(id, Date.now() - 60_000, first + i))
    const response = await fetch(new URL('/api/external/telemetry/batch', reader.baseUrl), {
      method: 'POST',
      headers: { 'x-api-key': reader.apiKey, 'content-type': 'application/json' },
      body: `{"records":[${records.join(',')}]}`,
    })
    if (response.status !== 200) throw new Error(`the batch answered ${response.status}: ${await response.text()}`)
  }
  for (let round = 0; round < 600; round++) {
    const { rows } = await owner.query<{ due: number }>(
      'select count(*)::int as due from latest_states where due and vehicle_id is not null',
    )
    if (rows[0]?.due === 0) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await owner.query('vacuum analyze')
  await owner.end()
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  const text = await (await fetch(new URL(ROUTE, reader.baseUrl), { headers: { 'x-api-key': reader.apiKey } })).text()
  const bare = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-text.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  bare.stdin.end(text)
  const [ready] = (await once(bare.stdout, 'data')) as [Buffer]
  const load = { connections: 1, count: REPEATS }
  const read = () => timeReads(reader, load, async (get) => void (await get(ROUTE)))
  await read()
  const measured = await withCpu(trees, REPEATS, read)
  const ceiling = await timeReads({ baseUrl: String(ready).trim(), apiKey: '' }, load, async (get) => void (await get('/')))
  bare.kill('SIGTERM')
  const size = { lines: text.split('\n').length - 1, bytes: text.length }
  keepResult('whole-fleet', { at: new Date().toISOString(), node: process.version, ...size, measured, ceiling })
})
