// What sub-clients with a limit have left this month. The metering slice implements it, from memory.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Reading } from '../readings/reading.ts'
import type { Stored } from './store-group.ts'

/** One reading taken from a limit. Settled once with whether it was stored. */
export type TakenReading = { settle(isStored: boolean): void }

export type ReadingQuota = {
  /** Whether there is any sub-client with a limit. While not, nobody need be asked about. */
  readonly isLimiting: boolean
  /** Takes one reading of a sub-client: undefined where it has no limit, the refusal where nothing is left of it. */
  take(resellerId: string, subClientId: string): TakenReading | Problem | undefined
}

/** Where no sub-client has a limit. */
export const unlimited: ReadingQuota = { isLimiting: false, take: () => undefined }

export type Admitted<R extends Reading> = {
  readonly prepared: readonly (R | Problem)[]
  /** What became of the readings among them; undefined: nothing was stored. Call once. */
  settle(stored: readonly Stored[] | undefined): void
}

/** Takes each reading from what its sub-client has left, in their order; those beyond it become refusals. */
export function admit<R extends Reading>(quota: ReadingQuota, prepared: readonly (R | Problem)[]): Admitted<R> {
  if (!quota.isLimiting) return { prepared, settle: () => undefined }
  /** By the place among the readings that go on. */
  const taken = new Map<number, TakenReading>()
  let readingCount = 0
  const admitted = prepared.map((each) => {
    if (each instanceof Problem) return each
    const answer = each.subClientId === undefined ? undefined : quota.take(each.resellerId, each.subClientId)
    if (answer instanceof Problem) return answer
    if (answer !== undefined) taken.set(readingCount, answer)
    readingCount++
    return each
  })
  const settle = (stored: readonly Stored[] | undefined) => {
    for (const [nth, each] of taken) each.settle(stored?.[nth] === 'stored')
  }
  return { prepared: admitted, settle }
}
