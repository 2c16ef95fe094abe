// The fleet of the demo as a program beside the service: started with it by the setting DEMO, or by an owner who asks for it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoFleet as WireDemoFleet } from '@roadworthy/contracts/platform-v1/demo-fleet'
import { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { Credentials } from '../credentials.ts'
import { childEnvironment } from '../settings/settings.ts'
import { CHILD_REAP_MS, STOP_BOUNDS_MS } from '../stop-bounds.ts'

const DEMO_MAIN = join(import.meta.dirname, '../../../../../packages/simulator/src/demo.ts')
export const DEMO_VEHICLES = 24

/** What the routes know of it. */
export type DemoFleetControl = {
  stateFor(resellerId: string): WireDemoFleet['state']
  /** Only where the state is `off` or `running`. */
  setRunning(isRunning: boolean): Promise<void>
}

export const NO_DEMO_FLEET: DemoFleetControl = { stateFor: () => 'unavailable', setRunning: async () => undefined }

type Program = Pick<ChildProgram, 'start' | 'stop' | 'kill'>

export type DemoFleetOptions = {
  readonly dataDir: string
  /** By the setting: it runs as long as the service does. */
  readonly isAlways: boolean
  /** Its vehicles publish to the embedded broker; they are no guests at an external broker. */
  readonly hasOwnBroker: boolean
  readonly log: Logger
  /** For tests; else a process of its own. */
  readonly makeProgram?: (credentials: Credentials) => Program
}

/** Belongs to the reseller of the first start, whose key it uses. */
export class DemoFleet implements DemoFleetControl {
  readonly #options: DemoFleetOptions
  #credentials: Credentials | undefined
  #program: Program | undefined
  #isEnding = false

  constructor(options: DemoFleetOptions) {
    this.#options = options
  }

  /** Call once the platform answers: before, there is nothing to drive for. */
  async open(credentials: Credentials): Promise<void> {
    const { isAlways, log } = this.#options
    if (credentials.api_key === null) {
      if (isAlways) log.warn('the demo needs the API key that the first start wrote; it is not run')
      return
    }
    if (this.#options.makeProgram === undefined && !existsSync(DEMO_MAIN)) {
      if (isAlways) log.warn('there is no demo to run')
      return
    }
    this.#credentials = credentials
    if (isAlways) await this.setRunning(true)
  }

  /** Whether there is one to start. */
  get isThere(): boolean {
    return this.#credentials !== undefined
  }

  stateFor(resellerId: string): WireDemoFleet['state'] {
    const { isAlways, hasOwnBroker } = this.#options
    if (this.#credentials?.reseller_slug !== resellerId || !(isAlways || hasOwnBroker)) return 'unavailable'
    if (isAlways) return 'always'
    return this.#program === undefined ? 'off' : 'running'
  }

  async setRunning(isRunning: boolean): Promise<void> {
    const program = this.#program
    if (this.#credentials === undefined || this.#isEnding || isRunning === (program !== undefined)) return
    if (!isRunning) {
      this.#program = undefined
      await program?.stop(STOP_BOUNDS_MS.demo)
      return
    }
    // Noted before it is there, so that of two who ask at once the second starts no other.
    const started = (this.#options.makeProgram ?? this.#makeProgram)(this.#credentials)
    this.#program = started
    try {
      await started.start()
    } catch (error) {
      this.#program = undefined
      throw error
    }
  }

  /** With the service. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#program?.stop(STOP_BOUNDS_MS.demo)
  }

  kill(): void {
    this.#isEnding = true
    this.#program?.kill()
  }

  readonly #makeProgram = ({ base_url: baseUrl, mqtt_url: mqttUrl, api_key: apiKey }: Credentials): Program => {
    const { dataDir, log } = this.#options
    const urls = ['--base-url', baseUrl, '--mqtt-url', mqttUrl]
    return new ChildProgram({
      name: 'demo',
      script: DEMO_MAIN,
      args: () => [...urls, '--state-file', join(dataDir, 'demo-fleet.json'), '--vehicles', String(DEMO_VEHICLES)],
      env: { ...childEnvironment(), ROADWORTHY_API_KEY: apiKey ?? undefined },
      log,
    })
  }
}

/** How long the service waits for it at most when it ends. */
export const DEMO_END_BOUND_MS = STOP_BOUNDS_MS.demo + CHILD_REAP_MS
