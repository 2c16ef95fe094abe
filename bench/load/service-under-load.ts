// The service as a process under load: started on a PostgreSQL of its own, given devices, loaded from other processes, stopped.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { ensureCompiled } from '../../tools/setup/ensure-compiled.js'

const ROOT = path.join(import.meta.dirname, '../..')
export const REST_BATCH_SIZE = 100

type Credentials = { base_url: string; mqtt_url: string; api_key: string; dashboard: Login }
type Login = { readonly email: string; readonly password: string }
type MqttDevice = { id: string; username: string; password: string; topic: string }

export type UnderLoad = {
  readonly service: ChildProcess
  readonly postgres: EmbeddedPostgres
  /** Of the reseller that the first start makes, without limits. */
  readonly reader: { readonly baseUrl: string; readonly apiKey: string }
  /** Of the person that the first start makes. */
  readonly login: Login
  /** Registers the devices, and answers what the plans of `rest-load.ts` and `mqtt-load.ts` have in common from one load to the next. */
  prepareLoads(deviceCount: number): Promise<{ restPlan: object; mqttPlan: object }>
}

/** Hands `measure` a fresh store and service, and takes both away again whatever happens. */
export async function withServiceUnderLoad(measure: (underLoad: UnderLoad) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-bench-'))
  // Started by root, PostgreSQL runs as another account, which has to get in.
  chmodSync(dataDir, 0o755)
  const serviceDir = path.join(dataDir, 'service')
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: (message) => console.error(message) })
  let service: ChildProcess | undefined
  try {
    service = await startService(postgres.url, serviceDir)
    const credentials = readCredentials(serviceDir)
    const reader = { baseUrl: credentials.base_url, apiKey: credentials.api_key }
    const { dashboard: login } = credentials
    await measure({ service, postgres, reader, login, prepareLoads: (deviceCount) => prepareLoads(credentials, deviceCount) })
  } finally {
    if (service !== undefined) await stopService(service)
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepareLoads(credentials: Credentials, deviceCount: number): Promise<{ restPlan: object; mqttPlan: object }> {
  const devices = await registerDevices(credentials, deviceCount)
  const mqttUrl = new URL(credentials.mqtt_url)
  return {
    restPlan: {
      baseUrl: credentials.base_url,
      apiKey: credentials.api_key,
      deviceIds: devices.map(({ id }) => id),
      // As many readings under way as the ceiling has at most: four statements of a thousand.
      connections: 40,
      batchSize: REST_BATCH_SIZE,
    },
    mqttPlan: { host: mqttUrl.hostname, port: Number(mqttUrl.port), devices, window: 100 },
  }
}

function readCredentials(dataDir: string): Credentials {
  return JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')) as Credentials
}

/** What `npm start` gives Node: flags, and variables such as where its compile cache is. */
function startSettings(): { nodeFlags: string[]; env: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  const variables = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=', 2) as [string, string])
  return { nodeFlags: words.filter((word) => word.startsWith('--')), env: Object.fromEntries(variables) }
}

async function startService(databaseUrl: string, dataDir: string): Promise<ChildProcess> {
  const { nodeFlags, env } = startSettings()
  // As before `npm start`: modules that are not in the cache cost each process 20 to 30 MB.
  ensureCompiled(ROOT)
  const service = spawn(
    process.execPath,
    [
      ...nodeFlags,
      'services/platform/src/main/all.ts',
      '--no-demo',
      '--port',
      '0',
      '--engine-port',
      '0',
      '--mqtt-port',
      '0',
      '--metrics-port',
      '0',
      '--host',
      '127.0.0.1',
      '--data-dir',
      dataDir,
      '--log-level',
      'warn',
    ],
    {
      cwd: ROOT,
      env: { ...env, ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  await new Promise<void>((resolve, reject) => {
    service.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/^ready/m.test(output)) resolve()
    })
    service.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)))
  })
  service.removeAllListeners('exit')
  return service
}

async function registerDevices({ base_url, api_key }: Credentials, count: number): Promise<MqttDevice[]> {
  const devices: MqttDevice[] = []
  for (let i = 0; i < count; i++) {
    const response = await fetch(new URL('/api/external/devices', base_url), {
      method: 'POST',
      headers: { 'x-api-key': api_key, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: `Bench ${i}`,
        imei: String(350_000_000_000_000 + i),
        device_type: 'obd_dongle',
        connection_method: 'mqtt',
        vehicle: { mode: 'create', make: 'Bench', model: 'One', year: 2024, license_plate: `BENCH-${i}` },
      }),
    })
    const answer = (await response.json()) as Record<string, string>
    if (response.status !== 200) throw new Error(`registration answered ${response.status}: ${JSON.stringify(answer)}`)
    devices.push({
      id: answer['device_id'] ?? '',
      username: answer['mqtt_username'] ?? '',
      password: answer['mqtt_password'] ?? '',
      topic: answer['mqtt_topic'] ?? '',
    })
  }
  return devices
}

export async function runLoad<T>(script: string, plan: object): Promise<T> {
  const load = spawn(process.execPath, [path.join(ROOT, 'bench/load', script), JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  load.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const code = await new Promise((resolve) => load.once('exit', resolve))
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return JSON.parse(output) as T
}

async function stopService(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}

/** Prints a result and adds it as a line to the results of its scenario. */
export function keepResult(scenario: string, result: object): void {
  console.log(JSON.stringify(result, null, 2))
  mkdirSync(path.join(ROOT, 'bench/results'), { recursive: true })
  appendFileSync(path.join(ROOT, `bench/results/${scenario}.jsonl`), `${JSON.stringify(result)}\n`)
}
