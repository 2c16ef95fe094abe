// Spec §1: a SIM from the operator's platform to a paid invoice, as a reseller lives it, with the operator and the gateway as processes of their own.
// What only time could make, a month that is over, is made by moving the SIM's rows into it; everything else is asked for over HTTP.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsOwner, untilTaken } from '@roadworthy/platform/test-support'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { monthAt, monthBefore, monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import { roadworthy } from '../../support/command-line.ts'
import { type EmulatedPlatforms, WEBHOOK_SECRET } from '../../support/emulated-platforms.ts'
import { assertTime, ok, type Row, refused, type Service, type Tenant } from '../../support/service.ts'

const DAY_MS = 86_400_000
const ZONE = 'Asia/Kolkata'
const MEGABYTE = 1_048_576n
/** Of the first day on which the SIM was active, in the month that is billed. */
const FIRST_DAY = 10
const USED_BYTES = 60n * MEGABYTE + 7n
const plan = {
  plan_id: 'm2m-50',
  name: 'M2M 50 MB',
  operator_plan: 'M2M-100MB',
  prices: {
    ...{ rental: '45.00', overage_per_megabyte: '0.85', activation_fee: '100.00', custody_fee: '15.00' },
    ...{ included_megabytes: '50', custody_min_days: 30, pooled: false, prorated: true },
  },
}
const settings = {
  currency: 'INR',
  issuer: { name: 'North Fleet Ltd', address_lines: ['1 Dock Road'], country_code: 'IN', tax_number: '27AAAAA0000A1Z5' },
  taxes: ['CGST', 'SGST'].map((name) => ({ tax_id: name.toLowerCase(), name, rate_percent: '9', category: 'S' })),
}

type SimRow = Row & { readonly id: string; readonly iccid: string; readonly status: string }
type Line = { readonly kind: string; readonly amount_minor: number }
type InvoiceRow = Row & { readonly invoice_id: string; readonly lines: readonly Line[] }
type PaymentRow = Row & { readonly id: string; readonly refunds: readonly Row[] }

/** Rounded half up. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

export function simBillingStorySection(service: Service, { operator, gateway, ...connections }: EmulatedPlatforms): void {
  /** Asks until it is so. */
  async function until<T>(what: string, ask: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
    const endMs = performance.now() + 180_000
    for (;;) {
      const value = await ask()
      if (isSo(value)) return value
      assert.ok(performance.now() < endMs, `${what}: ${JSON.stringify(value)}`)
      await sleep(50)
    }
  }
  const simOf = async ({ simBilling }: Tenant, sim: string) => ok<{ sim: SimRow }>(await simBilling('GET', `/sims/${sim}`)).sim
  const settled = async (tenant: Tenant, sim: string) =>
    await until(
      'the operator is at it',
      () => simOf(tenant, sim),
      (each) => each['pending_action'] === null,
    )
  /** No operator is asked for anything until it is released: what is asked of the service stays under way. */
  async function holdCalls(t: CleanUp): Promise<{ release(): Promise<void> }> {
    const holder = await connectAsOwner(t, service.platform.databaseUrl)
    await holder.query('begin')
    await holder.query('lock table operator_calls in exclusive mode')
    return { release: async () => void (await holder.query('commit')) }
  }
  async function synchronise({ simBilling }: Tenant, body?: object): Promise<Row> {
    // One may be under way by itself.
    const started = await until(
      'another run is under way',
      async () => ok<{ sync: Row; already_running: boolean }>(await simBilling('POST', '/sync', body === undefined ? {} : { body })),
      (answer) => !answer.already_running,
    )
    const { sync } = await until(
      'the run goes on',
      async () => ok<{ sync: Row }>(await simBilling('GET', `/sync/${started.sync['id']}`)),
      (answer) => answer.sync['status'] !== 'running',
    )
    return sync
  }
  async function connected(tenant: Tenant, nth: number): Promise<SimRow[]> {
    const made = await tenant.simBilling('POST', '/operator-connections', { body: connections.cisco(nth) })
    const { connection } = ok<{ connection: Row }>(made)
    assert.doesNotMatch(JSON.stringify(connection), /key-\d/)
    const tried = ok<Row>(await tenant.simBilling('POST', `/operator-connections/${connection['connection_id']}/test`))
    assert.equal(tried['success'], true, String(tried['message']))
    assert.equal((await synchronise(tenant))['status'], 'completed')
    return ok<{ sims: SimRow[] }>(await tenant.simBilling('GET', '/sims?limit=500')).sims
  }
  async function oneIn(sims: readonly SimRow[], status: string): Promise<SimRow> {
    return sims.find((each) => each.status === status) ?? assert.fail(`no SIM is ${status}`)
  }
  /** Of `text` for a callback, as Stripe signs it. */
  const signed = (text: string, secret: string, atS = Math.floor(Date.now() / 1000)) => ({
    'content-type': 'application/json',
    'stripe-signature': `t=${atS},v1=${createHmac('sha256', secret).update(`${atS}.${text}`).digest('hex')}`,
  })
  async function sendBack(path: string, text: string, headers: Record<string, string>): Promise<number> {
    const response = await fetch(`${service.baseUrl}/api/sim-billing/payments/callback/${path}`, { method: 'POST', headers, body: text })
    await response.arrayBuffer()
    return response.status
  }

  suite('4.1 SIM billing: from a SIM to a paid invoice', () => {
    test('a SIM is found at the operator, given to a device, activated, suspended, resumed, parked, terminated and taken back', async (t) => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      const sims = await connected(tenant, 2)
      assert.equal(sims.length, 8)
      const { iccid, id } = await oneIn(sims, 'inventory')
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Acme', sub_client_id: 'acme' } }))
      const { device_id: device } = ok<Row>(await tenant.external('POST', '/devices', { body: { name: 'd', sub_client_id: 'acme' } }))
      const { sim } = ok<{ sim: SimRow }>(await simBilling('PUT', `/sims/${iccid}`, { body: { device_id: device } }))
      assert.deepEqual([sim['device_id'], sim['sub_client_id']], [device, 'acme'])
      const held = await holdCalls(t)
      const first = ok<{ sim: SimRow; action: Row }>(await simBilling('POST', `/sims/${iccid}/activate`))
      assert.deepEqual([first.sim['pending_action'], first.action['state']], ['activate', 'pending'])
      const busy = refused(await simBilling('POST', `/sims/${id}/suspend`), 409, 'sim_action_in_progress')
      assert.equal((busy['details'] as Row)['pending_action'], 'activate')
      await held.release()
      assertTime((await settled(tenant, id))['activated_at'])
      const states = ['active']
      for (const [action, body] of [
        ['suspend', { reason: 'Stolen' }],
        ['activate', {}],
        ['safe-custody', { days: 30 }],
        ['activate', {}],
        ['terminate', {}],
        ['activate', {}],
      ] as const) {
        ok(await simBilling('POST', `/sims/${id}/${action}`, { body }))
        const now = await settled(tenant, id)
        states.push(now.status)
        if (now.status === 'suspended') assert.deepEqual([now['suspended_by'], now['suspended_reason']], ['customer', 'Stolen'])
        if (now.status === 'safe_custody')
          assert.ok(Math.abs(Date.parse(String(now['safe_custody_until'])) - Date.now() - 30 * DAY_MS) < 60_000)
        if (now.status === 'terminating') assert.ok(Date.parse(String(now['terminates_at'])) > Date.now())
      }
      assert.deepEqual(states, ['active', 'suspended', 'active', 'safe_custody', 'active', 'terminating', 'active'])
      const { history } = ok<{ history: Row[] }>(await simBilling('GET', `/sims/${id}/history?limit=500`))
      const passed = history.filter((each) => each['change'] === 'status').map((each) => each['status'])
      assert.deepEqual(passed.reverse(), states)
      // Counters go up and never down, and are reported by the byte.
      const before = Number((await simOf(tenant, id))['data_usage_bytes'])
      await operator.patch({ account: 2, sims: [{ iccid, add_bytes: 3_000_001 }] })
      await synchronise(tenant, { scope: 'usage', sim_ids: [id] })
      const after = Number((await simOf(tenant, id))['data_usage_bytes'])
      assert.ok(after - before >= 3_000_001, `${before} to ${after}`)
      await operator.patch({ account: 2, sims: [{ iccid, lag_bytes: 2_000_000 }] })
      await synchronise(tenant, { scope: 'usage', sim_ids: [id] })
      assert.ok(Number((await simOf(tenant, id))['data_usage_bytes']) >= after)
      const { daily } = ok<{ daily: Row[] }>(await simBilling('GET', `/sims/${id}/usage`))
      const sum = daily.reduce((total, each) => total + Number(each['data_usage_bytes']), 0)
      assert.equal(sum, Number((await simOf(tenant, id))['data_usage_bytes']))
    })

    test('a month is billed to the minor unit, paid once at the gateway, refunded and corrected', async () => {
      const tenant = await service.newTenant()
      const { simBilling } = tenant
      ok(await simBilling('PUT', '/billing-settings', { body: settings }))
      const month = monthBefore(monthAt(ZONE, Date.now() - DAY_MS).label)
      ok(await simBilling('POST', '/rate-plans', { body: { ...plan, effective_from: month } }))
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Acme', sub_client_id: 'acme' } }))
      const { id, iccid } = await oneIn(await connected(tenant, 1), 'inventory')
      ok(await simBilling('PUT', `/sims/${id}`, { body: { sub_client_id: 'acme' } }))
      ok(await simBilling('POST', `/sims/${id}/activate`))
      assert.equal((await settled(tenant, id)).status, 'active')
      await moveInto(tenant, id, month)
      const { invoice, total } = await billed(tenant, { month, iccid })
      await forms(tenant, invoice)
      const payment = await paidOnce(tenant, invoice, total)
      await correctedAfterwards(tenant, invoice, payment, total)
    })
  })

  /** As if all of it had happened in that month, with so much data used. */
  async function moveInto({ slug }: Tenant, simId: string, month: string): Promise<void> {
    const { systemPool } = service.database
    const at = `${month}-${FIRST_DAY}T06:00:00Z`
    const place = [slug, simId]
    await systemPool.query(
      `update sim_history set at = $3::timestamptz + seq * interval '1 second' where reseller_id = $1 and sim_id = $2`,
      [...place, at],
    )
    await systemPool.query('delete from sim_usage where reseller_id = $1 and sim_id = $2', place)
    await systemPool.query(
      `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
       values ($1, $2, 1000, $3, $3, $4, 'acme', $5)`,
      [...place, `${month}-20T06:00:00Z`, String(USED_BYTES), plan.plan_id],
    )
  }

  /** Drafted, opened, and the same as an accountant reckons it. */
  async function billed({ simBilling }: Tenant, { month, iccid }: { month: string; iccid: string }) {
    const { invoices, failures } = await until(
      'the month is not closed',
      async () => await simBilling('POST', '/invoices/draft', { body: { month, sub_client_id: 'acme' } }),
      ({ status }) => status === 200,
    ).then((answer) => ok<{ invoices: Row[]; failures: Row[] }>(answer))
    assert.deepEqual([failures, invoices.length], [[], 1])
    const path = `/invoices/${invoices[0]?.['invoice_id']}`
    refused(await simBilling('POST', `${path}/pay`), 409, 'conflict')
    refused(await simBilling('GET', `${path}/xml`), 409, 'conflict')
    const { invoice } = ok<{ invoice: InvoiceRow }>(await simBilling('POST', `${path}/open`))
    assert.deepEqual([invoice['status'], invoice['number'], invoice['sub_client_id']], ['open', 'INV-000001', 'acme'])

    const { fromMs, untilMs } = monthOfLabel(ZONE, month)
    const days = BigInt(Math.round((untilMs - fromMs) / DAY_MS))
    const served = days - BigInt(FIRST_DAY - 1)
    const included = (50n * MEGABYTE * served) / days
    const expected = {
      sim_rental: rounded(4_500n * served, days),
      sim_activation: 10_000n,
      data_overage: rounded(85n * (USED_BYTES - included), MEGABYTE),
    }
    const amounts = Object.fromEntries(invoice.lines.map(({ kind, amount_minor }) => [kind, BigInt(amount_minor)]))
    assert.deepEqual(amounts, expected)
    assert.match(String((invoice.lines[0] as unknown as Row)['description']), new RegExp(iccid))
    const subtotal = Object.values(expected).reduce((sum, amount) => sum + amount, 0n)
    const tax = 2n * rounded(subtotal * 9n, 100n)
    assert.deepEqual([invoice['subtotal_minor'], invoice['tax_minor']], [Number(subtotal), Number(tax)])
    assert.deepEqual([invoice['total_minor'], invoice['amount_due_minor']], [Number(subtotal + tax), Number(subtotal + tax)])
    return { invoice, total: Number(subtotal + tax) }
  }

  async function forms(tenant: Tenant, { invoice_id: id, lines }: InvoiceRow): Promise<void> {
    const fetched = async (form: string) => {
      const headers = { 'x-api-key': tenant.key }
      const response = await fetch(`${service.baseUrl}/api/sim-billing/invoices/${id}/${form}`, { headers })
      assert.equal(response.status, 200, form)
      return { type: response.headers.get('content-type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const pdf = await fetched('pdf')
    assert.deepEqual([pdf.type, pdf.bytes.subarray(0, 5).toString()], ['application/pdf', '%PDF-'])
    const xml = (await fetched('xml')).bytes.toString()
    assert.match(xml, /<Invoice [^>]*urn:oasis:names:specification:ubl:schema:xsd:Invoice-2/)
    assert.match(xml, /INV-000001/)
    const rows = (await fetched('csv')).bytes.toString().trim().split('\r\n')
    assert.equal(rows.length, 1 + lines.length)
    const statement = (await fetched('statement')).bytes.toString()
    const verified = await roadworthy(['verify-invoice', '-'], { input: statement })
    assert.equal(verified.code, 0, verified.stderr)
    const spoilt = statement.replace('"rental":"45', '"rental":"46')
    assert.notEqual(spoilt, statement)
    assert.notEqual((await roadworthy(['verify-invoice', '-'], { input: spoilt })).code, 0)
  }

  /** By 50 at once, with forged callbacks before the genuine one, which comes five times. */
  async function paidOnce({ simBilling }: Tenant, { invoice_id: invoiceId }: InvoiceRow, total: number): Promise<PaymentRow> {
    const made = ok<{ connection: Row }>(await simBilling('POST', '/gateway-connections', { body: connections.stripe }))
    const callbackUrl = String(made.connection['callback_url'])
    await connections.sendCallbacksTo(callbackUrl)
    const path = `/gateway-connections/${made.connection['connection_id']}`
    assert.equal(ok<Row>(await simBilling('POST', `${path}/test`))['success'], true)
    refused(await simBilling('POST', `/invoices/${invoiceId}/pay`, { body: { gateway: 'razorpay' } }), 409, 'conflict')

    const pay = () => untilTaken(() => simBilling('POST', `/invoices/${invoiceId}/pay`))
    const answers = await Promise.all(Array.from({ length: 50 }, pay))
    const payments = answers.map((answer) => ok<{ payment: PaymentRow }>(answer).payment)
    const [payment = assert.fail()] = payments
    assert.equal(new Set(payments.map((each) => `${each.id} ${each['checkout_url']}`)).size, 1)
    assert.deepEqual([payment['status'], payment['amount'], payment['currency']], ['pending', total, 'INR'])

    const event = {
      ...{ id: 'evt_forged', object: 'event', type: 'checkout.session.completed', created: Math.floor(Date.now() / 1000), livemode: false },
      data: {
        object: {
          ...{ id: 'cs_forged', object: 'checkout.session', client_reference_id: payment.id, payment_intent: 'pi_forged' },
          ...{ payment_status: 'paid', status: 'complete', amount_total: total, currency: 'inr', metadata: {} },
        },
      },
    }
    const text = JSON.stringify(event)
    const place = callbackUrl.split('/callback/')[1] ?? ''
    const late = Math.floor(Date.now() / 1000) - 3_600
    for (const [to, headers] of [
      [place, signed(text, 'whsec_of-somebody-else')],
      [place, signed(text, WEBHOOK_SECRET, late)],
      [place, signed(`${text} `, WEBHOOK_SECRET)],
      [place, { 'content-type': 'application/json' }],
      ['stripe/gwc-00000000000000000000', signed(text, WEBHOOK_SECRET)],
      ['paypal', signed(text, WEBHOOK_SECRET)],
      ['%00/%00', signed(text, WEBHOOK_SECRET)],
    ] as const) {
      assert.equal(await sendBack(to, text, headers), 401, to)
    }
    // Signed, and of a checkout and an amount that are not ours: nothing is booked by it.
    const wrong = text.replace(String(total), '1')
    assert.ok([200, 400].includes(await sendBack(place, wrong, signed(wrong, WEBHOOK_SECRET))))
    const paymentNow = async () => ok<{ payment: PaymentRow }>(await simBilling('GET', `/payments/${payment.id}`)).payment
    assert.deepEqual([(await paymentNow())['status'], (await paymentNow())['received']], ['pending', 0])

    await gateway.addFault({ kind: 'duplicate', times: 5 })
    await gateway.pay(payment.id)
    const paid = await until('it is not paid', paymentNow, (each) => each['status'] === 'paid')
    assert.deepEqual([paid['received'], paid['refunded']], [total, 0])
    const { charged, opened } = await gateway.state()
    assert.deepEqual([charged[payment.id], opened[payment.id]], [1, 1])
    const { invoice } = ok<{ invoice: InvoiceRow }>(await simBilling('GET', `/invoices/${invoiceId}`))
    assert.deepEqual([invoice['status'], invoice['paid_minor'], invoice['amount_due_minor']], ['paid', total, 0])
    refused(await simBilling('POST', `/invoices/${invoiceId}/pay`), 409, 'invoice_already_paid')
    refused(await simBilling('POST', `/invoices/${invoiceId}/void`), 409, 'invalid_transition')
    return paid
  }

  async function correctedAfterwards({ simBilling }: Tenant, { invoice_id: invoiceId }: InvoiceRow, { id }: PaymentRow, total: number) {
    for (const raw of ['{"amount":1e999,"reason":"x"}', '{"amount":-1,"reason":"x"}', '{"amount":0.5,"reason":"x"}', '{"amount":1}'])
      refused(await simBilling('POST', `/payments/${id}/refund`, { raw }), 400, 'invalid_request')
    refused(await simBilling('POST', `/payments/${id}/refund`, { body: { amount: total + 1, reason: 'x' } }), 409, 'conflict')
    const headers = { 'idempotency-key': 'refund-once' }
    for (let turn = 0; turn < 2; turn++)
      ok(await simBilling('POST', `/payments/${id}/refund`, { body: { amount: 100, reason: 'Goodwill' }, headers }))
    const succeeded = async (count: number) =>
      await until(
        'the refund is not made',
        async () => ok<{ payment: PaymentRow }>(await simBilling('GET', `/payments/${id}`)).payment,
        ({ refunds }) => refunds.length === count && refunds.every((each) => each['status'] === 'succeeded'),
      )
    assert.equal((await succeeded(1))['refunded'], 100)
    const invoiceNow = async () => ok<{ invoice: InvoiceRow }>(await simBilling('GET', `/invoices/${invoiceId}`)).invoice
    assert.deepEqual([(await invoiceNow())['status'], (await invoiceNow())['amount_due_minor']], ['open', 100])

    const lines = [{ line: 1, amount_minor: 1_000 }]
    const note = ok<{ credit_note: Row; unapplied_minor: number }>(
      await simBilling('POST', `/invoices/${invoiceId}/credit-notes`, { body: { reason: 'Wrong rental', lines } }),
    )
    assert.deepEqual([note.credit_note['number'], note.credit_note['total_minor']], ['INV-000002', 1_180])
    assert.equal(note.unapplied_minor, 1_080)
    assert.equal((await succeeded(2))['refunded'], 1_180)
    const corrected = await invoiceNow()
    assert.deepEqual([corrected['status'], corrected['paid_minor'], corrected['credited_minor']], ['paid', total - 1_180, 1_180])
    refused(
      await simBilling('POST', `/invoices/${note.credit_note['invoice_id']}/credit-notes`, { body: { reason: 'x' } }),
      409,
      'invalid_transition',
    )
  }
}
