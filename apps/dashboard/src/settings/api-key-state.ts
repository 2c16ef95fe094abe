import type { ApiKey } from '@roadworthy/contracts/platform-v1/api-keys'

const DAY_MS = 86_400_000
const SOON_MS = 7 * DAY_MS

export type ApiKeyState = 'working' | 'ending' | 'expired' | 'revoked'
type Ends = Pick<ApiKey, 'expiresAt' | 'revokedAt'>

/** `ending`: it works, for no more than a week. */
export function apiKeyState({ expiresAt, revokedAt }: Ends, nowMs: number): ApiKeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'working'
  const leftMs = Date.parse(expiresAt) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs <= SOON_MS ? 'ending' : 'working'
}

export function doesWork(state: ApiKeyState): boolean {
  return state === 'working' || state === 'ending'
}

/** After a number of days; undefined: never. */
export function expiryAfter(days: number | undefined, nowMs: number): string | undefined {
  return days === undefined ? undefined : new Date(nowMs + days * DAY_MS).toISOString()
}
