// What one invoice of one month is rated from: the rows of the ledgers, and the prices, terms and taxes that held. It is JSON throughout
// (instants as ISO text in UTC, byte counts and prices as decimal text), because it is stored beside the invoice as it is, and who has that
// file can rate it again without the service. Prices are in major units of the currency.

import { type Static, type TSchema, Type } from 'typebox'
import { simStatuses } from '../../sims/operators/operator.ts'

const MAX_ID_LENGTH = 128
const MAX_NAME_LENGTH = 200
/** As many as one customer may have on one invoice; far above the largest fleet that was measured (10,000). */
const MAX_SIMS = 500_000
const MAX_ROWS_PER_SIM = 100_000

const closed = { additionalProperties: false } as const
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const id = Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH })
const name = Type.String({ maxLength: MAX_NAME_LENGTH })
const seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' })
/** Up to 6 decimals: a price of a megabyte is often less than a minor unit. */
const price = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,6})?$' })
const percent = Type.String({ pattern: '^-?\\d{1,5}(\\.\\d{1,4})?$' })
const quantity = Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' })
const byteCount = Type.String({ pattern: '^\\d{1,19}$' })
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const SimRow = Type.Object(
  {
    seq,
    at: instant,
    status: Type.Enum(simStatuses),
    /** Who is billed for the SIM: in a reseller's book the sub-client it is allocated to. Null: nobody. */
    customerId: nullable(id),
    planId: nullable(id),
  },
  closed,
)
/** A row of `sim_history`: the whole state after a change. It holds until the next row; one at the month's end belongs to the next month. */
export type SimRow = Static<typeof SimRow>
export type SimStatus = SimRow['status']

const SimUse = Type.Object(
  {
    /** The first and last of its rows; rows of other customers may lie between. */
    fromSeq: seq,
    toSeq: seq,
    /** When the earliest and the latest of its rows were received. */
    firstReceivedAt: instant,
    lastReceivedAt: instant,
    bytes: byteCount,
    customerId: nullable(id),
    planId: nullable(id),
  },
  closed,
)
/**
 * Rows of `sim_usage` that have the customer and plan of the moment of their receipt in common, added up: in SQL one group by SIM, customer and plan.
 * One by one, a fleet whose counters are read every hour would have millions of them.
 */
export type SimUse = Static<typeof SimUse>

const RatedSim = Type.Object(
  {
    simId: id,
    iccid: Type.String({ pattern: '^\\d{18,20}$' }),
    /**
     * By `seq`, whichever customer had the SIM: the last row before the month (where there is one), and every row within it. A row that changed nothing
     * of what is here may be left out.
     */
    history: Type.Array(SimRow, { maxItems: MAX_ROWS_PER_SIM }),
    /** Where that last row before the month is `safe_custody`: the row with which that custody began (itself, or an earlier one). */
    custodySince: nullable(Type.Object({ seq, at: instant }, closed)),
    /**
     * The first row of the SIM's whole history that is `active`, provided that a row before it is `inventory` or `test` and that it is in this
     * month. A SIM that the operator had activated before it was known here has none.
     */
    firstActivation: nullable(SimRow),
    /** By `fromSeq`: what was received in the month. That of other customers may be left out. */
    usage: Type.Array(SimUse, { maxItems: MAX_ROWS_PER_SIM }),
  },
  closed,
)
export type RatedSim = Static<typeof RatedSim>

/** A version of a rate plan: the one that holds in the month. */
const RatePlan = Type.Object(
  {
    planId: id,
    version: Type.Integer({ minimum: 1 }),
    name,
    prices: Type.Object(
      {
        /** A month. */
        rental: price,
        /** A month, 1 MB being 1,048,576 bytes. */
        includedMegabytes: quantity,
        overagePerMegabyte: price,
        /** Once in the life of a SIM. */
        activationFee: price,
        /** A month in safe custody, instead of the rental. */
        custodyFee: price,
        custodyMinDays: Type.Integer({ minimum: 0, maximum: 3_650 }),
        /** The included data of all SIMs of a customer on this plan is one volume. */
        isPooled: Type.Boolean(),
        /** Rental, included data and custody fee by days; else by whole months. */
        isProrated: Type.Boolean(),
      },
      closed,
    ),
  },
  closed,
)
export type RatePlan = Static<typeof RatePlan>

/** What may have a price of its own for one customer. */
export type SimPriceName = 'rental' | 'overagePerMegabyte' | 'activationFee' | 'custodyFee'
const optionalPrice = Type.Optional(price)
const PlanOverride = Type.Object(
  {
    planId: id,
    prices: Type.Object(
      { rental: optionalPrice, overagePerMegabyte: optionalPrice, activationFee: optionalPrice, custodyFee: optionalPrice },
      closed,
    ),
  },
  closed,
)

/** In the order in which their lines are written. */
export const platformMeters = ['readings', 'predictions', 'device_days', 'api_calls'] as const
export type PlatformMeter = (typeof platformMeters)[number]
const platformMeter = Type.Enum(platformMeters)

const MeterPrice = Type.Object(
  {
    meter: platformMeter,
    price,
    /** The price is for so many: 1000 readings. */
    per: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** Free in each month. */
    included: count,
  },
  closed,
)

const UsageLines = Type.Object(
  {
    ledger: Type.Literal('usage_lines'),
    /** '' for what belongs to none. */
    subClientId: Type.String({ maxLength: MAX_ID_LENGTH }),
    fromSeq: seq,
    toSeq: seq,
    lastHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  closed,
)

const MeterTotal = Type.Object({ meter: platformMeter, count, sources: Type.Array(UsageLines, { maxItems: MAX_SIMS }) }, closed)

const PlatformPrices = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    /** A month. Null: none. */
    subscriptionFee: nullable(price),
    /** What is not in it is free. At most one a meter. */
    meters: Type.Array(MeterPrice, { maxItems: platformMeters.length }),
  },
  closed,
)

const Terms = Type.Object(
  {
    /** On every price that is not overridden. From -100. */
    marginPercent: percent,
    /** Prices of plans for this customer, instead of the plan's own and without margin. At most one a plan. */
    planOverrides: Type.Array(PlanOverride, { maxItems: 1_000 }),
    subscriptionFeeOverride: nullable(price),
    /** `per` and `included` stay those of the price list; a meter that is not in the list stays free. */
    meterOverrides: Type.Array(Type.Object({ meter: platformMeter, price }, closed), { maxItems: platformMeters.length }),
  },
  closed,
)

const Tax = Type.Object(
  {
    taxId: id,
    name,
    ratePercent: Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,4})?$' }),
    category: Type.Enum(['S', 'Z', 'E', 'AE', 'O']),
    exemptionReason: nullable(Type.String({ maxLength: 500 })),
  },
  closed,
)

/** The ledgers and prices behind one invoice. Of SIMs, all that were the customer's at any time of the month. */
export const RatingInput = Type.Object(
  {
    input: Type.Literal('roadworthy-rating-1'),
    /** The book: a reseller's slug, or `_operator`. */
    issuerId: id,
    /** In a reseller's book a sub-client; in the operator's a reseller. */
    customerId: id,
    month: Type.Object(
      {
        label: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
        timeZone: Type.String({ maxLength: 64 }),
        /** Half-open. A month that began under another zone keeps the start that it had. */
        from: instant,
        until: instant,
      },
      closed,
    ),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    sims: Type.Array(RatedSim, { maxItems: MAX_SIMS }),
    /** One version of each plan that a row or an entry of `sims` names. */
    plans: Type.Array(RatePlan, { maxItems: 10_000 }),
    /** Null: the platform's use is not billed. */
    platform: nullable(PlatformPrices),
    /** Of the whole month. What is missing counts as none. */
    meterTotals: Type.Array(MeterTotal, { maxItems: platformMeters.length }),
    terms: Terms,
    /** One line each, on the sum of all lines. */
    taxes: Type.Array(Tax, { maxItems: 20 }),
  },
  closed,
)
export type RatingInput = Static<typeof RatingInput>
