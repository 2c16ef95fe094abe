// Which traces are kept. As the samplers of the specification, but for this: `traceparent` comes from callers, who may be anybody, and each chooses both
// its flag and its trace id, by which a ratio is judged. So where the operator keeps a share, or has set nothing, what is kept has a limit by time.

import { type Context, trace } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { SteadyRate } from '../pacing/steady-rate.ts'
import type { TraceOptions } from './trace-settings.ts'

/** Traces that callers ask for by `traceparent`, where a share of the others is kept. */
const MAX_CALLER_TRACES_PER_S = 10
/** Traces that are begun with a ratio, and those of callers. One has about ten spans of a kilobyte each. */
const MAX_TRACES_PER_S = 100
const PER_MINUTE = 60

const rateOf = (perS: number) => new SteadyRate({ perMinute: perS * PER_MINUTE, burst: perS, maxNames: 1 })

const KEPT: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED }
const NOT_KEPT: SamplingResult = { decision: SamplingDecision.NOT_RECORD }

export class BoundedSampler implements Sampler {
  readonly #root: Sampler
  readonly #isParentBased: boolean
  readonly #trustsCallers: boolean
  /** The operator has asked for all of them, in so many words. */
  readonly #keepsAll: boolean
  readonly #ofCallers: SteadyRate
  readonly #ofAll = rateOf(MAX_TRACES_PER_S)
  readonly #nowMs: () => number
  readonly #name: string

  constructor({ sampler, ratio, trustsCallers }: Pick<TraceOptions, 'sampler' | 'ratio' | 'trustsCallers'>, nowMs: () => number) {
    this.#name = `${sampler} ${ratio}`
    this.#isParentBased = sampler.startsWith('parentbased_')
    this.#trustsCallers = trustsCallers
    this.#keepsAll = sampler.endsWith('always_on')
    this.#root = sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : sampler.endsWith('always_off')
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
    const isShare = !sampler.endsWith('traceidratio') || ratio < 1
    this.#ofCallers = rateOf(isShare ? MAX_CALLER_TRACES_PER_S : MAX_TRACES_PER_S)
    this.#nowMs = nowMs
  }

  shouldSample(context: Context, traceId: string): SamplingResult {
    const parent = trace.getSpanContext(context)
    if (parent === undefined) return this.#keep(this.#ofRoot(context, traceId))
    const isSampled = (parent.traceFlags & 1) === 1
    // Decided where the trace came in, by this sampler.
    if (parent.isRemote !== true) return isSampled ? KEPT : NOT_KEPT
    const isWanted = this.#isParentBased ? isSampled : this.#ofRoot(context, traceId)
    if (!isWanted) return NOT_KEPT
    if (this.#trustsCallers && this.#isParentBased) return KEPT
    return this.#keepsAll || this.#isWithin(this.#ofCallers) ? this.#keep(true) : NOT_KEPT
  }

  toString(): string {
    return `BoundedSampler{${this.#name}}`
  }

  #isWithin(rate: SteadyRate): boolean {
    return rate.takeOrWaitMs('traces', this.#nowMs()) === 0
  }

  #ofRoot(context: Context, traceId: string): boolean {
    return this.#root.shouldSample(context, traceId, '', 0, {}, []).decision === SamplingDecision.RECORD_AND_SAMPLED
  }

  #keep(isWanted: boolean): SamplingResult {
    return isWanted && (this.#keepsAll || this.#isWithin(this.#ofAll)) ? KEPT : NOT_KEPT
  }
}
