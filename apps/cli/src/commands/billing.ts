// What the operator of an installation bills its resellers. On the server, against the database: there is no API key for it.

import type { Author } from '@roadworthy/platform/audit/audit'
import { selectWholeInvoice } from '@roadworthy/platform/billing/invoice-lines.sql'
import {
  changeBilledReseller,
  changeOperatorPrices,
  changeOperatorSettings,
  creditOperatorInvoice,
  draftOperatorMonth,
  listOperatorInvoices,
  openOperatorInvoice,
  readOperatorPrices,
  readOperatorSettings,
  requireOperatorInvoice,
  voidOperatorInvoice,
} from '@roadworthy/platform/billing/operator-billing'
import { unappliedMinorOf } from '@roadworthy/platform/billing/settle-invoice'
import type { StoredInvoice } from '@roadworthy/platform/billing/stored-invoice'
import { toWireInvoice, toWireSummary } from '@roadworthy/platform/billing/wire-invoice'
import { paymentsOf } from '@roadworthy/platform/payments/invoice-payments'
import {
  abandonOperatorPayment,
  recordOperatorPayment,
  refundOperatorPayment,
  reverseOperatorPayment,
} from '@roadworthy/platform/payments/operator-payments'
import { endCheckout, refundSurplus } from '@roadworthy/platform/payments/request-refund'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Command } from 'commander'
import { type Context, examples, handle, integerFrom, RequiredOption, type Surroundings } from '../command.ts'
import { type CreditPart, creditPart } from '../credit-part.ts'
import { operatorAuthor, requireSecretKey, withDatabase } from '../operator.ts'
import { formatTable } from '../output.ts'
import { readDocument } from '../signed-document.ts'
import { addGateways } from './billing-gateways.ts'
import { addRecordOptions, noteSurplus, type RecordOptions, recordBodyOf, toRecordedLine, toRefundTable } from './invoice-payments.ts'
import { draftCounts } from './invoices.ts'

const OPERATOR = '_operator'

type FileOptions = { file?: string }
type CreditOptions = { reason: string; line?: CreditPart[] }
type RefundOptions = { reason: string; amount?: number }
type DraftOptions = { month: string; reseller?: string; replace?: boolean }

export function addBilling(program: Command, surroundings: Surroundings): void {
  const billing = program.command('billing').description('what resellers are billed (for the operator of the instance)')
  addConfiguration(billing, surroundings)
  addCredit(billing, surroundings)
  addRefund(billing, surroundings)
  addAbandon(billing, surroundings)
  addRecorded(billing, surroundings)
  addGateways(billing, surroundings)
  billing
    .command('list')
    .description('list the invoices to resellers, newest first')
    .addHelpText('after', examples('npx roadworthy billing list'))
    .action(handle(surroundings, list))
  billing
    .command('show <invoice>')
    .description('show an invoice')
    .addHelpText('after', examples('npx roadworthy billing show inv-3k8f2m9x4c7v1b6n5q0z --json'))
    .action(handle(surroundings, (context, _options, id = '') => answerOne(context, (database) => requireOperatorInvoice(database, id))))
  billing
    .command('draft')
    .description('draft the invoices of a month that is over')
    .addOption(new RequiredOption('--month <month>', 'such as 2026-10'))
    .option('--reseller <slug>', 'of this one only')
    .option('--replace', 'rate drafts that are there anew')
    .addHelpText(
      'after',
      examples('npx roadworthy billing draft --month 2026-10', 'npx roadworthy billing draft --month 2026-10 --replace'),
    )
    .action(handle<DraftOptions>(surroundings, draft))
  billing
    .command('open <invoice>')
    .description('open a draft before its grace is over')
    .addHelpText('after', examples('npx roadworthy billing open inv-3k8f2m9x4c7v1b6n5q0z'))
    .action(
      handle(surroundings, (context, _options, id = '') =>
        answerOne(context, (database, author) => openOperatorInvoice(database, id, author)),
      ),
    )
  billing
    .command('void <invoice>')
    .description('discard a draft, or void an invoice of which nothing is paid')
    .option('--reason <text>', 'for the credit note that voids it')
    .addHelpText('after', examples('npx roadworthy billing void inv-3k8f2m9x4c7v1b6n5q0z --reason "Billed twice"'))
    .action(
      handle<{ reason?: string }>(surroundings, (context, { reason }, id = '') =>
        answerOne(context, (database, author) => voidOperatorInvoice({ database, endCheckout }, id, reason, author)),
      ),
    )
}

function addCredit(billing: Command, surroundings: Surroundings): void {
  billing
    .command('credit <invoice>')
    .description('issue a credit note: of some lines, or of everything that is not credited yet')
    .addOption(new RequiredOption('--reason <text>', 'as on the credit note'))
    .option('--line <line:amount>', 'a line and how much of it, in minor units; repeatable', creditPart, [])
    .addHelpText('after', examples('npx roadworthy billing credit inv-3k8f2m9x4c7v1b6n5q0z --reason "Wrong price" --line 1:9000'))
    .action(
      handle<CreditOptions>(surroundings, (context, { reason, line = [] }, id = '') =>
        answerOne(context, async (database, author) => {
          const parts = line.length === 0 ? undefined : line
          const credit = await creditOperatorInvoice({ database, refundSurplus, endCheckout }, id, { reason, parts }, author)
          noteSurplus(context, credit.unappliedMinor, credit.invoice.currency)
          return credit.creditNote
        }),
      ),
    )
}

function addRefund(billing: Command, surroundings: Surroundings): void {
  billing
    .command('refund <payment>')
    .description('give back what a reseller paid, or a part; "show" names the payments of an invoice')
    .addOption(new RequiredOption('--reason <text>', 'for people; the gateway keeps it too'))
    .option('--amount <minor>', 'in minor units (default: all that can be given back)', integerFrom(1, Number.MAX_SAFE_INTEGER))
    .addHelpText('after', examples('npx roadworthy billing refund pay-2q8w5e1r7t4y9u3i6o0p --reason "Billed twice" --amount 9000'))
    .action(
      handle<RefundOptions>(surroundings, async ({ env, instance, now, out }, { reason, amount }, id = '') => {
        const given = { reason, ...(amount === undefined ? {} : { amount }) }
        const payment = await withDatabase(env, instance.dataDir, (database) =>
          refundOperatorPayment({ database, now }, id, given, operatorAuthor(OPERATOR, now())),
        )
        out.answer(payment, () => toRefundTable(payment))
      }),
    )
}

function addAbandon(billing: Command, surroundings: Surroundings): void {
  billing
    .command('abandon <payment>')
    .description('give up a payment whose gateway has given no answer for a day; private networks by GATEWAY_ALLOW_CIDRS')
    .addOption(new RequiredOption('--reason <text>', 'for people'))
    .addHelpText('after', examples('npx roadworthy billing abandon pay-2q8w5e1r7t4y9u3i6o0p --reason "The account was closed"'))
    .action(
      handle<{ reason: string }>(surroundings, async ({ env, instance, now, out }, { reason }, id = '') => {
        const secretKey = requireSecretKey(env, instance.dataDir)
        const note = (_fields: object, message: string) => out.note(message)
        const asking = { secretKey, allowCidrs: env['GATEWAY_ALLOW_CIDRS'] ?? '', now, log: { warn: note, error: note } }
        const payment = await withDatabase(env, instance.dataDir, (database) =>
          abandonOperatorPayment({ ...asking, database }, id, { reason }, operatorAuthor(OPERATOR, now())),
        )
        out.answer(payment, () => `${payment.id} is ${payment.status}`)
      }),
    )
}

function addRecorded(billing: Command, surroundings: Surroundings): void {
  addRecordOptions(billing.command('record-payment <invoice>').description('record money of a reseller that came in outside of a gateway'))
    .addHelpText(
      'after',
      examples(
        'npx roadworthy billing record-payment inv-3k8f2m9x4c7v1b6n5q0z --amount 265500 --currency EUR --method bank_transfer --received-on 2026-11-12',
      ),
    )
    .action(
      handle<RecordOptions>(surroundings, async ({ env, instance, now, out }, options, id = '') => {
        const payment = await withDatabase(env, instance.dataDir, (database) =>
          recordOperatorPayment({ database, now }, id, recordBodyOf(options), operatorAuthor(OPERATOR, now())),
        )
        out.answer(payment, () => toRecordedLine(payment))
      }),
    )
  billing
    .command('reverse-payment <invoice> <payment>')
    .description('take back a payment that was recorded; its invoice is due again')
    .addOption(new RequiredOption('--reason <text>', 'for people'))
    .addHelpText(
      'after',
      examples('npx roadworthy billing reverse-payment inv-3k8f2m9x4c7v1b6n5q0z pay-2q8w5e1r7t4y9u3i6o0p --reason "Entered twice"'),
    )
    .action(
      handle<{ reason: string }>(surroundings, async ({ env, instance, now, out }, { reason }, invoiceId = '', paymentId = '') => {
        const payment = await withDatabase(env, instance.dataDir, (database) =>
          reverseOperatorPayment({ database, now }, { invoiceId, paymentId }, { reason }, operatorAuthor(OPERATOR, now())),
        )
        out.answer(payment, () => toRecordedLine(payment))
      }),
    )
}

function addConfiguration(billing: Command, surroundings: Surroundings): void {
  const file = (what: string) => ['--file <file>', `JSON of ${what}; what is left out stays`] as const
  billing
    .command('settings')
    .description(
      'show who issues invoices and how, or change it; fields as of PUT /billing-settings, with time_zone and suspend_after_days',
    )
    .option(...file('what changes'))
    .addHelpText('after', examples('npx roadworthy billing settings', 'npx roadworthy billing settings --file operator-billing.json'))
    .action(
      handle<FileOptions>(surroundings, (context, { file }) =>
        answer(context, async (database, author) =>
          file === undefined
            ? await readOperatorSettings(database)
            : await changeOperatorSettings(database, await readDocument(file), author),
        ),
      ),
    )
  billing
    .command('prices')
    .description('show the prices of the platform, or add a version; fields as of PUT /price-list')
    .option('--file <file>', 'JSON of a version')
    .addHelpText('after', examples('npx roadworthy billing prices --file prices-2027.json'))
    .action(
      handle<FileOptions>(surroundings, (context, { file }) =>
        answer(context, async (database, author) =>
          file === undefined ? await readOperatorPrices(database) : await changeOperatorPrices(database, await readDocument(file), author),
        ),
      ),
    )
  billing
    .command('reseller <slug>')
    .description('show how a reseller is billed, or change it; fields as of PUT /customers/{sub_client_id}')
    .option(...file('what changes'))
    .addHelpText('after', examples('npx roadworthy billing reseller north-fleet --file north-fleet.json'))
    .action(
      handle<FileOptions>(surroundings, (context, { file }, slug = '') =>
        answer(context, async (database, author) =>
          changeBilledReseller(database, slug, file === undefined ? undefined : await readDocument(file), author),
        ),
      ),
    )
}

async function answer({ env, instance, now, out }: Context, run: (database: Database, author: Author) => Promise<unknown>): Promise<void> {
  const value = await withDatabase(env, instance.dataDir, (database) => run(database, operatorAuthor(OPERATOR, now())))
  out.answer(value, () => JSON.stringify(value, null, 2))
}

async function list({ env, instance, out }: Context): Promise<void> {
  const invoices = await withDatabase(env, instance.dataDir, listOperatorInvoices)
  out.answer({ total: invoices.length, invoices: invoices.map(toJson) }, () => toTable(invoices))
}

async function answerOne(
  { env, instance, now, out }: Context,
  run: (database: Database, author: Author) => Promise<StoredInvoice>,
): Promise<void> {
  const { invoice, ...money } = await withDatabase(env, instance.dataDir, async (database) => {
    const changed = await run(database, operatorAuthor(OPERATOR, now()))
    const db = database.tenantPool(changed.resellerId)
    const unappliedMinor = await unappliedMinorOf(database.tenantPool(changed.issuerId), changed)
    return { invoice: await selectWholeInvoice(db, changed), payments: await paymentsOf(db, changed), unappliedMinor }
  })
  const whole = { reseller_slug: invoice.resellerId, ...toWireInvoice(invoice, { creditNotes: [], ...money }) }
  out.answer(whole, () => toTable([invoice]))
}

async function draft({ env, instance, now, out }: Context, { month, reseller, replace = false }: DraftOptions): Promise<void> {
  const asked = { month, resellerId: reseller, isReplacing: replace }
  const { drafted, counts, failures } = await withDatabase(env, instance.dataDir, (database) =>
    draftOperatorMonth(database, asked, operatorAuthor(OPERATOR, now())),
  )
  const { made, replaced, kept, discarded } = counts
  out.answer({ invoices: drafted.map(toJson), made, replaced, kept, discarded, failures }, () => toTable(drafted))
  out.note(draftCounts(counts))
  for (const { customerId, message } of failures) out.note(`${customerId} could not be rated: ${message}`)
}

function toJson(invoice: StoredInvoice) {
  return { reseller_slug: invoice.resellerId, ...toWireSummary(invoice) }
}

function toTable(invoices: readonly StoredInvoice[]): string {
  const rows = invoices
    .map(toJson)
    .map((invoice) => [
      invoice.invoice_id,
      invoice.number ?? '',
      invoice.kind,
      invoice.status,
      invoice.reseller_slug,
      invoice.period,
      String(invoice.total_minor),
      String(invoice.amount_due_minor),
      invoice.currency,
      invoice.due_date ?? '',
    ])
  return formatTable(['ID', 'NUMBER', 'KIND', 'STATUS', 'RESELLER', 'PERIOD', 'TOTAL', 'DUE', 'CURRENCY', 'DUE DATE'], rows)
}
