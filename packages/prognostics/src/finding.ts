import type { Severity } from '@roadworthy/signals/severity'
import type { Component } from './components.ts'

export type EvidenceValue = string | number | boolean | readonly string[]

/** Something found wrong with a component. `type` and `component` together are its stable identity from one prediction to the next. */
export type Finding = {
  readonly type: string
  readonly component: Component
  readonly severity: Severity
  /** Condition it leaves the component, 0 (failed) to 100 (sound). */
  readonly score: number
  /** A few words: what is wrong. */
  readonly description: string
  /** One sentence that names the reading and the threshold. */
  readonly message: string
  /** What the reading is when nothing is wrong, where the message does not contain it: "at most 102 °C". */
  readonly normally?: string
  readonly recommendation: string
  readonly code: string | undefined
  readonly evidence: Readonly<Record<string, EvidenceValue>>
}

const PLAIN_BELOW = 1e9
/** Longer ones are written in the next unit. */
const SECONDS_BELOW = 120
const MINUTES_BELOW = 120

/** At most one decimal: a person reads these. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= PLAIN_BELOW) return value.toExponential(1)
  return String(Math.round(value * 10) / 10)
}

/** Of a reading that lies on this side of a limit: where both would be written alike, the next tenth on its side, so that the comparison stays true. */
export function formatBeside(value: number, limit: number, side: 'above' | 'below'): string {
  const text = formatNumber(value)
  if (text !== formatNumber(limit)) return text
  return formatNumber((Math.round(limit * 10) + (side === 'above' ? 1 : -1)) / 10)
}

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < SECONDS_BELOW) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < MINUTES_BELOW ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
