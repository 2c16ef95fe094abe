// A reading's id carries its whole primary key, so that it is found again without an index of its own.

import { DIGEST_BYTES, type Reading } from './reading.ts'

export type ReadingKey = { readonly sourceId: string; readonly recordedAtMs: number; readonly digest: Buffer }

const PREFIX = { telemetry: 'tel-', track: 'trk-' } as const
const FORM = /^(?:tel|trk)-([\w-]{22})-([0-9a-z]{1,9})-([a-z]{3}-[a-z0-9]{8,40})$/

export function readingId(reading: Pick<Reading, 'kind' | 'sourceId' | 'recordedAtMs' | 'digest'>): string {
  return `${PREFIX[reading.kind]}${reading.digest.toString('base64url')}-${reading.recordedAtMs.toString(36)}-${reading.sourceId}`
}

/** The key in an id, or undefined when the text is not an id of ours. */
export function parseReadingId(id: string): ReadingKey | undefined {
  const match = FORM.exec(id)
  if (match === null) return undefined
  const [, digestText = '', timeText = '', sourceId = ''] = match
  const digest = Buffer.from(digestText, 'base64url')
  const recordedAtMs = Number.parseInt(timeText, 36)
  if (digest.length !== DIGEST_BYTES || !Number.isSafeInteger(recordedAtMs)) return undefined
  return { sourceId, recordedAtMs, digest }
}
