// A connection whose broker has ended its reader is left out, for longer each time.

export type Strike = {
  readonly revision: string
  readonly strikeCount: number
  /** In words, for the reseller. */
  readonly reason: string
  readonly struckAt: Date
  readonly leftOutUntil: Date
  /** Left out for a day, unless the connection is changed. */
  readonly isQuarantined: boolean
}

/** The first four: 10 s, 1 min, 5 min, 30 min. */
const LEFT_OUT_S = [10, 60, 300, 1_800]
const QUARANTINE_S = 86_400
/** A connection that was read for this long since has a clean record. */
const FORGOTTEN_AFTER_S = 86_400
const MAX_REASON_LENGTH = 500

export function nextStrike(before: Strike | undefined, { revision, reason }: Pick<Strike, 'revision' | 'reason'>, at: Date): Strike {
  const isForgotten =
    before === undefined || before.revision !== revision || at.getTime() - before.leftOutUntil.getTime() > FORGOTTEN_AFTER_S * 1000
  const strikeCount = isForgotten ? 1 : before.strikeCount + 1
  const leftOutS = LEFT_OUT_S[strikeCount - 1]
  return {
    revision,
    strikeCount,
    reason: reason.slice(0, MAX_REASON_LENGTH),
    struckAt: at,
    leftOutUntil: new Date(at.getTime() + (leftOutS ?? QUARANTINE_S) * 1000),
    isQuarantined: leftOutS === undefined,
  }
}

/** Why it is not read at the moment and what would be right. */
export function describeStrike({ reason, strikeCount, leftOutUntil, isQuarantined }: Strike): string {
  const again = `It is tried again at ${leftOutUntil.toISOString()}, or as soon as the connection is changed.`
  if (!isQuarantined) return `${reason} ${again}`
  return `${reason} That was the ${strikeCount}th time in a row, so the connection is in quarantine. ${again}`
}
