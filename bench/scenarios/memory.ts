// Resident memory of the whole service, PostgreSQL excluded, after a million readings by REST and MQTT. Bar: under 350 MB (DESIGN §8).
//
// Run: node bench/scenarios/memory.ts     Result: a line in bench/results/memory.jsonl

import { setTimeout as sleep } from 'node:timers/promises'
import { residentMbOfTree } from '../load/process-cost.ts'
import { keepResult, REST_BATCH_SIZE, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const REST_ROWS = 600_000
const MQTT_ROWS = 400_000

const totalOf = (resident: Record<string, number>) => Object.values(resident).reduce((sum, mb) => sum + mb, 0)

await withServiceUnderLoad(async ({ service, prepareLoads }) => {
  const pid = service.pid ?? 0
  const atStart = residentMbOfTree(pid)
  const { restPlan, mqttPlan } = await prepareLoads(DEVICES)
  const startMs = Date.now() - 7_200_000
  await runLoad('rest-load.ts', { ...restPlan, batches: REST_ROWS / REST_BATCH_SIZE, startMs })
  const afterRest = residentMbOfTree(pid)
  await runLoad('mqtt-load.ts', { ...mqttPlan, publishesEach: MQTT_ROWS / DEVICES, startMs: startMs + 1_800_000 })
  const afterMqtt = residentMbOfTree(pid)
  await sleep(30_000)
  const atRest = residentMbOfTree(pid)
  keepResult('memory', {
    at: new Date().toISOString(),
    node: process.version,
    readings: REST_ROWS + MQTT_ROWS,
    residentMb: { atStart: totalOf(atStart), afterRest: totalOf(afterRest), afterMqtt: totalOf(afterMqtt), atRest30S: totalOf(atRest) },
    atRest,
  })
})
