// Inputs for tests: acme's SIM on the plan `basic` in October 2026 of Berlin, 31 days of which one has 25 hours, unless another is given.

import { monthOfLabel } from '@roadworthy/service-kit/time/zoned-time'
import type { Invoice } from '../invoice.ts'
import { rateInvoice } from './rate-invoice.ts'
import type { RatedSim, RatePlan, RatingInput, SimRow, SimStatus, SimUse } from './rating-input.ts'

export const MEGABYTE = 1_048_576

export function monthOf(label: string, timeZone: string): RatingInput['month'] {
  const { fromMs, untilMs } = monthOfLabel(timeZone, label)
  return { label, timeZone, from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() }
}

export function planOf(prices: Partial<RatePlan['prices']> = {}, planId = 'basic'): RatePlan {
  return {
    planId,
    version: 1,
    name: planId === 'basic' ? 'Basic' : planId,
    prices: {
      rental: '3.10',
      includedMegabytes: '31',
      overagePerMegabyte: '0.05',
      activationFee: '2.50',
      custodyFee: '0.62',
      custodyMinDays: 0,
      isPooled: false,
      isProrated: true,
      ...prices,
    },
  }
}

/** `at` may be a day, which is then noon in Berlin or nearly so. */
export function rowOf(
  seq: number,
  at: string,
  status: SimStatus,
  customerId: string | null = 'acme',
  planId: string | null = 'basic',
): SimRow {
  return { seq, at: instantOf(at), status, customerId, planId }
}

export function useOf(seq: number, at: string, bytes: number, customerId: string | null = 'acme', planId: string | null = 'basic'): SimUse {
  const received = instantOf(at)
  return { fromSeq: seq, toSeq: seq, firstReceivedAt: received, lastReceivedAt: received, bytes: String(bytes), customerId, planId }
}

function instantOf(at: string): string {
  return new Date(at.length === 10 ? `${at}T10:00:00.000Z` : at).toISOString()
}

export function simOf(history: SimRow[], given: Partial<RatedSim> = {}): RatedSim {
  return { simId: 'sim-1', iccid: '8991101200003204510', history, custodySince: null, firstActivation: null, usage: [], ...given }
}

export function inputOf(given: Partial<RatingInput> = {}): RatingInput {
  return {
    input: 'roadworthy-rating-1',
    issuerId: 'north',
    customerId: 'acme',
    month: monthOf('2026-10', 'Europe/Berlin'),
    currency: 'EUR',
    sims: [],
    plans: [planOf()],
    platform: null,
    meterTotals: [],
    terms: termsOf(),
    taxes: [],
    ...given,
  }
}

export function termsOf(given: Partial<RatingInput['terms']> = {}): RatingInput['terms'] {
  return { marginPercent: '0', planOverrides: [], subscriptionFeeOverride: null, meterOverrides: [], ...given }
}

/** The invoice of an input, opened the day after the month. */
export function billedInvoice(input: RatingInput): Invoice {
  const party = { name: 'N', addressLines: [], city: 'Berlin', postalCode: undefined, region: undefined, countryCode: 'DE' }
  const unknown = { taxNumber: undefined, email: undefined, phone: undefined }
  const until = new Date(input.month.until)
  return {
    invoiceId: 'inv-1',
    kind: 'invoice',
    number: 'N-1',
    corrects: undefined,
    status: 'open',
    issuerId: input.issuerId,
    resellerId: input.issuerId,
    subClientId: input.customerId,
    issuer: { ...party, ...unknown },
    recipient: { ...party, ...unknown },
    month: input.month.label,
    timeZone: input.month.timeZone,
    from: new Date(input.month.from),
    until,
    currency: input.currency,
    ...rateInvoice(input),
    paidMinor: 0,
    creditedMinor: 0,
    buyerReference: undefined,
    footer: undefined,
    draftedAt: until,
    openedAt: new Date(until.getTime() + 86_400_000),
    dueAt: undefined,
    paidAt: undefined,
    voidedAt: undefined,
  }
}
