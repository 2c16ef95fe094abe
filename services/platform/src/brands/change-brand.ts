// What an owner sets. Every function checks that the sub-client is there for whoever asks.

import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { selectSubClientExists } from '../keys/keys.sql.ts'
import { auditedBrand, type Brand, type BrandWithLogo, checkedBrand, hostIsTaken, logoTypeOf } from './brand.ts'
import { deleteLogo, insertBrandUnlessThere, selectBrand, upsertBrand, upsertLogo } from './brands.sql.ts'
import { replaceClaims, selectClaims, selectHostsOfOthersAcrossResellers, selectPendingCount } from './host-claims.sql.ts'
import type { IsReservedHost } from './reserved-hosts.ts'
import type { BrandOwner } from './shown-brand.ts'

type Viewer = Pick<Caller, 'resellerId' | 'subClientPin'>

const UNSET: BrandWithLogo = {
  name: undefined,
  colour: undefined,
  supportEmail: undefined,
  supportUrl: undefined,
  hosts: [],
  logoSha256Hex: undefined,
  claims: [],
}

/** Each is asked of DNS until it is proved. */
const MAX_PENDING_HOSTS = 100

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
  return await selectWholeBrand(db, owner.resellerId, owner.subClientId ?? '')
}

async function selectWholeBrand(db: Db, resellerId: string, subClientId: string): Promise<BrandWithLogo> {
  const record = await selectBrand(db, resellerId, subClientId)
  if (record === undefined) return UNSET
  const claims = await selectClaims(db, resellerId, subClientId)
  return { ...record, hosts: claims.map(({ host }) => host), claims }
}

/** Sets everything but the logo; what is left out is inherited from then on. */
export async function changeBrand(
  { database, isReservedHost }: { readonly database: Database; readonly isReservedHost: IsReservedHost },
  viewer: Viewer,
  subClientId: string | undefined,
  given: Brand,
  author: Author,
): Promise<BrandWithLogo> {
  const { resellerId } = viewer
  const brand = checkedBrand(given, isReservedHost)
  // It is no secret: whoever asks for a page under that name is shown the brand.
  if ((await selectHostsOfOthersAcrossResellers(database.systemPool, resellerId, brand.hosts)).length > 0) throw hostIsTaken()
  return await change(database, viewer, subClientId, 'brand.updated', author, async (db, key) => {
    await upsertBrand(db, resellerId, key, brand, author.at)
    const claims = brand.hosts.map((host) => ({ host, token: randomBytes(24).toString('base64url') }))
    const listed = await replaceClaims(db, resellerId, key, claims, author.at)
    if (listed.length < claims.length) throw hostIsTaken()
    if (claims.length > 0 && (await selectPendingCount(db, resellerId)) > MAX_PENDING_HOSTS) {
      throw new Problem(
        'conflict',
        `More than ${MAX_PENDING_HOSTS} host names wait to be proved; prove some, or take them off the lists.`,
        {
          details: { in: 'body', field: 'hosts', limit: MAX_PENDING_HOSTS },
        },
      )
    }
  })
}

/** The image is judged by its bytes, whatever its sender calls it. */
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
    const before = await selectWholeBrand(db, resellerId, key)
    await run(db, key)
    const after = await selectWholeBrand(db, resellerId, key)
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
