// Goal and method: as independent-count.db.test.ts, over a million events; then every statement of every month is verified and contains the same.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { makeStatement } from './make-statement.ts'
import { verifyStatement } from './statement.ts'
import { createStatementKey } from './statement-key.ts'
import { sendAndCompare } from './test-independent-count.ts'

const MONTHS = ['2026-10', '2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04']

test('a million readings and calls are counted as by an independent counter, and the statements contain the same', async (t) => {
  const { database } = await openTestDatabase({ after }, new Date('2026-11-15T00:00:00Z'))
  const { counter, resellers, now } = await sendAndCompare(database, { eventCount: 1_000_000, seed: 20_261_115 })
  assert.ok(counter.eventCount >= 1_000_000)
  const statementKey = createStatementKey(TEST_SECRET_KEY)
  let lineCount = 0
  for (const { resellerId } of resellers) {
    const caller = { resellerId, keyId: 'key', scopes: new Set(['*']), subClientPin: undefined }
    await database.tenant(resellerId, (db) =>
      db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ($1, 'alpha', 'Alpha'), ($1, 'beta', 'Beta')`, [
        resellerId,
      ]),
    )
    for (const month of MONTHS) {
      for (const subClientId of [undefined, 'alpha', 'beta']) {
        const deps = { database, now: () => now, statementKey }
        const statement = await makeStatement(deps, caller, { month, ...(subClientId === undefined ? {} : { subClientId }) })
        assert.deepEqual(verifyStatement(JSON.parse(JSON.stringify(statement)), statementKey.publicKey).findings, [])
        assert.equal(statement.status, month < '2027-04' ? 'final' : 'draft')
        for (const [meter, count] of Object.entries(statement.totals)) {
          const expected = counter.counts.get(resellerId)?.get(`${month} ${subClientId ?? ''} ${meter}`) ?? 0
          assert.equal(count, expected, `${resellerId} ${month} ${subClientId} ${meter}`)
        }
        lineCount += statement.lines.length
      }
    }
  }
  t.diagnostic(`${counter.eventCount} events, ${lineCount} lines`)
})
