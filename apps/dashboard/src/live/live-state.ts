// What the pages share about the stream: whether it stands, which vehicles they show, and the newest state of those. Without a browser, for tests.

import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { isMissing } from '../api/retry.ts'
import { type Shown, unionOfShown } from './shown.ts'

export type ReceivedChange = { readonly change: VehicleChange; readonly receivedAtMs: number }

export class LiveState {
  readonly #listeners = new Set<() => void>()
  readonly #shownBy = new Map<symbol, Shown>()
  readonly #shownListeners = new Set<() => void>()
  #changes: ReadonlyMap<string, ReceivedChange> = new Map()
  #isLive = false

  /** Whether changes arrive by themselves. */
  get isLive(): boolean {
    return this.#isLive
  }

  /** By vehicle. Another map after each change. */
  get changes(): ReadonlyMap<string, ReceivedChange> {
    return this.#changes
  }

  setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return
    this.#isLive = isLive
    this.#wake()
  }

  /** `isFirst`: of a stream, which begins with the state of all that it shows. What is known of others is followed by nobody any more. */
  receive(changes: readonly VehicleChange[], isFirst: boolean, nowMs: number): void {
    const known = new Map(isFirst ? [] : this.#changes)
    for (const change of changes) known.set(change.id, { change, receivedAtMs: nowMs })
    this.#changes = known
    this.#wake()
  }

  /** Of the person who was signed in before. */
  forget(): void {
    this.#changes = new Map()
    this.#isLive = false
    this.#wake()
  }

  /** What one part of a page shows, until the returned function is called. */
  show(shown: Shown): () => void {
    const part = Symbol()
    this.#shownBy.set(part, shown)
    this.#wakeShown()
    return () => {
      this.#shownBy.delete(part)
      this.#wakeShown()
    }
  }

  /** Of all parts together, as much as a stream shows. */
  get shown(): Shown {
    return unionOfShown([...this.#shownBy.values()])
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  subscribeToShown(listener: () => void): () => void {
    this.#shownListeners.add(listener)
    return () => this.#shownListeners.delete(listener)
  }

  #wake(): void {
    for (const listener of this.#listeners) listener()
  }

  #wakeShown(): void {
    for (const listener of this.#shownListeners) listener()
  }
}

export const liveState = new LiveState()

/** The stream reports when something changed; this finds what no event reports. */
const LIVE_MS = 60_000
/** Without the stream. Assumption: as old as a person accepts who sees that the connection is lost. */
const AWAY_MS = 8_000

type Asked = { readonly state: { readonly error: Error | null } }

/**
 * How long until an answer is asked for again: for `refetchInterval`, which looks anew after each answer. What is missing is not asked for again: its
 * page would change between that answer and loading.
 */
export function renewalMs(liveMs = LIVE_MS): (asked?: Asked) => number | false {
  return (asked) => !isMissing(asked?.state.error ?? null) && (liveState.isLive ? liveMs : Math.min(liveMs, AWAY_MS))
}
