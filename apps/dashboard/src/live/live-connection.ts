// One connection to the stream (docs/live.md): opened for what is shown, opened again when that changes and when it is cut.

import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import type { LiveState } from './live-state.ts'
import { coversShown, type Shown, streamUrl } from './shown.ts'

type Message = { readonly lastEventId: string; readonly data: string }
/** Of an `EventSource`, as much as is used here. */
export type Source = {
  addEventListener(name: string, listener: (message: Message) => void): void
  close(): void
}

export type LiveConnectionDeps = {
  readonly state: LiveState
  readonly open: (url: string) => Source
  readonly onEvent: (event: { readonly event: string; readonly data: object }) => void
  /** The score or the alerts of a vehicle are others than before. */
  readonly onJudged: (vehicleId: string) => void
  /** Something may have been missed. */
  readonly askAnew: () => void
  /** From 0 to 1. */
  readonly random: () => number
  readonly nowMs: () => number
}

/** Assumption: a person who scrolls or moves the map comes to rest within it. */
const COME_TO_REST_MS = 250
/** A stream that shows more than is needed costs only bytes. */
const NARROW_MS = 5_000
const MIN_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

export class LiveConnection {
  readonly #deps: LiveConnectionDeps
  #source: Source | undefined
  #openedFor: Shown = {}
  #lastEventId: string | undefined
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #unsubscribe: (() => void) | undefined

  constructor(deps: LiveConnectionDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#unsubscribe !== undefined) return
    this.#unsubscribe = this.#deps.state.subscribeToShown(() => this.#followShown())
    this.#open()
  }

  /** Until it is started again; then it goes on after the last event. */
  stop(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#failures = 0
    this.#close()
    this.#deps.state.setLive(false)
  }

  #close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }

  #open(): void {
    this.#close()
    const { state, open, askAnew, onEvent, onJudged, nowMs } = this.#deps
    this.#openedFor = state.shown
    const isResumed = this.#lastEventId !== undefined
    let isFirst = true
    const source = open(streamUrl(this.#openedFor, this.#lastEventId))
    this.#source = source
    const on = (name: string, take: (message: Message) => void) =>
      source.addEventListener(name, (message) => {
        // A source that was closed may have messages on their way.
        if (this.#source !== source) return
        if (message.lastEventId) this.#lastEventId = message.lastEventId
        take(message)
      })
    on('ready', () => {
      this.#failures = 0
      state.setLive(true)
      if (!isResumed) askAnew()
    })
    on('event', ({ data }) => onEvent(JSON.parse(data) as { event: string; data: object }))
    on('vehicles', ({ data }) => {
      const { vehicles } = JSON.parse(data) as { vehicles: VehicleChange[] }
      for (const vehicle of vehicles) if (isJudgedAnew(state.changes.get(vehicle.id)?.change, vehicle)) onJudged(vehicle.id)
      state.receive(vehicles, isFirst, nowMs())
      isFirst = false
    })
    on('reset', () => askAnew())
    on('error', () => this.#fail())
  }

  /** Also where the service ends it: because the session has ended, which the next request finds out, or because it stops. */
  #fail(): void {
    this.#close()
    const { state, askAnew, random } = this.#deps
    state.setLive(false)
    if (this.#failures === 0) askAnew()
    const longestMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** this.#failures)
    this.#failures++
    // Jitter: after a restart of the service, not all pages come back at once.
    this.#timer = setTimeout(() => this.#open(), MIN_WAIT_MS / 2 + random() * (longestMs - MIN_WAIT_MS / 2))
  }

  #followShown(): void {
    // It waits to be opened, and then is for what is shown at that time.
    if (this.#source === undefined) return
    clearTimeout(this.#timer)
    const { shown } = this.#deps.state
    const isCovered = coversShown(this.#openedFor, shown)
    if (isCovered && coversShown(shown, this.#openedFor)) return
    this.#timer = setTimeout(() => this.#open(), isCovered ? NARROW_MS : COME_TO_REST_MS)
  }
}

function isJudgedAnew(before: VehicleChange | undefined, now: VehicleChange): boolean {
  return before !== undefined && (before.healthScore !== now.healthScore || before.openAlerts !== now.openAlerts)
}
