// How much of a limit is used, and when it comes to its end at this rate. Pure.

const NEAR_SHARE = 0.8

export type LimitState = 'fine' | 'near' | 'used up'

export function limitState(used: number, limit: number): LimitState {
  const share = shareOf(used, limit)
  return share >= 1 ? 'used up' : share >= NEAR_SHARE ? 'near' : 'fine'
}

/** A limit of 0 is at its end from the start. */
export function shareOf(used: number, limit: number): number {
  return limit === 0 ? 1 : used / limit
}

/** When what is left is used up before the span ends, if it is used on as it was until now. */
export function usedUpAtMs(
  used: number,
  limit: number,
  span: { readonly from: string; readonly until: string },
  nowMs: number,
): number | undefined {
  const fromMs = Date.parse(span.from)
  if (used <= 0 || used >= limit || nowMs <= fromMs) return undefined
  const atMs = fromMs + ((nowMs - fromMs) * limit) / used
  return atMs < Date.parse(span.until) ? atMs : undefined
}
