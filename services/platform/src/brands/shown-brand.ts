import type { Database } from '@roadworthy/service-kit/postgres/db'
import { DEFAULT_NAME } from './brand.ts'
import { type BrandRecord, selectBrand } from './brands.sql.ts'
import { selectClaims, selectHostAcrossResellers } from './host-claims.sql.ts'
import type { IsReservedHost } from './reserved-hosts.ts'

export type ShownBrand = Omit<BrandRecord, 'name'> & {
  readonly name: string
  /** The first host name that is proved, of the nearest brand that has one. */
  readonly host: string | undefined
}

/** Whose brand: `subClientId` is absent for the reseller's own. */
export type BrandOwner = { readonly resellerId: string; readonly subClientId: string | undefined }

/** What people of this owner are shown: the sub-client's, what is missing in it from the reseller's, and the rest from the service's own. */
export async function shownBrandOf(
  database: Database,
  isReserved: IsReservedHost,
  { resellerId, subClientId }: BrandOwner,
): Promise<ShownBrand> {
  const db = database.tenantPool(resellerId)
  const provedHost = async (of: string) =>
    (await selectClaims(db, resellerId, of)).find(({ host, provedAt }) => provedAt !== undefined && !isReserved(host))?.host
  const [own, ownHost, resellers, resellersHost] = await Promise.all([
    subClientId === undefined ? undefined : selectBrand(db, resellerId, subClientId),
    subClientId === undefined ? undefined : provedHost(subClientId),
    selectBrand(db, resellerId, ''),
    provedHost(''),
  ])
  return {
    name: own?.name ?? resellers?.name ?? DEFAULT_NAME,
    colour: own?.colour ?? resellers?.colour,
    logoSha256Hex: own?.logoSha256Hex ?? resellers?.logoSha256Hex,
    supportEmail: own?.supportEmail ?? resellers?.supportEmail,
    supportUrl: own?.supportUrl ?? resellers?.supportUrl,
    host: ownHost ?? resellersHost,
  }
}

/** Whose brand is shown at a host name, if anybody's: of who proved it. */
export async function findHostOwner(database: Database, isReserved: IsReservedHost, host: string): Promise<BrandOwner | undefined> {
  const name = host.toLowerCase().replace(/\.$/, '')
  // A `Host` header may hold anything, also what PostgreSQL cannot be asked for.
  const isAsked = /^[a-z0-9.-]{1,253}$/.test(name) && !isReserved(name)
  const owner = isAsked ? await selectHostAcrossResellers(database.systemPool, name) : undefined
  return owner && { resellerId: owner.resellerId, subClientId: owner.subClientId === '' ? undefined : owner.subClientId }
}
