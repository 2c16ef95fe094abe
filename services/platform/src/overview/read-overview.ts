// Puts the overview together, one statement after the other on one connection.

import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { dayAt } from '@roadworthy/service-kit/time/zoned-time'
import type { Caller } from '../keys/caller.ts'
import { grants } from '../keys/scopes.ts'
import { datedAdvice, type LoadAdviceBases } from '../predictions/dated-advice.ts'
import { selectResellerTerms } from '../resellers/resellers.sql.ts'
import { type AdvisedIncident, countDueWork, countLiveIncidents, selectDueWork, selectUrgentIncidents } from './attention.read.sql.ts'
import { selectChangedIncidents, selectSilentDevices, selectWorkDone, selectWorsenedVehicles } from './changes.read.sql.ts'
import { selectFirstSteps } from './first-steps.read.sql.ts'
import { selectFleetCounts, selectVehiclesAtRisk } from './fleet-state.read.sql.ts'
import { selectReadingCounts } from './throughput.read.sql.ts'

const QUARTER_MS = 15 * 60_000
/** Six hours. */
const QUARTERS = 24
const MINUTE_MS = 60_000

export type OverviewAsked = {
  readonly now: Date
  readonly offlineAfterMs: number
  readonly since: Date | undefined
  readonly loadAdviceBases: LoadAdviceBases
}

export async function readOverview(db: Db, caller: Caller, asked: OverviewAsked): Promise<Overview> {
  const { now, offlineAfterMs, since } = asked
  const seesPredictions = grants(caller.scopes, 'predict')
  return {
    vehicles: await selectFleetCounts(db, caller, new Date(now.getTime() - offlineAfterMs)),
    incidents: seesPredictions ? await readIncidents(db, caller, asked) : null,
    work: await readWork(db, caller, now),
    atRisk: seesPredictions ? await selectVehiclesAtRisk(db, caller) : null,
    throughput: await readThroughput(db, caller, now),
    changes: since === undefined ? null : await readChanges(db, caller, since),
    firstSteps: caller.subClientPin === undefined ? await selectFirstSteps(db, caller.resellerId, now) : null,
  }
}

async function readWork(db: Db, caller: Caller, now: Date): Promise<Overview['work']> {
  const [terms] = await selectResellerTerms(db, [caller.resellerId])
  const moment = { now, today: new Date(dayAt(terms?.timeZone ?? 'UTC', now.getTime()).fromMs) }
  return { ...(await countDueWork(db, caller, moment)), items: await selectDueWork(db, caller, moment) }
}

async function readIncidents(db: Db, caller: Caller, { now, loadAdviceBases }: OverviewAsked): Promise<Overview['incidents']> {
  const counts = await countLiveIncidents(db, caller)
  const urgent = await selectUrgentIncidents(db, caller)
  const advised = urgent.flatMap(({ advice, vehicle }) => (advice === undefined || vehicle === null ? [] : [vehicle.id]))
  const basisOf = advised.length === 0 ? undefined : await loadAdviceBases(db, caller.resellerId, [...new Set(advised)], now)
  const adviceOf = ({ advice, vehicle }: AdvisedIncident) => {
    if (advice === undefined || vehicle === null || basisOf === undefined) return null
    return datedAdvice(advice.of, basisOf(vehicle.id), { judgedAt: advice.judgedAt, today: now }) ?? null
  }
  return { ...counts, items: urgent.map((incident) => ({ ...incident, advice: adviceOf(incident) })) }
}

/** The quarter-hour that runs is a few seconds long at times: the mean is over it and the one before. */
async function readThroughput(db: Db, caller: Caller, now: Date): Promise<Overview['throughput']> {
  const currentMs = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS
  const firstMs = currentMs - (QUARTERS - 1) * QUARTER_MS
  const counts = await selectReadingCounts(db, caller, new Date(firstMs))
  const readingsFrom = (fromMs: number) => counts.get(fromMs) ?? 0
  const beforeMs = currentMs - QUARTER_MS
  const recent = readingsFrom(beforeMs) + readingsFrom(currentMs)
  const quarters = Array.from({ length: QUARTERS }, (_, nth) => {
    const fromMs = firstMs + nth * QUARTER_MS
    return { from: new Date(fromMs).toISOString(), readings: readingsFrom(fromMs) }
  })
  return { perMinute: Math.round((10 * recent * MINUTE_MS) / (now.getTime() - beforeMs)) / 10, quarters }
}

async function readChanges(db: Db, caller: Caller, since: Date): Promise<Overview['changes']> {
  const seesPredictions = grants(caller.scopes, 'predict')
  return {
    since: since.toISOString(),
    incidentsOpened: seesPredictions ? await selectChangedIncidents(db, caller, 'opened_at', since) : null,
    incidentsResolved: seesPredictions ? await selectChangedIncidents(db, caller, 'resolved_at', since) : null,
    vehiclesWorsened: await selectWorsenedVehicles(db, caller, since),
    workDone: await selectWorkDone(db, caller, since),
    devicesSilent: grants(caller.scopes, 'devices:read') ? await selectSilentDevices(db, caller, since) : null,
  }
}
