import { writeFile } from 'node:fs/promises'
import type { Invoice, InvoiceDraftAnswer, InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import type { Command } from 'commander'
import { type Context, examples, handle, RequiredOption, type Surroundings } from '../command.ts'
import { type CreditPart, creditPart } from '../credit-part.ts'
import { requestFile } from '../http-client.ts'
import { formatTable } from '../output.ts'
import { callSimBilling } from '../sim-billing.ts'
import { addInvoiceConfiguration } from './invoice-configuration.ts'
import { addInvoicePayments, noteSurplus } from './invoice-payments.ts'

type ListOptions = { status?: string; period?: string; subClient?: string }
type DraftOptions = { month: string; subClient?: string; replace?: boolean }
type CreditOptions = { reason: string; line?: CreditPart[] }

export function addInvoices(program: Command, surroundings: Surroundings): void {
  const invoices = program.command('invoices').description('invoices of a reseller to its sub-clients, and those that it was sent')
  addReading(invoices, surroundings)
  addInvoicePayments(invoices, surroundings)
  addInvoiceConfiguration(invoices, surroundings)
  invoices
    .command('draft')
    .description('draft the invoices of a month that is over')
    .addOption(new RequiredOption('--month <month>', 'such as 2026-10'))
    .option('--sub-client <id>', 'of this one only')
    .option('--replace', 'rate drafts that are there anew')
    .addHelpText(
      'after',
      examples('npx roadworthy invoices draft --month 2026-10', 'npx roadworthy invoices draft --month 2026-10 --replace'),
    )
    .action(handle<DraftOptions>(surroundings, draft))
  invoices
    .command('open <invoice>')
    .description('open a draft before its grace is over')
    .addHelpText('after', examples('npx roadworthy invoices open inv-3k8f2m9x4c7v1b6n5q0z'))
    .action(handle(surroundings, (context, _options, id = '') => change(context, id, 'open')))
  invoices
    .command('void <invoice>')
    .description('discard a draft, or void an invoice of which nothing is paid')
    .option('--reason <text>', 'for the credit note that voids it')
    .addHelpText('after', examples('npx roadworthy invoices void inv-3k8f2m9x4c7v1b6n5q0z --reason "Billed twice"'))
    .action(handle<{ reason?: string }>(surroundings, (context, { reason }, id = '') => change(context, id, 'void', { reason })))
  invoices
    .command('credit <invoice>')
    .description('issue a credit note: of some lines, or of everything that is not credited yet')
    .addOption(new RequiredOption('--reason <text>', 'as on the credit note'))
    .option('--line <line:amount>', 'a line and how much of it, in minor units; repeatable', creditPart, [])
    .addHelpText('after', examples('npx roadworthy invoices credit inv-3k8f2m9x4c7v1b6n5q0z --reason "Wrong rental" --line 1:9000'))
    .action(handle<CreditOptions>(surroundings, credit))
}

function addReading(invoices: Command, surroundings: Surroundings): void {
  invoices
    .command('list')
    .description('list invoices and credit notes, newest first')
    .option('--status <status>', 'draft, open, paid, overdue or void')
    .option('--period <month>', 'such as 2026-10')
    .option('--sub-client <id>', 'to this one only')
    .addHelpText('after', examples('npx roadworthy invoices list --status overdue'))
    .action(handle<ListOptions>(surroundings, list))
  invoices
    .command('show <invoice>')
    .description('show an invoice with its lines')
    .addHelpText('after', examples('npx roadworthy invoices show inv-3k8f2m9x4c7v1b6n5q0z --json'))
    .action(handle(surroundings, show))
  invoices
    .command('pdf <invoice> <file>')
    .description('write an invoice as PDF')
    .addHelpText('after', examples('npx roadworthy invoices pdf inv-3k8f2m9x4c7v1b6n5q0z INV-000042.pdf'))
    .action(handle(surroundings, pdf))
}

async function list(context: Context, { status, period, subClient }: ListOptions): Promise<void> {
  const given = { status, period, sub_client_id: subClient, limit: '500' }
  const query = new URLSearchParams(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const body = await callSimBilling(context, `/invoices?${query}`)
  context.out.answer(body, () => toTable(body['invoices'] as InvoiceSummary[]))
}

function toTable(invoices: readonly InvoiceSummary[]): string {
  const rows = invoices.map((invoice) => [
    invoice.invoice_id,
    invoice.number ?? '',
    invoice.kind,
    invoice.status,
    invoice.sub_client_id ?? '',
    invoice.period,
    String(invoice.total_minor),
    String(invoice.amount_due_minor),
    invoice.currency,
    invoice.due_date ?? '',
  ])
  return formatTable(['ID', 'NUMBER', 'KIND', 'STATUS', 'SUB-CLIENT', 'PERIOD', 'TOTAL', 'DUE', 'CURRENCY', 'DUE DATE'], rows)
}

async function show(context: Context, _options: unknown, id = ''): Promise<void> {
  answerInvoice(context, (await callSimBilling(context, `/invoices/${encodeURIComponent(id)}`))['invoice'] as Invoice)
}

function answerInvoice({ out }: Context, invoice: Invoice): void {
  const lines = invoice.lines.map(({ line, description, quantity, unit, amount_minor }) => [
    String(line),
    description,
    `${quantity} ${unit}`,
    String(amount_minor),
  ])
  const payments = invoice.payments.map(({ id, gateway, recorded, status, amount_minor }) => [
    ...[id, gateway ?? recorded?.method ?? '', status, String(amount_minor)],
  ])
  const tables = [
    toTable([invoice]),
    formatTable(['LINE', 'DESCRIPTION', 'QUANTITY', 'AMOUNT'], lines),
    ...(payments.length === 0 ? [] : [formatTable(['PAYMENT', 'BY', 'STATUS', 'AMOUNT'], payments)]),
  ]
  out.answer(invoice, () => tables.join('\n\n'))
}

async function pdf(context: Context, _options: unknown, id = '', file = ''): Promise<void> {
  const { instance } = context
  const bytes = await requestFile(`${instance.baseUrl()}/api/sim-billing/invoices/${encodeURIComponent(id)}/pdf`, instance.apiKey())
  await writeFile(file, bytes)
  context.out.answer({ file, bytes: bytes.length }, () => `${file}  ${bytes.length} bytes`)
}

async function draft(context: Context, { month, subClient, replace = false }: DraftOptions): Promise<void> {
  const given = { month, replace, ...(subClient === undefined ? {} : { sub_client_id: subClient }) }
  const body = await callSimBilling(context, '/invoices/draft', { method: 'POST', body: given })
  context.out.answer(body, () => toTable(body['invoices'] as InvoiceSummary[]))
  context.out.note(draftCounts(body as DraftCounts))
  for (const { sub_client_id, message } of body['failures'] as { sub_client_id: string; message: string }[]) {
    context.out.note(`${sub_client_id} could not be rated: ${message}`)
  }
}

type DraftCounts = Pick<InvoiceDraftAnswer, 'made' | 'replaced' | 'kept' | 'discarded'>

export function draftCounts({ made, replaced, kept, discarded }: DraftCounts): string {
  return `${made} made, ${replaced} replaced, ${kept} kept, ${discarded} discarded.`
}

async function change(context: Context, id: string, action: 'open' | 'void', given?: { reason?: string | undefined }): Promise<void> {
  const path = `/invoices/${encodeURIComponent(id)}/${action}`
  const body = given === undefined ? {} : { body: given.reason === undefined ? {} : { reason: given.reason } }
  answerInvoice(context, (await callSimBilling(context, path, { method: 'POST', ...body }))['invoice'] as Invoice)
}

async function credit(context: Context, { reason, line = [] }: CreditOptions, id = ''): Promise<void> {
  const path = `/invoices/${encodeURIComponent(id)}/credit-notes`
  const given = {
    reason,
    ...(line.length === 0 ? {} : { lines: line.map((part) => ({ line: part.line, amount_minor: part.amountMinor })) }),
  }
  const answer = await callSimBilling(context, path, { method: 'POST', body: given })
  const corrected = answer['invoice'] as InvoiceSummary
  noteSurplus(context, answer['unapplied_minor'] as number, corrected.currency)
  answerInvoice(context, answer['credit_note'] as Invoice)
}
