// What a reading of an export has to be before it is stored: the file may hold anything.

import type { Span } from '../history/week.read.sql.ts'
import { MAX_SOURCE_LENGTH, SOURCE_PATTERN } from '../readings/source-id.ts'
import type { StoredReading } from '../readings/stored-reading.ts'
import { MoveProblem } from './move-problem.ts'

const SOURCE = new RegExp(`^${SOURCE_PATTERN}$`)
const DIGEST = /^[0-9a-f]{32}$/
const ID = /^[A-Za-z0-9._-]{1,128}$/
/** Of a body of 1 MiB, whose numbers may have been sent shorter than they are written: `1e20,` is 22 characters in place of 5. */
const MAX_CONTENT_CHARACTERS = 5 * 1024 * 1024
const US_PER_MS = 1000n

/** Throws a `MoveProblem` that names the file and what is wrong. Answers how many characters its content has. */
export function checkReading(reading: StoredReading, span: Span, file: string): number {
  const content = contentOf(reading, span)
  if (typeof content === 'number') return content
  throw new MoveProblem(`${file} has a reading that cannot be stored: ${content}. Make another export.`)
}

/** How many characters, or what is wrong. */
function contentOf(reading: StoredReading, { from, to }: Span): number | string {
  const { sourceId, recordedAtUs, receivedAtUs, digestHex, kind, deviceId, vehicleId, subClientId, latitude, longitude } = reading
  if (typeof sourceId !== 'string' || sourceId.length > MAX_SOURCE_LENGTH || !SOURCE.test(sourceId)) return 'its source is no id'
  if (typeof recordedAtUs !== 'bigint' || recordedAtUs < usOf(from) || recordedAtUs >= usOf(to)) return 'it is not of the week of its file'
  if (typeof receivedAtUs !== 'bigint' || receivedAtUs < 0n || receivedAtUs > usOf(to) * 2n) return 'it was received at no time'
  if (typeof digestHex !== 'string' || !DIGEST.test(digestHex)) return 'its digest is none'
  if (kind !== 'telemetry' && kind !== 'track') return 'it is neither telemetry nor a track point'
  if (![deviceId, vehicleId, subClientId].every((id) => id === null || (typeof id === 'string' && ID.test(id)))) return 'an id is none'
  if (![latitude, longitude].every((each) => each === null || Number.isFinite(each))) return 'its position is none'
  if (!isObject(reading.signals) || !isObject(reading.attributes)) return 'it has no signals'
  const content = JSON.stringify([reading.signals, reading.attributes])
  if (content.length > MAX_CONTENT_CHARACTERS) return `it has more than ${MAX_CONTENT_CHARACTERS} characters`
  return content.includes('\\u0000') ? 'it has a character that no text may have (NUL)' : content.length
}

const usOf = (at: Date) => BigInt(at.getTime()) * US_PER_MS
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
