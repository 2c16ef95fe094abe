// Goal: invoices that are not paid follow the days of reminders and of suspension that are set, also where these change after the invoice was opened. Method:
// the routes, the functions of the command line and the jobs over a real database, with a clock that is set.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Author, systemAuthor } from '../../audit/audit.ts'
import { requireReseller } from '../../resellers/resellers.ts'
import { insertResellerWithKey } from '../../surfaces/test-api.ts'
import { OPERATOR_BOOK } from '../book.ts'
import { changeOperatorPrices, changeOperatorSettings } from '../operator-billing.ts'
import { DRAFTED, OPENED, openMonthlyBooks } from '../rating/test-monthly-books.ts'

const { database, clock, call, runJobs, letters, makeBook, invoicesOf } = await openMonthlyBooks({ after })

/** Due on 2026-11-17, in India. */
async function openInvoices(): Promise<void> {
  for (const at of [DRAFTED, OPENED]) {
    clock.now = at
    await runJobs()
  }
}

async function passTo(...instants: string[]): Promise<void> {
  for (const at of instants) {
    clock.now = new Date(at)
    await runJobs()
  }
}

test('days of reminders that are set later are those of invoices that are open too, and no reminder is sent twice or left out', async () => {
  const apiKey = await makeBook('later', ['acme'])
  const count = () => letters.filter(({ resellerId }) => resellerId === 'later').length
  const remindOn = async (...reminder_days: number[]) =>
    assert.equal((await call(apiKey, 'PUT', '/billing-settings', { reminder_days })).status, 200)
  await remindOn(3)
  await openInvoices()
  await remindOn(-5, 3)
  await passTo('2026-11-11T18:30:00.000Z')
  assert.equal(count(), 1, 'before it is due')
  await remindOn(3)
  await passTo('2026-11-17T18:30:00.000Z', '2026-11-19T18:30:00.000Z')
  assert.equal(count(), 2, 'the one that is left')
  await remindOn(1, 3)
  await passTo('2026-11-20T18:30:00.000Z')
  assert.equal(count(), 2, 'nothing was left for its job to do')
  await remindOn(1, 3, 6)
  await passTo('2026-11-21T18:30:00.000Z', '2026-11-22T18:30:00.000Z')
  assert.equal(count(), 3)
  await remindOn(6, 7)
  await passTo('2026-11-23T18:30:00.000Z', '2026-11-24T18:30:00.000Z')
  assert.equal(count(), 4)
  const ids = letters.filter(({ resellerId }) => resellerId === 'later').map(({ messageId }) => messageId.split('.')[1])
  assert.deepEqual(ids, ['-5', '3', '6', '7'], 'mail programs show a letter with the id of another one only once')
  assert.equal((await invoicesOf(apiKey))[0].status, 'overdue')
})

test('a reseller is past due where days of suspension are set when its invoice has long been overdue', async () => {
  clock.now = new Date('2026-10-05T06:00:00.000Z')
  const author = (): Author => systemAuthor(OPERATOR_BOOK, clock.now)
  const issuer = { name: 'Platform GmbH', address_lines: [], country_code: 'DE' }
  const settings = { currency: 'EUR', issuer, time_zone: 'Europe/Berlin', suspend_after_days: null, reminder_days: [] }
  await changeOperatorSettings(database, settings, author())
  await changeOperatorPrices(database, { subscription_fee: '99', meters: [] }, author())
  await insertResellerWithKey(database, 'debtor', { createdAt: clock.now })
  await openInvoices()
  await passTo('2026-11-18T06:00:00.000Z', '2026-12-20T06:00:00.000Z')
  const standing = async () => (await requireReseller(database, 'debtor')).subscription
  assert.equal(await standing(), 'active')
  await changeOperatorSettings(database, { suspend_after_days: 60 }, author())
  await passTo('2026-12-21T06:00:00.000Z')
  assert.equal(await standing(), 'active')
  await changeOperatorSettings(database, { suspend_after_days: 10 }, author())
  await passTo('2026-12-21T06:00:01.000Z')
  assert.equal(await standing(), 'past_due')
})
