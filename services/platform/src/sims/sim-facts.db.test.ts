// Goal: what a SIM used is put into its days, also where there are none, few, or gaps. Method: the statement over rows that are put in by hand.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertTestSim } from '../billing/test-book.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import { selectSimFacts } from './anomalies/anomalies.sql.ts'
import { LEAST_ODD_BYTES } from './anomalies/judge-anomalies.ts'

const { database } = await openTestDatabase({ after })
await insertReseller(database, 'north')
const AT = new Date('2026-11-20T12:00:00.000Z')
const HOUR_MS = 3_600_000

/** What is known of a SIM that used so much so many hours before. */
async function factsOf(simId: string, uses: readonly (readonly [hoursBefore: number, bytes: number])[]) {
  await insertTestSim(database, 'north', simId, [['2026-09-01T00:00:00Z', 'active', null, null]])
  for (const [nth, [hours, bytes]] of uses.entries()) {
    const at = new Date(AT.getTime() - hours * HOUR_MS).toISOString()
    await database.systemPool.query(
      `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes) values ('north', $1, $2, $3, $3, $4)`,
      [simId, nth + 1, at, bytes],
    )
  }
  const [facts] = await selectSimFacts(database.tenantPool('north'), 'north', [simId], AT)
  assert.ok(facts)
  return { day: facts.dayBytes, earlier: [...facts.earlierDaysBytes].sort((a, b) => a - b) }
}

test('a SIM that never used anything has no days', async () => {
  assert.deepEqual(await factsOf('sim-none', []), { day: 0, earlier: [] })
})

test('use of today alone is no habit', async () => {
  assert.deepEqual(
    await factsOf('sim-today', [
      [0, 5],
      [23.99, LEAST_ODD_BYTES],
    ]),
    { day: LEAST_ODD_BYTES + 5, earlier: [] },
  )
})

test('the days before a day of little use are not read', async () => {
  const uses = [
    [1, LEAST_ODD_BYTES - 1],
    [24, 3],
  ] as const
  assert.deepEqual(await factsOf('sim-little', uses), { day: LEAST_ODD_BYTES - 1, earlier: [] })
})

test('days without use count from the first with some, and what is older than four weeks does not', async () => {
  const uses = [
    [1, LEAST_ODD_BYTES],
    [24, 3],
    [47, 4],
    [24 * 4, 9],
    [24 * 29, 1_000],
  ] as const
  assert.deepEqual(await factsOf('sim-gaps', uses), { day: LEAST_ODD_BYTES, earlier: [0, 0, 7, 9] })
})
