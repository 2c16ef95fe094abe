// What a rate plan and a price are, and from when on, in words.

import type { PriceList, RatePlan } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { monthName, wholeNumber } from '../text/format.ts'
import { price } from '../text/money.ts'
import { t } from '../text/translate.ts'

/** `2026-11`: prices hold for months of the account's zone, whatever that of the browser is. */
export function thisMonth(nowMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(nowMs)
  const partOf = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  return `${partOf('year')}-${partOf('month')}`
}

/** Which version holds in a month: the one with the newest beginning up to it. */
export function versionOf<Version extends { effective_from: string }>(versions: readonly Version[], month: string): Version | undefined {
  return versions.findLast((version) => version.effective_from <= month && isNewest(version, versions, month))
}

/**
 * What a change begins with that was not typed: the version that was shown, unless somebody else stored one since that holds in the month. A version of a
 * later month is left to its month.
 */
export function versionUnder<Version extends { version: number; effective_from: string }>(
  shown: Version | null,
  versions: readonly Version[],
  month: string,
): Version | null {
  const held = versionOf(versions, month)
  return held !== undefined && held.version > (shown?.version ?? 0) ? held : shown
}

function isNewest<Version extends { effective_from: string }>(version: Version, versions: readonly Version[], month: string): boolean {
  return versions.every((other) => other.effective_from > month || other.effective_from <= version.effective_from)
}

/** Without those that a later version replaces from the same month on at the same prices: archiving a plan or naming it anew changes no price. */
export function pricedVersions<Version extends Pick<RatePlan, 'effective_from' | 'prices'>>(
  versions: readonly Version[],
): readonly Version[] {
  const pricesOf = ({ effective_from: month, prices }: Version) => JSON.stringify([month, Object.entries(prices).toSorted()])
  return versions.filter((version, i) => {
    const next = versions[i + 1]
    return next === undefined || pricesOf(next) !== pricesOf(version)
  })
}

/** What a change that begins in `month` does to what is billed. */
export function changeLines(month: string, current: string): string[] {
  return [
    month > current
      ? t('The new prices apply from {month} on. Until then everything stays as it is.', { month: monthName(month) })
      : t('The new prices apply to the whole month of {month} and after it, also to what was used in that month already.', {
          month: monthName(month),
        }),
    t('Invoices that were issued keep the prices they were made by; they are corrected by credit notes alone.'),
    t('Drafts keep the prices they were made by until they are drafted anew.'),
  ]
}

/** Of a plan, as a person would say it: `₹45.00 a month with 50 MB, then ₹0.85 a MB`. */
export function planSummary({ prices }: Pick<RatePlan, 'prices'>, currency: string): string {
  const { rental, included_megabytes: megabytes, overage_per_megabyte: overage } = prices
  return t('{rental} a month with {megabytes} MB, then {overage} for each MB', {
    rental: price(rental, currency),
    megabytes,
    overage: price(overage, currency),
  })
}

type Meter = PriceList['meters'][number]

export const meterNames: Readonly<Record<Meter['meter'], string>> = {
  readings: t('Readings'),
  predictions: t('Predictions'),
  device_days: t('Days of active devices'),
  api_calls: t('API calls'),
}

export function meterSummary({ price: amount, per, included }: Meter, currency: string): string {
  return t('{price} for each {per}, after {included} that are free', {
    price: price(amount, currency),
    per: wholeNumber(per),
    included: wholeNumber(included),
  })
}
