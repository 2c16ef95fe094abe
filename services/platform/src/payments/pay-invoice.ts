// Paying an invoice: the attempt is committed before the gateway is asked, and one attempt at a time may be paid.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type Author, writeAudit } from '../audit/audit.ts'
import { OPERATOR_BOOK, tenantsOf } from '../billing/book.ts'
import { lockInvoice, selectInvoice } from '../billing/invoices.sql.ts'
import { openMinor } from '../billing/settle-invoice.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { Attempt } from './attempt.ts'
import { isLive } from './attempt-states.ts'
import { insertAttempt, selectLiveAttempt } from './attempts.sql.ts'
import { selectEnabledConnectionsForShare } from './connections.sql.ts'
import type { StoredConnection } from './gateway-connection.ts'
import type { GatewayId } from './gateways/gateway.ts'
import { refusalOfAmount } from './gateways/gateway-amounts.ts'
import { endAttempt, openOrWait } from './open-checkout.ts'
import { isId, type PaymentDeps } from './payment-deps.ts'
import { later, OPENING_PATIENCE_MS, scheduleAttempt } from './payment-schedule.ts'

/** Both gateways allow it. Assumption: long enough to pay, and short enough that another way to pay is not blocked for long. */
const CHECKOUT_MS = 3_600_000
/** Nobody is sent to a checkout that ends before a card can be fetched. Assumption. */
const LEAST_LEFT_MS = 5 * 60_000
/** One to end what is in the way, one to open; more where others do so at the same time. */
const MAX_ROUNDS = 4
const ENDING_MS = 25_000
const MAX_RETURN_URL_LENGTH = 1_000

export type PayWish = { readonly gateway?: GatewayId | undefined; readonly returnUrl?: string | undefined }

/** The attempt that is open, made anew or found. Throws the refusals of an invoice that cannot be paid. */
export async function payInvoice(
  deps: PaymentDeps,
  viewer: Viewer,
  invoiceId: string,
  wish: PayWish,
  author: Author,
): Promise<{ readonly attempt: Attempt; readonly invoice: StoredInvoice }> {
  const returnUrl = readReturnUrl(deps, wish.returnUrl) ?? `${deps.baseUrl()}/invoices/${encodeURIComponent(invoiceId)}`
  const key = await requireShownInvoice(deps, viewer, invoiceId)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { attempt, invoice, isInTheWay } = await beginAttempt(deps, key, { ...wish, returnUrl }, author)
    if (isInTheWay) {
      const ended = await endAttempt(deps, attempt, AbortSignal.timeout(ENDING_MS))
      if (isLive(ended.status))
        throw new Problem('conflict', 'A payment of this invoice is under way at the bank. Wait for what comes of it.')
      continue
    }
    const opened = await openOrWait(deps, attempt)
    if (opened.status === 'pending' && opened.checkoutUrl !== undefined) return { attempt: opened, invoice }
    if (opened.status === 'failed') throw new Problem('conflict', opened.failure ?? 'The payment gateway refused to open a checkout.')
  }
  throw new Problem('unavailable', 'Others are paying this invoice at this moment. Ask again.', { retryAfterS: 5 })
}

const noSuchInvoice = () => new Problem('not_found', 'There is no such invoice.')

/** An invoice of another tenant, and a draft that another wrote, return the same 404 as a missing one. */
async function requireShownInvoice(
  { database }: PaymentDeps,
  { resellerId, subClientPin }: Viewer,
  invoiceId: string,
): Promise<StoredInvoice> {
  const invoice = isId(invoiceId) ? await selectInvoice(database.tenantPool(resellerId), { resellerId, invoiceId }) : undefined
  const isShown = invoice !== undefined && (subClientPin === undefined || invoice.subClientId === subClientPin)
  const isOwn = invoice?.issuerId === resellerId && subClientPin === undefined
  if (!isShown || (invoice.openedAt === undefined && !isOwn)) throw noSuchInvoice()
  return invoice
}

/**
 * Where the gateway sends the customer's browser afterwards: https, or this installation's own origin. Whoever holds a key chooses it, and a page over
 * http could be replaced on its way by one that asks for the card again; of other schemes browsers run some.
 */
function readReturnUrl({ baseUrl }: PaymentDeps, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = text.length <= MAX_RETURN_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  // The origin of `blob:` is that of the address in it.
  const isOurs = url?.protocol === 'http:' && url.origin === new URL(baseUrl()).origin
  if (url !== undefined && (url.protocol === 'https:' || isOurs) && url.username === '' && url.password === '') return url.href
  throw new Problem(
    'invalid_request',
    `"return_url" is an https URL of at most ${MAX_RETURN_URL_LENGTH} characters, or a page of this service.`,
    {
      details: { in: 'body', field: 'return_url' },
    },
  )
}

type Begun = { readonly attempt: Attempt; readonly invoice: StoredInvoice; readonly isInTheWay: boolean }

/** In one transaction: looks for the attempt that lives, or writes a new one. */
async function beginAttempt(deps: PaymentDeps, key: StoredInvoice, wish: PayWish & { returnUrl: string }, author: Author): Promise<Begun> {
  return await deps.database.tenant(tenantsOf(key), async (db) => {
    const invoice = await lockInvoice(db, key)
    if (invoice === undefined) throw noSuchInvoice()
    refuseUnpayable(invoice)
    const at = deps.now()
    const live = await selectLiveAttempt(db, invoice.resellerId, invoice.invoiceId)
    if (live !== undefined) return { attempt: live, invoice, isInTheWay: !isStillWanted(live, invoice, wish, at) }
    const connection = await chooseConnection(db, invoice, wish.gateway)
    const attempt = newAttempt(invoice, connection, wish.returnUrl, at)
    await insertAttempt(db, attempt)
    // Whatever becomes of this process, the attempt is seen to.
    await scheduleAttempt(db, attempt, later(at, OPENING_PATIENCE_MS))
    await writeAudit(db, author, {
      action: 'payment.started',
      objectId: attempt.attemptId,
      subClientId: invoice.subClientId,
      after: { invoice_id: invoice.invoiceId, gateway: attempt.gateway, amount: attempt.amountMinor, currency: attempt.currency },
    })
    return { attempt, invoice, isInTheWay: false }
  })
}

/** Throws what keeps an invoice from being paid, in any way. */
export function refuseUnpayable(invoice: StoredInvoice): void {
  const { kind, status } = invoice
  if (kind === 'credit_note') throw new Problem('conflict', 'This is a credit note: there is nothing to pay.')
  if (status === 'paid') throw new Problem('invoice_already_paid', 'This invoice is paid.')
  if (openMinor(invoice) > 0) return
  const why = status === 'draft' ? 'It is a draft: it can be paid once it is open.' : `It is ${status}: there is nothing to pay.`
  throw new Problem('conflict', why, { details: { status } })
}

function isStillWanted(live: Attempt, invoice: StoredInvoice, { gateway }: PayWish, at: Date): boolean {
  if (live.amountMinor !== openMinor(invoice) || (gateway !== undefined && gateway !== live.gateway)) return false
  // Without a way to it although it is open at the gateway, it is on its way out.
  return live.expiresAt.getTime() - at.getTime() >= LEAST_LEFT_MS && (live.status === 'created' || live.checkoutUrl !== undefined)
}

async function chooseConnection(db: Db, invoice: StoredInvoice, gateway: GatewayId | undefined): Promise<StoredConnection> {
  const all = await selectEnabledConnectionsForShare(db, invoice.issuerId)
  const wanted = all.filter((each) => gateway === undefined || each.gateway === gateway)
  const refusals = wanted.map((each) => refusalOfAmount(each.gateway, openMinor(invoice), invoice.currency))
  const chosen = wanted.find((_, nth) => refusals[nth] === undefined)
  if (chosen !== undefined) return chosen
  const whose = invoice.issuerId === OPERATOR_BOOK ? 'Whoever runs this installation' : 'The reseller'
  const missing = gateway === undefined ? 'no payment gateway is connected' : `${gateway} is not connected`
  throw new Problem('conflict', refusals[0] ?? `${whose} takes no payments here: ${missing}.`, { details: { gateway: gateway ?? null } })
}

function newAttempt(invoice: StoredInvoice, connection: StoredConnection, returnUrl: string, at: Date): Attempt {
  const expiresAt = later(at, CHECKOUT_MS)
  // Gateways count in seconds.
  expiresAt.setUTCMilliseconds(0)
  return {
    ...{ resellerId: invoice.resellerId, attemptId: newId('pay'), invoiceId: invoice.invoiceId, subClientId: invoice.subClientId ?? '' },
    ...{ issuerId: invoice.issuerId, connectionId: connection.connectionId, gateway: connection.gateway, gatewayRef: undefined },
    ...{ amountMinor: openMinor(invoice), currency: invoice.currency, status: 'created', checkoutUrl: undefined },
    ...{ description: `Invoice ${invoice.number ?? invoice.invoiceId}`, customerEmail: invoice.recipient.email },
    ...{ returnUrl, expiresAt, failure: undefined, endedAt: undefined, unansweredSince: undefined, abandonedAt: undefined },
    ...{ createdAt: at, updatedAt: at },
  }
}
