// What every sender promises: records go out in order, a call returns when the platform has answered for each of them.
import type { WireRecord } from '../fleet/reading.ts'

/** `sent` counts records once however often they were repeated on the way; the other three add up to it when all is answered. */
export type SendCounts = { sent: number; accepted: number; duplicates: number; rejected: number }

export type Sender = {
  /** Sends any number of records; resolves when all are acknowledged or refused. Rejects when aborted, or when it has given up. */
  send(records: readonly WireRecord[], signal?: AbortSignal): Promise<void>
  counts(): SendCounts
  /** Why a record was last refused, for people. */
  lastRefusal(): string | undefined
  close(): Promise<void>
}

/** Most records in one request or message (spec §8). */
export const MAX_BATCH_RECORDS = 100

export function* inBatches<T>(records: readonly T[], size = MAX_BATCH_RECORDS): Generator<readonly T[]> {
  for (let start = 0; start < records.length; start += size) yield records.slice(start, start + size)
}

export function emptyCounts(): SendCounts {
  return { sent: 0, accepted: 0, duplicates: 0, rejected: 0 }
}

export function addCounts(parts: readonly SendCounts[]): SendCounts {
  return parts.reduce(
    (total, part) => ({
      sent: total.sent + part.sent,
      accepted: total.accepted + part.accepted,
      duplicates: total.duplicates + part.duplicates,
      rejected: total.rejected + part.rejected,
    }),
    emptyCounts(),
  )
}
