// A second implementation of the rules in `rate-invoice.ts`, to judge the first one by. It shares no code with it: it has its own calendar (a walk
// by the hour and minute through what a clock on the wall shows), reads whole lives of SIMs instead of a prepared input, goes day by day, and
// divides whole numbers by hand. Slow, and meant to be.

export type LifeRow = { seq: number; at: number; status: string; customer: string | null; plan: string | null }
export type LifeUse = { seq: number; at: number; bytes: bigint; customer: string | null; plan: string | null }
export type Life = { sim: string; rows: LifeRow[]; uses: LifeUse[] }
export type Tariff = {
  rental: string
  includedMegabytes: string
  overagePerMegabyte: string
  activationFee: string
  custodyFee: string
  custodyMinDays: number
  isPooled: boolean
  isProrated: boolean
}
export type Book = {
  zone: string
  month: string
  /** Digits after the point. */
  decimals: number
  lives: Life[]
  tariffs: Record<string, Tariff>
  fee: string | null
  metered: { meter: string; price: string; per: number; included: number }[]
  customers: Record<string, Customer>
  taxes: string[]
}
export type Customer = {
  margin: string
  own: Record<string, Partial<Record<'rental' | 'overagePerMegabyte' | 'activationFee' | 'custodyFee', string>>>
  ownFee: string | null
  ownMetered: Record<string, string>
  used: Record<string, number>
}
export type Reckoned = { lines: { what: string; amount: bigint }[]; net: bigint; taxes: bigint[]; gross: bigint }

type LocalDay = { date: string; firstMs: number; lastMs: number }

const HOUR = 3_600_000
const MINUTE = 60_000
const clocks = new Map<string, Intl.DateTimeFormat>()
const calendars = new Map<string, LocalDay[]>()

function wallDate(zone: string, ms: number): string {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', calendar: 'gregory' })
    clocks.set(zone, clock)
  }
  const [month, day, year] = clock.format(ms).split('/')
  return `${year}-${month}-${day}`
}

/** Every day that begins in the half year before the month's end, or somewhat after it, with its first and last instant. */
export function calendarOf(zone: string, month: string): LocalDay[] {
  const known = calendars.get(`${zone} ${month}`)
  if (known !== undefined) return known
  const middle = Date.parse(`${month}-15T00:00:00Z`)
  const days: LocalDay[] = []
  let at = middle - 200 * 24 * HOUR
  let date = wallDate(zone, at)
  let firstMs = Number.NaN
  while (at < middle + 25 * 24 * HOUR) {
    if (wallDate(zone, at + HOUR) !== date) {
      let turn = at
      while (wallDate(zone, turn) === date) turn += MINUTE
      if (!Number.isNaN(firstMs)) days.push({ date, firstMs, lastMs: turn - 1 })
      firstMs = turn
      date = wallDate(zone, turn)
    }
    at += HOUR
  }
  calendars.set(`${zone} ${month}`, days)
  return days
}

/** A decimal as a whole number of millionths. */
function millionths(text: string): bigint {
  const isNegative = text.startsWith('-')
  const [whole = '0', rest = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole) * 1_000_000n + BigInt(rest.padEnd(6, '0'))
  return isNegative ? -value : value
}

/** Nothing here is below zero. */
function divideRounded(over: bigint, under: bigint): bigint {
  const whole = over / under
  return (over % under) * 2n >= under ? whole + 1n : whole
}

/** A price in units of 10^-14 of the major unit, with the margin: millionths times millionths of a percent. */
function withMargin(listed: string, margin: string, own: string | undefined | null): bigint {
  if (own !== undefined && own !== null) return millionths(own) * 100_000_000n
  return millionths(listed) * (100_000_000n + millionths(margin))
}

function stateAt(life: Life, ms: number): LifeRow | undefined {
  let state: LifeRow | undefined
  for (const row of life.rows) if (row.at <= ms) state = row
  return state
}

export function reckon(book: Book, who: string): Reckoned {
  const me = book.customers[who]
  if (me === undefined) throw new Error(`nobody is called ${who}`)
  const calendar = calendarOf(book.zone, book.month)
  const days = calendar.filter(({ date }) => date.startsWith(book.month))
  const [firstMs, lastMs] = [days[0]?.firstMs ?? 0, days.at(-1)?.lastMs ?? 0]
  const inMonth = (ms: number) => firstMs <= ms && ms <= lastMs
  const lines: Reckoned['lines'] = []
  const pot = 10n ** BigInt(book.decimals)
  /** Quantity over/under, price in 10^-14. */
  const charge = (what: string, over: bigint, under: bigint, price: bigint, isShown = false) => {
    if (isShown || over * price !== 0n) lines.push({ what, amount: divideRounded(over * price * pot, under * 100_000_000_000_000n) })
  }
  const tariffOf = (plan: string): Tariff => book.tariffs[plan] ?? assertNever(plan)
  const priceOf = (plan: string, name: 'rental' | 'overagePerMegabyte' | 'activationFee' | 'custodyFee') =>
    withMargin(tariffOf(plan)[name], me.margin, me.own[plan]?.[name])
  const monthDays = BigInt(days.length)
  const pools = new Map<string, { used: bigint; included: bigint }>()

  for (const life of book.lives) {
    // Rental and custody, a day at a time.
    const counted = { rental: new Map<string, bigint>(), custodyFee: new Map<string, bigint>() }
    let wholeMonthOn: string | null = null
    for (const name of ['rental', 'custodyFee'] as const) {
      let monthly: LifeRow | undefined
      for (const day of days) {
        const state = stateAt(life, day.lastMs)
        if (state === undefined || state.customer === null || state.plan === null) continue
        const isMeant = name === 'rental' ? /^(active|suspended)$/.test(state.status) : state.status === 'safe_custody'
        if (!isMeant) continue
        if (!tariffOf(state.plan).isProrated) monthly = state
        else if (state.customer === who) counted[name].set(state.plan, (counted[name].get(state.plan) ?? 0n) + 1n)
      }
      if (monthly !== undefined && monthly.plan !== null && monthly.customer === who) {
        counted[name].set(monthly.plan, monthDays)
        if (name === 'rental') wholeMonthOn = monthly.plan
      }
      for (const [plan, count] of counted[name]) {
        charge(`${name === 'rental' ? 'sim_rental' : 'sim_custody'} ${life.sim} ${plan}`, count, monthDays, priceOf(plan, name))
      }
    }
    // Custodies that were left too early.
    for (const [nth, row] of life.rows.entries()) {
      const left = life.rows[nth - 1]
      if (left?.status !== 'safe_custody' || row.status === 'safe_custody' || !inMonth(row.at)) continue
      let beginning = nth - 1
      while (life.rows[beginning - 1]?.status === 'safe_custody') beginning--
      const since = life.rows[beginning]?.at ?? 0
      if (left.customer !== who || left.plan === null) continue
      const served = calendar.filter((day) => day.lastMs >= since && day.lastMs < row.at)
      let servedCount = served.length
      const tariff = tariffOf(left.plan)
      if (!tariff.isProrated && served.some(({ lastMs: ms }) => inMonth(ms))) {
        servedCount += days.filter((day) => day.lastMs >= row.at).length
      }
      if (servedCount >= tariff.custodyMinDays) continue
      charge(
        `sim_custody ${life.sim} ${left.plan}`,
        BigInt(tariff.custodyMinDays - servedCount),
        monthDays,
        priceOf(left.plan, 'custodyFee'),
      )
    }
    // The first activation of its life.
    const first = life.rows.findIndex(({ status }) => status === 'active')
    const row = life.rows[first]
    const wasIdle = life.rows.slice(0, Math.max(first, 0)).some(({ status }) => status === 'inventory' || status === 'test')
    if (row !== undefined && wasIdle && inMonth(row.at) && row.customer === who && row.plan !== null) {
      charge(`sim_activation ${life.sim} ${row.plan}`, 1n, 1n, priceOf(row.plan, 'activationFee'))
    }
    // Data.
    for (const plan of Object.keys(book.tariffs)) {
      const tariff = tariffOf(plan)
      let used = 0n
      for (const use of life.uses) {
        if (!inMonth(use.at) || use.customer !== who || use.plan === null) continue
        // Somebody who paid for the whole month on one monthly plan need not pay again by the byte for having been on another.
        const countsOn = wholeMonthOn !== null && !tariffOf(use.plan).isProrated ? wholeMonthOn : use.plan
        if (countsOn === plan) used += use.bytes
      }
      const included = (millionths(tariff.includedMegabytes) * 1024n * 1024n * (counted.rental.get(plan) ?? 0n)) / (1_000_000n * monthDays)
      if (tariff.isPooled) {
        const pool = pools.get(plan) ?? { used: 0n, included: 0n }
        pools.set(plan, { used: pool.used + used, included: pool.included + included })
      } else if (used > 0n) {
        const beyond = used > included ? used - included : 0n
        charge(`data_overage ${life.sim} ${plan}`, beyond, 1024n * 1024n, priceOf(plan, 'overagePerMegabyte'), true)
      }
    }
  }
  for (const [plan, { used, included }] of pools) {
    if (used === 0n) continue
    charge(
      `pooled_data_overage - ${plan}`,
      used > included ? used - included : 0n,
      1024n * 1024n,
      priceOf(plan, 'overagePerMegabyte'),
      true,
    )
  }
  for (const { meter, price, per, included } of book.metered) {
    const count = me.used[meter] ?? 0
    if (count === 0) continue
    charge(`${meter} - -`, BigInt(Math.max(count - included, 0)), BigInt(per), withMargin(price, me.margin, me.ownMetered[meter]), true)
  }
  if (book.fee !== null) charge('subscription - -', 1n, 1n, withMargin(book.fee, me.margin, me.ownFee))

  let net = 0n
  for (const { amount } of lines) net += amount
  const taxes = book.taxes.map((rate) => divideRounded(net * millionths(rate), 100_000_000n))
  let gross = net
  for (const tax of taxes) gross += tax
  return { lines, net, taxes, gross }
}

function assertNever(plan: string): never {
  throw new Error(`no tariff for ${plan}`)
}
