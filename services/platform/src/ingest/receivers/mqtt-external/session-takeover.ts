// Ends the sessions of devices at an external broker that asks the platform who may come in. Such a broker asks when a device signs in, and may
// never ask again on that connection (RabbitMQ keeps what it was answered for as long as the device keeps sending). There is no
// command for it that all brokers know, but all must close a connection when its client id signs in again (MQTT-3.1.4-2, MQTT 5 MQTT-3.1.4-3).

import { setTimeout as sleep } from 'node:timers/promises'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import { BrokerConnection, type BrokerPlan } from './broker-connection.ts'
import type { BrokerLog } from './broker-link.ts'

export type SessionTakeoverDeps = {
  /** How the platform signs in. Its account must be let in under any client id. */
  readonly plan: Omit<BrokerPlan, 'clientId' | 'filters' | 'sessionExpiryS'>
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly log: BrokerLog
}

/** Connections at a time: a whole reseller may lose its access at once. */
const CONCURRENCY = 4
/** Device ids. Beyond it sessions go on, and their readings are refused by the platform. */
const MAX_WAITING = 100_000
const MAX_ATTEMPTS = 3
const FIRST_RETRY_MS = 200
const FAREWELL_MS = 1_000

export class SessionTakeover {
  readonly #deps: SessionTakeoverDeps
  readonly #waiting = new Set<string>()
  readonly #workers = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(deps: SessionTakeoverDeps) {
    this.#deps = deps
  }

  /** Returns at once. The session of this device ends soon, with what the broker kept for it; it may sign in again, if it is let in. */
  end(deviceId: string): void {
    if (this.#stopping.signal.aborted || this.#waiting.size >= MAX_WAITING) return
    this.#waiting.add(deviceId)
    if (this.#workers.size >= CONCURRENCY) return
    const worker = this.#work().finally(() => this.#workers.delete(worker))
    this.#workers.add(worker)
  }

  /** Leaves what is waiting undone. */
  async close(): Promise<void> {
    this.#waiting.clear()
    this.#stopping.abort()
    await Promise.all(this.#workers)
  }

  async #work(): Promise<void> {
    for (const deviceId of this.#waiting) {
      this.#waiting.delete(deviceId)
      await this.#endSession(deviceId)
    }
  }

  async #endSession(deviceId: string): Promise<void> {
    const { plan, random, log } = this.#deps
    const { signal } = this.#stopping
    const asDevice = { ...plan, clientId: deviceId, filters: [], sessionExpiryS: 0 }
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        const { connection } = await BrokerConnection.open(asDevice, { onMessage: () => {} }, signal)
        await connection.leave(FAREWELL_MS)
        return
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) {
          log.warn({ err: error, deviceId }, 'the session of a device could not be ended at the MQTT broker; its readings are refused')
          return
        }
        await sleep(retryDelayMs(attempt, random, FIRST_RETRY_MS), undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
