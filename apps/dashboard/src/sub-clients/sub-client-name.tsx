import { useQuery } from '@tanstack/react-query'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'

/** Its name where it is known; until then, and of one that is gone, the id. */
export function SubClientName({ subClientId }: { subClientId: string }) {
  return useSubClientNames()(subClientId)
}

/** The same for sentences. */
export function useSubClientNames(): (subClientId: string) => string {
  const choices = useQuery(subClientChoicesQuery).data?.subClients ?? []
  return (subClientId) => choices.find(({ id }) => id === subClientId)?.name ?? subClientId
}
