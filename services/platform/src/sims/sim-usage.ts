import type { SimUsage } from '@roadworthy/contracts/sim-billing/sims'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayAfter, dayAt, isDay, periodsBetween } from '@roadworthy/service-kit/time/zoned-time'
import type { Viewer } from '../fleet/viewer.ts'
import { selectReseller } from '../resellers/resellers.sql.ts'
import type { Sim } from './sim.ts'
import { selectDailyUsage } from './usage.sql.ts'
import { toWireAmounts } from './wire-sim.ts'

const MAX_DAYS = 400
const DEFAULT_DAYS = 31
const DAY_MS = 86_400_000

const wrong = (field: string, message: string) => new Problem('invalid_request', message, { details: { in: 'querystring', field } })

export async function readSimUsage(
  db: Db,
  viewer: Viewer,
  sim: Sim,
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  at: Date,
): Promise<SimUsage> {
  const timeZone = (await selectReseller(db, viewer.resellerId))?.timeZone ?? 'UTC'
  for (const field of ['from', 'to'] as const) {
    const day = query[field]
    if (day !== undefined && !isDay(day)) throw wrong(field, `"${field}" is not a day of the calendar, from 1970 on.`)
  }
  const to = query.to ?? dayAt(timeZone, at.getTime()).label
  const from = query.from ?? daysBefore(to, DEFAULT_DAYS - 1)
  if (from > to) throw wrong('from', '"from" is after "to".')
  if (from < daysBefore(to, MAX_DAYS - 1)) throw wrong('from', `"from" is more than ${MAX_DAYS} days before "to".`)
  const days = periodsBetween(timeZone, 'day', from, dayAfter(to))
  const bounds = [...days.map(({ fromMs }) => new Date(fromMs)), new Date(days.at(-1)?.untilMs ?? at.getTime())]
  const used = new Map((await selectDailyUsage(db, viewer, sim.simId, bounds)).map(({ nth, bytes }) => [nth, bytes]))
  return {
    sim_id: sim.simId,
    time_zone: timeZone,
    cycle: {
      start: sim.cycleStart?.toISOString() ?? null,
      end: sim.cycleEnd?.toISOString() ?? null,
      ...toWireAmounts(sim.cycleBytes),
      sms_count: sim.cycleSms,
      session_count: sim.cycleSessions,
      usage_at: sim.usageAt?.toISOString() ?? null,
    },
    daily: days.map(({ label }, nth) => ({ date: label, ...toWireAmounts(used.get(nth) ?? 0) })),
  }
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10)
}
