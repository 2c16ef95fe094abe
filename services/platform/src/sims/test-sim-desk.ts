// For tests only: the SIM routes over a database of their own, entered through the real gate, with a reseller and its operator connection.

import assert from 'node:assert/strict'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import type { SimAction, SimBulkAnswer } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { Sim, SimHistoryEntry, SimUsage } from '@roadworthy/contracts/sim-billing/sims'
import { createAddressGuard } from '@roadworthy/service-kit/address-guard'
import type { Database } from '@roadworthy/service-kit/db'
import { createSealer } from '@roadworthy/service-kit/sealed'
import type { CleanUp } from '@roadworthy/service-kit/test-database'
import { createKey } from '../access/keys.ts'
import { deviceExternalRoutes } from '../devices/device.routes.external.ts'
import { deviceLinks } from '../devices/device-links.ts'
import { subClientExternalRoutes } from '../fleet/sub-client.routes.external.ts'
import type { JobKind } from '../jobs/job.ts'
import { type JobDeps, runDueJobs } from '../jobs/job-worker.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { connectionSimBillingRoutes } from './connection.routes.sim-billing.ts'
import { followJobs } from './follow-devices.ts'
import { createOperatorPool } from './operator-pool.ts'
import { OPERATOR_SECRETS } from './operator-secrets.ts'
import { CallGates, systemClock } from './operators/limits.ts'
import { simSimBillingRoutes } from './sim.routes.sim-billing.ts'

export type SimAnswerBody = {
  readonly success: boolean
  readonly error: { code: string; message: string; details?: Record<string, unknown> }
  readonly total: number
  readonly pagination: { endCursor: string | null; hasNextPage: boolean }
  readonly connection: OperatorConnection
  readonly connections: OperatorConnection[]
  readonly connection_id: string
  readonly message: string
  readonly sim: Sim
  readonly sims: Sim[]
  readonly action: SimAction | null
  readonly actions: SimAction[]
  readonly history: SimHistoryEntry[]
  readonly device_id: string
} & Pick<SimBulkAnswer, 'results' | 'accepted' | 'unchanged' | 'refused'> &
  Pick<SimUsage, 'cycle' | 'daily' | 'time_zone'>
export type SimAnswer = { readonly status: number; readonly body: SimAnswerBody; readonly text: string }
export type SimCall = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<SimAnswer>

export const cisco = {
  operator: 'cisco',
  name: 'Cisco',
  base_url: 'https://rest.example.com/rws/api/v1',
  credentials: { username: 'fleet', api_key: 'k7f3-secret' },
  settings: { time_zone: 'UTC', parking_rate_plan: 'Parking' },
}

export type SimDesk = {
  readonly database: Database
  readonly clock: { now: Date }
  /** Of the reseller `acme`, with a key that may do everything. */
  readonly call: SimCall
  as(resellerId: string, pin?: string): Promise<SimCall>
  /** The work that is due by the clock. Answers how much was done. */
  runJobs(kinds?: readonly JobKind[]): Promise<number>
  newConnection(given?: object): Promise<string>
  newSim(given: { connection_id: string; iccid: string } & Record<string, unknown>): Promise<Sim>
}

export async function openSimDesk(t: CleanUp, { allowCidrs = '' } = {}): Promise<SimDesk> {
  const cleanUp = lastFirst(t)
  const { database } = await openTestDatabase(cleanUp)
  const clock = { now: new Date('2026-11-20T12:00:00.000Z') }
  const now = () => clock.now
  const sealer = createSealer(TEST_SECRET_KEY, OPERATOR_SECRETS)
  const guard = createAddressGuard({
    allowCidrs,
    resolveName: async (hostname) => {
      if (hostname.endsWith('.example.com') && !hostname.startsWith('inside')) return [{ address: '93.184.215.14', family: 4 }]
      if (hostname.startsWith('inside')) return [{ address: '10.0.0.5', family: 4 }]
      throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
    },
  })
  const operators = createOperatorPool({ sealer, guard, gates: new CallGates(systemClock), processCount: 1, now })
  const deviceDeps = {
    ...{ database, now, deviceLinks, markDue: async () => undefined, offlineAfterMs: 300_000, fleetChanged: () => undefined },
    sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
    mqtt: { broker: () => 'localhost:1883', topicPrefix: 'fleet' },
  }
  const { app } = await openTestApi(cleanUp, database, {
    now,
    external: [subClientExternalRoutes(deviceDeps), deviceExternalRoutes(deviceDeps)],
    simBilling: [connectionSimBillingRoutes({ database, now, sealer, guard, operators }), simSimBillingRoutes({ database, now })],
  })
  const callerOf =
    (apiKey: string): SimCall =>
    async (method, path, body) => {
      const url = path.startsWith('/api/') ? path : `/api/sim-billing${path}`
      const options = { method, url, headers: { 'x-api-key': apiKey } }
      const response = await app.inject(body === undefined ? options : { ...options, payload: body })
      return { status: response.statusCode, body: response.json(), text: response.body }
    }
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const call = callerOf(apiKey)
  const jobDeps: JobDeps = { database, now: async () => clock.now, random: () => 0.5, log: { error: (fields) => console.error(fields) } }
  const made = (answer: SimAnswer) => {
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    database,
    clock,
    call,
    as: async (resellerId, pin) => {
      if (pin === undefined) return callerOf((await insertResellerWithKey(database, resellerId)).apiKey)
      const key = { name: 'pinned', scopes: ['*'], perMinute: 0, perDay: 0, subClientId: pin } as const
      return callerOf((await createKey(database, resellerId, { ...key, scopes: [...key.scopes] }, now())).apiKey)
    },
    runJobs: (kinds = followJobs({ database, now })) => runDueJobs(jobDeps, kinds),
    newConnection: async (given = {}) => made(await call('POST', '/operator-connections', { ...cisco, ...given })).connection.connection_id,
    newSim: async (given) => made(await call('POST', '/sims', given)).sim,
  }
}
