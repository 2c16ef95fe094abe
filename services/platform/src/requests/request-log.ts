// The last calls of each API key, for whoever looks for what went wrong (ADR 0029). It is a help and no record: a call never waits for it, what
// is too much is left out, and what a process had not written when it was killed is lost.

import { inTurn } from '@roadworthy/service-kit/pacing/in-turn'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type KeyOwner, selectKeyOwnersAcrossResellers } from './key-owners.read.sql.ts'
import type { LoggedCall } from './logged-call.ts'
import { type CallsOfKey, deleteCallsBeyondAcrossResellers, insertCallsAcrossResellers } from './request-log.sql.ts'

/** A call as it ended. Of one that was refused before its key was known, there is the hash of what was presented. */
export type EndedCall = Omit<LoggedCall, 'entryId' | keyof KeyOwner> & { readonly by: KeyOwner | { readonly sha256Hex: string } }

/** What one key may have noted. A program that calls all day is sampled at the even rate; a person who tries something sees each call. */
const SUCCESSES = { perMinute: 60, burst: 30 }
const REFUSALS = { perMinute: 600, burst: 300 }
/** Between two writes, of all keys of this process. */
const MAX_WAITING = 2_000
/** Anybody can present keys that do not work. */
const MAX_WAITING_WITHOUT_OWNER = 200
const WRITE_EVERY_MS = 1_000
/** Of each key, of calls that were refused and of those that were not. */
export const CALLS_KEPT_OF_KEY = 1_000
export const REQUESTS_KEPT_DAYS = 7
const TRIM_EVERY_WRITES = 15
/** Of keys whose calls are counted by one statement. */
const KEYS_PER_TRIM = 500

export class RequestLog {
  readonly #database: Database
  readonly #successes = new SteadyRate(SUCCESSES)
  readonly #refusals = new SteadyRate(REFUSALS)
  readonly #rounds: Rounds
  #waiting: EndedCall[] = []
  #waitingWithoutOwnerCount = 0
  #leftOutCount = 0
  /** Keys that were written for since their calls were last trimmed. */
  readonly #untrimmed = new Map<string, CallsOfKey>()
  #writesUntilTrim = TRIM_EVERY_WRITES
  /** Writes what is noted. Also happens each second. What cannot be written is given up: the next second has calls of its own. */
  readonly flush = inTurn(() => this.#writeWaiting())

  constructor({ database, onError }: { database: Database; onError: (error: unknown) => void }) {
    this.#database = database
    const write = async () => {
      await this.flush()
      return WRITE_EVERY_MS
    }
    this.#rounds = startRounds(write, WRITE_EVERY_MS, onError)
  }

  /** Whether the next call of this key, or with this hash, will be kept: asked before anything is made of it. Counts as that call. */
  takes(name: string, isRefused: boolean, nowMs: number): boolean {
    const rate = isRefused ? this.#refusals : this.#successes
    if (this.#waiting.length < MAX_WAITING && rate.takeOrWaitMs(name, nowMs) === 0) return true
    this.#leftOutCount++
    return false
  }

  note(call: EndedCall): void {
    if ('sha256Hex' in call.by) {
      if (this.#waitingWithoutOwnerCount >= MAX_WAITING_WITHOUT_OWNER) {
        this.#leftOutCount++
        return
      }
      this.#waitingWithoutOwnerCount++
    }
    this.#waiting.push(call)
  }

  /** Calls that were not kept, since the start. */
  leftOutCount(): number {
    return this.#leftOutCount
  }

  async #writeWaiting(): Promise<void> {
    const calls = this.#waiting
    this.#waiting = []
    this.#waitingWithoutOwnerCount = 0
    if (calls.length > 0) await this.#write(calls)
    this.#writesUntilTrim--
    if (this.#writesUntilTrim <= 0) await this.trim()
  }

  /** Removes what is more than is kept of the keys that this process wrote for. */
  async trim(): Promise<void> {
    this.#writesUntilTrim = TRIM_EVERY_WRITES
    while (this.#untrimmed.size > 0) {
      const keys = [...this.#untrimmed].slice(0, KEYS_PER_TRIM)
      await deleteCallsBeyondAcrossResellers(
        this.#database.systemPool,
        keys.map(([, each]) => each),
        CALLS_KEPT_OF_KEY,
      )
      for (const [name] of keys) this.#untrimmed.delete(name)
    }
  }

  async close(): Promise<void> {
    await this.#rounds.stop()
    await this.flush()
  }

  async #write(calls: readonly EndedCall[]): Promise<void> {
    const { systemPool } = this.#database
    const sha256Hexes = [...new Set(calls.flatMap(({ by }) => ('sha256Hex' in by ? [by.sha256Hex] : [])))]
    const owners = sha256Hexes.length === 0 ? new Map<string, KeyOwner>() : await selectKeyOwnersAcrossResellers(systemPool, sha256Hexes)
    const logged = calls.flatMap(({ by, ...call }) => {
      const owner = 'sha256Hex' in by ? owners.get(by.sha256Hex) : by
      return owner === undefined ? [] : [{ ...call, ...owner, entryId: newId('req') }]
    })
    if (logged.length === 0) return
    await insertCallsAcrossResellers(systemPool, logged)
    for (const { resellerId, keyId, status } of logged) {
      const isRefused = status >= 400
      this.#untrimmed.set(`${keyId} ${isRefused}`, { resellerId, keyId, isRefused })
    }
  }
}
