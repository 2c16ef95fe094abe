import { useDocumentTitle } from '@mantine/hooks'
import type { ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import { useQuery } from '@tanstack/react-query'
import { brandQuery } from '../api/queries.ts'

const OWN: ShownBrand = { name: 'Roadworthy', colour: null, logoUrl: null, supportEmail: null, supportUrl: null }

/** What this host name shows, or the service's own while it is not known. */
export function useBrand(): ShownBrand {
  return useQuery(brandQuery).data ?? OWN
}

export function usePageTitle(page: string): void {
  useDocumentTitle(`${page} · ${useBrand().name}`)
}
