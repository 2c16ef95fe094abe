// For tests only: the routes of the synchronisation over a database of their own, against the operators' emulator, by one clock.

import assert from 'node:assert/strict'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import type { SimAnomalies } from '@roadworthy/contracts/sim-billing/sim-anomalies'
import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import type { Sync } from '@roadworthy/contracts/sim-billing/sync'
import { airtelConnection, ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { runDueJobs } from '../../jobs/job-worker.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../../test-support.ts'
import { anomalyAlertJobKind } from '../anomalies/raise-anomaly-alerts.ts'
import { connectionSimBillingRoutes } from '../connections/connection.routes.sim-billing.ts'
import { createOperatorPool } from '../connections/operator-pool.ts'
import { OPERATOR_SECRETS } from '../connections/operator-secrets.ts'
import { testGuard } from '../operators/test-operator.ts'
import { freeGates } from '../operators/test-turns.ts'
import { simSimBillingRoutes } from '../sim.routes.sim-billing.ts'
import { scheduledSyncJobKind } from './begin-sync.ts'
import { syncJobKind } from './run-sync.ts'
import { syncSimBillingRoutes } from './sync.routes.sim-billing.ts'

type Body = {
  readonly error: { code: string }
  readonly sync: Sync
  readonly already_running: boolean
  readonly connection: OperatorConnection
  readonly sim: Sim
  readonly sims: Sim[]
  readonly total: number
  readonly anomalies: SimAnomalies['anomalies']
}
type Answer = { readonly status: number; readonly body: Body; readonly text: string }

export type SyncBench = {
  readonly database: Database
  readonly emulator: RunningEmulator
  readonly now: () => Date
  moveClock(ms: number): Promise<void>
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer>
  as(resellerId: string): Promise<SyncBench['call']>
  newConnection(operator: 'cisco' | 'airtel', change?: object): Promise<string>
  /** Runs what is due until a run that is asked for is over, which answers as a caller gets it. */
  sync(body?: object): Promise<Sync>
  /** The run that is asked for, once it is over: a caller is answered after ten seconds, over or not. */
  ended(asked: Promise<Answer>): Promise<Sync>
  /** What is due by the clock, once. */
  runJobs(): Promise<number>
}

export async function openSyncBench(t: CleanUp, { sims = 8, start = '2026-11-10T06:00:00.000Z' } = {}): Promise<SyncBench> {
  const cleanUp = lastFirst(t)
  const { database } = await openTestDatabase(cleanUp)
  const clock = { now: new Date(start) }
  const emulator = await startEmulator({ clock: clock.now, sims, jobMs: 10_000 })
  cleanUp.after(() => emulator.stop())
  const now = () => clock.now
  const sealer = createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS)
  const operators = createOperatorPool({ sealer, guard: testGuard, gates: freeGates(), now })
  const { app } = await openTestApi(cleanUp, database, {
    now,
    simBilling: [
      connectionSimBillingRoutes({ database, now, sealer, guard: testGuard, operators }),
      simSimBillingRoutes({ database, now }),
      syncSimBillingRoutes({ database, now, requestInvoices: async () => undefined }),
    ],
  })
  const callerOf =
    (apiKey: string): SyncBench['call'] =>
    async (method, path, body) => {
      const options = { method, url: `/api/sim-billing${path}`, headers: { 'x-api-key': apiKey } }
      const response = await app.inject(body === undefined ? options : { ...options, payload: body })
      return { status: response.statusCode, body: response.json(), text: response.body }
    }
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const call = callerOf(apiKey)
  const kinds = [syncJobKind({ database, operators, now }), scheduledSyncJobKind({ database, now }), anomalyAlertJobKind({ database, now })]
  const jobs = { database, now: async () => clock.now, random: () => 0.5, log: { error: (fields: object) => console.error(fields) } }
  const runJobs = () => runDueJobs(jobs, kinds)
  const ended: SyncBench['ended'] = async (asked) => {
    let { sync } = (await asked).body
    while (sync.status === 'running') {
      await runJobs()
      sync = (await call('GET', `/sync/${sync.id}`)).body.sync
    }
    return sync
  }
  return {
    database,
    emulator,
    now,
    call,
    runJobs,
    ended,
    moveClock: async (ms) => {
      clock.now = new Date(clock.now.getTime() + ms)
      await emulator.patch({ clock: { set: clock.now.toISOString() } })
    },
    as: async (resellerId) => callerOf((await insertResellerWithKey(database, resellerId)).apiKey),
    newConnection: async (operator, change = {}) => {
      const { baseUrl, settings, secrets } = operator === 'cisco' ? ciscoConnection(emulator.url) : airtelConnection(emulator.url)
      const given = { operator, name: operator, base_url: baseUrl, settings: snaked(settings), credentials: snaked(secrets), ...change }
      const { status, body, text } = await call('POST', '/operator-connections', given)
      assert.equal(status, 200, text)
      // What is scheduled with it is another test's.
      await database.systemPool.query("delete from jobs where kind = 'sim_scheduled_sync'")
      return body.connection.connection_id
    },
    sync: async (body = {}) => {
      const asked = call('POST', '/sync', body)
      let answer: Answer | undefined
      void asked.then((given) => {
        answer = given
      })
      while (answer === undefined) {
        await runJobs()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      assert.equal(answer.status, 200, answer.text)
      return await ended(asked)
    },
  }
}

function snaked(fields: object): Record<string, unknown> {
  const names = Object.entries(fields)
  return Object.fromEntries(names.map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]))
}
