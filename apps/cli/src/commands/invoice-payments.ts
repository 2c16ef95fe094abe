// Paying an invoice, recording what came in outside of a gateway, and giving money back.

import { gatewayNames } from '@roadworthy/contracts/sim-billing/gateway-connections'
import type { Payment } from '@roadworthy/contracts/sim-billing/payments'
import { paymentMethods } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { type Command, Option } from 'commander'
import { type Context, examples, handle, integerFrom, RequiredOption, type Surroundings } from '../command.ts'
import { formatTable } from '../output.ts'
import { callSimBilling } from '../sim-billing.ts'

type PayOptions = { gateway?: string; returnUrl?: string }
type AbandonOptions = { reason: string }
type RefundOptions = { reason: string; amount?: number }
export type RecordOptions = { amount: number; currency: string; method: string; receivedOn: string; reference?: string }

export function addInvoicePayments(invoices: Command, surroundings: Surroundings): void {
  invoices
    .command('pay <invoice>')
    .description('open a payment of what is due, and print the address of its checkout')
    .addOption(new Option('--gateway <gateway>', 'through this one (default: the first that takes the amount)').choices(gatewayNames))
    .option('--return-url <url>', 'where the browser goes afterwards (default: the page of the invoice)')
    .addHelpText('after', examples('npx roadworthy invoices pay inv-3k8f2m9x4c7v1b6n5q0z'))
    .action(handle<PayOptions>(surroundings, pay))
  invoices
    .command('refund <payment>')
    .description('give back what was paid, or a part; the invoice is due again unless it is credited first')
    .addOption(new RequiredOption('--reason <text>', 'for people; the gateway keeps it too'))
    .option('--amount <minor>', 'in minor units (default: all that can be given back)', integerFrom(1, Number.MAX_SAFE_INTEGER))
    .addHelpText('after', examples('npx roadworthy invoices refund pay-2q8w5e1r7t4y9u3i6o0p --reason "Billed twice" --amount 9000'))
    .action(handle<RefundOptions>(surroundings, refund))
  invoices
    .command('abandon <payment>')
    .description('give up a payment whose gateway has given no answer for a day, so that its invoice can be paid in another way')
    .addOption(new RequiredOption('--reason <text>', 'for people'))
    .addHelpText('after', examples('npx roadworthy invoices abandon pay-2q8w5e1r7t4y9u3i6o0p --reason "The account was closed"'))
    .action(handle<AbandonOptions>(surroundings, abandon))
  addRecordOptions(invoices.command('record-payment <invoice>').description('record a payment that came in outside of a gateway'))
    .addHelpText(
      'after',
      examples(
        'npx roadworthy invoices record-payment inv-3k8f2m9x4c7v1b6n5q0z --amount 265500 --currency INR --method bank_transfer --received-on 2026-11-12',
      ),
    )
    .action(handle<RecordOptions>(surroundings, record))
  invoices
    .command('reverse-payment <invoice> <payment>')
    .description('take back a payment that was recorded; its invoice is due again')
    .addOption(new RequiredOption('--reason <text>', 'for people'))
    .addHelpText(
      'after',
      examples('npx roadworthy invoices reverse-payment inv-3k8f2m9x4c7v1b6n5q0z pay-2q8w5e1r7t4y9u3i6o0p --reason "Entered twice"'),
    )
    .action(handle<AbandonOptions>(surroundings, reverse))
}

/** The same for an issuer and for the operator of the installation. */
export function addRecordOptions(command: Command): Command {
  return command
    .addOption(new RequiredOption('--amount <minor>', 'what came in, in minor units').argParser(integerFrom(1, Number.MAX_SAFE_INTEGER)))
    .addOption(new RequiredOption('--currency <currency>', 'that of the invoice'))
    .addOption(new RequiredOption('--method <method>', 'how it came').choices(paymentMethods))
    .addOption(new RequiredOption('--received-on <day>', 'such as 2026-11-12, in the time zone of the invoice'))
    .option('--reference <text>', 'as on the bank statement')
}

/** As the body of the request. */
export function recordBodyOf({ amount, currency, method, receivedOn, reference }: RecordOptions) {
  const given = { amount_minor: amount, currency, method, received_on: receivedOn }
  return reference === undefined ? given : { ...given, reference }
}

export function toRecordedLine({ id, status, amount, currency, recorded }: Payment): string {
  return `${id} is ${status}: ${amount} ${currency} in minor units, by ${recorded?.method ?? ''} of ${recorded?.received_on ?? ''}`
}

/** After a credit note, also for the operator of the installation. */
export function noteSurplus({ out }: Context, unappliedMinor: number, currency: string): void {
  if (unappliedMinor === 0) return
  out.note(
    `${unappliedMinor} ${currency} in minor units had been paid: what came by a gateway is refunded there; give the rest back yourself.`,
  )
}

async function pay(context: Context, { gateway, returnUrl }: PayOptions, invoice = ''): Promise<void> {
  const body = { gateway, return_url: returnUrl }
  const answer = await callSimBilling(context, `/invoices/${encodeURIComponent(invoice)}/pay`, { method: 'POST', body })
  const payment = answer['payment'] as Payment
  context.out.answer(payment, () => payment.checkout_url ?? `${payment.id} is ${payment.status}`)
  context.out.note(
    `${payment.id}: ${payment.amount} ${payment.currency} in minor units, through ${payment.gateway}, until ${payment.expires_at}`,
  )
}

async function refund(context: Context, { reason, amount }: RefundOptions, id = ''): Promise<void> {
  const answer = await callSimBilling(context, `/payments/${encodeURIComponent(id)}/refund`, { method: 'POST', body: { reason, amount } })
  const payment = answer['payment'] as Payment
  context.out.answer(payment, () => toRefundTable(payment))
}

async function abandon(context: Context, { reason }: AbandonOptions, id = ''): Promise<void> {
  const answer = await callSimBilling(context, `/payments/${encodeURIComponent(id)}/abandon`, { method: 'POST', body: { reason } })
  const payment = answer['payment'] as Payment
  context.out.answer(payment, () => `${payment.id} is ${payment.status}`)
}

async function record(context: Context, options: RecordOptions, invoice = ''): Promise<void> {
  const path = `/invoices/${encodeURIComponent(invoice)}/payments`
  const answer = await callSimBilling(context, path, { method: 'POST', body: recordBodyOf(options) })
  const payment = answer['payment'] as Payment
  context.out.answer(payment, () => toRecordedLine(payment))
}

async function reverse(context: Context, { reason }: AbandonOptions, invoice = '', id = ''): Promise<void> {
  const path = `/invoices/${encodeURIComponent(invoice)}/payments/${encodeURIComponent(id)}/reverse`
  const answer = await callSimBilling(context, path, { method: 'POST', body: { reason } })
  const payment = answer['payment'] as Payment
  context.out.answer(payment, () => toRecordedLine(payment))
}

export function toRefundTable({ refunds }: Pick<Payment, 'refunds'>): string {
  const rows = refunds.map(({ id, status, amount, currency, reason }) => [id, status, String(amount), currency, reason])
  return formatTable(['REFUND', 'STATUS', 'AMOUNT', 'CURRENCY', 'REASON'], rows)
}
