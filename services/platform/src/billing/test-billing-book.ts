// Books made by chance and a seed: whole lives of SIMs in the months around a change of clocks, and what the tables would hand to the rating for one
// customer of them.

import type { PlatformMeter, RatedSim, RatingInput, SimRow, SimStatus, SimUse } from './rating/rating-input.ts'
import {
  type Book,
  type Customer,
  calendarOf,
  type Life,
  type LifeRow,
  type LifeUse,
  type Tariff,
} from './rating/test-independent-reckoner.ts'
import { monthOf } from './rating/test-rating-input.ts'

const DAY = 24 * 3_600_000
const HASH = '0'.repeat(64)

/** Months in which clocks change, one in which a date is left out, a leap February, the zones at both ends, and one without any of it. */
const MONTHS = [
  ['Europe/Berlin', '2026-03'],
  ['Europe/Berlin', '2026-10'],
  ['America/New_York', '2026-03'],
  ['America/New_York', '2026-11'],
  ['Australia/Lord_Howe', '2026-04'],
  ['Australia/Lord_Howe', '2026-10'],
  ['Asia/Kolkata', '2026-02'],
  ['Asia/Kolkata', '2024-02'],
  ['America/Sao_Paulo', '2018-11'],
  ['America/Sao_Paulo', '2018-02'],
  ['Africa/Cairo', '2026-04'],
  ['Africa/Cairo', '2026-10'],
  ['Pacific/Apia', '2011-12'],
  ['Pacific/Kiritimati', '2027-06'],
  ['Etc/GMT+12', '2026-12'],
] as const

const CURRENCIES = [
  ['EUR', 2],
  ['INR', 2],
  ['JPY', 0],
  ['KWD', 3],
] as const

export const CUSTOMERS = ['acme', 'bolt', 'cargo'] as const
const PLANS = ['days', 'months', 'pool', 'pool-months'] as const

/** A small generator of numbers (mulberry32): the same seed, the same book. */
function chance(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const upTo = (most: number) => Math.floor(next() * (most + 1))
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(next() * from.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  return { next, upTo, pick, odds: (part: number) => next() < part }
}
type Chance = ReturnType<typeof chance>

export type CurrencyBook = Book & { currency: string }

export function bookOf(seed: number): CurrencyBook {
  const random = chance(seed)
  const [zone, month] = random.pick(MONTHS)
  const [currency, decimals] = random.pick(CURRENCIES)
  const days = calendarOf(zone, month)
  const inMonth = days.filter(({ date }) => date.startsWith(month))
  const [firstMs, lastMs] = [inMonth[0]?.firstMs ?? 0, inMonth.at(-1)?.lastMs ?? 0]
  /** Often a boundary of a day to the millisecond; as often as not one of the month. */
  const instant = (fromMs: number, untilMs: number): number => {
    if (random.odds(0.6)) return fromMs + Math.floor(random.next() * (untilMs - fromMs))
    const edges = random.odds(0.3) ? [firstMs, lastMs + 1] : days.map((day) => day.firstMs)
    const near = edges.filter((edge) => edge > fromMs + 1 && edge < untilMs - 1)
    return near.length === 0 ? fromMs : random.pick(near) + random.pick([-1, 0, 1])
  }
  const lives = Array.from({ length: 1 + random.upTo(7) }, (_, nth) => lifeOf(random, nth, firstMs, lastMs, instant))
  return {
    zone,
    month,
    currency,
    decimals,
    lives,
    tariffs: Object.fromEntries(PLANS.map((plan) => [plan, tariffOf(random, plan)])),
    fee: random.odds(0.5) ? priceBelow(random, 100) : null,
    metered: (['readings', 'predictions', 'device_days', 'api_calls'] as const)
      .filter(() => random.odds(0.5))
      .map((meter) => ({ meter, price: priceBelow(random, 10), per: random.pick([1, 3, 1000]), included: random.upTo(500) })),
    customers: Object.fromEntries(CUSTOMERS.map((customer) => [customer, customerOf(random)])),
    taxes: random.pick([[], ['9', '9'], ['19'], ['7.7'], ['0.0001', '5']]),
  }
}

function priceBelow(random: Chance, most: number): string {
  if (random.odds(0.1)) return '0'
  const decimals = random.upTo(6)
  const whole = random.upTo(most)
  return decimals === 0 ? String(whole) : `${whole}.${String(random.upTo(10 ** decimals - 1)).padStart(decimals, '0')}`
}

function tariffOf(random: Chance, plan: string): Tariff {
  return {
    rental: priceBelow(random, 20),
    includedMegabytes: priceBelow(random, 40),
    overagePerMegabyte: priceBelow(random, 1),
    activationFee: priceBelow(random, 5),
    custodyFee: priceBelow(random, 5),
    custodyMinDays: random.pick([0, 7, 30, 90]),
    isPooled: plan.startsWith('pool'),
    isProrated: !plan.endsWith('months'),
  }
}

function customerOf(random: Chance): Customer {
  const own: Customer['own'] = {}
  for (const plan of PLANS) {
    if (random.odds(0.7)) continue
    own[plan] = {}
    for (const name of ['rental', 'overagePerMegabyte', 'activationFee', 'custodyFee'] as const) {
      if (random.odds(0.5)) own[plan][name] = priceBelow(random, 10)
    }
  }
  return {
    margin: random.pick(['0', '-100', '-12.5', '33.3333', '18', '250.0001']),
    own,
    ownFee: random.odds(0.2) ? priceBelow(random, 50) : null,
    ownMetered: random.odds(0.2) ? { readings: priceBelow(random, 1) } : {},
    used: { readings: random.upTo(5000), predictions: random.upTo(600), device_days: random.upTo(100), api_calls: random.upTo(1) },
  }
}

/** What may follow what, and what an operator does on its own: anything, seldom. */
const NEXT: Readonly<Record<SimStatus, readonly SimStatus[]>> = {
  inventory: ['active', 'active', 'test'],
  test: ['active'],
  active: ['suspended', 'safe_custody', 'safe_custody', 'terminating'],
  suspended: ['active', 'safe_custody', 'terminating'],
  safe_custody: ['active', 'active', 'suspended', 'terminating'],
  terminating: ['active', 'terminated'],
  terminated: ['terminated'],
}

function lifeOf(random: Chance, nth: number, firstMs: number, lastMs: number, instant: (fromMs: number, untilMs: number) => number): Life {
  const born = instant(firstMs - 130 * DAY, random.odds(0.8) ? firstMs : lastMs)
  const status = random.pick<SimStatus>(['inventory', 'inventory', 'inventory', 'test', 'active', 'safe_custody', 'suspended'])
  const rows: LifeRow[] = [{ seq: 1, at: born, status, customer: random.pick([...CUSTOMERS, null]), plan: random.pick([...PLANS, null]) }]
  // Changes thin out or crowd: some lives have a day with several, some a month without any.
  const pace = random.pick([1, 5, 25]) * DAY
  for (let at = born; at < lastMs + 5 * DAY && rows.length < 120; ) {
    at = instant(at, at + pace)
    const last = rows.at(-1)
    if (last === undefined || at < last.at) continue
    const row = { ...last, seq: last.seq + 1 + random.upTo(1), at }
    const what = random.next()
    if (what < 0.5) row.status = random.pick(NEXT[last.status as SimStatus])
    else if (what < 0.7) row.customer = random.pick([...CUSTOMERS, null])
    else if (what < 0.85) row.plan = random.pick([...PLANS, null])
    else if (what < 0.9) row.status = random.pick<SimStatus>(['inventory', 'active', 'safe_custody'])
    rows.push(row)
  }
  const uses = Array.from({ length: random.upTo(6) }, (_, use) => ({
    seq: use + 1,
    at: instant(firstMs - 10 * DAY, lastMs + 5 * DAY),
    bytes: BigInt(random.odds(0.3) ? 1 + random.upTo(3) : random.upTo(30 * 1_048_576) + 1),
    customer: random.pick([...CUSTOMERS, null]),
    plan: random.pick([...PLANS, null]),
  }))
  return { sim: `sim-${nth}`, rows, uses }
}

/** What SQL selects for one customer: the rows of the month and the one before, where a custody began, the first activation. */
export function ratingInputOf(book: CurrencyBook, customerId: (typeof CUSTOMERS)[number]): RatingInput {
  const month = monthOf(book.month, book.zone)
  const terms = book.customers[customerId]
  if (terms === undefined) throw new Error('no such customer')
  return {
    input: 'roadworthy-rating-1',
    issuerId: 'north',
    customerId,
    month,
    currency: book.currency,
    sims: book.lives.map((life) => ratedSimOf(life, Date.parse(month.from), Date.parse(month.until))),
    plans: Object.entries(book.tariffs).map(([planId, prices]) => ({ planId, version: 1, name: planId, prices })),
    platform: {
      version: 1,
      subscriptionFee: book.fee,
      meters: book.metered.map(({ meter, price, per, included }) => ({ meter: meter as PlatformMeter, price, per, included })),
    },
    meterTotals: Object.entries(terms.used).map(([meter, count]) => ({
      meter: meter as PlatformMeter,
      count,
      sources: [{ ledger: 'usage_lines' as const, subClientId: customerId, fromSeq: 1, toSeq: 9, lastHash: HASH }],
    })),
    terms: {
      marginPercent: terms.margin,
      planOverrides: Object.entries(terms.own).map(([planId, prices]) => ({ planId, prices })),
      subscriptionFeeOverride: terms.ownFee,
      meterOverrides: Object.entries(terms.ownMetered).map(([meter, price]) => ({ meter: meter as PlatformMeter, price })),
    },
    taxes: book.taxes.map((ratePercent, nth) => ({ taxId: `t${nth}`, name: 'Tax', ratePercent, category: 'S', exemptionReason: null })),
  }
}

function ratedSimOf({ sim, rows, uses }: Life, fromMs: number, untilMs: number): RatedSim {
  const before = rows.findLastIndex(({ at }) => at < fromMs)
  let began = before
  while (rows[began - 1]?.status === 'safe_custody') began--
  const since = rows[before]?.status === 'safe_custody' ? rows[began] : undefined
  const firstActive = rows.findIndex(({ status }) => status === 'active')
  const wasIdle = rows.slice(0, Math.max(0, firstActive)).some(({ status }) => status === 'inventory' || status === 'test')
  const active = rows[firstActive]
  const isDue = active !== undefined && wasIdle && active.at >= fromMs && active.at < untilMs
  return {
    simId: sim,
    iccid: `899110120000320451${sim.slice(-1)}`,
    history: rows
      .slice(Math.max(0, before))
      .filter(({ at }) => at < untilMs)
      .map(simRowOf),
    custodySince: since === undefined ? null : { seq: since.seq, at: new Date(since.at).toISOString() },
    firstActivation: isDue ? simRowOf(active) : null,
    usage: usageOf(uses.filter(({ at }) => at >= fromMs && at < untilMs)),
  }
}

function usageOf(uses: readonly LifeUse[]): SimUse[] {
  const groups = [...Map.groupBy(uses, ({ customer, plan }) => `${customer}/${plan}`).values()]
  return groups.map((group) => {
    const [seqs, times] = [group.map(({ seq }) => seq), group.map(({ at }) => at)]
    return {
      fromSeq: Math.min(...seqs),
      toSeq: Math.max(...seqs),
      firstReceivedAt: new Date(Math.min(...times)).toISOString(),
      lastReceivedAt: new Date(Math.max(...times)).toISOString(),
      bytes: String(group.reduce((sum, { bytes }) => sum + bytes, 0n)),
      customerId: group[0]?.customer ?? null,
      planId: group[0]?.plan ?? null,
    }
  })
}

function simRowOf({ seq, at, status, customer, plan }: LifeRow): SimRow {
  return { seq, at: new Date(at).toISOString(), status: status as SimStatus, customerId: customer, planId: plan }
}
