// What was used, by period, sub-client and meter.

import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import {
  dayAfter,
  dayAt,
  type Granularity,
  isDay,
  isMonth,
  monthAfter,
  monthAt,
  type Period,
  periodsBetween,
} from '@roadworthy/service-kit/time/zoned-time'
import type { Caller } from '../keys/caller.ts'
import { ledgerMeters, type Meter, noTotals, reportedMeter, type Totals } from './meters.ts'
import { selectClosedPeriods } from './periods.sql.ts'
import { billingMonth } from './periods.ts'
import { selectUsage } from './usage.read.sql.ts'

const MAX_PERIODS: Readonly<Record<Granularity, number>> = { hour: 31 * 24 + 1, day: 400, month: 60 }
/** Some 10 MB as JSON. */
const MAX_ROWS = 100_000

/** As a surface understood it. */
export type UsageQuestion = {
  readonly subClientId: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly granularity: Granularity
  readonly limit: number | undefined
  readonly after: string | undefined
}

export type UsageRow = {
  readonly period: string
  readonly fromMs: number
  readonly subClientId: string | undefined
  readonly meter: Meter
  readonly count: number
}

export type UsageReport = {
  readonly total: number
  readonly timeZone: string
  readonly granularity: Granularity
  readonly from: string
  readonly to: string
  readonly totals: Totals
  readonly rows: UsageRow[]
  /** Every one that was asked for, with what all its rows add up to. */
  readonly periods: { readonly period: string; readonly totals: Totals }[]
  readonly pagination: PageEnd
  /** The month it is, as far as it has been used, and what it comes to at this rate. */
  readonly projected: { readonly period: string; readonly elapsedPercent: number; readonly used: Totals; readonly totals: Totals }
}

/** Every row there is. */
export async function allUsage(
  db: Db,
  caller: Caller,
  timeZone: string,
  question: UsageQuestion,
  now: Date,
): Promise<{ periods: Period[]; rows: UsageRow[] }> {
  const { granularity } = question
  const periods = await billed(db, caller, timeZone, granularity, periodsOf(timeZone, question, now))
  const subClientId = visibleSubClient(caller, question.subClientId)
  if (subClientId === 'nobody') return { periods, rows: [] }
  const meters = ledgerMeters.flatMap((meter) => {
    const reported = reportedMeter(meter, granularity)
    return reported === undefined ? [] : [[meter, reported] as const]
  })
  const daysOfZone = areWholeDays(periods, granularity, timeZone) ? timeZone : undefined
  const used = await selectUsage(db, caller.resellerId, subClientId.only, periods, meters, daysOfZone, MAX_ROWS + 1)
  if (used.length > MAX_ROWS) {
    throw new Problem('invalid_request', `That is more than ${MAX_ROWS} rows. Ask for a shorter time, longer periods, or one sub-client.`)
  }
  const rows = used.map(({ nth, subClientId: owner, meter, count }) => {
    const period = periods[nth] as Period
    return { period: period.label, subClientId: owner === '' ? undefined : owner, meter: meter as Meter, count, fromMs: period.fromMs }
  })
  return { periods, rows }
}

/** Days are those of the zone; a month that was closed under another zone may begin and end within one. */
function areWholeDays(periods: readonly Period[], granularity: Granularity, timeZone: string): boolean {
  const startsDay = (atMs: number) => dayAt(timeZone, atMs).fromMs === atMs
  return (
    granularity === 'day' || (granularity === 'month' && periods.every(({ fromMs, untilMs }) => startsDay(fromMs) && startsDay(untilMs)))
  )
}

/** Months as they are billed, which differs from the zone's where that was changed between them. */
async function billed(db: Db, { resellerId }: Caller, timeZone: string, granularity: Granularity, periods: Period[]): Promise<Period[]> {
  if (granularity !== 'month') return periods
  const closed = await selectClosedPeriods(db, resellerId)
  return periods.map(({ label }) => billingMonth(closed, timeZone, label))
}

/** One page of the rows, with what all of them add up to and what the month comes to. */
export async function reportUsage(db: Db, caller: Caller, timeZone: string, question: UsageQuestion, now: Date): Promise<UsageReport> {
  const page = pageRequest('usage', question)
  const { periods, rows } = await allUsage(db, caller, timeZone, question, now)
  const byPeriod = Map.groupBy(rows, ({ period }) => period)
  const afterMs = page.after.at instanceof Date ? page.after.at.getTime() : Number.NEGATIVE_INFINITY
  const following = rows.filter((row) => row.fromMs > afterMs || (row.fromMs === afterMs && rowId(row) > page.after.id))
  const { items, pagination } = endPage(following.slice(0, page.limit + 1), page, (row) => ({
    at: new Date(row.fromMs),
    id: rowId(row),
  }))
  return {
    total: rows.length,
    timeZone,
    granularity: question.granularity,
    from: new Date(periods[0]?.fromMs ?? 0).toISOString(),
    to: new Date(periods.at(-1)?.untilMs ?? 0).toISOString(),
    totals: addUp(rows),
    rows: items,
    periods: periods.map(({ label }) => ({ period: label, totals: addUp(byPeriod.get(label) ?? []) })),
    pagination,
    projected: await projectMonth(db, caller, timeZone, question, now),
  }
}

/** Orders the rows of a period as the database does. */
function rowId({ subClientId, meter }: UsageRow): string {
  return `${subClientId ?? ''} ${meter}`
}

function addUp(rows: readonly UsageRow[]): Totals {
  const totals = noTotals()
  for (const { meter, count } of rows) totals[meter] += count
  return totals
}

async function projectMonth(
  db: Db,
  caller: Caller,
  timeZone: string,
  { subClientId }: UsageQuestion,
  now: Date,
): Promise<UsageReport['projected']> {
  const month = monthAt(timeZone, now.getTime())
  const question = { subClientId, from: month.label, to: undefined, granularity: 'month', limit: undefined, after: undefined } as const
  const used = addUp((await allUsage(db, caller, timeZone, question, now)).rows)
  const elapsed = (now.getTime() - month.fromMs) / (month.untilMs - month.fromMs)
  const project = (count: number) => (elapsed > 0 ? Math.round(count / elapsed) : count)
  const totals = {
    points_ingested: project(used.points_ingested),
    api_calls: project(used.api_calls),
    predictions: project(used.predictions),
    active_devices: used.active_devices,
  }
  return { period: month.label, elapsedPercent: Math.round(elapsed * 10_000) / 100, used, totals }
}

/** A sub-client outside the caller's pin, and one that cannot be, have used nothing. */
export function visibleSubClient({ subClientPin }: Caller, asked: string | undefined): 'nobody' | { only: string | undefined } {
  if (asked === undefined) return { only: subClientPin }
  if (!isSlug(asked) || (subClientPin !== undefined && subClientPin !== asked)) return 'nobody'
  return { only: asked }
}

function periodsOf(timeZone: string, { from, to, granularity }: UsageQuestion, now: Date): Period[] {
  const today = dayAt(timeZone, now.getTime()).label
  const thisMonth = today.slice(0, 7)
  const fromDay = from === undefined ? (granularity === 'hour' ? today : `${thisMonth}-01`) : readDay('from', from, granularity)
  const defaultTo = granularity === 'month' ? `${monthAfter(thisMonth)}-01` : dayAfter(today)
  const untilDay = to === undefined ? defaultTo : readDay('to', to, granularity)
  if (untilDay <= fromDay) {
    throw new Problem('invalid_request', `"to", the day after the last, must be later than "from": ${fromDay} to ${untilDay} is nothing.`, {
      details: { in: 'querystring', field: 'to' },
    })
  }
  const dayCount = (Date.parse(untilDay) - Date.parse(fromDay)) / 86_400_000
  const perPeriod = { hour: 1 / 24, day: 1, month: 31 }[granularity]
  // Before they are made: nobody is to wait for the days of two thousand years.
  const periods = dayCount / perPeriod > MAX_PERIODS[granularity] ? undefined : periodsBetween(timeZone, granularity, fromDay, untilDay)
  if (periods !== undefined && periods.length <= MAX_PERIODS[granularity]) return periods
  const most = { hour: '31 days', day: '400 days', month: '60 months' }[granularity]
  throw new Problem('invalid_request', `By ${granularity} a report covers at most ${most}. Ask for a shorter time, or longer periods.`, {
    details: { in: 'querystring', field: 'from' },
  })
}

function readDay(field: 'from' | 'to', text: string, granularity: Granularity): string {
  const day = isMonth(text) ? `${text}-01` : text
  const wanted = granularity === 'month' ? 'a month, such as 2026-11' : 'a day, such as 2026-11-01'
  if (!isDay(day) || (granularity === 'month' && !day.endsWith('-01'))) {
    throw new Problem('invalid_request', `"${field}" is ${JSON.stringify(text)}; it should be ${wanted}.`, {
      details: { in: 'querystring', field },
    })
  }
  return day
}
