import { type Api, type ApiAnswer, ApiFailure, errorCode, refusalText } from './api.ts'
import { emptyCounts, inBatches, type Sender } from './sender.ts'

/** Refused for what is in the batch, not for who sends it: the next batch may be fine. */
const BATCH_REFUSED = [400, 404, 413, 422]

/**
 * Sends through `POST /api/external/telemetry/batch`. A batch whose answer was lost is sent again: the platform counts a repeated reading as
 * a duplicate, never twice. A refused key or scope rejects, because no later batch can fare better.
 */
export function createRestSender(api: Api): Sender {
  const counts = emptyCounts()
  let lastRefusal: string | undefined
  return {
    async send(records, signal) {
      for (const batch of inBatches(records)) {
        counts.sent += batch.length
        const answer = await api.call('POST', '/telemetry/batch', { records: batch }, signal)
        if (answer.status !== 200 && !BATCH_REFUSED.includes(answer.status)) throw new ApiFailure(refusalText(answer), answer.status)
        lastRefusal = refusalOf(answer) ?? lastRefusal
        const rejected = answer.status === 200 ? count(answer, 'records_rejected') : batch.length
        const duplicates = answer.status === 200 ? count(answer, 'duplicates') : 0
        counts.rejected += rejected
        counts.duplicates += duplicates
        counts.accepted += batch.length - rejected - duplicates
      }
    },
    counts: () => ({ ...counts }),
    lastRefusal: () => lastRefusal,
    close: async () => {},
  }
}

function count(answer: ApiAnswer, field: string): number {
  const value = answer.body[field]
  return typeof value === 'number' ? value : 0
}

/** The first refused record's reason, else the body's. */
function refusalOf(answer: ApiAnswer): string | undefined {
  const { details } = (answer.body['error'] ?? {}) as { details?: Record<string, unknown> }
  const results = answer.body['results'] ?? details?.['results']
  const refused = Array.isArray(results)
    ? (results as { error?: { code?: string; message?: string } }[]).find((item) => item?.error)
    : undefined
  if (refused?.error) return `${refused.error.code ?? 'refused'} ${refused.error.message ?? ''}`.trim()
  return errorCode(answer) === undefined ? undefined : refusalText(answer)
}
