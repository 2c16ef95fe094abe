// Brands and logos for whoever asks, before anybody has signed in: out of memory, and over the connections of such routes. What this
// process changes is seen at once; what another changes, ten seconds later.

import { BriefCache } from '@roadworthy/service-kit/pacing/brief-cache'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Logo, selectLogoByContentAcrossResellers } from './brands.sql.ts'
import type { IsReservedHost } from './reserved-hosts.ts'
import { type BrandOwner, findHostOwner, type ShownBrand, shownBrandOf } from './shown-brand.ts'

const TTL_MS = 10_000
/** Host names are chosen by whoever asks; most belong to nobody. */
const MAX_HOSTS = 1_000
const MAX_BRANDS = 1_000
/** At most 256 KiB each. */
const MAX_LOGOS = 64

export type PublicBrands = {
  findHostOwner(host: string): Promise<BrandOwner | undefined>
  shownBrandOf(owner: BrandOwner): Promise<ShownBrand>
  findLogo(sha256Hex: string): Promise<Logo | undefined>
  /** After a change by this process. */
  forgetAll(): void
}

export function createPublicBrands(database: Database, isReserved: IsReservedHost, now: () => Date): PublicBrands {
  const limits = { now, ttlMs: TTL_MS }
  const hosts = new BriefCache({ ...limits, maxEntries: MAX_HOSTS, load: (host) => findHostOwner(database, isReserved, host) })
  const brands = new BriefCache({
    ...limits,
    maxEntries: MAX_BRANDS,
    load: (key) => {
      const [resellerId = '', subClientId] = key.split('/')
      return shownBrandOf(database, isReserved, { resellerId, subClientId })
    },
  })
  const logos = new BriefCache({
    ...limits,
    maxEntries: MAX_LOGOS,
    load: (sha256Hex) => selectLogoByContentAcrossResellers(database.systemPool, sha256Hex),
  })
  return {
    findHostOwner: (host) => hosts.find(host.toLowerCase()),
    // Neither holds a slash (slug.ts).
    shownBrandOf: ({ resellerId, subClientId }) => brands.find(subClientId === undefined ? resellerId : `${resellerId}/${subClientId}`),
    findLogo: (sha256Hex) => logos.find(sha256Hex.toLowerCase()),
    forgetAll: () => {
      for (const cache of [hosts, brands, logos]) cache.forgetAll()
    },
  }
}
