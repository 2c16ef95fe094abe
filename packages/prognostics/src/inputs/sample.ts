// A gated observation, with what follows from its place in the timeline.
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'

export type EngineState = 'unknown' | 'off' | 'cranking' | 'running'

export type Sample = {
  readonly atMs: number
  readonly values: SignalValues
  readonly lamps: LampStates
  readonly dtcCodes: readonly string[] | undefined
  readonly engine: EngineState
  /** Time since this start; `undefined` when it is unknown, also while the engine does not run. */
  readonly runningMs: number | undefined
  /** Over this drive so far; `undefined` when none was given. */
  readonly warmestCoolantC: number | undefined
  /** The vehicle may have been parked and driven again since the sample before. */
  readonly isAfterPause: boolean
  /** For how long the engine has stood while the device went on reporting as it does; `undefined` while it turns. */
  readonly standingMs: number | undefined
  /** The vehicle sleeps: nothing but what is always on draws from its battery. */
  readonly isAtRest: boolean
}
