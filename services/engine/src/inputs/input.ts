// What the engine's process knows of an input that is not REST, whichever broker is behind it.
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import type { Problem } from '@roadworthy/service-kit/http/problem'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { Registry } from 'prom-client'
import type { Decoded } from '../schema/decode-input.ts'

export type Input = {
  /** Why nothing comes in at this moment, in words for the one who runs the engine; `undefined` while all is well. */
  readonly trouble: () => string | undefined
  /** Sends the answers that are under way, acknowledges what they answer, and leaves. */
  readonly stop: () => Promise<void>
}

export type InputDeps = {
  readonly predict: (decoded: Decoded) => EngineOutput
  /** Why no prediction is taken on at this moment, if so: the input then waits. */
  readonly refusalNow: () => Problem | undefined
  readonly log: Logger
  readonly nowMs: () => number
  readonly registry: Registry
}
