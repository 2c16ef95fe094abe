// What an owner sets. Every function checks that the sub-client is there for whoever asks.

import { createHash } from 'node:crypto'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import { type Author, writeAudit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { selectSubClientExists } from '../access/keys.sql.ts'
import { auditedBrand, type Brand, type BrandWithLogo, checkedBrand, hostIsTaken, logoTypeOf } from './brand.ts'
import { deleteLogo, insertBrandUnlessThere, selectBrand, upsertBrand, upsertLogo } from './brands.sql.ts'
import type { BrandOwner } from './shown-brand.ts'

type Viewer = Pick<Caller, 'resellerId' | 'subClientPin'>

const UNSET: BrandWithLogo = {
  name: undefined,
  colour: undefined,
  supportEmail: undefined,
  supportUrl: undefined,
  hosts: [],
  logoSha256Hex: undefined,
}

/** Whose brand a request is about. Another reseller's sub-client, and one outside the pin, are not there. */
async function requireBrandOwner(db: Db, { resellerId, subClientPin }: Viewer, subClientId: string | undefined): Promise<BrandOwner> {
  if (subClientId === undefined) {
    if (subClientPin === undefined) return { resellerId, subClientId }
    throw new Problem('missing_scope', 'This key belongs to one sub-client and has nothing to do with the brand of the reseller.', {
      details: { required_scope: '*' },
    })
  }
  const isVisible = /^[a-z0-9-]{1,64}$/.test(subClientId) && (subClientPin === undefined || subClientPin === subClientId)
  if (isVisible && (await selectSubClientExists(db, resellerId, subClientId))) return { resellerId, subClientId }
  throw new Problem('not_found', 'There is no such sub-client.')
}

export async function readBrand(database: Database, viewer: Viewer, subClientId: string | undefined): Promise<BrandWithLogo> {
  const db = database.tenantPool(viewer.resellerId)
  const owner = await requireBrandOwner(db, viewer, subClientId)
  return (await selectBrand(db, owner.resellerId, owner.subClientId ?? '')) ?? UNSET
}

/** Sets everything but the logo; what is left out is inherited from then on. */
export async function changeBrand(
  database: Database,
  viewer: Viewer,
  subClientId: string | undefined,
  given: Brand,
  author: Author,
): Promise<BrandWithLogo> {
  try {
    return await change(database, viewer, subClientId, 'brand.updated', author, async (db, key) => {
      await upsertBrand(db, viewer.resellerId, key, checkedBrand(given), author.at)
    })
  } catch (error) {
    // It is no secret: whoever asks for a page under that name is shown the brand.
    if (!isUniqueViolation(error, 'brand_hosts_host_key') && !isUniqueViolation(error, 'brand_hosts_pkey')) throw error
    throw hostIsTaken()
  }
}

/** The image is what its bytes say, whatever its sender calls it. */
export async function changeLogo(
  database: Database,
  viewer: Viewer,
  subClientId: string | undefined,
  image: unknown,
  author: Author,
): Promise<BrandWithLogo> {
  return await change(database, viewer, subClientId, 'brand.logo_changed', author, async (db, key) => {
    const contentType = Buffer.isBuffer(image) ? logoTypeOf(image) : undefined
    if (!Buffer.isBuffer(image) || contentType === undefined) throw notALogo()
    const sha256Hex = createHash('sha256').update(image).digest('hex')
    await insertBrandUnlessThere(db, viewer.resellerId, key, author.at)
    await upsertLogo(db, viewer.resellerId, key, { contentType, image, sha256Hex })
  })
}

export async function removeLogo(
  database: Database,
  viewer: Viewer,
  subClientId: string | undefined,
  author: Author,
): Promise<BrandWithLogo> {
  return await change(database, viewer, subClientId, 'brand.logo_removed', author, (db, key) => deleteLogo(db, viewer.resellerId, key))
}

export function notALogo(): Problem {
  return new Problem('unsupported_media_type', 'Send the bytes of a PNG, JPEG or WebP image, with its Content-Type.')
}

async function change(
  database: Database,
  viewer: Viewer,
  subClientId: string | undefined,
  action: `brand.${string}`,
  author: Author,
  run: (db: Db, key: string) => Promise<void>,
): Promise<BrandWithLogo> {
  return await database.tenant(viewer.resellerId, async (db) => {
    const { resellerId } = await requireBrandOwner(db, viewer, subClientId)
    const key = subClientId ?? ''
    const before = (await selectBrand(db, resellerId, key)) ?? UNSET
    await run(db, key)
    const after = (await selectBrand(db, resellerId, key)) ?? UNSET
    await writeAudit(db, author, {
      action,
      objectId: subClientId ?? resellerId,
      subClientId,
      before: { ...auditedBrand(before), logo: before.logoSha256Hex },
      after: { ...auditedBrand(after), logo: after.logoSha256Hex },
    })
    return after
  })
}
