/** `ended`: keys that do not work any more are listed too. */
export type ApiKeySearch = { ended?: true }

export function readApiKeySearch({ ended }: Record<string, unknown>): ApiKeySearch {
  return ended === true || ended === 'true' ? { ended: true } : {}
}
