import type { LogoType } from '@roadworthy/contracts/platform-v1/brands'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Brand } from './brand.ts'

export type BrandRecord = Omit<Brand, 'hosts'> & { readonly logoSha256Hex: string | undefined }

/** `subClientId` is '' for the reseller's own, here and below. */
export async function selectBrand(db: Db, resellerId: string, subClientId: string): Promise<BrandRecord | undefined> {
  const { rows } = await db.query<BrandRow>(
    `select b.name, b.colour, b.support_email, b.support_url, encode(l.sha256, 'hex') as logo_sha256_hex
       from brands b
       left join brand_logos l on l.reseller_id = b.reseller_id and l.sub_client_id = b.sub_client_id
      where b.reseller_id = $1 and b.sub_client_id = $2`,
    [resellerId, subClientId],
  )
  return rows[0] === undefined ? undefined : brandFromRow(rows[0])
}

/** All but its host names. */
export async function upsertBrand(db: Db, resellerId: string, subClientId: string, brand: Brand, updatedAt: Date): Promise<void> {
  await db.query(
    `insert into brands (reseller_id, sub_client_id, name, colour, support_email, support_url, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (reseller_id, sub_client_id) do update
            set name = excluded.name, colour = excluded.colour, support_email = excluded.support_email,
                support_url = excluded.support_url, updated_at = excluded.updated_at`,
    [resellerId, subClientId, brand.name ?? null, brand.colour ?? null, brand.supportEmail ?? null, brand.supportUrl ?? null, updatedAt],
  )
}

export async function insertBrandUnlessThere(db: Db, resellerId: string, subClientId: string, at: Date): Promise<void> {
  await db.query(
    'insert into brands (reseller_id, sub_client_id, updated_at) values ($1, $2, $3) on conflict (reseller_id, sub_client_id) do nothing',
    [resellerId, subClientId, at],
  )
}

export type Logo = { readonly contentType: LogoType; readonly image: Buffer }

export async function upsertLogo(
  db: Db,
  resellerId: string,
  subClientId: string,
  { contentType, image, sha256Hex }: Logo & { readonly sha256Hex: string },
): Promise<void> {
  await db.query(
    `insert into brand_logos (reseller_id, sub_client_id, content_type, image, sha256)
     values ($1, $2, $3, $4, decode($5, 'hex'))
         on conflict (reseller_id, sub_client_id) do update
            set content_type = excluded.content_type, image = excluded.image, sha256 = excluded.sha256`,
    [resellerId, subClientId, contentType, image, sha256Hex],
  )
}

export async function deleteLogo(db: Db, resellerId: string, subClientId: string): Promise<void> {
  await db.query('delete from brand_logos where reseller_id = $1 and sub_client_id = $2', [resellerId, subClientId])
}

/** Logos are shown to whoever opens the dashboard, so whose it is does not matter. */
export async function selectLogoByContentAcrossResellers(db: Db, sha256Hex: string): Promise<Logo | undefined> {
  const { rows } = await db.query<{ content_type: LogoType; image: Buffer }>(
    `select content_type, image from brand_logos where sha256 = decode($1, 'hex') limit 1`,
    [sha256Hex],
  )
  return rows[0] && { contentType: rows[0].content_type, image: rows[0].image }
}

type BrandRow = {
  name: string | null
  colour: string | null
  support_email: string | null
  support_url: string | null
  logo_sha256_hex: string | null
}

function brandFromRow(row: BrandRow): BrandRecord {
  return {
    name: row.name ?? undefined,
    colour: row.colour ?? undefined,
    supportEmail: row.support_email ?? undefined,
    supportUrl: row.support_url ?? undefined,
    logoSha256Hex: row.logo_sha256_hex ?? undefined,
  }
}
