import { useQuery } from '@tanstack/react-query'
import { billingSettingsQuery } from '../api/billing-queries.ts'
import { useNow } from '../text/use-now.ts'
import { thisMonth } from './plan-words.ts'

/** By the account's clock; until its zone is known, that of UTC. */
export function useThisMonth(): string {
  const zone = useQuery(billingSettingsQuery).data?.settings?.time_zone ?? 'UTC'
  return thisMonth(useNow(), zone)
}
