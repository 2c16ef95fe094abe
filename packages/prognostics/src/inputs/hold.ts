// Hysteresis and hold times over a stretch of samples: a condition counts only when it has been seen to last.

import type { Sample } from './sample.ts'
import type { Timeline } from './timeline.ts'

export type Hold = {
  /** `above`: more is worse. `below`: less is worse. */
  readonly direction: 'above' | 'below'
  /** Thresholds, mildest first. */
  readonly thresholds: readonly number[]
  readonly holdMs: number
  /** How far back past a threshold a confirmed level has to come before it is over. */
  readonly release: number
}

export type Held = {
  /** Index of the worst confirmed threshold; -1 when none is. */
  readonly level: number
  /** Index of the worst threshold the latest value is beyond, confirmed or not; -1 when none. */
  readonly reached: number
  /** The latest value the rule could judge. */
  readonly value: number
  /** The sample that value is from. */
  readonly sample: Sample
  readonly heldMs: number
}

type Judged = { readonly sample: Sample; readonly value: number }

/**
 * `judge` answers `undefined` where the rule does not apply (wrong regime, not sent): that leaves things as they are, within the timeline's
 * memory. Without history nothing has to last: the reading is all there will ever be.
 */
export function findHeld(timeline: Timeline, judge: (sample: Sample) => number | undefined, hold: Hold): Held | undefined {
  const { samples, memoryMs, hasHistory } = timeline
  const sign = hold.direction === 'above' ? 1 : -1
  if (!isBeyondAnywhere(samples, judge, sign, sign * (hold.thresholds[0] ?? 0))) return undefined
  const judged: Judged[] = []
  for (const sample of samples) {
    const value = judge(sample)
    if (value !== undefined) judged.push({ sample, value })
  }
  const latest = judged[judged.length - 1]
  const nowMs = samples[samples.length - 1]?.atMs ?? 0
  if (latest === undefined || nowMs - latest.sample.atMs > memoryMs) return undefined

  let level = -1
  let reached = -1
  let heldMs = 0
  hold.thresholds.forEach((threshold, index) => {
    const enter = sign * threshold
    if (sign * latest.value >= enter) reached = index
    const sinceMs = activeSince(judged, sign, enter, enter - hold.release, hasHistory ? hold.holdMs : 0)
    if (sinceMs === undefined) return
    level = index
    heldMs = latest.sample.atMs - sinceMs
  })
  return { level, reached, value: latest.value, sample: latest.sample, heldMs }
}

/** Nearly every rule of nearly every vehicle ends here, so this allocates nothing. */
function isBeyondAnywhere(
  samples: readonly Sample[],
  judge: (sample: Sample) => number | undefined,
  sign: number,
  mildest: number,
): boolean {
  for (const sample of samples) {
    const value = judge(sample)
    if (value !== undefined && sign * value >= mildest) return true
  }
  return false
}

/** Since when the condition lasts, if it has been confirmed and is not over. */
function activeSince(judged: readonly Judged[], sign: number, enter: number, leave: number, holdMs: number): number | undefined {
  let sinceMs: number | undefined
  let isActive = false
  for (const { sample, value } of judged) {
    const depth = sign * value
    if (depth >= enter) {
      sinceMs ??= sample.atMs
      if (sample.atMs - sinceMs >= holdMs) isActive = true
    } else if (!isActive || depth < leave) {
      sinceMs = undefined
      isActive = false
    }
  }
  return isActive ? sinceMs : undefined
}
