// The service as a process under load: started, given devices, loaded from other processes, stopped.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')

export type Credentials = { base_url: string; mqtt_url: string; api_key: string }
export type MqttDevice = { id: string; username: string; password: string; topic: string }

export function readCredentials(dataDir: string): Credentials {
  return JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')) as Credentials
}

export async function startService(databaseUrl: string, dataDir: string): Promise<ChildProcess> {
  const service = spawn(
    process.execPath,
    [
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
    { cwd: ROOT, env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'inherit'] },
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

export async function registerDevices({ base_url, api_key }: Credentials, count: number): Promise<MqttDevice[]> {
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

export async function stopService(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}
