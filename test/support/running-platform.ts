// The whole service as a process of its own, on a database of its own, for tests that call it as a user would.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Credentials, credentialsPath } from '@roadworthy/platform/main/credentials'
import { MIGRATIONS } from '@roadworthy/platform/main/database/prepare-database'
import { prepareTemplate, untilTaken } from '@roadworthy/platform/test-support'
import { migrate } from '@roadworthy/service-kit/postgres/migrate'
import { type CleanUp, createTestDatabase, isTestCluster, type TestDatabaseOptions } from '@roadworthy/service-kit/postgres/test-database'
import { startedAgain } from './started-again.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const READY_TIMEOUT_MS = 180_000
/** Longer than the service takes for a refusal, on any machine. */
const CALL_TIMEOUT_MS = 120_000
/** Of the end of what a service printed, where its test fails. */
const PRINTED_CHARACTERS = 8_000

/**
 * The roles' passwords are derived from the secret key, and roles belong to the whole server: every process that shares the test server
 * must derive the same.
 */
const SECRET_KEY = 'test secret key, 32 characters or more'

/** Of a first start, which shows its secrets. */
export type FirstCredentials = Credentials & { api_key: string; dashboard: { password: string } }

/** The schema is made once for all services. How a service makes it in an empty database is tested where PostgreSQL is its own, and in two-platforms.long.test.ts. */
const MIGRATED: TestDatabaseOptions = {
  migrate: async (url) => void (await migrate(url, { directory: MIGRATIONS, secretKey: SECRET_KEY })),
  template: 'migrated and no more',
}
const SPREAD: TestDatabaseOptions = { migrate: prepareTemplate }

export type RunningPlatform = {
  readonly credentials: FirstCredentials
  /** Of the owner of its database. */
  readonly databaseUrl: string
  readonly dataDir: string
  /** What the command line needs to act on its database, beside the data folder. */
  readonly env: { readonly DATABASE_URL: string; readonly SECRET_KEY: string }
  readonly process: ChildProcess
  /** Everything it printed so far. */
  readonly output: () => string
  /** SIGTERM, then waits; the exit code. */
  stop(): Promise<number | null>
}

type StartOptions = { readonly flags?: readonly string[]; readonly env?: Record<string, string> }

/** Starts the service and stops it after the tests. `flags` come after the defaults: free ports, no demo. */
export async function startPlatform(t: CleanUp, options: StartOptions = {}): Promise<RunningPlatform> {
  return await startedAgain(() => startOnce(t, options))
}

async function startOnce(t: CleanUp, options: StartOptions): Promise<RunningPlatform> {
  const dropDatabase: (() => Promise<void>)[] = []
  const { url } = await createTestDatabase({ after: (cleanUp) => dropDatabase.push(cleanUp) }, isTestCluster() ? SPREAD : MIGRATED)
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-e2e-'))
  const child = spawn(
    process.execPath,
    [
      path.join(ROOT, 'services/platform/src/main/all.ts'),
      ...['--no-demo', '--host', '127.0.0.1', '--port', '0', '--engine-port', '0', '--mqtt-port', '0', '--metrics-port', '0'],
      ...['--data-dir', dataDir, '--log-level', 'warn', ...(options.flags ?? [])],
    ],
    { cwd: ROOT, env: { ...process.env, DATABASE_URL: url, SECRET_KEY, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  // Not at its exit, for its last lines may be on their way then.
  const closed = once(child, 'close')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await closed
    return child.exitCode
  }
  t.after(async () => {
    await stop()
    // Why a request was refused is in the log of the service alone.
    if (hasFailed(t)) console.error(`the service that was called printed:\n${output.slice(-PRINTED_CHARACTERS)}`)
    rmSync(dataDir, { recursive: true, force: true })
    for (const drop of dropDatabase) await drop()
  })
  await new Promise<void>((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error(`not ready after ${READY_TIMEOUT_MS} ms:\n${output}`)), READY_TIMEOUT_MS)
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString()
      if (/^ready/m.test(output)) {
        clearTimeout(timeout)
        resolve()
      }
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    // Not at its exit: why it ended may be on its way then.
    child.once('close', (code) => {
      clearTimeout(timeout)
      reject(new Error(`the service ended with ${code} before it was ready:\n${output}`))
    })
  })
  const credentials = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials
  const env = { DATABASE_URL: url, SECRET_KEY }
  return { credentials, databaseUrl: url, dataDir, env, process: child, output: () => output, stop }
}

function hasFailed(t: CleanUp): boolean {
  return 'error' in t && t.error !== null
}

export type Answer = { status: number; headers: Headers; body: Record<string, never> }

/** One call; the body is parsed JSON. `key` null sends none. */
export async function call(
  baseUrl: string,
  method: string,
  pathAndQuery: string,
  options: { key?: string | null; body?: unknown; headers?: Record<string, string>; raw?: string } = {},
): Promise<Answer> {
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  const response = await fetch(new URL(pathAndQuery, baseUrl), {
    method,
    headers: {
      ...(options.key === null || options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** What a busy machine asks to repeat is repeated. */
export const callPatiently = (...asked: Parameters<typeof call>): Promise<Answer> => untilTaken(() => call(...asked))
