// The learned normal: for each moving signal, between which two quantiles its movement lies in a situation, and how far sound driving strays
// outside of them.
import { type Forest, forestFromJson, forestToJson, scoreRow } from '../forest.ts'
import { type MovingSignal, movingSignals, type SituationFeature, situationFeatures } from './situation.ts'
import type { StretchMaxima } from './stretch-tail.ts'

export type NormalChannel = {
  readonly signal: MovingSignal
  readonly lower: Forest
  readonly upper: Forest
  readonly maxima: StretchMaxima
  /** Per feature of the forests: the span of the training data, `undefined` where it had none. */
  readonly spans: readonly (readonly [low: number, high: number] | undefined)[]
}

export type NormalModel = { readonly channels: readonly NormalChannel[] }

/** The features of each channel. The present coolant temperature would give the coolant channel its answer. */
export const channelFeatures: Readonly<Record<MovingSignal, readonly SituationFeature[]>> = {
  coolantTempC: situationFeatures.filter((name) => name !== 'coolant_c' && name !== 'voltage_before_v'),
  batteryVoltageV: situationFeatures.filter((name) => name !== 'coolant_before_c'),
}

/** Half-widths below these would make the resolution of a sensor look unusual: 1 °C, and 0.1 V of load switching. */
const leastHalfWidth: Readonly<Record<MovingSignal, number>> = { coolantTempC: 1, batteryVoltageV: 0.1 }

export type Band = { readonly low: number; readonly high: number }

/** Where the movement lies in 9 of 10 sound situations like this one. */
export function bandOf({ signal, lower, upper }: NormalChannel, situationRow: ArrayLike<number>): Band {
  const row = channelRow(signal, situationRow)
  const [a, b] = [scoreRow(lower, row), scoreRow(upper, row)]
  // Two forests that are trained apart may cross where there is little data.
  return { low: Math.min(a, b), high: Math.max(a, b) }
}

/** How many half-widths of its band a movement lies outside of it; negative inside (normalised conformal quantile regression). */
export function unusualnessOf(signal: MovingSignal, { low, high }: Band, movement: number): number {
  const halfWidth = Math.max(leastHalfWidth[signal], (high - low) / 2)
  return Math.max(low - movement, movement - high) / halfWidth
}

export function channelRow(signal: MovingSignal, situationRow: ArrayLike<number>): Float64Array {
  return Float64Array.from(channelFeatures[signal], (name) => situationRow[situationFeatures.indexOf(name)] ?? Number.NaN)
}

/** Names of the numbers that `answerRow` gives. */
export function outputNames({ channels }: NormalModel): string[] {
  return channels.flatMap(({ signal }) => [`${signal}_change_low`, `${signal}_change_high`])
}

export function answerRow({ channels }: NormalModel, situationRow: ArrayLike<number>): number[] {
  return channels.flatMap((channel) => {
    const { low, high } = bandOf(channel, situationRow)
    return [low, high]
  })
}

const FORMAT = 'roadworthy-normal/1'

export function normalToJson({ channels }: NormalModel): object {
  return {
    format: FORMAT,
    channels: channels.map(({ signal, lower, upper, maxima, spans }) => ({
      signal,
      lower: forestToJson(lower),
      upper: forestToJson(upper),
      maxima,
      spans: spans.map((span) => span ?? null),
    })),
  }
}

/** Throws with what is wrong when the value is not a whole learned normal. */
export function normalFromJson(value: unknown): NormalModel {
  const { format, channels } = (value ?? {}) as Record<string, unknown>
  if (format !== FORMAT) throw new TypeError(`not a learned normal: "format" is not "${FORMAT}"`)
  if (!Array.isArray(channels) || channels.length === 0) throw new TypeError('not a learned normal: it has no channels')
  return { channels: channels.map(channelFromJson) }
}

function channelFromJson(value: unknown): NormalChannel {
  const { signal, lower, upper, maxima, spans } = (value ?? {}) as Record<string, unknown>
  const refuse = (what: string): never => {
    throw new TypeError(`not a learned normal: ${what}`)
  }
  const known = movingSignals.find((name) => name === signal) ?? refuse('a channel is of no signal that moves')
  const features = channelFeatures[known]
  const forests = { lower: forestFromJson(lower), upper: forestFromJson(upper) }
  for (const { featureNames } of Object.values(forests)) {
    if (featureNames.join() !== features.join()) refuse(`the forests of ${known} look at other features than this engine gives`)
  }
  if (!isNumbers(maxima) || maxima.some((each, index) => index > 0 && each < (maxima[index - 1] as number))) {
    return refuse(`the maxima of ${known} are no rising numbers`)
  }
  const isSpan = (span: unknown) => span === null || (isNumbers(span) && span.length === 2)
  if (!Array.isArray(spans) || spans.length !== features.length || !spans.every(isSpan))
    return refuse(`the spans of ${known} are not whole`)
  return { signal: known, ...forests, maxima, spans: spans.map((span) => span ?? undefined) }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number' && Number.isFinite(each))
}
