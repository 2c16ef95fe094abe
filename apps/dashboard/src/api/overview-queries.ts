import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import { queryOptions } from '@tanstack/react-query'
import { withSaid } from '../said/said.ts'
import { get } from './client.ts'

/** Most of it is of minutes and days. */
const RENEWED_EVERY_MS = 15_000

/** With what changed since then. */
export const overviewQuery = (since: string) =>
  queryOptions({
    queryKey: ['overview', since],
    queryFn: async ({ signal }) => withSaid(await get<Overview>('/overview', { since }, signal)),
    refetchInterval: RENEWED_EVERY_MS,
    placeholderData: (previous) => previous,
  })
