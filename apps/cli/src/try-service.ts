// Starts the service on a restored database and asks it two things. It takes the role `api` only: nothing that sends, charges, connects or scores runs.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createKey } from '@roadworthy/platform/keys/keys'
import { findFirstResellerAcrossResellers } from '@roadworthy/platform/resellers/first-reseller.sql'
import { databaseUrls, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { COMPILE_CACHE } from './compile-cache.ts'

const MAIN = resolve(import.meta.dirname, '../../../services/platform/src/main/all.ts')
const READY_WAIT_MS = 120_000
const STOP_WAIT_MS = 15_000
const CALL_TIMEOUT_MS = 30_000
/** Where nothing listens: no prediction is asked for. */
const NO_ENGINE = 'http://127.0.0.1:9'

/** Of a drill: what was looked at, and what came of it. */
export type Step = { readonly step: string; readonly isOk: boolean; readonly detail: string }

type Restored = {
  readonly databaseUrl: string
  readonly secretKey: string
  readonly historyFolder: string
  readonly dataDir: string
  readonly now: Date
  readonly signal: AbortSignal
}

export async function tryService(restored: Restored): Promise<Step[]> {
  const child = start(restored)
  try {
    const baseUrl = await addressOf(child, restored.signal)
    return [await askHealth(baseUrl), await readDevices(baseUrl, restored)]
  } catch (error) {
    restored.signal.throwIfAborted()
    return [{ step: 'service', isOk: false, detail: (error as Error).message }]
  } finally {
    await stop(child)
  }
}

/** With none of this process's settings: those of the instance name brokers and mail servers. */
function start({ databaseUrl, secretKey, historyFolder, dataDir }: Restored): ChildProcess {
  return spawn(process.execPath, [MAIN, '--log-level', 'error'], {
    env: {
      ...{ DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, HISTORY_DIR: historyFolder, DATA_DIR: join(dataDir, 'service') },
      ...{ ROLES: 'api', ENGINE_URL: NO_ENGINE, HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', DEMO: 'off' },
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function addressOf(child: ChildProcess, signal: AbortSignal): Promise<string> {
  let output = ''
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString()
    const url = /^ready in .*? at (http:\/\/\S+)/m.exec(output)?.[1]
    if (url !== undefined) found(url)
  }
  child.stdout?.on('data', onOutput)
  child.stderr?.on('data', onOutput)
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready: ${output.trim().slice(-500)}`)))
  const timer = setTimeout(() => reject(new Error(`it was not ready within ${READY_WAIT_MS / 1000} s`)), READY_WAIT_MS)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return await promise.finally(() => clearTimeout(timer))
}

async function askHealth(baseUrl: string): Promise<Step> {
  const { status, body } = await get(`${baseUrl}/api/external/health`)
  const isOk = status === 200 && body['status'] === 'healthy'
  return { step: 'service: health', isOk, detail: `${status} ${String(body['status'] ?? '')}` }
}

/** As an integration does, with a key that is made for it in the scratch database. */
async function readDevices(baseUrl: string, { databaseUrl, secretKey, now }: Restored): Promise<Step> {
  const step = 'service: devices by API key'
  const database = openDatabase(databaseUrls(databaseUrl, secretKey), { appConnections: 1, systemConnections: 1, onError: () => {} })
  try {
    const resellerId = await findFirstResellerAcrossResellers(database.systemPool)
    if (resellerId === undefined) return { step, isOk: true, detail: 'there is no reseller to ask for' }
    const { apiKey } = await createKey(database, resellerId, { name: 'drill', scopes: ['*'] }, now)
    const { status, body } = await get(`${baseUrl}/api/external/devices?limit=1`, apiKey)
    const isOk = status === 200 && typeof body['total'] === 'number'
    return {
      step,
      isOk,
      detail: isOk ? `${status}, ${String(body['total'])} devices of ${resellerId}` : `${status} ${JSON.stringify(body)}`,
    }
  } finally {
    await database.close()
  }
}

async function get(url: string, apiKey?: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
  await ended
  clearTimeout(timer)
}
