// Goal: SIMs of a sub-client that does not pay are suspended and resumed with its invoices, the same ones, whatever happens in between. Method: the
// routes, the jobs of SIMs and of billing over one database, the emulated operator, and a clock that the test moves.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../../audit/audit.ts'
import { billingJobs } from '../../billing/billing-jobs.ts'
import { withInvoice } from '../../billing/change-invoice.ts'
import { correctInvoice, voidInvoice } from '../../billing/credit-invoice.ts'
import { changeBillingSettings } from '../../billing/settings/configure-billing.ts'
import { applyPayment, applyRefund } from '../../billing/settle-invoice.ts'
import type { StoredInvoice } from '../../billing/stored-invoice.ts'
import { insertOpenInvoice, insertTestBook, testDraft } from '../../billing/test-book.ts'
import { withoutMailServer } from '../../people/test-notices.ts'
import { openSimDesk, type SimCall } from '../test-sim-desk.ts'

const DAY_MS = 86_400_000
const desk = await openSimDesk({ after }, { isEmulated: true })
const { call, database, clock, knownSim, simOf } = desk
const author = () => systemAuthor('acme', clock.now)
await insertTestBook(database, 'acme', { paymentTermsDays: 0, reminderDays: [], holdSimsAfterDays: 5 }, clock.now)

const billing = billingJobs({ database, notices: withoutMailServer, now: async () => clock.now })
/** What is due of billing and of SIMs, until nothing is. */
async function runAll(): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await desk.runJobs(billing)
    await desk.runJobs()
    await desk.moveClock(61_000)
  }
}
const later = async (days: number) => {
  await desk.moveClock(days * DAY_MS)
  await runAll()
}
let month = 0
async function newInvoice(subClientId: string): Promise<StoredInvoice> {
  month++
  const draft = testDraft({ issuerId: 'acme', resellerId: 'acme', subClientId, taxMinor: 0, timeZone: 'UTC', month: `20${10 + month}-01` })
  return await insertOpenInvoice(database, draft, clock.now)
}
const withoutGateway = { refundSurplus: async () => undefined, endCheckout: async () => undefined }
const settle = async (invoice: StoredInvoice, apply: typeof applyPayment, source: string) => {
  const money = { amountMinor: invoice.totalMinor, currency: 'INR', source, gateway: 'test', at: clock.now }
  return await withInvoice(database, invoice, (db, held) => apply(db, held, money, author()))
}
const pay = (invoice: StoredInvoice) => settle(invoice, applyPayment, `pay-${invoice.invoiceId}`)

type Debtor = { readonly id: string; readonly key: SimCall; sim(state?: 'active' | 'suspended'): Promise<string> }
let count = 0
async function newDebtor(): Promise<Debtor> {
  const id = `debtor-${++count}`
  assert.equal((await call('POST', '/api/external/sub-clients', { name: id, sub_client_id: id })).status, 200)
  const sim = async (state: 'active' | 'suspended' = 'active') => {
    const known = await knownSim('cisco', state)
    assert.equal((await call('PUT', `/sims/${known.id}`, { sub_client_id: id })).status, 200)
    return known.id
  }
  return { id, key: await desk.as('acme', id), sim }
}
const stateOf = async (id: string) => {
  const { status, suspended_by: by, suspended_reason: reason } = await simOf(id)
  return status === 'suspended' ? `${status} by ${by}: ${reason}` : status
}
const auditOf = async (subClientId: string, action: string) => {
  const { rows } = await database.systemPool.query<{ changes: Record<string, { to: unknown }> }>(
    'select changes from audit_log where object_id = $1 and action = $2 order by at',
    [subClientId, action],
  )
  return rows.map(({ changes }) => Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])))
}

test('SIMs are suspended when the days are over, and the same ones resumed when the invoice is paid', async () => {
  const debtor = await newDebtor()
  const other = await (await newDebtor()).sim()
  const [active, own] = [await debtor.sim(), await debtor.sim()]
  assert.equal((await call('POST', `/sims/${own}/suspend`, { reason: 'Laid up' })).status, 200)
  await runAll()
  const invoice = await newInvoice(debtor.id)
  await later(5)
  assert.equal(await stateOf(active), 'active', 'due for five days, and not for more')
  await later(1)
  assert.equal(await stateOf(active), `suspended by system: Invoice ${invoice.number} is overdue.`)
  assert.deepEqual([await stateOf(own), await stateOf(other)], ['suspended by customer: Laid up', 'active'])
  const [held] = await auditOf(debtor.id, 'sims.held')
  assert.deepEqual(held, { invoiceId: invoice.invoiceId, invoice: invoice.number, suspending: 1, waiting: 0, left: 0 })

  const refused = await debtor.key('POST', `/sims/${active}/activate`, {})
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'invoice_overdue'], refused.text)
  assert.deepEqual(refused.body.error.details, { invoice_ids: [invoice.invoiceId] })
  const bulk = await debtor.key('POST', '/sims/bulk', { action: 'activate', sim_ids: [active, own] })
  assert.deepEqual(
    bulk.body.results.map(({ error }) => error?.code),
    ['invoice_overdue', 'invoice_overdue'],
  )
  await pay(invoice)
  await runAll()
  assert.deepEqual([await stateOf(active), await stateOf(own)], ['active', 'suspended by customer: Laid up'])
  assert.equal((await auditOf(debtor.id, 'sims.released')).length, 1)
  assert.equal((await debtor.key('POST', `/sims/${own}/activate`, {})).status, 200)
})

test('what the reseller activates stays active for that invoice, and another invoice suspends it again', async () => {
  const debtor = await newDebtor()
  const sim = await debtor.sim()
  const first = await newInvoice(debtor.id)
  await later(6)
  assert.equal((await call('POST', `/sims/${sim}/activate`, {})).status, 200)
  await runAll()
  await later(3)
  assert.equal(await stateOf(sim), 'active')
  const second = await newInvoice(debtor.id)
  await later(2)
  assert.equal(await stateOf(sim), 'active', 'looked at again, the first invoice does nothing more')
  await later(4)
  assert.match(await stateOf(sim), new RegExp(`Invoice ${second.number} `))
  await pay(second)
  await runAll()
  assert.match(await stateOf(sim), /suspended by system/, 'the first is overdue still')
  await withInvoice(database, first, (db, held) =>
    correctInvoice(withoutGateway, db, held, { reason: 'Wrong', parts: undefined }, author()),
  )
  await runAll()
  assert.equal(await stateOf(sim), 'active', 'a credit note counts as paid')
})

test('a SIM that is given to another sub-client shows it nothing of the debt, and is resumed with the others', async () => {
  const [debtor, next] = [await newDebtor(), await newDebtor()]
  const sim = await debtor.sim()
  const invoice = await newInvoice(debtor.id)
  await later(6)
  assert.equal((await call('PUT', `/sims/${sim}`, { sub_client_id: next.id })).status, 200)
  assert.equal(await stateOf(sim), 'suspended by system: null')
  await pay(invoice)
  await runAll()
  assert.equal(await stateOf(sim), 'active')
})

test('a SIM that was given to another who owes as well is held for that one’s invoice, and resumed when it is paid', async () => {
  const [debtor, next] = [await newDebtor(), await newDebtor()]
  const sim = await debtor.sim()
  const [invoice, own] = [await newInvoice(debtor.id), await newInvoice(next.id)]
  await later(6)
  assert.equal((await call('PUT', `/sims/${sim}`, { sub_client_id: next.id })).status, 200)
  await pay(invoice)
  await runAll()
  assert.equal(await stateOf(sim), `suspended by system: Invoice ${own.number} is overdue.`)
  await pay(own)
  await runAll()
  assert.equal(await stateOf(sim), 'active')
})

test('a SIM that is given to a sub-client whose SIMs are held is held as well, and one that the reseller activates there stays active', async () => {
  const [debtor, giver] = [await newDebtor(), await newDebtor()]
  const first = await debtor.sim()
  const given = await giver.sim()
  const stocked = (await knownSim('cisco', 'inventory')).id
  assert.equal((await call('PUT', `/sims/${stocked}`, { sub_client_id: debtor.id })).status, 200)
  const invoice = await newInvoice(debtor.id)
  await later(6)
  const barred = `suspended by system: Invoice ${invoice.number} is overdue.`
  assert.deepEqual([await stateOf(first), await stateOf(given)], [barred, 'active'])
  assert.equal((await call('POST', `/sims/${stocked}/activate`, { rate_plan: 'M2M-10' })).status, 200)
  await runAll()
  assert.equal((await call('PUT', `/sims/${given}`, { sub_client_id: debtor.id })).status, 200)
  await runAll()
  assert.deepEqual([await stateOf(given), await stateOf(stocked)], [barred, 'active'])
  await pay(invoice)
  await runAll()
  assert.deepEqual(await Promise.all([first, given, stocked].map(stateOf)), ['active', 'active', 'active'])
})

test('a SIM that becomes active after the invoice began to hold, because it was asked for before, is held as well', async () => {
  const debtor = await newDebtor()
  const sim = await debtor.sim('suspended')
  const invoice = await newInvoice(debtor.id)
  const holdsFromMs = Math.floor(clock.now.getTime() / DAY_MS) * DAY_MS + 6 * DAY_MS
  await desk.moveClock(holdsFromMs - 1_800_000 - clock.now.getTime())
  await desk.emulator.fault({ kind: 'too_many', retry_after_s: 3_600, count: 1_000 })
  assert.equal((await debtor.key('POST', `/sims/${sim}/activate`, {})).status, 200)
  await desk.moveClock(1_900_000)
  await runAll()
  assert.deepEqual([(await simOf(sim)).status, (await simOf(sim)).pending_action], ['suspended', 'activate'])
  await desk.emulator.clearFaults()
  await desk.moveClock(3_700_000)
  for (let round = 0; round < 3; round++) await runAll()
  assert.equal(await stateOf(sim), `suspended by system: Invoice ${invoice.number} is overdue.`)
})

test('a SIM without a sub-client by the time the invoice is paid stays suspended', async () => {
  const debtor = await newDebtor()
  const [returned, other, kept] = [await debtor.sim(), await debtor.sim(), await debtor.sim()]
  const invoice = await newInvoice(debtor.id)
  await later(6)
  for (const sim of [returned, other]) assert.equal((await call('PUT', `/sims/${sim}`, { sub_client_id: null })).status, 200)
  await pay(invoice)
  await runAll()
  assert.deepEqual([await stateOf(returned), await stateOf(kept)], ['suspended by system: null', 'active'])
  const [released] = await auditOf(debtor.id, 'sims.released')
  assert.deepEqual(released, { resuming: 1, waiting: 0, left: 2 })
  // A later debt of the one that had it moves it no more.
  const next = await newDebtor()
  assert.equal((await call('PUT', `/sims/${returned}`, { sub_client_id: next.id })).status, 200)
  const second = await newInvoice(debtor.id)
  await later(6)
  await pay(second)
  await runAll()
  assert.equal(await stateOf(returned), 'suspended by system: null')
  assert.equal((await next.key('POST', `/sims/${returned}/activate`, {})).status, 200)
})

test('what the operator refuses, or its connection is switched off for, is asked for again', async () => {
  const debtor = await newDebtor()
  const sim = await debtor.sim()
  const refuse = () => desk.emulator.fault({ kind: 'error', status: 401, method: 'PUT', count: 1 })
  const invoice = await newInvoice(debtor.id)
  await desk.moveClock(6 * DAY_MS)
  await refuse()
  await runAll()
  assert.equal(await stateOf(sim), 'active')
  await later(1)
  assert.match(await stateOf(sim), new RegExp(`Invoice ${invoice.number} `))

  await refuse()
  await pay(invoice)
  await runAll()
  const { body } = await call('GET', `/sims/${sim}/actions`)
  assert.deepEqual([body.actions[0]?.action, body.actions[0]?.error?.code], ['activate', 'auth'])
  assert.match(await stateOf(sim), /suspended by system/)
  const connection = `/operator-connections/${desk.connectionIds.cisco}`
  assert.equal((await call('PUT', connection, { enabled: false })).status, 200)
  await later(1)
  assert.match(await stateOf(sim), /suspended by system/)
  assert.equal((await call('PUT', connection, { enabled: true })).status, 200)
  await later(1)
  assert.equal(await stateOf(sim), 'active')
})

test('a void invoice holds nothing, and money that went back holds again', async () => {
  const debtor = await newDebtor()
  const sim = await debtor.sim()
  const invoice = await newInvoice(debtor.id)
  await later(6)
  await withInvoice(database, invoice, (db, held) => voidInvoice(withoutGateway, db, held, undefined, author()))
  await runAll()
  assert.equal(await stateOf(sim), 'active')
  const next = await newInvoice(debtor.id)
  await pay(next)
  await later(7)
  await settle(next, applyRefund, 'refund-1')
  await runAll()
  assert.match(await stateOf(sim), new RegExp(`Invoice ${next.number} `))
  await changeBillingSettings(database, 'acme', { holdSimsAfterDays: undefined }, author())
  await runAll()
  assert.equal(await stateOf(sim), 'active', 'the book holds nothing any more')
  await changeBillingSettings(database, 'acme', { holdSimsAfterDays: 5 }, author())
})

test('a SIM with a pending action is tried again, also where the invoice is paid meanwhile', async () => {
  const debtor = await newDebtor()
  const [busy, slow] = [await debtor.sim(), await debtor.sim()]
  const invoice = await newInvoice(debtor.id)
  await later(5)
  await desk.moveClock(DAY_MS - 7_200_000)
  await desk.emulator.fault({ kind: 'too_many', retry_after_s: 3_600, count: 1_000 })
  assert.equal((await call('POST', `/sims/${busy}/safe-custody`, {})).status, 200)
  await desk.moveClock(7_200_000)
  await runAll()
  assert.deepEqual([await stateOf(busy), await stateOf(slow)], ['active', 'active'])
  assert.deepEqual([(await simOf(busy)).pending_action, (await simOf(slow)).pending_action], ['safe_custody', 'suspend'])
  await pay(invoice)
  await runAll()
  await desk.emulator.clearFaults()
  await desk.moveClock(3_700_000)
  for (let round = 0; round < 4; round++) await runAll()
  assert.deepEqual([await stateOf(busy), await stateOf(slow)], ['safe_custody', 'active'])
  assert.equal((await simOf(slow)).pending_action, null)
})

test('safe custody is no way around it: one that ends is suspended while an invoice is overdue, and resumed when it is paid', async () => {
  const connection = `/operator-connections/${desk.connectionIds.cisco}`
  assert.equal((await call('PUT', connection, { custody_on_expiry: 'activate', custody_min_days: 0 })).status, 200)
  const debtor = await newDebtor()
  const [held, parked, free] = [await debtor.sim(), await debtor.sim(), await (await newDebtor()).sim()]
  for (const sim of [parked, free]) assert.equal((await call('POST', `/sims/${sim}/safe-custody`, { days: 8 })).status, 200)
  const invoice = await newInvoice(debtor.id)
  await later(6)
  assert.match(await stateOf(held), /suspended by system/)
  assert.equal((await debtor.key('POST', `/sims/${held}/safe-custody`, { days: 1 })).status, 200)
  await runAll()
  assert.equal(await stateOf(held), 'safe_custody')
  await later(3)
  const barred = `suspended by system: Invoice ${invoice.number} is overdue.`
  assert.deepEqual(await Promise.all([held, parked, free].map(stateOf)), [barred, barred, 'active'])
  const refused = await debtor.key('POST', `/sims/${held}/activate`, {})
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'invoice_overdue'])
  await pay(invoice)
  await runAll()
  assert.deepEqual(await Promise.all([held, parked, free].map(stateOf)), ['active', 'active', 'active'])
  await call('PUT', connection, { custody_on_expiry: 'suspend', custody_min_days: 30 })
})

test('SIMs of a suspended sub-client are not resumed when it pays, but when it is active again', async () => {
  const debtor = await newDebtor()
  const sim = await debtor.sim()
  const invoice = await newInvoice(debtor.id)
  await later(6)
  const barred = `suspended by system: Invoice ${invoice.number} is overdue.`
  assert.equal((await call('PUT', `/api/external/sub-clients/${debtor.id}`, { status: 'suspended' })).status, 200)
  await pay(invoice)
  await later(1)
  assert.equal(await stateOf(sim), barred)
  assert.equal((await call('PUT', `/api/external/sub-clients/${debtor.id}`, { status: 'active' })).status, 200)
  await later(1)
  assert.equal(await stateOf(sim), 'active')
})

test('a SIM that its operator cannot suspend is left, and the audit log records it', async () => {
  const debtor = await newDebtor()
  const { id } = await knownSim('airtel', 'active')
  assert.equal((await call('PUT', `/sims/${id}`, { sub_client_id: debtor.id })).status, 200)
  await newInvoice(debtor.id)
  await later(6)
  assert.equal(await stateOf(id), 'active')
  const held = await auditOf(debtor.id, 'sims.held')
  assert.deepEqual(
    held.map(({ suspending, left }) => [suspending, left]),
    [[0, 1]],
  )
})

test('several processes and restarts suspend each SIM once', async () => {
  const debtor = await newDebtor()
  const sims = [await debtor.sim(), await debtor.sim(), await debtor.sim()]
  await newInvoice(debtor.id)
  await desk.moveClock(6 * DAY_MS)
  await desk.runJobs(billing)
  await Promise.all([desk.runJobs(), desk.runJobs(), desk.runJobs()])
  await runAll()
  await desk.database.tenant('acme', async (db) => {
    const { rows } = await db.query<{ sim_id: string }>('select sim_id from sim_actions where sub_client_id = $1 and kind = $2', [
      debtor.id,
      'suspend',
    ])
    assert.deepEqual(rows.map((row) => row.sim_id).sort(), sims.sort())
  })
})
