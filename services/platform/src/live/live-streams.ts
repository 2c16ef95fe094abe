// All streams of one process: who may open one, what is sent on each round, and when one ends.

import { MAX_STREAMED_VEHICLES } from '@roadworthy/contracts/platform-v1/live'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { readableTypes } from '../events/event-scopes.ts'
import { selectEventsAfter, selectRemovedUpTo } from '../events/events.sql.ts'
import type { Caller } from '../keys/caller.ts'
import { grants } from '../keys/scopes.ts'
import { selectVehiclesInBox } from './boxes.read.sql.ts'
import { LiveStream } from './live-stream.ts'
import { LogTail } from './log-tail.ts'
import type { ShownVehicles } from './shown-vehicles.ts'
import { VehicleWatch } from './vehicle-watch.ts'

export type LiveSettings = {
  readonly eventsEveryMs: number
  readonly vehiclesEveryMs: number
  readonly boxEveryMs: number
  readonly recheckEveryMs: number
  readonly heartbeatMs: number
  readonly stalledMs: number
  readonly maxPerCaller: number
  readonly maxPerReseller: number
  readonly max: number
}

/** Assumptions: how old what a person sees may be, and how many tabs people have. Proxies commonly close what is quiet for 60 s. */
export const defaultLiveSettings: LiveSettings = {
  eventsEveryMs: 500,
  vehiclesEveryMs: 1_000,
  boxEveryMs: 10_000,
  recheckEveryMs: 5_000,
  heartbeatMs: 20_000,
  stalledMs: 60_000,
  maxPerCaller: 10,
  maxPerReseller: 200,
  max: 2_000,
}

export type LiveDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly offlineAfterMs: number
  readonly log: { error(details: object, message: string): void }
}

/** More is for the reader to fetch anew: it costs less than to get each. */
const MAX_REPLAYED = 500
const RETRY_MS = 2_000
const TRY_AGAIN_S = 10

export type OpenStream = {
  readonly caller: Caller
  readonly shown: ShownVehicles
  readonly after: number | undefined
  readonly isStillAdmitted: () => Promise<boolean>
}

export class LiveStreams {
  readonly #deps: LiveDeps
  readonly #settings: LiveSettings
  readonly #streams = new Set<LiveStream>()
  readonly #opening = new Map<symbol, Caller>()
  readonly #tail: LogTail
  readonly #watches = new Map<string, VehicleWatch>()
  #rounds: Rounds[] = []
  #isClosed = false

  constructor(deps: LiveDeps, settings: LiveSettings = defaultLiveSettings) {
    this.#deps = deps
    this.#settings = settings
    this.#tail = new LogTail(deps.database)
  }

  get count(): number {
    return this.#streams.size
  }

  /** Throws where the caller has too many. What is returned is to be read or destroyed. */
  async open({ caller, shown, after, isStillAdmitted }: OpenStream): Promise<LiveStream> {
    this.#requireOpen()
    this.#requireRoom(caller)
    const place = Symbol()
    this.#opening.set(place, caller)
    try {
      const end = await this.#tail.follow(caller.resellerId)
      this.#requireOpen()
      const types = new Set(readableTypes(caller, undefined))
      const position = after ?? end
      const stream = new LiveStream({ caller, types, shown, isStillAdmitted, position, nowMs: performance.now() })
      // A log that ends before is another than the one it comes from: a database that was restored.
      if (position > end) this.#reset(stream, end)
      this.#streams.add(stream)
      stream.once('close', () => this.#streams.delete(stream))
      this.#start()
      return stream
    } finally {
      this.#opening.delete(place)
    }
  }

  /** Ends every stream and starts none. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#streams) stream.end()
    await Promise.all(this.#rounds.map((rounds) => rounds.stop()))
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Problem('draining', 'The service is stopping. Connect again in a moment.', { retryAfterS: 1 })
  }

  #requireRoom({ keyId, resellerId }: Caller): void {
    const { maxPerCaller, maxPerReseller, max } = this.#settings
    const callers = [...[...this.#streams].map(({ caller }) => caller), ...this.#opening.values()]
    const ofReseller = callers.filter((caller) => caller.resellerId === resellerId)
    const ofCaller = ofReseller.filter((caller) => caller.keyId === keyId)
    const refuse = (limit: number, whose: string) => {
      const message = `There are ${limit} streams ${whose} already. Close one, or try again later.`
      return new Problem('rate_limit_exceeded', message, { retryAfterS: TRY_AGAIN_S, details: { policy: 'streams', limit } })
    }
    if (ofCaller.length >= maxPerCaller) throw refuse(maxPerCaller, 'of this key or person')
    if (ofReseller.length >= maxPerReseller) throw refuse(maxPerReseller, 'of this reseller together')
    if (callers.length >= max)
      throw new Problem('overloaded', 'The service has all the streams it can serve.', { retryAfterS: TRY_AGAIN_S })
  }

  #start(): void {
    if (this.#rounds.length > 0) return
    const { eventsEveryMs, vehiclesEveryMs } = this.#settings
    const failed = (what: string) => (err: unknown) =>
      this.#deps.log.error({ err }, `${what} could not be read for streams; it is tried again`)
    this.#rounds = [
      startRounds(async () => ((await this.#eventRound()) ? 0 : eventsEveryMs), RETRY_MS, failed('events')),
      startRounds(
        async () => {
          await this.#vehicleRound()
          return vehiclesEveryMs
        },
        RETRY_MS,
        failed('vehicles'),
      ),
      startRounds(
        async () => {
          await this.#upkeepRound()
          return Math.min(vehiclesEveryMs, this.#settings.recheckEveryMs)
        },
        RETRY_MS,
        failed('who may follow'),
      ),
    ]
  }

  async #eventRound(): Promise<boolean> {
    const hasMore = await this.#tail.read()
    for (const stream of this.#streams) if (stream.wantsMore) await this.#sendEvents(stream)
    return hasMore
  }

  async #sendEvents(stream: LiveStream): Promise<void> {
    if (!stream.isReady) {
      stream.isReady = true
      stream.sendAtPosition('ready', JSON.stringify({ watched: stream.vehicleIds.size }), performance.now())
    }
    const events = this.#tail.after(stream.caller.resellerId, stream.position) ?? (await this.#replay(stream))
    for (const event of events) {
      if (!stream.wantsMore) return
      if (stream.mayRead(event)) stream.sendEvent(event, performance.now())
      stream.position = event.position
    }
  }

  /** What the tail no longer has. Everything up to where the tail ends now is committed, and so in the page or none of the reader's. */
  async #replay(stream: LiveStream) {
    const { resellerId, subClientPin } = stream.caller
    const end = this.#tail.endOf(resellerId)
    const db = this.#deps.database.tenantPool(resellerId)
    const events = await selectEventsAfter(
      db,
      resellerId,
      { types: [...stream.types], subClientPin },
      { after: stream.position, limit: MAX_REPLAYED },
    )
    const isCutOff = events.length > MAX_REPLAYED || stream.position < (await selectRemovedUpTo(db, resellerId))
    if (isCutOff) this.#reset(stream, end)
    else if (events.length === 0) stream.position = Math.max(stream.position, end)
    return isCutOff ? [] : events
  }

  #reset(stream: LiveStream, end: number): void {
    stream.position = end
    stream.sendAtPosition('reset', '{}', performance.now())
  }

  async #vehicleRound(): Promise<void> {
    const ofReseller = Map.groupBy(this.#streams, ({ caller }) => caller.resellerId)
    for (const resellerId of this.#watches.keys()) if (!ofReseller.has(resellerId)) this.#watches.delete(resellerId)
    for (const [resellerId, streams] of ofReseller) {
      for (const stream of streams) await this.#lookIntoBox(stream)
      const watch = this.#watches.get(resellerId) ?? new VehicleWatch(this.#deps, resellerId)
      this.#watches.set(resellerId, watch)
      await watch.round(streams, () => performance.now())
    }
  }

  async #lookIntoBox(stream: LiveStream): Promise<void> {
    const { box, ids } = stream.shown
    const isDue = stream.boxReadAtMs === undefined || performance.now() - stream.boxReadAtMs >= this.#settings.boxEveryMs
    if (box === undefined || !isDue || stream.destroyed) return
    const { resellerId, subClientPin } = stream.caller
    const within = await selectVehiclesInBox(this.#deps.database.tenantPool(resellerId), resellerId, {
      ...{ box, subClientPin, limit: MAX_STREAMED_VEHICLES },
    })
    stream.boxReadAtMs = performance.now()
    stream.show(new Set([...ids, ...within].slice(0, MAX_STREAMED_VEHICLES)))
  }

  async #upkeepRound(): Promise<void> {
    const { recheckEveryMs, heartbeatMs, stalledMs } = this.#settings
    this.#tail.keep(
      new Set([...this.#streams, ...[...this.#opening.values()].map((caller) => ({ caller }))].map((each) => each.caller.resellerId)),
    )
    const nowMs = performance.now()
    for (const stream of this.#streams) {
      if (stream.stalledMs(nowMs) >= stalledMs) stream.destroy()
      stream.sendHeartbeat(nowMs, heartbeatMs)
    }
    const due = [...this.#streams].filter(({ recheckedAtMs }) => nowMs - recheckedAtMs >= recheckEveryMs)
    await Promise.all(due.map((stream) => recheck(stream, nowMs)))
  }
}

/** Rejects where the database is away: it is unknown then, and nothing is sent either. */
async function recheck(stream: LiveStream, nowMs: number): Promise<void> {
  if (!(await stream.isStillAdmitted())) stream.end()
  stream.recheckedAtMs = nowMs
}

/** Positions and health need the scope that reads vehicles. */
export function maySeeVehicles({ scopes }: Caller): boolean {
  return grants(scopes, 'vehicles:read')
}
