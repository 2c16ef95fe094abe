// Keeps a connection to the broker for as long as the process runs: every end is followed by another attempt.

import { setTimeout as sleep } from 'node:timers/promises'
import { retryDelayMs } from '@roadworthy/service-kit/pacing/retry-delay'
import { BrokerConnection, type BrokerPlan, type ConnectionEvents } from './broker-connection.ts'

export type BrokerLog = Record<'debug' | 'info' | 'warn' | 'error', (about: object, message: string) => void>

export type BrokerLinkDeps = {
  readonly plan: BrokerPlan
  readonly onMessage: ConnectionEvents['onMessage']
  /** Called when the subscriptions are granted, with whether the broker had kept the session. */
  readonly onOpen: (sessionPresent: boolean) => void
  /** Asked before each attempt: without a store there is nothing to do with what would come. */
  readonly isStoreThere: () => Promise<boolean>
  /** Uniform in [0, 1): many processes must not come back in the same moment. */
  readonly random: () => number
  readonly log: BrokerLog
}

const FIRST_RETRY_MS = 200
/** A connection that has lasted this long was a good one. */
const STEADY_MS = 10_000

export class BrokerLink {
  readonly #deps: BrokerLinkDeps
  readonly #stopping = new AbortController()
  #connection: BrokerConnection | undefined
  #trouble: string | undefined = 'it is connecting'
  #failureCount = 0
  #reconnectCount = 0
  #running: Promise<void> | undefined

  constructor(deps: BrokerLinkDeps) {
    this.#deps = deps
  }

  /** Begins to connect and returns at once; it goes on trying for as long as it takes. */
  start(): void {
    this.#running = this.#run()
  }

  /** Why there is no connection, without addresses, because `/readyz` shows it to anybody; undefined while there is one. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  get connection(): BrokerConnection | undefined {
    return this.#connection
  }

  /** Connections that ended, and attempts that failed. */
  get reconnectCount(): number {
    return this.#reconnectCount
  }

  /** Disconnects, within the given time, and tries no more. */
  async close(withinMs: number): Promise<void> {
    this.#stopping.abort()
    await this.#connection?.leave(withinMs)
    // A store that hangs is not waited for.
    await Promise.race([this.#running, sleep(withinMs)])
  }

  async #run(): Promise<void> {
    const { plan, log, random } = this.#deps
    while (!this.#stopping.signal.aborted) {
      const reason = await this.#connectOnce()
      if (this.#stopping.signal.aborted) return
      this.#connection = undefined
      this.#reconnectCount++
      const retryInMs = retryDelayMs(++this.#failureCount, random, FIRST_RETRY_MS)
      this.#trouble = `no connection to MQTT_BROKER_URL: ${reason}`
      const where = { clientId: plan.clientId, broker: `${plan.host}:${plan.port}` }
      log.error({ ...where, retryInMs }, `${this.#trouble}; it is tried again`)
      await sleep(retryInMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    }
  }

  /** Resolves with why there is no connection any more, or none was made. */
  async #connectOnce(): Promise<string> {
    const { plan, onMessage, onOpen, isStoreThere, log } = this.#deps
    if (!(await isStoreThere())) return 'the database does not answer, so nothing is taken'
    if (this.#stopping.signal.aborted) return 'it is stopping'
    try {
      const { connection, sessionPresent } = await BrokerConnection.open(plan, { onMessage }, this.#stopping.signal)
      this.#connection = connection
      this.#trouble = undefined
      log.info({ clientId: plan.clientId, sessionPresent }, 'connected to the MQTT broker')
      onOpen(sessionPresent)
      const openedMs = performance.now()
      const reason = await connection.closed
      // One that is dropped soon each time is not better than none.
      if (performance.now() - openedMs > STEADY_MS) this.#failureCount = 0
      return reason
    } catch (error) {
      return (error as Error).message
    }
  }
}
