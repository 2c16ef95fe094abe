// What the SIMs of a customer cost in a month. The rules are in `rate-invoice.ts`.

import type { LineSource } from '../invoice.ts'
import { type BilledMonth, type EndedCustody, endedCustodies, isWithin, type Share, sharesOf } from './billed-days.ts'
import type { DraftLine } from './draft-line.ts'
import type { Prices } from './prices.ts'
import type { RatedSim, RatingInput } from './rating-input.ts'
import { floor, fraction, parseDecimal, product, toDecimalText } from './rational.ts'

/** 1 MB of data is 2^20 bytes. */
const BYTES_PER_MEGABYTE = 1_048_576n

type Rating = { readonly month: BilledMonth; readonly prices: Prices; readonly customerId: string }
/** A SIM, and what the customer is charged of it. */
type SimRating = { readonly sim: RatedSim; readonly shares: readonly Share[] }

export function rateSims({ sims, customerId }: RatingInput, month: BilledMonth, prices: Prices): DraftLine[] {
  const rating = { month, prices, customerId }
  const rated = sims.map((sim): SimRating => {
    const shares = sharesOf(sim, month, (planId) => prices.plan(planId).prices.isProrated)
    return { sim, shares: shares.filter((share) => share.customerId === customerId) }
  })
  return [
    ...rated.flatMap(({ sim, shares }) => shares.map((share) => periodLine(sim, share, rating))),
    ...rated.flatMap(({ sim }) => endedCustodies(sim, month).flatMap((custody) => custodyMinimumLine(sim, custody, rating))),
    ...rated.flatMap(({ sim }) => activationLine(sim, rating)),
    ...dataLines(rated, rating),
  ]
}

function lineOfSim(sim: RatedSim, planId: string) {
  return { sim: { simId: sim.simId, iccid: sim.iccid }, planId, priceQuantity: 1, isUse: false } as const
}

function historyOf({ simId }: RatedSim, { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number }): LineSource {
  return { ledger: 'sim_history', simId, fromSeq, toSeq }
}

function periodLine(sim: RatedSim, share: Share, { month, prices }: Rating): DraftLine {
  const { planId, dayCount, isWholeMonth, firstDay, lastDay } = share
  const isRental = share.charge === 'rental'
  const part = isWholeMonth ? 'whole month' : `${dayCount} of ${month.days.length} days`
  return {
    ...lineOfSim(sim, planId),
    kind: isRental ? 'sim_rental' : 'sim_custody',
    description: `SIM ${sim.iccid}, ${prices.plan(planId).name}: ${isRental ? 'rental' : 'safe custody'}, ${part}`,
    fromMs: month.days[firstDay]?.fromMs ?? month.fromMs,
    untilMs: month.days[lastDay]?.untilMs ?? month.untilMs,
    quantity: fraction(dayCount, month.days.length),
    unit: 'month',
    price: prices.ofPlan(planId, isRental ? 'rental' : 'custodyFee'),
    sources: [historyOf(sim, share)],
  }
}

function custodyMinimumLine(sim: RatedSim, custody: EndedCustody, { month, prices, customerId }: Rating): DraftLine[] {
  const { planId } = custody.last
  if (planId === null || custody.last.customerId !== customerId) return []
  const { name, prices: plan } = prices.plan(planId)
  const paidDays = custody.dayCount + (plan.isProrated ? 0 : custody.restOfMonth)
  const missingDays = plan.custodyMinDays - paidDays
  if (missingDays <= 0) return []
  return [
    {
      ...lineOfSim(sim, planId),
      kind: 'sim_custody',
      description: `SIM ${sim.iccid}, ${name}: safe custody, ${missingDays} days to the minimum of ${plan.custodyMinDays}`,
      fromMs: Math.min(custody.beganMs, custody.endedMs),
      untilMs: custody.endedMs,
      quantity: fraction(missingDays, month.days.length),
      unit: 'month',
      price: prices.ofPlan(planId, 'custodyFee'),
      sources: [historyOf(sim, custody)],
    },
  ]
}

function activationLine(sim: RatedSim, { month, prices, customerId }: Rating): DraftLine[] {
  const row = sim.firstActivation
  if (row === null || row.planId === null || row.customerId !== customerId || !isWithin(month, row.at)) return []
  const day = month.days.find(({ untilMs }) => Date.parse(row.at) < untilMs)
  return [
    {
      ...lineOfSim(sim, row.planId),
      kind: 'sim_activation',
      description: `SIM ${sim.iccid}, ${prices.plan(row.planId).name}: activation`,
      fromMs: day?.fromMs ?? month.fromMs,
      untilMs: day?.untilMs ?? month.untilMs,
      quantity: fraction(1),
      unit: 'piece',
      price: prices.ofPlan(row.planId, 'activationFee'),
      sources: [historyOf(sim, { fromSeq: row.seq, toSeq: row.seq })],
    },
  ]
}

/** What a SIM used and may use on one plan. */
type DataVolume = {
  readonly sim: RatedSim
  readonly planId: string
  readonly usedBytes: bigint
  readonly includedBytes: bigint
  readonly sources: readonly LineSource[]
}

/** A line for each SIM and plan; of pooled plans, for each plan. */
function dataLines(rated: readonly SimRating[], rating: Rating): DraftLine[] {
  const volumes = rated.flatMap((each) => volumesOf(each, rating))
  const [pooled, own] = [true, false].map((isPooled) =>
    volumes.filter(({ planId }) => rating.prices.plan(planId).prices.isPooled === isPooled),
  )
  const pools = Map.groupBy(pooled ?? [], ({ planId }) => planId)
  return [
    ...(own ?? []).flatMap((volume) => dataLine([volume], rating, false)),
    ...[...pools.values()].flatMap((pool) => dataLine(pool, rating, true)),
  ]
}

function volumesOf({ sim, shares }: SimRating, { month, prices, customerId }: Rating): DataVolume[] {
  const rentals = shares.filter(({ charge }) => charge === 'rental')
  // Whose month is paid whole has the data of that plan for all of it: other plans by the month bear no rental of it, and include nothing.
  const paidWhole = rentals.find(({ isWholeMonth }) => isWholeMonth)?.planId
  const billedOn = (planId: string | null) =>
    planId === null || paidWhole === undefined || prices.plan(planId).prices.isProrated ? planId : paidWhole
  const entries = sim.usage.flatMap((entry) => (entry.customerId === customerId ? [{ ...entry, planId: billedOn(entry.planId) }] : []))
  const planIds = new Set([...rentals, ...entries].flatMap(({ planId }) => (planId === null ? [] : [planId])))
  return [...planIds].map((planId) => {
    const used = entries.filter((entry) => entry.planId === planId)
    const included = product(parseDecimal(prices.plan(planId).prices.includedMegabytes), fraction(BYTES_PER_MEGABYTE))
    const rental = rentals.find((share) => share.planId === planId)
    const part = rental === undefined ? fraction(0) : fraction(rental.dayCount, month.days.length)
    return {
      sim,
      planId,
      usedBytes: used.reduce((bytes, entry) => bytes + BigInt(entry.bytes), 0n),
      includedBytes: floor(product(included, part)),
      sources: [
        ...(rental === undefined ? [] : [historyOf(sim, rental)]),
        ...used.map(({ fromSeq, toSeq }): LineSource => ({ ledger: 'sim_usage', simId: sim.simId, fromSeq, toSeq })),
      ],
    }
  })
}

function dataLine(volumes: readonly DataVolume[], { month, prices }: Rating, isPool: boolean): DraftLine[] {
  const [first] = volumes
  const usedBytes = volumes.reduce((bytes, volume) => bytes + volume.usedBytes, 0n)
  const includedBytes = volumes.reduce((bytes, volume) => bytes + volume.includedBytes, 0n)
  if (first === undefined || usedBytes === 0n) return []
  const { sim, planId } = first
  const overageBytes = usedBytes > includedBytes ? usedBytes - includedBytes : 0n
  const { name } = prices.plan(planId)
  const what = `${megabytes(usedBytes)} MB used, ${megabytes(includedBytes)} MB included`
  return [
    {
      ...lineOfSim(sim, planId),
      kind: isPool ? 'pooled_data_overage' : 'data_overage',
      description: isPool ? `${name}, ${volumes.length} SIMs together: ${what}` : `SIM ${sim.iccid}, ${name}: ${what}`,
      ...(isPool ? { sim: undefined } : {}),
      fromMs: month.fromMs,
      untilMs: month.untilMs,
      quantity: fraction(overageBytes, BYTES_PER_MEGABYTE),
      unit: 'megabyte',
      price: prices.ofPlan(planId, 'overagePerMegabyte'),
      isUse: true,
      sources: volumes.flatMap(({ sources }) => sources),
    },
  ]
}

function megabytes(bytes: bigint): string {
  return toDecimalText(fraction(bytes, BYTES_PER_MEGABYTE), 3)
}
