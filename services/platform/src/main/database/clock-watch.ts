// Whether the clock of this process goes with that of the database, which all processes share. Readings are dated and judged by the clock of the process
// that receives them: with one that is minutes behind, a device with the right time is refused as of the future, over MQTT for good.

import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'

const ROUND_MS = 60_000
const RETRY_MS = 5_000
/** As of `doctor`. Assumption: machines that are set by NTP are within seconds. */
const MAX_OFFSET_MS = 60_000

type ClockWatchDeps = {
  /** The database's clock. */
  readonly databaseNow: () => Promise<Date>
  readonly now: () => Date
  readonly log: Pick<Logger, 'error' | 'info' | 'debug'>
}

export class ClockWatch {
  readonly #deps: ClockWatchDeps
  #offsetMs = Number.NaN
  #isOff = false

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps
  }

  /** Of this process's clock from the database's, positive when it is ahead; not a number until it was read. */
  offsetMs(): number {
    return this.#offsetMs
  }

  /** Looks at once, and then each minute. One line when the clocks part, and one when they are together again. */
  startRounds(): Rounds {
    const onError = (err: unknown) => this.#deps.log.debug({ err }, "the database's clock could not be read")
    return startRounds(() => this.#round(), RETRY_MS, onError)
  }

  async #round(): Promise<number> {
    const { databaseNow, now, log } = this.#deps
    const askedMs = now().getTime()
    const databaseMs = (await databaseNow()).getTime()
    // Read between the two, so that a slow answer is not taken for an offset.
    const answeredMs = now().getTime()
    this.#offsetMs = databaseMs < askedMs ? askedMs - databaseMs : Math.min(0, answeredMs - databaseMs)
    const wasOff = this.#isOff
    this.#isOff = Math.abs(this.#offsetMs) > MAX_OFFSET_MS
    const offsetS = Math.round(this.#offsetMs / 1_000)
    if (this.#isOff && !wasOff) {
      const side = offsetS > 0 ? 'ahead of' : 'behind'
      const text = `the clock of this process is ${Math.abs(offsetS)} s ${side} the database's; readings are dated and refused by it. Set both by NTP`
      log.error({ offsetS }, text)
    } else if (wasOff && !this.#isOff) log.info({ offsetS }, "the clock of this process goes with the database's again")
    return ROUND_MS
  }
}
