// Goal: who owes an invoice is mailed each reminder and the notice that it is overdue once, however many processes run, also where the mail server refuses
// one first. What it refuses for good is not sent again, and the audit log has the reason. Method: two processes of the whole service on one database and a real SMTP server; the invoices are issued over the API, and the days that must
// pass are taken off their rows.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { linePartsOf } from '@roadworthy/platform/billing/invoice-lines.sql'
import { insertInvoice } from '@roadworthy/platform/billing/invoices.sql'
import { testDraft, testParty } from '@roadworthy/platform/billing/test-book'
import { startMailServer } from '@roadworthy/platform/main/test-mail-server'
import { billingSettings } from '../support/make-bill.ts'
import { startPlatform } from '../support/running-platform.ts'
import { callerAt, ok, openService } from '../support/service.ts'

const INVOICES = 8
/** Taken another time: the job has to try it again. */
const NOT_NOW = 451
const REFUSED_FOR_GOOD = 554
const POLL_MS = 200
/** A job that failed is tried again after five seconds. */
const MAX_POLLS = 900

const cleanUps: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})
const hooks = { after: (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp) }
const refusals: string[] = []
const mails = await startMailServer(hooks, (_attempt, { to: [recipient = ''], text }) => {
  if (!/^Subject: Overdue/m.test(text)) return undefined
  const isFirst = !refusals.includes(recipient)
  if (recipient === emailOf(0) && isFirst) {
    refusals.push(recipient)
    return NOT_NOW
  }
  if (recipient === emailOf(1)) {
    refusals.push(recipient)
    return REFUSED_FOR_GOOD
  }
  return undefined
})
const env = { SMTP_URL: mails.url, MAIL_FROM: 'billing@fleet.example.com' }
const flags = ['--log-level', 'fatal']
const service = await openService(hooks, { env, flags })
const other = await startPlatform(hooks, { env: { ...env, DATABASE_URL: service.platform.databaseUrl }, flags })
const { database } = service
const tenant = await service.newTenant()
/** Whichever of them mails, names itself. */
const baseUrls = [service.baseUrl, other.credentials.base_url]
const callers = [tenant.simBilling, callerAt(`${other.credentials.base_url}/api/sim-billing`, tenant.key)]

function emailOf(nth: number): string {
  return `accounts-${nth}@customer.example`
}

type Entry = { readonly objectId: string; readonly changes: Readonly<Record<string, { readonly to?: unknown }>> }
type Issued = { readonly invoiceId: string; readonly number: string; readonly email: string }

async function issue(nth: number): Promise<Issued> {
  const email = emailOf(nth)
  const draftedAt = new Date()
  const draft = testDraft({
    ...{ issuerId: tenant.slug, resellerId: tenant.slug, subClientId: `customer-${nth}`, recipient: { ...testParty, email } },
    ...{ draftedAt, opensAt: new Date(draftedAt.getTime() + 86_400_000) },
  })
  await database.tenant(tenant.slug, (db) => insertInvoice(db, draft, linePartsOf(draft.lines)))
  const opened = await callers[nth % callers.length]?.('POST', `/invoices/${draft.invoiceId}/open`)
  assert.ok(opened)
  const { invoice } = ok<{ invoice: { number: string; status: string } }>(opened)
  assert.equal(invoice.status, 'open')
  return { invoiceId: draft.invoiceId, number: invoice.number, email }
}

/** As if so many days had gone by. */
async function passDays(days: number): Promise<void> {
  await database.systemPool.query(
    `update invoices set opened_at = opened_at - $1 * interval '1 day', due_at = due_at - $1 * interval '1 day' where issuer_id = $2`,
    [days, tenant.slug],
  )
  await database.systemPool.query(`update jobs set due_at = now() where kind = 'billing-dunning' and reseller_id = $1`, [tenant.slug])
}

/** Until no process is at a reminder, and none is due: nothing more is sent then. */
async function untilQuiet(): Promise<void> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const { rows } = await database.systemPool.query<{ count: number }>(
      `select count(*)::int as count from jobs
        where kind = 'billing-dunning' and reseller_id = $1 and (due_at < now() + interval '1 hour' or claimed_until is not null)`,
      [tenant.slug],
    )
    if (rows[0]?.count === 0) return
    await sleep(POLL_MS)
  }
  assert.fail('reminders are still to be sent')
}

/** Of each invoice exactly one, to its recipient alone. */
function assertMailedOnce(issued: readonly Issued[], beginning: 'Due soon' | 'Overdue', words: RegExp): void {
  const sent = mails.received.filter(({ text }) => text.includes(`Subject: ${beginning}: `))
  assert.equal(sent.length, issued.length)
  for (const { invoiceId, number, email } of issued) {
    const mine = sent.filter(({ to }) => to.includes(email))
    assert.equal(mine.length, 1, `${beginning} to ${email}`)
    assert.deepEqual([mine[0]?.to, mine[0]?.from], [[email], env.MAIL_FROM])
    // Long lines are broken in mails.
    const text = (mine[0]?.text ?? '').replaceAll('=\r\n', '')
    assert.match(text, new RegExp(`^Subject: ${beginning}: invoice ${number} of `, 'm'))
    assert.match(text, words)
    assert.match(text, /Still to be paid: 1180\.00 INR\./)
    assert.ok(
      baseUrls.some((baseUrl) => text.includes(`${baseUrl}/invoices/${invoiceId}`)),
      text,
    )
  }
}

test('a reminder before the due date and the overdue notice after it reach each recipient once, also after a refusal', async () => {
  const settings = { ...billingSettings, payment_terms_days: 14, reminder_days: [-2, 3] }
  ok(await tenant.simBilling('PUT', '/billing-settings', { body: settings }))
  const issued: Issued[] = []
  for (let nth = 0; nth < INVOICES; nth++) issued.push(await issue(nth))
  await untilQuiet()
  assert.deepEqual(mails.received, [], 'nothing is mailed before its day')

  await passDays(12)
  await untilQuiet()
  assertMailedOnce(issued, 'Due soon', /is due on \d{4}-\d{2}-\d{2}\./)

  await passDays(5)
  await untilQuiet()
  const [, refused] = issued
  const others = issued.filter((each) => each !== refused)
  assertMailedOnce(others, 'Overdue', /was due on \d{4}-\d{2}-\d{2} and is not paid\./)
  assert.deepEqual(refusals.toSorted(), [emailOf(0), emailOf(1)])
  assert.equal(mails.received.length, issued.length + others.length)
  const { entries } = ok<{ entries: Entry[] }>(await tenant.platform('GET', '/audit?action=invoice.reminded'))
  const notMailed = entries.filter(({ changes }) => changes['mailed']?.to === false)
  assert.deepEqual(
    notMailed.map(({ objectId }) => objectId),
    [refused?.invoiceId],
  )
  const { invoices } = ok<{ invoices: { status: string }[] }>(await tenant.simBilling('GET', '/invoices'))
  assert.ok(invoices.every(({ status }) => status === 'overdue'))
})
