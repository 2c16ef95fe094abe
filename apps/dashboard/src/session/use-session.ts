import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/queries.ts'

/** Whether the person may change anything. A person who may not sees no button. */
export function useMayChange(): boolean {
  const role = useQuery(sessionQuery).data?.session?.role
  return role === 'owner' || role === 'member'
}

/** Whether the person sees the whole reseller, and not one sub-client of it. */
export function useIsOfReseller(): boolean {
  const session = useQuery(sessionQuery).data?.session
  return session !== undefined && session !== null && session.subClientId === null
}

/** Who is signed in. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data?.session ?? undefined
}
