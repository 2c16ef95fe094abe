import type { Database } from '@roadworthy/service-kit/db'
import type { BrandWithLogo } from './brand.ts'
import { DEFAULT_NAME } from './brand.ts'
import { selectBrand, selectHostAcrossResellers } from './brands.sql.ts'

export type ShownBrand = Omit<BrandWithLogo, 'hosts' | 'name'> & {
  readonly name: string
  /** The first host name of the nearest brand that has one. */
  readonly host: string | undefined
}

/** Whose brand: `subClientId` is absent for the reseller's own. */
export type BrandOwner = { readonly resellerId: string; readonly subClientId: string | undefined }

/** What people of this owner are shown: the sub-client's, what is missing in it from the reseller's, and the rest from the service's own. */
export async function shownBrandOf(database: Database, { resellerId, subClientId }: BrandOwner): Promise<ShownBrand> {
  const db = database.tenantPool(resellerId)
  const [own, resellers] = await Promise.all([
    subClientId === undefined ? undefined : selectBrand(db, resellerId, subClientId),
    selectBrand(db, resellerId, ''),
  ])
  return {
    name: own?.name ?? resellers?.name ?? DEFAULT_NAME,
    colour: own?.colour ?? resellers?.colour,
    logoSha256Hex: own?.logoSha256Hex ?? resellers?.logoSha256Hex,
    supportEmail: own?.supportEmail ?? resellers?.supportEmail,
    supportUrl: own?.supportUrl ?? resellers?.supportUrl,
    host: own?.hosts[0] ?? resellers?.hosts[0],
  }
}

/** Whose brand is shown at a host name, if anybody's. */
export async function findHostOwner(database: Database, host: string): Promise<BrandOwner | undefined> {
  const name = host.toLowerCase().replace(/\.$/, '')
  // A `Host` header may hold anything, also what PostgreSQL cannot be asked for.
  const owner = /^[a-z0-9.-]{1,253}$/.test(name) ? await selectHostAcrossResellers(database.systemPool, name) : undefined
  return owner && { resellerId: owner.resellerId, subClientId: owner.subClientId === '' ? undefined : owner.subClientId }
}
