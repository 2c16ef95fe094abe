// ISO 13374 state detection: which conditions hold. The knowledge bands, lamps and codes are here; what the learned normal finds
// unusual stands beside them.
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { type Severity, severities, severityRank } from '@roadworthy/signals/severity'
import { type Component, coreComponents, scoreAt } from '../components.ts'
import { type Finding, formatBeside, formatDuration, formatNumber } from '../finding.ts'
import { findHeld, type Held } from '../inputs/hold.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import type { LearnedAnomaly } from '../learning/normal/learned-normal.ts'
import { statedIn } from '../provenance.ts'
import { hasEngine, restsWhileDriving, type VehicleTraits } from '../vehicle/vehicle-traits.ts'
import { type BandRule, bandRules, type Words, wordsOf } from './band-rules.ts'
import { findClutchSlip } from './clutch-slip.ts'
import { findCoolingDown } from './cooling-down.ts'
import { findFaultCodes } from './fault-codes.ts'
import { findFuelLoss } from './fuel-loss.ts'
import { findLamps } from './lamps.ts'
import { findWeakStart } from './starting.ts'
import { findStuckCoolant } from './stuck-coolant.ts'
import { findUnitSuspicion } from './unit-suspicion.ts'
import { findVoltageDrift } from './voltage-drift.ts'

export type DetectedState = {
  readonly findings: readonly Finding[]
  /** Thresholds that are passed but not for long enough to count. */
  readonly pending: readonly string[]
}

/** Pairs that report the same fault: only the more severe one is reported, and of two equally severe ones the latter. */
const alike: readonly (readonly [string, string])[] = [
  ['coolant_falling', 'thermostat_stuck_open'],
  ['voltage_drifting', 'undercharge'],
  ['voltage_drifting', 'overcharge'],
]

/** Those that look at a stretch of readings as a whole. */
const overStretches = [
  findFuelLoss,
  findStuckCoolant,
  findCoolingDown,
  findVoltageDrift,
  findWeakStart,
  findClutchSlip,
  findUnitSuspicion,
] as const
/** Those that rest on how a coolant is warmed, an alternator charges, a starter draws and a gearbox turns. */
const ofEngine: ReadonlySet<unknown> = new Set([findStuckCoolant, findCoolingDown, findVoltageDrift, findWeakStart, findClutchSlip])
/** The engine of a hybrid rests while it drives, and cools; it may turn at a speed of its own. */
const ofEngineThatRuns: ReadonlySet<unknown> = new Set([findCoolingDown, findClutchSlip])

export function detectState(timeline: Timeline, learned?: LearnedAnomaly): DetectedState {
  const findings: Finding[] = []
  const pending: string[] = []
  for (const rule of bandRules) {
    const held = findHeld(timeline, (sample) => judgedValue(rule, sample, timeline), rule.hold)
    if (held === undefined) continue
    if (held.level >= 0) findings.push(toFinding(rule, held, timeline))
    if (held.reached > held.level) pending.push(toPending(rule, held, timeline))
  }
  for (const find of overStretches) {
    if (!isOf(timeline.traits, find)) continue
    const finding = find(timeline)
    if (finding !== undefined && has(timeline.traits, finding.component)) findings.push(finding)
  }
  if (findings.length > 1) for (const pair of alike) dropQuieter(findings, pair)
  findings.push(...findLamps(timeline), ...findFaultCodes(timeline))
  if (learned !== undefined && learned.findings.length > 0) {
    // Where a rule names what is wrong with a component, it adds nothing that its reading is unusual as well.
    const named = new Set(findings.map(({ component }) => component))
    findings.push(...learned.findings.filter(({ component }) => !named.has(component)))
  }
  return { findings, pending }
}

function isOf(traits: VehicleTraits, find: (typeof overStretches)[number]): boolean {
  if (restsWhileDriving(traits)) return !ofEngineThatRuns.has(find)
  return hasEngine(traits) || !ofEngine.has(find)
}

/** Whether a rule about this component is one about a vehicle like this. */
function has({ components }: VehicleTraits, component: Component): boolean {
  return components === coreComponents || components.includes(component)
}

function dropQuieter(findings: Finding[], [former, latter]: readonly [string, string]): void {
  const formerAt = findings.findIndex(({ type }) => type === former)
  const latterAt = findings.findIndex(({ type }) => type === latter)
  const [one, other] = [findings[formerAt], findings[latterAt]]
  if (one === undefined || other === undefined) return
  findings.splice(severityRank[one.severity] > severityRank[other.severity] ? latterAt : formerAt, 1)
}

function judgedValue(rule: BandRule, sample: Sample, timeline: Timeline): number | undefined {
  const value = sample.values[rule.signal]
  if (value === undefined || !has(timeline.traits, rule.component) || !rule.applies(sample, timeline)) return undefined
  return value / (rule.divisor?.(sample, timeline) ?? 1) + (rule.offset?.(sample, timeline) ?? 0)
}

/** The threshold, or a judged value, in the unit and at the operating point of the reading. */
function asReading(judged: number, rule: BandRule, { sample }: { readonly sample: Sample }, timeline: Timeline): number {
  return (judged - (rule.offset?.(sample, timeline) ?? 0)) * (rule.divisor?.(sample, timeline) ?? 1)
}

function toFinding(rule: BandRule, held: Held, timeline: Timeline): Finding {
  const severity = rule.severities[held.level] ?? 'info'
  const threshold = asReading(rule.hold.thresholds[held.level] ?? 0, rule, held, timeline)
  const reading = asReading(held.value, rule, held, timeline)
  const words = wordsOf(rule, timeline)
  return {
    type: rule.type,
    component: rule.component,
    severity,
    score: rule.isNoticeOnly ? 100 : scoreOf(rule, held),
    description: words.description,
    message: messageOf(rule, held, timeline, words),
    // The message names the threshold that was passed; the band ends at the mildest one.
    ...(held.level > 0 ? { normally: normalSideOf(rule, held.sample, timeline) } : {}),
    recommendation: textOf(words, severity),
    code: undefined,
    evidence: {
      signal: rule.signal,
      value: round(reading),
      threshold: round(threshold),
      unit: signals[rule.signal].unit,
      heldSeconds: Math.round(held.heldMs / 1000),
      ...rule.meaning?.(held.value),
    },
  }
}

/** A condition that is not over yet may be back on the sound side of its threshold: then it says so. */
function messageOf(rule: BandRule, held: Held, timeline: Timeline, words: Words): string {
  const { direction, thresholds, release } = rule.hold
  const threshold = thresholds[held.level] ?? 0
  const sign = direction === 'above' ? 1 : -1
  const inReading = (judged: number) => asReading(judged, rule, held, timeline)
  if (sign * held.value >= sign * threshold) {
    const lasting = held.heldMs > 0 ? ` for ${formatDuration(held.heldMs)}` : ''
    return `${sentenceOf(rule, words, inReading(held.value), inReading(threshold))}${lasting}`
  }
  const { label, unit } = signals[rule.signal]
  const over = formatNumber(inReading(threshold - sign * release))
  const wait = direction === 'above' ? `not yet below ${over}` : `not yet above ${over}`
  return `${label} ${formatNumber(inReading(held.value))} ${unit}${regimeOf(words)} was ${direction} ${formatNumber(inReading(threshold))} ${unit} and is ${wait} ${unit}`
}

function textOf({ advice }: Words, severity: Severity): string {
  const instruction = advice[severity]
  if (instruction === undefined) throw new Error(`no advice is written for the severity ${severity}`)
  return instruction.text
}

function normalSideOf(rule: BandRule, sample: Sample, timeline: Timeline): string {
  const limit = asReading(rule.hold.thresholds[0] ?? 0, rule, { sample }, timeline)
  return `${rule.hold.direction === 'above' ? 'at most' : 'at least'} ${formatNumber(limit)} ${signals[rule.signal].unit}`
}

/** The signals that some rule applies to at this moment. */
export function judgedNow(timeline: Timeline): SignalName[] {
  const { current } = timeline
  const judged: SignalName[] = []
  for (const { signal, component, applies } of bandRules) {
    if (current.values[signal] === undefined || judged.includes(signal) || !has(timeline.traits, component)) continue
    if (applies(current, timeline)) judged.push(signal)
  }
  return judged
}

const SIDE_LENGTH = 'at most'.length

/** Each reading that is judged at this moment, with its normal band in this regime. */
export function normalBands(timeline: Timeline): string[] {
  const { current } = timeline
  const sides = new Map<BandRule['signal'], string[]>()
  for (const rule of bandRules) {
    if (judgedValue(rule, current, timeline) === undefined) continue
    const side = normalSideOf(rule, current, timeline)
    const known = sides.get(rule.signal) ?? []
    // Of two rules on one side, the table lists the one that is worth an alert first.
    if (!known.some((other) => other.slice(0, SIDE_LENGTH) === side.slice(0, SIDE_LENGTH))) sides.set(rule.signal, [...known, side])
  }
  return [...sides].map(([signal, limits]) => {
    const { label, unit } = signals[signal]
    return `${label} ${formatNumber(current.values[signal] ?? 0)} ${unit} (normally ${limits.toSorted().reverse().join(', ')})`
  })
}

function toPending(rule: BandRule, held: Held, timeline: Timeline): string {
  const threshold = asReading(rule.hold.thresholds[held.reached] ?? 0, rule, held, timeline)
  return `${sentenceOf(rule, wordsOf(rule, timeline), asReading(held.value, rule, held, timeline), threshold)}, but not yet for ${formatDuration(rule.hold.holdMs)}`
}

const regimeOf = ({ regime }: Words) => (regime === '' ? '' : ` ${regime}`)

function sentenceOf(rule: BandRule, words: Words, reading: number, threshold: number): string {
  const { label, unit } = signals[rule.signal]
  const limit = `${formatNumber(threshold)} ${unit}`
  // What was sent is named as it was sent: devices report whole degrees and tenths of a volt, as limits are.
  if (round(reading) === round(threshold)) return `${label} ${limit}${regimeOf(words)} is at the limit of ${limit}`
  const side = rule.hold.direction
  return `${label} ${formatBeside(reading, threshold, side)} ${unit}${regimeOf(words)} is ${side} ${limit}`
}

/**
 * From the score of the confirmed level towards that of the next graver severity, by how far the reading is on its way to the next threshold or, beyond
 * the last one, to the end of the scale. No further, also where the next threshold skips a severity: a notice is never worse than what has to be seen to.
 */
function scoreOf(rule: BandRule, held: Held): number {
  const { thresholds } = rule.hold
  const from = thresholds[held.level] ?? 0
  const to = thresholds[held.level + 1] ?? rule.worstAt
  const share = Math.min(1, Math.max(0, (held.value - from) / (to - from)))
  const severity = rule.severities[held.level] ?? 'info'
  const atFrom = scoreAt[severity]
  const nextSeverity = severities[severityRank[severity] + 1]
  const atTo = nextSeverity === undefined ? atFrom * LEFT_AT_WORST : scoreAt[nextSeverity]
  return atFrom + share * (atTo - atFrom)
}

/** What the end of a rule's scale leaves of the score of a critical level. */
const LEFT_AT_WORST = 0.2

export const detectionNumbers = statedIn('detect-state', [
  [
    { LEFT_AT_WORST },
    'share',
    'assumption',
    'So that the worse of two critical readings counts for more, and a little is left for what comes on top.',
  ],
])

const round = (value: number) => Math.round(value * 100) / 100
