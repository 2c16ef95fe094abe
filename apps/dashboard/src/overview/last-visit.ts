// When a person was here before, which this browser remembers: reading a page changes nothing in the service. Pure but for the storage given.

const MINUTE_MS = 60_000
/** After so long without the page, the next look is another visit. */
const VISIT_ENDS_AFTER_MS = 30 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS
/** The service looks back 31 days. */
const MAX_AGO_MS = 30 * DAY_MS

type Visit = { readonly seenAtMs: number; readonly beforeMs: number }

/**
 * Notes that the person looks at the page now, and returns when the visit before ended; of a first visit a day ago. A storage that refuses, as in a
 * private window, makes every visit the first.
 */
export function noteVisit(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined, userId: string, nowMs: number): number {
  const key = `roadworthy.visit.${userId}`
  const known = readVisit(storage, key, nowMs)
  const isAnother = known !== undefined && nowMs - known.seenAtMs > VISIT_ENDS_AFTER_MS
  const beforeMs = known === undefined ? nowMs - DAY_MS : isAnother ? known.seenAtMs : known.beforeMs
  const visit: Visit = { seenAtMs: nowMs, beforeMs: Math.max(beforeMs, nowMs - MAX_AGO_MS) }
  try {
    storage?.setItem(key, JSON.stringify(visit))
  } catch {
    // Full or refused: the next visit is the first again.
  }
  return visit.beforeMs
}

/** Whatever stands there: another version, or a clock that was wrong. */
function readVisit(storage: Pick<Storage, 'getItem'> | undefined, key: string, nowMs: number): Visit | undefined {
  try {
    const { seenAtMs, beforeMs } = JSON.parse(storage?.getItem(key) ?? '{}') as Partial<Visit>
    const isTime = (ms: unknown): ms is number => typeof ms === 'number' && ms <= nowMs
    return isTime(seenAtMs) && isTime(beforeMs) ? { seenAtMs, beforeMs } : undefined
  } catch {
    return undefined
  }
}
