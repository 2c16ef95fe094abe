// A batch of which some records were refused before ingest: the others go on, and each is answered in its place.

import { assertJsonLimits } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { CallToCount } from '../../limits/usage.ts'
import type { Inbound, Ingest, Outcome } from '../inbound.ts'

/** Not async: what waits for the commit must not hold the records. */
export function ingestAllowed(ingest: Ingest, batch: readonly (Inbound | Problem)[], call: CallToCount | undefined): Promise<Outcome[]> {
  const allowed = batch.filter((each): each is Inbound => !(each instanceof Problem))
  if (allowed.length === batch.length) return ingest(allowed, undefined, { byIndex: true, call })
  const refusals = batch.map((each) => (each instanceof Problem ? each : undefined))
  return ingest(allowed, undefined, { byIndex: true, call }).then((outcomes) => {
    let next = 0
    return refusals.map((problem) => (problem === undefined ? (outcomes[next++] as Outcome) : { status: 'refused', problem }))
  })
}

/** Of one record, so that one with a forbidden key is refused by its index. */
export function limitProblem(record: unknown): Problem | undefined {
  try {
    assertJsonLimits(record)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
