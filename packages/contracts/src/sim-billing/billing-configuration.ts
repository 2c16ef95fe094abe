// How a reseller bills its sub-clients: who issues, at which prices and taxes, and to whom.

import { type Static, Type } from 'typebox'
import { subClientId, success } from '../external/references.ts'
import { closed, nullable, oneLine, timestamp, timestampExample } from '../wire-fields.ts'
import { currency, month, Party, partyExample, percent, planId, price, taxCategory } from './billing-fields.ts'

const MAX_FOOTER_LENGTH = 2_000

const Tax = Type.Object(
  {
    tax_id: Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'By which customers name it.', examples: ['igst-18'] }),
    name: Type.String({ minLength: 1, maxLength: 100, ...oneLine, description: 'As on the invoice.', examples: ['IGST'] }),
    rate_percent: Type.String({
      pattern: '^\\d{1,3}(\\.\\d{1,4})?$',
      description: 'Decimal text of percent, at most 100.',
      examples: ['18'],
    }),
    category: taxCategory,
    exemption_reason: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '\\S',
          description: 'Where nothing is charged, and the category asks for a reason.',
        }),
      ),
    ),
  },
  { title: 'BillingTax', ...closed, description: 'One line on each invoice, on the sum of its lines.' },
)

const taxExample = { tax_id: 'igst-18', name: 'IGST', rate_percent: '18', category: 'S' as const, exemption_reason: null }

const settingsFields = {
  enabled: Type.Boolean({ description: 'Whether months are drafted by themselves. A month that ends while it is off is not.' }),
  currency,
  issuer: Party,
  number_prefix: Type.String({
    pattern: '^([A-Z0-9/-]*[A-Z/-])?$',
    maxLength: 10,
    description: 'Before the number of an invoice; numbers go on where they were when it changes.',
    examples: ['INV-'],
  }),
  payment_terms_days: Type.Integer({ minimum: 0, maximum: 365, description: 'An invoice is due so many days after it was opened.' }),
  draft_grace_hours: Type.Integer({ minimum: 0, maximum: 720, description: 'A draft opens so long after it was made.' }),
  default_margin_percent: percent('On every price that a customer has no price of its own for.'),
  taxes: Type.Array(Tax, { maxItems: 20, description: 'Each customer bears all of them, or those that it names.' }),
  footer: nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_FOOTER_LENGTH,
      pattern: '\\S',
      description: 'At the foot of every invoice, such as bank details.',
    }),
  ),
  reminder_days: Type.Array(Type.Integer({ minimum: -60, maximum: 365 }), {
    maxItems: 10,
    description: 'Days after the due date on which a reminder is mailed; before it where negative.',
  }),
  hold_sims_after_days: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description:
        'When an invoice has been due for more days than these, the active SIMs of its sub-client are suspended until it is paid; null: never.',
    }),
  ),
}

const settingsExample = {
  enabled: true,
  currency: 'INR',
  issuer: partyExample,
  number_prefix: 'INV-',
  payment_terms_days: 14,
  draft_grace_hours: 24,
  default_margin_percent: '12.5',
  taxes: [taxExample],
  footer: null,
  reminder_days: [3, 10],
  hold_sims_after_days: null,
}

/** What is left out stays as it is; of the first one, as the example has it but for what has to be given. */
export const BillingSettingsUpdate = Type.Object(
  Object.fromEntries(Object.entries(settingsFields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Key in keyof typeof settingsFields]: ReturnType<typeof Type.Optional<(typeof settingsFields)[Key]>>
  },
  { title: 'BillingSettingsUpdate', minProperties: 1, examples: [settingsExample] },
)
export type BillingSettingsUpdate = Static<typeof BillingSettingsUpdate>

export const BillingSettings = Type.Object(
  {
    ...settingsFields,
    time_zone: Type.String({ description: 'Of the months: that of the reseller.' }),
    next_number: Type.Integer({ minimum: 1, description: 'Of the next invoice or credit note.' }),
    created_at: timestamp('When billing was set up. Its month is the first that is drafted by itself.'),
  },
  { title: 'BillingSettings', examples: [{ ...settingsExample, time_zone: 'Asia/Kolkata', next_number: 1, created_at: timestampExample }] },
)
export type BillingSettings = Static<typeof BillingSettings>

const LastMonth = Type.Object(
  {
    period: month('The month.'),
    drafted_at: timestamp('When its invoices were drafted.'),
    failures: Type.Array(Type.Object({ sub_client_id: Type.String(), message: Type.String() }, { title: 'RatingFailure' }), {
      description: 'Sub-clients whose month could not be rated, and why. Draft it again when that is mended.',
    }),
  },
  { title: 'DraftedMonth' },
)

const settingsAnswered = { ...settingsExample, time_zone: 'Asia/Kolkata', next_number: 1, created_at: timestampExample }

export const BillingSettingsAnswer = Type.Object(
  {
    success,
    settings: Type.Union([BillingSettings, Type.Null()], { description: 'Null: billing is not set up.' }),
    last_month: Type.Union([LastMonth, Type.Null()], { description: 'The newest month that was drafted by itself.' }),
  },
  {
    title: 'BillingSettingsAnswer',
    description: 'As it is.',
    examples: [
      { success: true, settings: settingsAnswered, last_month: { period: '2026-10', drafted_at: timestampExample, failures: [] } },
    ],
  },
)

const simPrices = {
  rental: price('A month, active or suspended.'),
  overage_per_megabyte: price('Of 1,048,576 bytes, beyond what is included.'),
  activation_fee: price('Once in the life of a SIM.'),
  custody_fee: price('A month in safe custody, instead of the rental.'),
}

const PlanPrices = Type.Object(
  {
    ...simPrices,
    included_megabytes: Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
      description: 'A month. 1 MB is 1,048,576 bytes. Decimal text.',
      examples: ['50'],
    }),
    custody_min_days: Type.Integer({
      minimum: 0,
      maximum: 3_650,
      description: 'An earlier end of custody bears its fee for so many days.',
    }),
    pooled: Type.Boolean({ description: 'The included data of all SIMs of a customer on this plan is one volume.' }),
    prorated: Type.Boolean({ description: 'Rental, included data and custody fee by days; else by whole months.' }),
  },
  { title: 'PlanPrices', ...closed },
)

const planExample = {
  plan_id: 'm2m-50',
  name: 'M2M 50 MB',
  operator_plan: 'M2M-50-PUNE',
  effective_from: '2026-11',
  prices: {
    rental: '45.00',
    overage_per_megabyte: '0.85',
    activation_fee: '100.00',
    custody_fee: '15.00',
    included_megabytes: '50',
    custody_min_days: 30,
    pooled: false,
    prorated: true,
  },
}
const planName = Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'As on invoices.', examples: ['M2M 50 MB'] })
const operatorPlan = nullable(
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'The operator’s name of the plan.', examples: ['M2M-50-PUNE'] }),
)
const effectiveFrom = month(
  'The first month in which it holds. Left out: the current one. A version that replaces another begins after the newest month of which invoices are issued.',
)

export const RatePlanCreate = Type.Object(
  {
    plan_id: planId('URL-safe id; never changes.'),
    name: planName,
    operator_plan: Type.Optional(operatorPlan),
    effective_from: Type.Optional(effectiveFrom),
    prices: PlanPrices,
  },
  { title: 'RatePlanCreate', examples: [planExample] },
)
export type RatePlanCreate = Static<typeof RatePlanCreate>

export const RatePlanUpdate = Type.Object(
  {
    name: Type.Optional(planName),
    operator_plan: Type.Optional(operatorPlan),
    effective_from: Type.Optional(effectiveFrom),
    prices: Type.Optional(PlanPrices),
  },
  { title: 'RatePlanUpdate', examples: [{ effective_from: '2027-01', prices: planExample.prices }] },
)
export type RatePlanUpdate = Static<typeof RatePlanUpdate>

export const RatePlan = Type.Object(
  {
    plan_id: planId(),
    version: Type.Integer({ minimum: 1 }),
    name: Type.String(),
    operator_plan: nullable(Type.String()),
    effective_from: month('The first month in which this version holds.'),
    archived_at: nullable(timestamp('Since when it is not meant for further SIMs. Those that have it are billed by it.')),
    prices: PlanPrices,
  },
  { title: 'RatePlan', examples: [{ ...planExample, version: 1, archived_at: null }] },
)
export type RatePlan = Static<typeof RatePlan>

const planAnswered = { ...planExample, version: 1, archived_at: null }

export const RatePlanList = Type.Object(
  { total: Type.Integer({ minimum: 0 }), rate_plans: Type.Array(RatePlan) },
  { title: 'RatePlanList', description: 'The newest version of each, by id.', examples: [{ total: 1, rate_plans: [planAnswered] }] },
)
export const RatePlanAnswer = Type.Object(
  {
    success,
    rate_plan: RatePlan,
    versions: Type.Array(RatePlan, {
      description: 'All of them, oldest first. In a month the one with the newest `effective_from` up to it holds.',
    }),
  },
  {
    title: 'RatePlanAnswer',
    description: 'The newest version, and all of them.',
    examples: [{ success: true, rate_plan: planAnswered, versions: [planAnswered] }],
  },
)
export const RatePlanParams = Type.Object({ plan_id: planId() })

const meter = Type.Enum(['readings', 'predictions', 'device_days', 'api_calls'], { type: 'string', description: 'What is counted.' })
const priceListExample = {
  effective_from: '2026-11',
  subscription_fee: '500.00',
  meters: [{ meter: 'readings' as const, price: '0.40', per: 1_000, included: 100_000 }],
}
const priceListFields = {
  subscription_fee: nullable(price('A month, whatever was used; not of sub-clients that were deactivated before it. Null: none.')),
  meters: Type.Array(
    Type.Object(
      {
        meter,
        price: price('Of `per` of them.'),
        per: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'The price is for so many.' }),
        included: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description: 'Free in each month.' }),
      },
      { title: 'MeterPrice', ...closed },
    ),
    { maxItems: 4, description: 'What is not here is free.' },
  ),
}

export const PriceListUpdate = Type.Object(
  { effective_from: Type.Optional(effectiveFrom), ...priceListFields },
  { title: 'PriceListUpdate', examples: [priceListExample] },
)
export type PriceListUpdate = Static<typeof PriceListUpdate>

export const PriceList = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    effective_from: month('The first month in which this version holds.'),
    ...priceListFields,
  },
  { title: 'PriceList', examples: [{ version: 1, ...priceListExample }] },
)
export type PriceList = Static<typeof PriceList>

export const PriceListAnswer = Type.Object(
  {
    success,
    price_list: Type.Union([PriceList, Type.Null()], { description: 'The newest. Null: use of the platform is not billed.' }),
    versions: Type.Array(PriceList, { description: 'Oldest first.' }),
  },
  {
    title: 'PriceListAnswer',
    description: 'The newest version, and all of them.',
    examples: [{ success: true, price_list: { version: 1, ...priceListExample }, versions: [{ version: 1, ...priceListExample }] }],
  },
)

const optionalPrices = {
  rental: Type.Optional(simPrices.rental),
  overage_per_megabyte: Type.Optional(simPrices.overage_per_megabyte),
  activation_fee: Type.Optional(simPrices.activation_fee),
  custody_fee: Type.Optional(simPrices.custody_fee),
}
const customerFields = {
  enabled: Type.Boolean({ description: 'Whether it is billed.' }),
  party: Party,
  margin_percent: nullable(percent('Null: the default margin.')),
  tax_ids: nullable(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20, description: 'Taxes that it bears. Null: all.' })),
  payment_terms_days: nullable(Type.Integer({ minimum: 0, maximum: 365, description: 'Null: as in the settings.' })),
  buyer_reference: nullable(
    Type.String({ minLength: 1, maxLength: 100, ...oneLine, description: 'Its own reference, as on a purchase order.' }),
  ),
  plan_overrides: Type.Array(
    Type.Object(
      { plan_id: planId(), prices: Type.Object(optionalPrices, { title: 'PlanOverridePrices', ...closed }) },
      { title: 'PlanOverride', ...closed },
    ),
    {
      maxItems: 1_000,
      description: 'Prices of plans for this customer, instead of the plan’s own and without margin.',
    },
  ),
  subscription_fee: nullable(price('Instead of that of the price list. Null: that.')),
  meter_overrides: Type.Array(
    Type.Object({ meter, price: price('Instead of that of the price list.') }, { title: 'MeterOverride', ...closed }),
    { maxItems: 4 },
  ),
}
const customerExample = {
  enabled: true,
  party: { ...partyExample, name: 'Acme Logistics' },
  margin_percent: '15',
  tax_ids: null,
  payment_terms_days: 30,
  buyer_reference: 'PO-7731',
  plan_overrides: [{ plan_id: 'm2m-50', prices: { rental: '40.00' } }],
  subscription_fee: null,
  meter_overrides: [],
}

export const BillingCustomerUpdate = Type.Object(
  {
    enabled: Type.Optional(customerFields.enabled),
    party: Type.Optional(customerFields.party),
    margin_percent: Type.Optional(customerFields.margin_percent),
    tax_ids: Type.Optional(customerFields.tax_ids),
    payment_terms_days: Type.Optional(customerFields.payment_terms_days),
    buyer_reference: Type.Optional(customerFields.buyer_reference),
    plan_overrides: Type.Optional(customerFields.plan_overrides),
    subscription_fee: Type.Optional(customerFields.subscription_fee),
    meter_overrides: Type.Optional(customerFields.meter_overrides),
  },
  { title: 'BillingCustomerUpdate', minProperties: 1, examples: [customerExample] },
)
export type BillingCustomerUpdate = Static<typeof BillingCustomerUpdate>

export const BillingCustomer = Type.Object(
  { sub_client_id: subClientId(), ...customerFields },
  { title: 'BillingCustomer', examples: [{ sub_client_id: 'acme-logistics', ...customerExample }] },
)
export type BillingCustomer = Static<typeof BillingCustomer>
export const BillingCustomerAnswer = Type.Object(
  { success, customer: BillingCustomer },
  {
    title: 'BillingCustomerAnswer',
    description: 'How the sub-client is billed.',
    examples: [{ success: true, customer: { sub_client_id: 'acme-logistics', ...customerExample } }],
  },
)
