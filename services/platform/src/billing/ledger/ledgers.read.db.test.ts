// Goal: what SQL selects of a customer's SIMs for a month is billed to the minor unit as their whole lives are. Method: books made by chance, stored row by
// row, selected, rated, and compared with the independent reckoner, which knows the lives and no table.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { insertResellerWithKey } from '../../surfaces/test-api.ts'
import { openTestDatabase } from '../../test-support.ts'
import { rateInvoice } from '../rating/rate-invoice.ts'
import { type Life, reckon } from '../rating/test-independent-reckoner.ts'
import { bookOf, CUSTOMERS, type CurrencyBook, ratingInputOf } from '../test-billing-book.ts'
import { insertTestSim } from '../test-book.ts'
import { selectRatedSims, selectSimsOfCustomer } from './ledgers.read.sql.ts'

const FIRST_SEED = 7_000
const BOOKS = 40

const { database } = await openTestDatabase({ after })

/** Rows of a life as they are, with the numbers that they have. */
async function insertLife(db: Db, resellerId: string, { sim, rows, uses }: Life): Promise<void> {
  await insertTestSim(database, resellerId, sim, [])
  await db.query(
    `insert into sim_history (reseller_id, sim_id, seq, at, change, status, sub_client_id, plan_id, source, actor_type, actor_id)
     select $1, $2, seq, to_timestamp(at / 1000.0), 'status', status, customer, plan, 'system', 'system', 'roadworthy'
       from unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[]) as r (seq, at, status, customer, plan)`,
    [resellerId, sim, ...(['seq', 'at', 'status', 'customer', 'plan'] as const).map((name) => rows.map((row) => row[name]))],
  )
  await db.query(
    `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
     select $1, $2, seq, to_timestamp(at / 1000.0), to_timestamp(at / 1000.0), bytes, customer, plan
       from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[]) as u (seq, at, bytes, customer, plan)`,
    [resellerId, sim, ...(['seq', 'at', 'bytes', 'customer', 'plan'] as const).map((name) => uses.map((use) => use[name]))],
  )
}

/** Nobody uses data of a SIM that was never theirs. */
function withOwnedUse(book: CurrencyBook): CurrencyBook {
  const ownedBy = ({ rows }: Life, customer: string | null) => (rows.some((row) => row.customer === customer) ? customer : null)
  const lives = book.lives.map((life) => ({ ...life, uses: life.uses.map((use) => ({ ...use, customer: ownedBy(life, use.customer) })) }))
  return { ...book, lives }
}

async function billedOf(resellerId: string, book: CurrencyBook, customer: (typeof CUSTOMERS)[number]) {
  const input = ratingInputOf(book, customer)
  const month = { label: book.month, fromMs: Date.parse(input.month.from), untilMs: Date.parse(input.month.until) }
  const db = database.tenantPool(resellerId)
  const sims = await selectSimsOfCustomer(db, resellerId, customer, month)
  return rateInvoice({ ...input, sims: await selectRatedSims(db, resellerId, customer, month, sims) })
}

test('what is selected of the SIMs of a customer is billed as their lives are, to the minor unit', async () => {
  let lineCount = 0
  for (let seed = FIRST_SEED; seed < FIRST_SEED + BOOKS; seed++) {
    const resellerId = `book-${seed}`
    await insertResellerWithKey(database, resellerId)
    const book = withOwnedUse(bookOf(seed))
    await database.tenant(resellerId, async (db) => {
      for (const life of book.lives) await insertLife(db, resellerId, life)
    })
    for (const customer of CUSTOMERS) {
      const [billed, reckoned] = [await billedOf(resellerId, book, customer), reckon(book, customer)]
      const lines = billed.lines.map(
        ({ kind, sim, planId, amountMinor }) => `${kind} ${sim?.simId ?? '-'} ${planId ?? '-'}: ${amountMinor}`,
      )
      const about = `seed ${seed}, ${customer}, ${book.month} in ${book.zone}`
      assert.deepEqual(lines.sort(), reckoned.lines.map(({ what, amount }) => `${what}: ${amount}`).sort(), about)
      assert.equal(BigInt(billed.totalMinor), reckoned.gross, about)
      lineCount += lines.length
    }
  }
  assert.ok(lineCount > BOOKS * CUSTOMERS.length, `only ${lineCount} lines were compared`)
})
