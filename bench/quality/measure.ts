// What is counted over sound trips and over faulty ones.
import type { Answer, EngineClient } from './engine-client.ts'
import { type Fault, showsAtS } from './faults.ts'
import { changed, type Trip, toEngineReadings } from './trips.ts'

const S_PER_HOUR = 3600
/** Rows further apart than this are no driving. */
const MAX_ROW_GAP_S = 30
/** Readings of one alert that has been silent for longer are another alert. */
const SAME_ALERT_WITHIN_S = 60
const FOUND_WITHIN_S = 120
/** A fault is tried at this many places of each trip. */
const STARTS_PER_TRIP = 2
/** Every so many seconds the faulty trip is judged: a finer step finds nothing sooner than this. */
const FAULT_STEP_S = 2

export type SoundResult = {
  readonly vehicle: string
  readonly trips: number
  readonly judged: number
  readonly engineHours: number
  readonly alertsAboveInfo: number
  readonly critical: number
  readonly alertsPer100Hours: number
  readonly infoAlerts: number
  readonly anomalies: number
  readonly anomaliesPerEngineHour: number
  /** Share of the judged readings with `anomalyDetected`. */
  readonly anomalousReadings: number
  readonly alarms: readonly string[]
}

/** Alerts are counted once for as long as they last, not once a reading. */
export async function measureSound(engine: EngineClient, vehicle: string, trips: readonly Trip[]): Promise<SoundResult> {
  const counts = { judged: 0, engineS: 0, aboveInfo: 0, critical: 0, info: 0, anomalies: 0, anomalousReadings: 0 }
  const alarms: string[] = []
  for (const trip of trips) {
    const readings = toEngineReadings(trip)
    const lastSeenS = new Map<string, number>()
    const isNew = (key: string, nowS: number) => {
      const beforeS = lastSeenS.get(key)
      lastSeenS.set(key, nowS)
      return beforeS === undefined || nowS - beforeS > SAME_ALERT_WITHIN_S
    }
    for (let row = 0; row < readings.length; row++) {
      const nowS = trip.readings[row]?.offsetS ?? 0
      counts.engineS += Math.min(MAX_ROW_GAP_S, nowS - (trip.readings[row - 1]?.offsetS ?? nowS))
      const { alerts, predictions } = await engine.judge(readings, row)
      counts.judged++
      if (predictions.anomalyDetected) {
        counts.anomalousReadings++
        if (isNew('anomaly', nowS)) counts.anomalies++
      }
      for (const { type, component, severity, message } of alerts) {
        const isInfo = severity === 'info'
        if (!isNew(`${type} ${component} ${isInfo}`, nowS)) continue
        if (isInfo) counts.info++
        else {
          counts.aboveInfo++
          if (severity === 'critical') counts.critical++
          alarms.push(`${trip.name} at ${nowS} s: ${severity} ${message}`)
        }
      }
    }
  }
  const engineHours = counts.engineS / S_PER_HOUR
  return {
    vehicle,
    trips: trips.length,
    judged: counts.judged,
    engineHours: rounded(engineHours),
    alertsAboveInfo: counts.aboveInfo,
    critical: counts.critical,
    alertsPer100Hours: rounded((100 * counts.aboveInfo) / engineHours),
    infoAlerts: counts.info,
    anomalies: counts.anomalies,
    anomaliesPerEngineHour: rounded(counts.anomalies / engineHours),
    anomalousReadings: Math.round((1e5 * counts.anomalousReadings) / counts.judged) / 1e5,
    alarms,
  }
}

export type FaultResult = {
  readonly name: string
  /** Injections that came to show, and after which the trip went on for as long as there is to find them. */
  readonly shownCount: number
  /** Found within 120 s of when it shows. */
  readonly foundShare: number
  /** Found within 120 s of when it begins, of all that are shown. */
  readonly foundFromStartShare: number
  /** Found above info within 120 s of when it shows. */
  readonly foundAboveInfoShare: number
  /** Seconds from when it begins. */
  readonly medianShowsS: number
  readonly medianFoundS: number
  readonly missed: readonly string[]
}

export async function measureFault(engine: EngineClient, fault: Fault, trips: readonly Trip[]): Promise<FaultResult> {
  let foundInTime = 0
  let foundFromStart = 0
  let foundAboveInfo = 0
  const showsAfterS: number[] = []
  const foundAfterS: number[] = []
  const missed: string[] = []
  for (const trip of trips) {
    for (const startRow of startRows(fault, trip)) {
      const startS = trip.readings[startRow]?.offsetS ?? 0
      const faulty = changed(trip, fault.inject(startS))
      const showS = showsAtS(fault, trip, faulty, startRow)
      if (showS === undefined || (trip.readings.at(-1)?.offsetS ?? 0) < showS + FOUND_WITHIN_S) continue
      showsAfterS.push(showS - startS)
      const { foundS, aboveInfoS } = await find(engine, fault, trip, faulty, startRow, showS + FOUND_WITHIN_S)
      if (foundS !== undefined) {
        foundInTime++
        foundAfterS.push(foundS - startS)
        if (foundS <= startS + FOUND_WITHIN_S) foundFromStart++
      } else missed.push(`${trip.name}@${Math.round(startS)}`)
      if (aboveInfoS !== undefined) foundAboveInfo++
    }
  }
  const shownCount = showsAfterS.length
  return {
    name: fault.name,
    shownCount,
    foundShare: rounded(foundInTime / shownCount),
    foundFromStartShare: rounded(foundFromStart / shownCount),
    foundAboveInfoShare: rounded(foundAboveInfo / shownCount),
    medianShowsS: rounded(median(showsAfterS)),
    medianFoundS: rounded(median(foundAfterS)),
    missed,
  }
}

/** The first row at which the fault may begin, and the one in the middle of all such rows. */
function startRows(fault: Fault, trip: Trip): number[] {
  const rows = trip.readings.map((_, row) => row).filter((row) => fault.canStartAt(trip, row))
  const picked = Array.from({ length: STARTS_PER_TRIP }, (_, part) => rows[Math.floor((part * rows.length) / STARTS_PER_TRIP)])
  return [...new Set(picked)].filter((row) => row !== undefined)
}

type Found = { foundS: number | undefined; aboveInfoS: number | undefined }

async function find(engine: EngineClient, fault: Fault, sound: Trip, faulty: Trip, startRow: number, endS: number): Promise<Found> {
  const readings = toEngineReadings(faulty)
  const soundReadings = toEngineReadings(sound)
  const found: Found = { foundS: undefined, aboveInfoS: undefined }
  let nextS = 0
  for (let row = startRow; row < readings.length; row++) {
    const nowS = faulty.readings[row]?.offsetS ?? 0
    if (nowS > endS || found.aboveInfoS !== undefined) break
    if (nowS < nextS) continue
    nextS = nowS + FAULT_STEP_S
    const told = tellingAlerts(fault, await engine.judge(readings, row))
    const isLouder = told.some(({ severity }) => severity !== 'info')
    if (told.length === 0 || (found.foundS !== undefined && !isLouder)) continue
    // What is said of the sound trip as well at this moment does not tell the fault.
    const saidAnyway = new Set(
      tellingAlerts(fault, await engine.judge(soundReadings, row)).map(({ type, severity }) => `${type} ${severity}`),
    )
    const telling = told.filter(({ type, severity }) => !saidAnyway.has(`${type} ${severity}`))
    if (telling.length > 0) found.foundS ??= nowS
    if (telling.some(({ severity }) => severity !== 'info')) found.aboveInfoS ??= nowS
  }
  return found
}

const tellingAlerts = (fault: Fault, { alerts }: Answer) => alerts.filter(({ component }) => fault.components.includes(component))

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
