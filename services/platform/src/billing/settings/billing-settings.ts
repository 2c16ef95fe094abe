import type { Party } from '../invoice.ts'
import type { RatePlan, RatingInput } from '../rating/rating-input.ts'

export type Tax = RatingInput['taxes'][number]

/** How a book is kept: who issues, in which currency, when and with which taxes. */
export type BillingSettings = {
  readonly bookId: string
  /** Whether months are drafted by themselves. */
  readonly enabled: boolean
  readonly currency: string
  /** Of the operator's months. A reseller's are those of its own zone. */
  readonly timeZone: string | undefined
  readonly issuer: Party
  /** Before the number. Does not end with a digit, so that no two numbers are the same. */
  readonly numberPrefix: string
  readonly paymentTermsDays: number
  readonly draftGraceHours: number
  /** Decimal text. */
  readonly defaultMarginPercent: string
  readonly taxes: readonly Tax[]
  readonly footer: string | undefined
  /** After the due date; negative before it. Ascending. */
  readonly reminderDays: readonly number[]
  /** Only in the operator's book. Absent: standing follows nothing. */
  readonly suspendAfterDays: number | undefined
  /** Days after the due date from which an unpaid invoice suspends the SIMs of its sub-client. Absent: never. */
  readonly holdSimsAfterDays: number | undefined
  readonly nextNumber: number
  readonly createdAt: Date
}

/** A version of a plan: it holds from a month until the month of the next version. */
export type RatePlanVersion = RatePlan & {
  readonly effectiveFrom: string
  /** The operator's name of it, by which SIMs get this plan. */
  readonly operatorPlan: string | undefined
  readonly archivedAt: Date | undefined
}

export type PlatformPrices = NonNullable<RatingInput['platform']>
export type PriceListVersion = PlatformPrices & { readonly effectiveFrom: string }

/** That which holds in the month: of several with the newest `effectiveFrom` the last. `versions` are oldest first. */
export function versionOfMonth<Version extends { readonly effectiveFrom: string }>(
  versions: readonly Version[],
  month: string,
): Version | undefined {
  const begun = versions.filter(({ effectiveFrom }) => effectiveFrom <= month)
  return begun.findLast(({ effectiveFrom }) => begun.every((each) => each.effectiveFrom <= effectiveFrom))
}

type Terms = RatingInput['terms']

/** Who is billed. */
export type BillingCustomer = {
  readonly customerId: string
  readonly party: Party
  /** Absent: the book's default. */
  readonly marginPercent: string | undefined
  readonly overrides: Pick<Terms, 'planOverrides' | 'subscriptionFeeOverride' | 'meterOverrides'>
  /** Of the book's taxes those that it bears. Absent: all. */
  readonly taxIds: readonly string[] | undefined
  /** Absent: the book's. */
  readonly paymentTermsDays: number | undefined
  readonly buyerReference: string | undefined
  readonly enabled: boolean
}
