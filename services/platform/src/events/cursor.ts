// A position in the log as it is handed out: in pages of the log, and as the id of an event in the stream.

import { Problem } from '@roadworthy/service-kit/http/problem'

const CURSOR = /^p([0-9]{1,15})$/

export function writeLogCursor(position: number): string {
  return Buffer.from(`p${position}`).toString('base64url')
}

/** `field`: the query parameter or header that it came in. */
export function readLogCursor(cursor: string, field: string, place: 'querystring' | 'headers' = 'querystring'): number {
  const [, digits] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (digits === undefined || writeLogCursor(Number(digits)) !== cursor) {
    throw new Problem('invalid_request', `"${field}" is not a cursor of this log; use the endCursor of a page, or the id of an event.`, {
      details: { in: place, field },
    })
  }
  return Number(digits)
}
