// What the pages about invoices ask for.

import type { Invoice, InvoiceAnswer, InvoiceList, InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import type { PaymentAnswer, PaymentList } from '@roadworthy/contracts/sim-billing/payments'
import type { RecordPaymentRequest } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withReasons } from '../said/refused.ts'
import { simBilling } from './client.ts'
import { isMissing } from './retry.ts'

const SLOW_POLL_MS = 30_000
/** A person who returns from the gateway waits for the result of the payment. */
const PAYING_POLL_MS = 2_000
const PAGE_SIZE = 50
/** More than an invoice has recorded payments. */
const PAYMENTS_SIZE = 200

export type InvoiceStatus = InvoiceSummary['status']
export type InvoiceFilter = { readonly status?: InvoiceStatus | undefined; readonly issuer?: InvoiceSummary['issuer'] | undefined }

export const invoicesQuery = ({ status, issuer }: InvoiceFilter) =>
  infiniteQueryOptions({
    queryKey: ['invoices', status ?? null, issuer ?? null],
    queryFn: ({ signal, pageParam }) =>
      simBilling.get<Static<typeof InvoiceList>>('/invoices', { status, issuer, limit: PAGE_SIZE, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined),
    refetchInterval: SLOW_POLL_MS,
  })

export const invoiceQuery = (invoiceId: string) =>
  queryOptions({
    queryKey: ['invoice', invoiceId],
    queryFn: ({ signal }) => simBilling.get<Static<typeof InvoiceAnswer>>(`/invoices/${encodeURIComponent(invoiceId)}`, {}, signal),
    refetchInterval: ({ state }) =>
      !isMissing(state.error) && (state.data !== undefined && isBeingPaid(state.data.invoice) ? PAYING_POLL_MS : SLOW_POLL_MS),
  })

/** With refunds and disputes, which the invoice does not carry. Asked for again whenever the invoice is. */
export const paymentsQuery = ({ invoice_id: invoiceId, payments }: Pick<Invoice, 'invoice_id' | 'payments'>) =>
  queryOptions({
    queryKey: ['invoice', invoiceId, 'payments'],
    queryFn: async ({ signal }) => {
      const payments = await simBilling.get<Static<typeof PaymentList>>(
        '/payments',
        { invoice_id: invoiceId, limit: PAYMENTS_SIZE },
        signal,
      )
      // The reason of a refund that was asked for is a person's, and that of a dispute the bank's.
      return withReasons(await withReasons(payments, ['failure']), ['reason'], ({ origin }) => origin === 'unapplied')
    },
    refetchInterval: isBeingPaid({ payments }) ? PAYING_POLL_MS : SLOW_POLL_MS,
  })

export function isBeingPaid({ payments }: Pick<Invoice, 'payments'>): boolean {
  return payments.some(({ status }) => status === 'created' || status === 'pending')
}

/** The answer has the address of the gateway's checkout, which leads back to this page. */
export function usePay(invoiceId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      simBilling.send<Static<typeof PaymentAnswer>>('POST', `/invoices/${encodeURIComponent(invoiceId)}/pay`, {
        return_url: `${location.origin}/invoices/${encodeURIComponent(invoiceId)}`,
      }),
    onSettled: () => refresh(queryClient),
  })
}

/** `open`: before its grace is over. `void`: a draft is discarded; an issued invoice is credited in full. */
export function useChangeInvoice(invoiceId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: 'open' | 'void') => simBilling.send('POST', `/invoices/${encodeURIComponent(invoiceId)}/${change}`, {}),
    onSettled: () => refresh(queryClient),
  })
}

/** Of a gateway that gives no answer any more. */
export function useAbandonPayment(paymentId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (reason: string) =>
      simBilling.send<Static<typeof PaymentAnswer>>('POST', `/payments/${encodeURIComponent(paymentId)}/abandon`, { reason }),
    onSettled: () => refresh(queryClient),
  })
}

/** Of money that came in outside of a gateway. */
export function useRecordPayment(invoiceId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (given: RecordPaymentRequest) =>
      simBilling.send<Static<typeof PaymentAnswer>>('POST', `/invoices/${encodeURIComponent(invoiceId)}/payments`, given),
    onSettled: () => refresh(queryClient),
  })
}

export function useReversePayment(invoiceId: string, paymentId: string) {
  const queryClient = useQueryClient()
  const path = `/invoices/${encodeURIComponent(invoiceId)}/payments/${encodeURIComponent(paymentId)}/reverse`
  return useMutation({
    mutationFn: (reason: string) => simBilling.send<Static<typeof PaymentAnswer>>('POST', path, { reason }),
    onSettled: () => refresh(queryClient),
  })
}

function refresh(queryClient: ReturnType<typeof useQueryClient>) {
  return Promise.all([['invoices'], ['invoice']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
