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
/** Every so many seconds the faulty trip is judged: a finer step finds nothing sooner than this. */
const FAULT_STEP_S = 2
/** A fault that is given long to be found is judged this often meanwhile. */
const MOST_STEPS = 120

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
  readonly withinS: number
  /** Injections that came to show, and after which the trip went on for as long as there is to find them. */
  readonly shownCount: number
  /** Found in time from when it shows. */
  readonly foundShare: number
  /** The same, counting alerts above info only. */
  readonly foundAboveInfoShare: number
  /** Above info, within 120 s of when it begins. */
  readonly foundFromStartShare: number
  /** Seconds from when it begins, of those that are found; above info for the last. */
  readonly medianShowsS: number
  readonly medianFoundS: number
  readonly medianAboveInfoS: number
  readonly notAskedFor?: string
  readonly missed: readonly string[]
}

/** `mostPlaces` of the trips' places are tried, evenly over all of them, so that one long trip does not decide. */
export async function measureFault(
  engine: EngineClient,
  fault: Fault,
  trips: readonly Trip[],
  startsPerTrip: number,
  mostPlaces: number,
): Promise<FaultResult> {
  const results: (Found & { readonly showsAfterS: number; readonly place: string })[] = []
  for (const { trip, startRow } of spread(placesOf(fault, trips, startsPerTrip), mostPlaces)) {
    const startS = trip.readings[startRow]?.offsetS ?? 0
    const faulty = changed(trip, fault.inject(startS))
    const showS = showsAtS(fault, trip, faulty, startRow)
    if (showS === undefined || (trip.readings.at(-1)?.offsetS ?? 0) < showS + fault.withinS) continue
    const found = await find(engine, fault, trip, faulty, startRow, showS + fault.withinS)
    results.push({ ...found, showsAfterS: showS - startS, place: `${trip.name}@${Math.round(startS)}` })
  }
  const shareOf = (isSuch: (found: Found) => boolean) => rounded(results.filter(isSuch).length / results.length)
  return {
    name: fault.name,
    withinS: fault.withinS,
    shownCount: results.length,
    foundShare: shareOf(({ foundAfterS }) => foundAfterS !== undefined),
    foundAboveInfoShare: shareOf(({ aboveInfoAfterS }) => aboveInfoAfterS !== undefined),
    foundFromStartShare: shareOf(({ aboveInfoAfterS }) => (aboveInfoAfterS ?? Number.POSITIVE_INFINITY) <= FOUND_WITHIN_S),
    medianShowsS: rounded(median(results.map(({ showsAfterS }) => showsAfterS))),
    medianFoundS: rounded(median(results.flatMap(({ foundAfterS }) => foundAfterS ?? []))),
    medianAboveInfoS: rounded(median(results.flatMap(({ aboveInfoAfterS }) => aboveInfoAfterS ?? []))),
    ...(fault.notAskedFor === undefined ? {} : { notAskedFor: fault.notAskedFor }),
    missed: results.filter(({ aboveInfoAfterS }) => aboveInfoAfterS === undefined).map(({ place }) => place),
  }
}

type Place = { readonly trip: Trip; readonly startRow: number }

/** In each trip the first row at which the fault may begin, and others evenly over all such rows. */
function placesOf(fault: Fault, trips: readonly Trip[], startsPerTrip: number): Place[] {
  return trips.flatMap((trip) => {
    const rows = trip.readings.map((_, row) => row).filter((row) => fault.canStartAt(trip, row))
    const picked = Array.from({ length: startsPerTrip }, (_, part) => rows[Math.floor((part * rows.length) / startsPerTrip)])
    return [...new Set(picked)].filter((row) => row !== undefined).map((startRow) => ({ trip, startRow }))
  })
}

/** Of each trip another one of its places, so that few places still are of all kinds. */
function spread(places: readonly Place[], most: number): Place[] {
  if (places.length <= most) return [...places]
  return Array.from({ length: most }, (_, index) => places[Math.floor((index * places.length) / most)] as Place)
}

/** In seconds from when the fault begins. */
type Found = { readonly foundAfterS: number | undefined; readonly aboveInfoAfterS: number | undefined }

async function find(engine: EngineClient, fault: Fault, sound: Trip, faulty: Trip, startRow: number, endS: number): Promise<Found> {
  const readings = toEngineReadings(faulty)
  const soundReadings = toEngineReadings(sound)
  const startS = faulty.readings[startRow]?.offsetS ?? 0
  let foundAfterS: number | undefined
  let nextS = 0
  for (let row = startRow; row < readings.length; row++) {
    const nowS = faulty.readings[row]?.offsetS ?? 0
    if (nowS > endS) break
    if (nowS < nextS) continue
    nextS = nowS + Math.max(FAULT_STEP_S, fault.withinS / MOST_STEPS)
    const found = detectingAlerts(fault, await engine.judge(readings, row))
    const isLouder = found.some(({ severity }) => severity !== 'info')
    if (found.length === 0 || (foundAfterS !== undefined && !isLouder)) continue
    // What is reported of the sound trip as well at this moment does not detect the fault.
    const reportedAnyway = new Set(
      detectingAlerts(fault, await engine.judge(soundReadings, row)).map(({ type, severity }) => `${type} ${severity}`),
    )
    const detecting = found.filter(({ type, severity }) => !reportedAnyway.has(`${type} ${severity}`))
    if (detecting.length > 0) foundAfterS ??= nowS - startS
    if (detecting.some(({ severity }) => severity !== 'info')) return { foundAfterS, aboveInfoAfterS: nowS - startS }
  }
  return { foundAfterS, aboveInfoAfterS: undefined }
}

const detectingAlerts = (fault: Fault, { alerts }: Answer) => alerts.filter(({ component }) => fault.components.includes(component))

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
