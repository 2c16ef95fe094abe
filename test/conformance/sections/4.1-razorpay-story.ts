// Spec §1: an invoice is paid on the page of Razorpay, disputed by the customer's bank, and due again, as somebody sees it who uses nothing but HTTP. The
// gateway is a process of its own.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmulatedPlatforms } from '../../support/emulated-platforms.ts'
import { makeBill } from '../../support/make-bill.ts'
import { ok, type Row, type Service, type Tenant } from '../../support/service.ts'

type Shown = Row & { readonly status: string; readonly amount_due_minor: number; readonly payments: readonly Paid[] }
type Paid = Row & { readonly id: string; readonly status: string; readonly disputes: readonly Row[] }

const TOTAL_MINOR = 118_000
const PATIENCE_MS = 180_000

export function razorpayStorySection(service: Service, { gateway, razorpay, sendCallbacksTo }: EmulatedPlatforms): void {
  const shown = async ({ simBilling }: Tenant, id: string) => ok<{ invoice: Shown }>(await simBilling('GET', `/invoices/${id}`)).invoice
  async function until(tenant: Tenant, id: string, isSo: (invoice: Shown) => boolean): Promise<Shown> {
    for (const endMs = performance.now() + PATIENCE_MS; ; await sleep(50)) {
      const invoice = await shown(tenant, id)
      if (isSo(invoice)) return invoice
      assert.ok(performance.now() < endMs, JSON.stringify(invoice))
    }
  }
  /** As a customer's browser does it: the page, its form, and back. */
  async function payOnThePage(tenant: Tenant, invoiceId: string): Promise<string> {
    const returnUrl = 'https://portal.example.com/invoices/42'
    const answer = await tenant.simBilling('POST', `/invoices/${invoiceId}/pay`, { body: { return_url: returnUrl } })
    const { payment } = ok<{ payment: Row }>(answer)
    assert.deepEqual([payment['gateway'], payment['status'], payment['amount']], ['razorpay', 'pending', TOTAL_MINOR])
    const url = String(payment['checkout_url'])
    const page = await (await fetch(url)).text()
    assert.match(page, /Razorpay checkout/)
    assert.match(page, /1180\.00 INR/)
    const body = new URLSearchParams({ outcome: 'paid' })
    const back = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    const location = new URL(back.headers.get('location') ?? '')
    assert.deepEqual([back.status, `${location.origin}${location.pathname}`], [303, returnUrl])
    assert.equal(location.searchParams.get('razorpay_payment_link_status'), 'paid')
    return location.searchParams.get('razorpay_payment_id') ?? ''
  }

  suite('4.1 SIM billing: paid by Razorpay, disputed, lost and due again', () => {
    test('the payment link is paid, a dispute is opened and lost, and the invoice is paid once more', async () => {
      const tenant = await service.newTenant()
      ok(await tenant.external('POST', '/sub-clients', { body: { name: 'Acme', sub_client_id: 'acme' } }))
      const { invoice: id } = await makeBill(service.database, tenant, 'acme')
      const made = ok<{ connection: Row }>(await tenant.simBilling('POST', '/gateway-connections', { body: razorpay }))
      await sendCallbacksTo(String(made.connection['callback_url']))
      assert.equal(
        ok<Row>(await tenant.simBilling('POST', `/gateway-connections/${made.connection['connection_id']}/test`))['success'],
        true,
      )

      const paymentRef = await payOnThePage(tenant, id)
      const paid = await until(tenant, id, ({ status }) => status === 'paid')
      assert.deepEqual([paid.amount_due_minor, paid.payments[0]?.status, paid.payments[0]?.disputes], [0, 'paid', []])

      const dispute = await gateway.openDispute(paymentRef, { amount: 30_000 })
      const disputed = await until(tenant, id, ({ payments }) => payments[0]?.disputes.length === 1)
      const [opened] = disputed.payments[0]?.disputes ?? []
      assert.deepEqual([opened?.['status'], opened?.['amount'], opened?.['withdrawn']], ['open', 30_000, 0])
      assert.equal(disputed.status, 'paid')

      await gateway.moveDispute(dispute.id, 'lost')
      const lost = await until(tenant, id, ({ status }) => status !== 'paid')
      const [ended] = lost.payments[0]?.disputes ?? []
      assert.deepEqual([lost.status, lost.amount_due_minor], ['open', 30_000])
      assert.deepEqual([ended?.['status'], ended?.['withdrawn']], ['lost', 30_000])

      const again = ok<{ payment: Row }>(await tenant.simBilling('POST', `/invoices/${id}/pay`))
      assert.equal(again.payment['amount'], 30_000)
      await gateway.pay(String(again.payment['id']))
      const settled = await until(tenant, id, ({ status }) => status === 'paid')
      assert.deepEqual([settled.amount_due_minor, settled.payments.length], [0, 2])
    })
  })
}
