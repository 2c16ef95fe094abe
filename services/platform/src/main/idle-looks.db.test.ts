// Goal: workers look several times a second, all day; where there is nothing to do, a look is one statement and opens no transaction.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { raiseDeviceAlerts } from '../alerts/raise-device-alerts.ts'
import { relayEvents } from '../events/relay.ts'
import { claimVehicles } from '../predictions/scoring/claim-vehicles.ts'
import { deliverDue } from '../webhooks/delivery-worker.ts'
import { openBench } from '../webhooks/test-bench.ts'

const { database, deps } = await openBench({ after })
const now = () => new Date('2026-11-20T12:00:00.000Z')

let statements = 0
const watched = {
  ...database,
  system: () => Promise.reject(new Error('a transaction is opened')),
  systemPool: {
    query: ((statement, values) => {
      statements++
      return database.systemPool.query(statement, values)
    }) as typeof database.systemPool.query,
  },
}

const looks: Record<string, () => Promise<unknown>> = {
  'events to be given their place': () => relayEvents({ database: watched, recorders: [], now }),
  'alarms of devices': () => raiseDeviceAlerts({ database: watched, now }),
  'vehicles to be scored': () => claimVehicles(watched, { claimId: 'none', after: '', leaseMs: 1_000, limit: 10 }),
  'webhooks to be sent': () => deliverDue({ ...deps, database: watched }),
}

for (const [what, look] of Object.entries(looks)) {
  test(`a look for ${what} that finds none is one statement`, async () => {
    statements = 0
    await look()
    assert.equal(statements, 1)
  })
}
