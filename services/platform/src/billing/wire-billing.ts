// The configuration of billing as the wire spells it.

import type {
  BillingCustomerUpdate,
  BillingSettingsUpdate,
  PriceListUpdate,
  BillingCustomer as WireCustomer,
  RatePlan as WirePlan,
  PriceList as WirePriceList,
  BillingSettings as WireSettings,
} from '@roadworthy/contracts/sim-billing/billing-configuration'
import type { Party as WireParty } from '@roadworthy/contracts/sim-billing/billing-fields'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Party } from './invoice.ts'
import type { RatePlan } from './rating/rating-input.ts'
import type { BillingCustomer, BillingSettings, PriceListVersion, RatePlanVersion, Tax } from './settings/billing-settings.ts'
import type { SettingsChanges } from './settings/configure-billing.ts'
import { isCountry } from './settings/country.ts'

export function toWireParty(party: Party): WireParty {
  return {
    name: party.name,
    address_lines: [...party.addressLines],
    city: party.city ?? null,
    postal_code: party.postalCode ?? null,
    region: party.region ?? null,
    country_code: party.countryCode,
    tax_number: party.taxNumber ?? null,
    email: party.email ?? null,
    phone: party.phone ?? null,
  }
}

/** `field`: of the body, that it is in. */
function fromWireParty(party: WireParty, field: 'issuer' | 'party'): Party {
  if (!isCountry(party.country_code)) {
    const message = `${JSON.stringify(party.country_code)} is no country of ISO 3166-1, such as IN, or GB for the United Kingdom.`
    throw new Problem('invalid_request', message, { details: { in: 'body', field: `${field}.country_code` } })
  }
  return {
    name: party.name,
    addressLines: party.address_lines,
    city: party.city ?? undefined,
    postalCode: party.postal_code ?? undefined,
    region: party.region ?? undefined,
    countryCode: party.country_code,
    taxNumber: party.tax_number ?? undefined,
    email: party.email ?? undefined,
    phone: party.phone ?? undefined,
  }
}

export function toWireSettings(settings: BillingSettings, timeZone: string): WireSettings {
  return {
    enabled: settings.enabled,
    currency: settings.currency,
    time_zone: timeZone,
    issuer: toWireParty(settings.issuer),
    number_prefix: settings.numberPrefix,
    payment_terms_days: settings.paymentTermsDays,
    draft_grace_hours: settings.draftGraceHours,
    default_margin_percent: settings.defaultMarginPercent,
    taxes: settings.taxes.map(toWireTax),
    footer: settings.footer ?? null,
    reminder_days: [...settings.reminderDays],
    hold_sims_after_days: settings.holdSimsAfterDays ?? null,
    next_number: settings.nextNumber,
    created_at: settings.createdAt.toISOString(),
  }
}

function toWireTax({ taxId, name, ratePercent, category, exemptionReason }: Tax): WireSettings['taxes'][number] {
  return { tax_id: taxId, name, rate_percent: ratePercent, category, exemption_reason: exemptionReason }
}

export function fromWireSettings(body: BillingSettingsUpdate): SettingsChanges {
  return {
    ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
    ...(body.currency === undefined ? {} : { currency: body.currency }),
    ...(body.issuer === undefined ? {} : { issuer: fromWireParty(body.issuer, 'issuer') }),
    ...(body.number_prefix === undefined ? {} : { numberPrefix: body.number_prefix }),
    ...(body.payment_terms_days === undefined ? {} : { paymentTermsDays: body.payment_terms_days }),
    ...(body.draft_grace_hours === undefined ? {} : { draftGraceHours: body.draft_grace_hours }),
    ...(body.default_margin_percent === undefined ? {} : { defaultMarginPercent: body.default_margin_percent }),
    ...(body.taxes === undefined ? {} : { taxes: body.taxes.map(fromWireTax) }),
    ...(body.footer === undefined ? {} : { footer: body.footer ?? undefined }),
    ...(body.reminder_days === undefined ? {} : { reminderDays: body.reminder_days }),
    ...(body.hold_sims_after_days === undefined ? {} : { holdSimsAfterDays: body.hold_sims_after_days ?? undefined }),
  }
}

function fromWireTax(tax: NonNullable<BillingSettingsUpdate['taxes']>[number]): Tax {
  return {
    taxId: tax.tax_id,
    name: tax.name,
    ratePercent: tax.rate_percent,
    category: tax.category,
    exemptionReason: tax.exemption_reason ?? null,
  }
}

export function toWirePlan({ planId, version, name, operatorPlan, effectiveFrom, archivedAt, prices }: RatePlanVersion): WirePlan {
  return {
    plan_id: planId,
    version,
    name,
    operator_plan: operatorPlan ?? null,
    effective_from: effectiveFrom,
    archived_at: archivedAt?.toISOString() ?? null,
    prices: {
      rental: prices.rental,
      overage_per_megabyte: prices.overagePerMegabyte,
      activation_fee: prices.activationFee,
      custody_fee: prices.custodyFee,
      included_megabytes: prices.includedMegabytes,
      custody_min_days: prices.custodyMinDays,
      pooled: prices.isPooled,
      prorated: prices.isProrated,
    },
  }
}

export function fromWirePlanPrices(prices: WirePlan['prices']): RatePlan['prices'] {
  return {
    rental: prices.rental,
    includedMegabytes: prices.included_megabytes,
    overagePerMegabyte: prices.overage_per_megabyte,
    activationFee: prices.activation_fee,
    custodyFee: prices.custody_fee,
    custodyMinDays: prices.custody_min_days,
    isPooled: prices.pooled,
    isProrated: prices.prorated,
  }
}

export function toWirePriceList({ version, effectiveFrom, subscriptionFee, meters }: PriceListVersion): WirePriceList {
  return { version, effective_from: effectiveFrom, subscription_fee: subscriptionFee, meters: meters.map((meter) => ({ ...meter })) }
}

export function fromWirePriceList(body: PriceListUpdate, thisMonth: string): Omit<PriceListVersion, 'version'> {
  return { effectiveFrom: body.effective_from ?? thisMonth, subscriptionFee: body.subscription_fee, meters: body.meters }
}

export function toWireCustomer(customer: BillingCustomer): WireCustomer {
  const { planOverrides, subscriptionFeeOverride, meterOverrides } = customer.overrides
  return {
    sub_client_id: customer.customerId,
    enabled: customer.enabled,
    party: toWireParty(customer.party),
    margin_percent: customer.marginPercent ?? null,
    tax_ids: customer.taxIds === undefined ? null : [...customer.taxIds],
    payment_terms_days: customer.paymentTermsDays ?? null,
    buyer_reference: customer.buyerReference ?? null,
    plan_overrides: planOverrides.map(({ planId, prices }) => ({
      plan_id: planId,
      prices: withoutAbsent({
        rental: prices.rental,
        overage_per_megabyte: prices.overagePerMegabyte,
        activation_fee: prices.activationFee,
        custody_fee: prices.custodyFee,
      }),
    })),
    subscription_fee: subscriptionFeeOverride,
    meter_overrides: meterOverrides.map((each) => ({ ...each })),
  }
}

/** What is left out stays as it was. */
export function changedCustomer(before: BillingCustomer, body: BillingCustomerUpdate): BillingCustomer {
  const kept = <T, W>(given: W | undefined, was: T, convert: (given: W) => T): T => (given === undefined ? was : convert(given))
  const orAbsent = <W>(given: W | null): W | undefined => given ?? undefined
  return {
    customerId: before.customerId,
    enabled: body.enabled ?? before.enabled,
    party: kept(body.party, before.party, (party) => fromWireParty(party, 'party')),
    marginPercent: kept(body.margin_percent, before.marginPercent, orAbsent),
    taxIds: kept(body.tax_ids, before.taxIds, (ids) => ids ?? undefined),
    paymentTermsDays: kept(body.payment_terms_days, before.paymentTermsDays, orAbsent),
    buyerReference: kept(body.buyer_reference, before.buyerReference, orAbsent),
    overrides: {
      planOverrides: kept(body.plan_overrides, before.overrides.planOverrides, (overrides) =>
        overrides.map(({ plan_id, prices }) => ({
          planId: plan_id,
          prices: withoutAbsent({
            rental: prices.rental,
            overagePerMegabyte: prices.overage_per_megabyte,
            activationFee: prices.activation_fee,
            custodyFee: prices.custody_fee,
          }),
        })),
      ),
      subscriptionFeeOverride: kept(body.subscription_fee, before.overrides.subscriptionFeeOverride, (fee) => fee),
      meterOverrides: kept(body.meter_overrides, before.overrides.meterOverrides, (overrides) => overrides),
    },
  }
}

function withoutAbsent<T extends object>(prices: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(prices).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
}
