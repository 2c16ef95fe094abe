// Goal: the SIMs of the demo have the past that they have at the operator, replayed once, also where replaying it was cut off. Method: the accounts of the
// emulator itself; the database is taken away after some transactions, and the replay begun again until it gets through.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAccount } from '@roadworthy/operator-emulator/seed-account'
import type { EmulatedSim } from '@roadworthy/operator-emulator/sim'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { selectConnection } from '../../sims/connections/connections.sql.ts'
import { selectHistory } from '../../sims/history.sql.ts'
import type { SimStatus } from '../../sims/operators/operator.ts'
import { selectSims } from '../../sims/sims.sql.ts'
import { openSimDesk } from '../../sims/test-sim-desk.ts'
import { type Past, replaySim } from './demo-past.ts'

const SEED = 7
const SIMS = 16
const statuses: Readonly<Record<EmulatedSim['state'], SimStatus>> = {
  ...{ inventory: 'inventory', test: 'test', active: 'active', suspended: 'suspended' },
  ...{ custody: 'safe_custody', disconnecting: 'terminating', terminated: 'terminated' },
}
const viewer = { resellerId: 'acme', subClientPin: undefined }

const desk = await openSimDesk({ after })
const { now } = desk.clock
await desk.call('POST', '/api/external/sub-clients', { sub_client_id: 'north', name: 'North' })

class CutOff extends Error {}

/** Fails for good after so many transactions. */
function cutOffAfter(database: Database, count: number): Database {
  let left = count
  const cut = Object.create(database) as { tenant: Database['tenant'] }
  cut.tenant = (...args) => {
    if (left-- <= 0) return Promise.reject(new CutOff())
    return database.tenant(...args)
  }
  return cut as Database
}

async function pastOf(connectionId: string): Promise<Past> {
  const connection = await selectConnection(desk.database.tenantPool('acme'), 'acme', connectionId)
  assert.ok(connection)
  const asker = { resellerId: 'acme', type: 'user' as const, id: 'usr-owner' }
  return { database: desk.database, connection, asker, now, signal: new AbortController().signal }
}

async function replayThroughCutOffs(past: Past, sim: EmulatedSim): Promise<void> {
  const place = sim.state === 'inventory' ? undefined : { subClientId: 'north', deviceId: undefined }
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      // One transaction gets through, and the next does not.
      return await replaySim({ ...past, database: cutOffAfter(past.database, 1) }, sim, place)
    } catch (error) {
      if (!(error instanceof CutOff)) throw error
    }
  }
  assert.fail('it goes nowhere')
}

async function assertReplayedOnce(sims: readonly EmulatedSim[], connectionId: string): Promise<void> {
  const db = desk.database.tenantPool('acme')
  const filter = { connectionId, status: undefined, subClientId: undefined, deviceId: undefined, search: undefined }
  const known = await selectSims(db, viewer, filter, { list: 'sims', limit: 100, after: { at: new Date(0), id: '' } })
  assert.equal(known.length, sims.length)
  for (const sim of known) {
    const emulated = sims.find(({ iccid }) => iccid === sim.iccid)
    assert.ok(emulated)
    assert.equal(sim.status, statuses[emulated.state])
    const history = (await selectHistory(db, viewer, sim.simId, { limit: 100, beforeSeq: undefined })).toReversed()
    const moves = history.filter(({ change }) => change === 'status')
    assert.equal(new Set(moves.map(({ status }) => status)).size, moves.length)
    assert.deepEqual(
      history.map(({ at }) => at),
      history.map(({ at }) => at).toSorted((one, other) => one.getTime() - other.getTime()),
    )
    const counted = (emulated.previous?.bytes ?? 0) + emulated.current.bytes
    assert.equal(await usedBytes(sim), counted)
  }
}

async function usedBytes({ resellerId, simId }: { resellerId: string; simId: string }): Promise<number> {
  const { rows } = await desk.database.systemPool.query<{ bytes: string }>(
    'select coalesce(sum(bytes), 0) as bytes from sim_usage where reseller_id = $1 and sim_id = $2',
    [resellerId, simId],
  )
  return Number(rows[0]?.bytes)
}

for (const operator of ['cisco', 'airtel'] as const) {
  test(`SIMs at ${operator} have their past once, however often it was cut off, and replaying it again changes nothing`, async () => {
    const nth = operator === 'cisco' ? 1 : 2
    const settings =
      operator === 'cisco'
        ? { time_zone: 'UTC', parking_rate_plan: 'PARKING' }
        : { time_zone: 'Asia/Kolkata', customer_id: '1001', iv_user: 'fleet', basket_id: 1, test_plan: 'M2M-TEST' }
    const credentials =
      operator === 'cisco' ? { username: 'user', api_key: 'key' } : { client_id: 'client', client_secret: 'secret', api_key: 'key' }
    const base = operator === 'cisco' ? 'https://rest.example.com/rws/api/v1' : 'https://m2m.example.com/iot/api'
    const given = { operator, name: operator, base_url: base, settings, credentials, enabled: false }
    const made = await desk.call('POST', '/operator-connections', given)
    assert.equal(made.status, 200, made.text)
    const past = await pastOf(made.body.connection.connection_id)
    const { sims } = createAccount(SEED, nth, SIMS, now.getTime())
    for (const sim of sims) await replayThroughCutOffs(past, sim)
    await assertReplayedOnce(sims, past.connection.connectionId)
    for (const sim of sims) await replaySim(past, sim, undefined)
    await assertReplayedOnce(sims, past.connection.connectionId)
  })
}
