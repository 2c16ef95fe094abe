// Resident memory of the whole service, PostgreSQL excluded, after a million readings by REST and MQTT. Bar: under 350 MB (DESIGN §8).
//
// Run: node bench/scenarios/memory.ts     Result: a line in bench/results/memory.jsonl

import type { ChildProcess } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/embedded-postgres'
import { residentMbOfTree } from '../load/process-cost.ts'
import { readCredentials, registerDevices, runLoad, startService, stopService } from '../load/service-under-load.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const DEVICES = 200
const REST_ROWS = 600_000
const MQTT_ROWS = 400_000

const totalOf = (resident: Record<string, number>) => Object.values(resident).reduce((sum, mb) => sum + mb, 0)

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-bench-'))
chmodSync(dataDir, 0o755)
const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: (message) => console.error(message) })
let service: ChildProcess | undefined
try {
  service = await startService(postgres.url, path.join(dataDir, 'service'))
  const pid = service.pid ?? 0
  const atStart = residentMbOfTree(pid)
  const credentials = readCredentials(path.join(dataDir, 'service'))
  const devices = await registerDevices(credentials, DEVICES)
  const mqttUrl = new URL(credentials.mqtt_url)
  const startMs = Date.now() - 7_200_000
  const rest = {
    baseUrl: credentials.base_url,
    apiKey: credentials.api_key,
    deviceIds: devices.map(({ id }) => id),
    connections: 16,
    batchSize: 100,
  }
  await runLoad('rest-load.ts', { ...rest, batches: REST_ROWS / 100, startMs })
  const afterRest = residentMbOfTree(pid)
  await runLoad('mqtt-load.ts', {
    host: mqttUrl.hostname,
    port: Number(mqttUrl.port),
    devices,
    window: 100,
    publishesEach: MQTT_ROWS / DEVICES,
    startMs: startMs + 1_800_000,
  })
  const afterMqtt = residentMbOfTree(pid)
  await sleep(30_000)
  const atRest = residentMbOfTree(pid)
  const result = {
    at: new Date().toISOString(),
    node: process.version,
    readings: REST_ROWS + MQTT_ROWS,
    residentMb: { atStart: totalOf(atStart), afterRest: totalOf(afterRest), afterMqtt: totalOf(afterMqtt), atRest30S: totalOf(atRest) },
    atRest,
  }
  console.log(JSON.stringify(result, null, 2))
  mkdirSync(path.join(ROOT, 'bench/results'), { recursive: true })
  appendFileSync(path.join(ROOT, 'bench/results/memory.jsonl'), `${JSON.stringify(result)}\n`)
} finally {
  if (service !== undefined) await stopService(service)
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
