// After a gap in the notifications any device may have lost its access unheard. Those that are signed in are looked up again in small steps,
// and only those that would not be let in any more are closed: a lost connection to the database does not have a whole fleet sign in anew.

import { setTimeout as sleep } from 'node:timers/promises'
import type { MqttLog } from './broker.ts'
import type { Sessions, SignedIn } from './sessions.ts'

/** Rejects when it cannot be known, because the store is away. */
export type FindOutdatedDevices = (signedIn: readonly SignedIn[]) => Promise<ReadonlySet<string>>

const DEVICES_PER_STEP = 500
/** 20,000 devices in about a second, with the database free for others between the steps. */
const PAUSE_MS = 10
const RETRY_MS = 1_000

export class SessionRecheck {
  readonly #sessions: Sessions
  readonly #findOutdated: FindOutdatedDevices
  readonly #log: MqttLog
  readonly #stop = new AbortController()
  /** Another gap came while one was being worked off. */
  #isDueAgain = false
  #running: Promise<void> | undefined

  constructor(sessions: Sessions, findOutdated: FindOutdatedDevices, log: MqttLog) {
    this.#sessions = sessions
    this.#findOutdated = findOutdated
    this.#log = log
  }

  /** Begins, or begins anew behind what is under way. */
  begin(): void {
    this.#sessions.outdateUnsigned()
    this.#isDueAgain = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isDueAgain && !this.#stop.signal.aborted) {
      this.#isDueAgain = false
      const signedIn = this.#sessions.signedIn()
      let closedCount = 0
      for (let from = 0; from < signedIn.length && !this.#isDueAgain; from += DEVICES_PER_STEP) {
        for (const deviceId of await this.#outdatedOf(signedIn.slice(from, from + DEVICES_PER_STEP))) {
          closedCount += this.#sessions.revoke(deviceId)
        }
        await this.#pause(PAUSE_MS)
      }
      if (closedCount > 0) this.#log.info({ closedCount }, 'MQTT sessions closed: access had changed while notifications were lost')
    }
  }

  /** Asks until there is an answer: without one nobody is closed and nobody is forgotten. */
  async #outdatedOf(step: readonly SignedIn[]): Promise<ReadonlySet<string>> {
    while (!this.#stop.signal.aborted) {
      try {
        return await this.#findOutdated(step)
      } catch (error) {
        this.#log.warn({ err: error, deviceCount: step.length }, 'MQTT sessions could not be checked again; it is tried again')
        await this.#pause(RETRY_MS)
      }
    }
    return new Set()
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
  }
}
