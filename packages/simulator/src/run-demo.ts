// The demo: a fleet that has been driving for a while, is driving, and in which something is always about to break.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultKind, faultKinds } from './fleet/components.ts'
import {
  advanceFleet,
  createFleet,
  type FaultPlan,
  type Fleet,
  type FleetSnapshot,
  injectFault,
  resumeFleet,
  snapshotFleet,
} from './fleet/fleet.ts'
import { createStream, nextBetween, nextInteger, type RandomStream } from './fleet/random.ts'
import type { WireRecord } from './fleet/reading.ts'
import { type Registration, registerFleet } from './register.ts'
import type { Api } from './senders/api.ts'
import { boundedMap } from './senders/bounded-map.ts'
import { createMqttSender } from './senders/mqtt.ts'
import { createOutbox, type Outbox } from './senders/outbox.ts'
import { createRestSender } from './senders/rest.ts'
import { addCounts, type SendCounts, type Sender } from './senders/sender.ts'

export type DemoOptions = {
  readonly api: Api
  readonly mqttUrl: string
  readonly vehicleCount: number
  readonly seed: number
  readonly intervalS: number
  readonly backfillS: number
  /** Where the fleet is kept between runs, so that odometers go on. Without it every run starts the fleet afresh. */
  readonly stateFile: string | undefined
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  readonly now: () => number
  /** What happens to the fleet; the demo's own when left out. */
  readonly scenario?: Scenario
}

export type Scenario = {
  /** How much faster than life components wear. */
  readonly wearFactor: number
  readonly openingFaults: (vehicleCount: number, liveAtMs: number) => FaultPlan[]
  /** Whether a sound vehicle begins to fail every so often. */
  readonly keepsFailing: boolean
}

/** Wear of an hour in a minute: somewhere in a fleet of 24 a set of pads is due about once an hour. */
const DEMO_WEAR_FACTOR = 60
const DEMO_SCENARIO: Scenario = { wearFactor: DEMO_WEAR_FACTOR, openingFaults: demoFaults, keepsFailing: true }
/** The workshop comes a quarter of an hour after a failure, so that a person can look at it first. */
const DEMO_REPAIR_AFTER_S = 900
const BACKFILL_INTERVAL_S = 10
const BACKFILL_CHUNK_S = 60
const PARKED_INTERVAL_S = 30
const SAVE_EVERY_S = 60
const REPORT_EVERY_S = 60
const REPORTED_REGISTRATIONS = 1_000
/** More at once than a listening socket's queue takes (511 by Node's default) would be dropped and tried again by TCP. */
const MAX_CONNECTS_UNDER_WAY = 100
/** A machine that slept is not caught up with reading by reading. */
const MAX_CATCH_UP_S = 600

/** Runs until the signal aborts; rejects when the platform refuses the demo for good. */
export async function runDemo(options: DemoOptions): Promise<SendCounts> {
  const { signal, log } = options
  const liveAtMs = options.now()
  const fleet = await prepareFleet(options, liveAtMs)
  const viaMqtt = ({ index }: { index: number }) => index % 2 === 0
  const registrations = await registerFleet(
    options.api,
    fleet.vehicles.map(({ profile }) => profile),
    { viaMqtt, signal, onProgress: reportEvery(REPORTED_REGISTRATIONS, log) },
  )
  log(`demo: ${registrations.length} vehicles registered`)

  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const outboxes = await openOutboxes(options, registrations, stop, (error) => failure.abort(error))
  try {
    await backfill(options, fleet, outboxes, stop)
    log(`demo: ${Math.round(options.backfillS / 60)} minutes of history sent, ${describe(countsOf(outboxes))}; live`)
    await runLive(options, fleet, outboxes, stop)
  } catch (error) {
    if (!signal.aborted) throw failure.signal.aborted ? failure.signal.reason : error
  } finally {
    await saveFleet(options, fleet)
    await Promise.allSettled(distinct(outboxes).map(({ sender }) => sender.close()))
  }
  return countsOf(outboxes)
}

function reportEvery(count: number, log: (line: string) => void): (done: number, total: number) => void {
  return (done, total) => {
    if (done % count === 0 && done < total) log(`demo: ${done} of ${total} vehicles registered`)
  }
}

async function prepareFleet(options: DemoOptions, liveAtMs: number): Promise<Fleet> {
  const { wearFactor, openingFaults } = options.scenario ?? DEMO_SCENARIO
  const fleet = createFleet({
    seed: options.seed,
    vehicleCount: options.vehicleCount,
    startAtMs: liveAtMs - options.backfillS * 1000,
    schedule: 'continuous',
    intervalS: options.intervalS,
    parkedIntervalS: PARKED_INTERVAL_S,
    wearFactor,
    repairAfterS: DEMO_REPAIR_AFTER_S,
  })
  const snapshot = await loadSnapshot(options)
  if (snapshot && resumeFleet(fleet, snapshot)) options.log('demo: the fleet goes on from where it was')
  for (const plan of openingFaults(options.vehicleCount, liveAtMs)) injectFault(fleet, plan)
  return fleet
}

/**
 * What is wrong when the curtain rises, timed so that within three minutes a fleet of 24 shows two critical vehicles (oil pressure, coolant),
 * a few warnings (charging, brakes, gearbox) and one that only an attentive eye sees (thermostat).
 */
export function demoFaults(vehicleCount: number, liveAtMs: number): FaultPlan[] {
  const plan = (vehicleIndex: number, kind: FaultKind, onsetS: number, rampS: number) => ({
    vehicleIndex,
    kind,
    onsetMs: liveAtMs + onsetS * 1000,
    rampS,
  })
  return [
    plan(3, 'oil_pressure', -440, 560),
    plan(6, 'coolant_leak', -560, 560),
    plan(9, 'alternator', -300, 420),
    plan(15, 'brakes', -1_500, 3_600),
    plan(18, 'transmission', -700, 1_600),
    plan(20, 'thermostat_open', -1_200, 600),
  ].filter(({ vehicleIndex }) => vehicleIndex < vehicleCount)
}

async function openOutboxes(
  options: DemoOptions,
  registrations: readonly Registration[],
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Map<string, Outbox>> {
  const rest = createOutbox(createRestSender(options.api), signal, onFailure)
  const connected: Sender[] = []
  try {
    const entries = await boundedMap(registrations, MAX_CONNECTS_UNDER_WAY, async ({ profile, mqtt }): Promise<[string, Outbox]> => {
      if (!mqtt) return [profile.imei, rest]
      const sender = await createMqttSender(options.mqttUrl, mqtt, signal)
      connected.push(sender)
      return [profile.imei, createOutbox(sender, signal, onFailure)]
    })
    return new Map(entries)
  } catch (error) {
    // Stopped, or one was refused, while others were connected: those would keep the process for ever.
    await Promise.allSettled(connected.map((sender) => sender.close()))
    throw error
  }
}

/** Lays down history more thinly than live data, a minute of the fleet at a time, until it has caught up with the clock. */
async function backfill(options: DemoOptions, fleet: Fleet, outboxes: Map<string, Outbox>, signal: AbortSignal): Promise<void> {
  let atMs = options.now() - options.backfillS * 1000
  while (atMs < options.now()) {
    signal.throwIfAborted()
    atMs = Math.min(atMs + BACKFILL_CHUNK_S * 1000, options.now())
    sendUntil(fleet, atMs, outboxes, BACKFILL_INTERVAL_S)
    await Promise.all(distinct(outboxes).map((outbox) => outbox.drained()))
  }
}

async function runLive(options: DemoOptions, fleet: Fleet, outboxes: Map<string, Outbox>, signal: AbortSignal): Promise<void> {
  const { keepsFailing } = options.scenario ?? DEMO_SCENARIO
  const faults = keepsFailing ? createFaultSource(options.seed, options.now()) : undefined
  let savedMs = options.now()
  let reportedMs = options.now()
  while (!signal.aborted) {
    await sleep(options.intervalS * 1000, undefined, { signal })
    const nowMs = options.now()
    const behindMs = nowMs - MAX_CATCH_UP_S * 1000
    if (fleet.vehicles.some(({ state }) => state.atMs < behindMs)) advanceFleet(fleet, behindMs, () => {})
    faults?.tick(fleet, nowMs)
    sendUntil(fleet, nowMs, outboxes)
    if (nowMs - savedMs >= SAVE_EVERY_S * 1000) {
      savedMs = nowMs
      await saveFleet(options, fleet)
    }
    if (nowMs - reportedMs >= REPORT_EVERY_S * 1000) {
      reportedMs = nowMs
      options.log(`demo: ${describe(countsOf(outboxes))}`)
    }
  }
}

function sendUntil(fleet: Fleet, untilMs: number, outboxes: Map<string, Outbox>, intervalS?: number): void {
  const records = new Map<Outbox, WireRecord[]>()
  const collect = (record: WireRecord) => {
    const outbox = outboxes.get(record.device_id)
    if (!outbox) return
    const list = records.get(outbox) ?? []
    list.push(record)
    records.set(outbox, list)
  }
  advanceFleet(fleet, untilMs, collect, intervalS)
  for (const [outbox, list] of records) outbox.push(list)
}

const FAULT_EVERY_S = { low: 480, high: 900 }
/** Share of the fleet that may be in trouble at once: a demo of wrecks shows nothing. */
const MAX_IMPAIRED_SHARE = 0.25

/** Keeps trouble coming: every so often another sound vehicle begins to fail, kind after kind. */
function createFaultSource(seed: number, startMs: number): { tick(fleet: Fleet, nowMs: number): void } {
  const random: RandomStream = createStream(seed, `demo/${startMs}`)
  let dueMs = startMs + nextBetween(random, FAULT_EVERY_S.low, FAULT_EVERY_S.high) * 1000
  let turn = nextInteger(random, 0, faultKinds.length - 1)
  return {
    tick(fleet, nowMs) {
      if (nowMs < dueMs) return
      dueMs = nowMs + nextBetween(random, FAULT_EVERY_S.low, FAULT_EVERY_S.high) * 1000
      const sound = fleet.vehicles.filter(({ state }) => faultKinds.every((kind) => state.severity[kind] === 0))
      const victim = sound[nextInteger(random, 0, sound.length - 1)]
      const kind = faultKinds[turn++ % faultKinds.length]
      if (!victim || !kind || sound.length <= fleet.vehicles.length * (1 - MAX_IMPAIRED_SHARE)) return
      injectFault(fleet, { vehicleIndex: victim.profile.index, kind, onsetMs: nowMs, rampS: nextBetween(random, 300, 900) })
    },
  }
}

async function loadSnapshot({ stateFile, log }: DemoOptions): Promise<FleetSnapshot | undefined> {
  if (stateFile === undefined) return undefined
  try {
    return JSON.parse(await readFile(stateFile, 'utf8')) as FleetSnapshot
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (!missing) log(`demo: ${stateFile} cannot be read, the fleet starts afresh`)
    return undefined
  }
}

async function saveFleet({ stateFile }: DemoOptions, fleet: Fleet): Promise<void> {
  if (stateFile === undefined) return
  await writeFile(`${stateFile}.new`, JSON.stringify(snapshotFleet(fleet)))
  await rename(`${stateFile}.new`, stateFile)
}

const distinct = (outboxes: Map<string, Outbox>) => [...new Set(outboxes.values())]
const countsOf = (outboxes: Map<string, Outbox>) => addCounts(distinct(outboxes).map(({ sender }) => sender.counts()))
const describe = ({ sent, accepted, duplicates, rejected }: SendCounts) =>
  `${sent} readings sent, ${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`
