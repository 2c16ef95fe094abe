// One connection, as text of server-sent events (WHATWG HTML §9.2). It is given something only while its reader takes it, so that a reader who
// is slow or gone costs what is in the socket and a set of ids.

import { Readable } from 'node:stream'
import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { writeLogCursor } from '../events/cursor.ts'
import type { LoggedEvent } from '../events/event.ts'
import type { Caller } from '../keys/caller.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

export type LiveStreamOptions = {
  readonly caller: Caller
  readonly types: ReadonlySet<EventType>
  readonly shown: ShownVehicles
  readonly isStillAdmitted: () => Promise<boolean>
  /** Of the event it goes on after. */
  readonly position: number
  readonly nowMs: number
}

export class LiveStream extends Readable {
  readonly caller: Caller
  readonly types: ReadonlySet<EventType>
  readonly shown: ShownVehicles
  readonly isStillAdmitted: () => Promise<boolean>
  /** Of the last event that it was given, or that is none of its own. */
  position: number
  /** All it shows: those it names, and those in its box. */
  vehicleIds: ReadonlySet<string>
  /** Of those, the ones whose state is to be sent. */
  readonly #changed: Set<string>
  /** When its box was looked into last; undefined: not yet. */
  boxReadAtMs: number | undefined
  recheckedAtMs: number
  isReady = false
  #wantsMore = false
  #isEnded = false
  #wantedAtMs: number
  #writtenAtMs: number

  constructor({ caller, types, shown, isStillAdmitted, position, nowMs }: LiveStreamOptions) {
    super({ encoding: 'utf8' })
    this.caller = caller
    this.types = types
    this.shown = shown
    this.isStillAdmitted = isStillAdmitted
    this.position = position
    this.vehicleIds = new Set(shown.ids)
    this.#changed = new Set(shown.ids)
    this.recheckedAtMs = nowMs
    this.#wantedAtMs = nowMs
    this.#writtenAtMs = nowMs
  }

  override _read(): void {
    this.#wantsMore = true
  }

  get wantsMore(): boolean {
    return this.#wantsMore && !this.#isEnded && !this.destroyed
  }

  /** For how long its reader has taken nothing. To be asked each round. */
  stalledMs(nowMs: number): number {
    if (this.#wantsMore) this.#wantedAtMs = nowMs
    return nowMs - this.#wantedAtMs
  }

  show(vehicleIds: ReadonlySet<string>): void {
    for (const id of vehicleIds) if (!this.vehicleIds.has(id)) this.#changed.add(id)
    this.vehicleIds = vehicleIds
  }

  noteChanged(vehicleId: string): void {
    if (this.vehicleIds.has(vehicleId)) this.#changed.add(vehicleId)
  }

  takeChanged(): string[] {
    const changed = [...this.#changed].filter((id) => this.vehicleIds.has(id))
    this.#changed.clear()
    return changed
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0
  }

  mayRead({ type, subClientId }: LoggedEvent): boolean {
    const { subClientPin } = this.caller
    return this.types.has(type) && (subClientPin === undefined || subClientId === subClientPin)
  }

  /** `body` is JSON by `JSON.stringify`: a line. */
  sendEvent({ position, body }: LoggedEvent, nowMs: number): void {
    this.#write(`event: event\nid: ${writeLogCursor(position)}\ndata: ${body}\n\n`, nowMs)
  }

  /** A message that has a place in the log: from there on its reader goes on. */
  sendAtPosition(name: 'ready' | 'reset', json: string, nowMs: number): void {
    this.#write(`event: ${name}\nid: ${writeLogCursor(this.position)}\ndata: ${json}\n\n`, nowMs)
  }

  sendVehicles(jsons: readonly string[], nowMs: number): void {
    this.#write(`event: vehicles\ndata: {"vehicles":[${jsons.join(',')}]}\n\n`, nowMs)
  }

  /** Keeps proxies from closing what is quiet, and moves the reader's place past events that are not for it. */
  sendHeartbeat(nowMs: number, everyMs: number): void {
    if (this.wantsMore && nowMs - this.#writtenAtMs >= everyMs) this.#write(`: still here\nid: ${writeLogCursor(this.position)}\n\n`, nowMs)
  }

  end(): void {
    if (this.#isEnded || this.destroyed) return
    this.#isEnded = true
    this.push(null)
  }

  #write(text: string, nowMs: number): void {
    this.#writtenAtMs = nowMs
    this.#wantsMore = false
    // It may ask for more before this returns.
    if (this.push(text)) this.#wantsMore = true
  }
}
