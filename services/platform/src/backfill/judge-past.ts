// Records of a source → readings, by the same judgement as what arrives now, or why they are refused.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FieldWarning } from '../ingest/inbound.ts'
import { type Judged, judgeRecord } from '../ingest/judge-record.ts'
import type { FleetDirectory } from '../ingest/resolve.ts'
import type { Reading } from '../readings/reading.ts'
import { type PastRecord, type Refusal, shown } from './past-source.ts'

export type PastJudge = {
  readonly resellerId: string
  /** When set, things outside this sub-client do not exist. */
  readonly subClientId: string | undefined
  /** Names of the source → ids here. */
  readonly aliases: ReadonlyMap<string, string>
  /** Whether devices and vehicles that are not known are created. */
  readonly createsMissing: boolean
  readonly now: Date
}

/** For how long readings of the reseller are kept: what is older would be removed at once. */
export type PastTerms = {
  /** By sub-client; infinite: for ever. */
  readonly keptDays: (subClientId: string | undefined) => number
  readonly longestDays: number
}

export type JudgedPast =
  | { readonly place: string; readonly reading: Reading; readonly warnings: readonly FieldWarning[] }
  | { readonly place: string; readonly refusal: Refusal }

const DAY_MS = 86_400_000
/** Assumption: no fleet has readings of before. Clocks that were never set show 1970 or 1980, or 1999, when the weeks of GPS began anew. */
const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z')
/** As for what arrives now, unless it is set otherwise there. */
const MAX_AHEAD_MS = 300_000

export async function judgePast(
  judge: PastJudge & { readonly terms: PastTerms },
  directory: FleetDirectory,
  records: readonly PastRecord[],
): Promise<JudgedPast[]> {
  const { now, resellerId, subClientId: subClientPin, createsMissing: mayCreateVehicles, terms } = judge
  const window = { maxAgeMs: Math.min(terms.longestDays * DAY_MS, now.getTime() - EARLIEST_MS), maxAheadMs: MAX_AHEAD_MS }
  const judged = records.map((sent) => {
    if ('refusal' in sent) return sent
    const record = withOurIds(sent.record, judge.aliases)
    if (record['timestamp'] === undefined) return { place: sent.place, refusal: { kind: 'no time', text: 'it has no timestamp' } }
    const unread = sent.unread === undefined ? {} : { unread: sent.unread }
    const inbound = { resellerId, kind: 'telemetry', record, subClientPin, mayCreateVehicles, ...unread } as const
    const finish = (result: Judged | Problem) => ({ place: sent.place, ...outcomeOf(withinTerm(result, terms, now), record) })
    const result = judgeRecord({ directory, window }, inbound, now)
    return result instanceof Promise ? result.then(finish) : finish(result)
  })
  return await Promise.all(judged)
}

/** Of a sub-client that keeps its readings for shorter than others do. */
function withinTerm(result: Judged | Problem, { keptDays }: PastTerms, now: Date): Judged | Problem {
  if (result instanceof Problem) return result
  const days = keptDays(result.subClientId)
  if (result.recordedAtMs >= now.getTime() - days * DAY_MS) return result
  const whose = result.subClientId === undefined ? '' : ` of the sub-client ${result.subClientId}`
  return new Problem('invalid_request', `"timestamp" is more than ${days} days ago; older readings${whose} are not kept.`, {
    details: { field: 'timestamp' },
  })
}

function withOurIds(record: Readonly<Record<string, unknown>>, aliases: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  if (aliases.size === 0) return record
  const ours: Record<string, unknown> = { ...record }
  for (const key of ['device_id', 'vehicle_id']) {
    const id = aliases.get(textOf(ours[key]))
    if (id !== undefined) ours[key] = id
  }
  return ours
}

function outcomeOf(
  result: Judged | Problem,
  record: Readonly<Record<string, unknown>>,
): { reading: Reading; warnings: readonly FieldWarning[] } | { refusal: Refusal } {
  if (result instanceof Problem) return { refusal: refusalOf(result, record) }
  const { warnings = [], ...reading } = result
  // Stored without its vehicle it would be another reading than the one that is stored once the vehicle is there.
  if (warnings.some(({ kind }) => kind === 'unknown vehicle')) return { refusal: unknownThing('vehicle', record['vehicle_id']) }
  return { reading, warnings }
}

function refusalOf({ code, message, details }: Problem, record: Readonly<Record<string, unknown>>): Refusal {
  if (code === 'device_not_found') return unknownThing('device', record['device_id'])
  if (code === 'not_found' && record['device_id'] === undefined) return unknownThing('vehicle', record['vehicle_id'])
  const field = details?.['field']
  const value = typeof field === 'string' ? record[field] : undefined
  const sent = value === undefined ? '' : ` (${shown(textOf(value))})`
  return { kind: `${code} ${message}`, text: `${message}${sent}` }
}

function unknownThing(what: 'device' | 'vehicle', reference: unknown): Refusal {
  const name = shown(textOf(reference))
  return { kind: `${what} ${name}`, text: `the ${what} ${name} is not known${spreadsheetHint(textOf(reference))}` }
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? 'missing')
}

/** What spreadsheets make of an IMEI that is taken for a number. */
function spreadsheetHint(reference: string): string {
  return /^\d(\.\d+)?E\+\d+$/i.test(reference) ? '; a spreadsheet has cut this number, so export the column as text' : ''
}
