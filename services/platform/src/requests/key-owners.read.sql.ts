import type { Db } from '@roadworthy/service-kit/postgres/db'

export type KeyOwner = { readonly resellerId: string; readonly keyId: string; readonly subClientId: string | undefined }

/** Whose the keys behind these hashes are, those that no longer work among them. */
export async function selectKeyOwnersAcrossResellers(db: Db, sha256Hexes: readonly string[]): Promise<Map<string, KeyOwner>> {
  const { rows } = await db.query<{ sha256_hex: string; reseller_id: string; key_id: string; sub_client_id: string | null }>(
    `select p.sha256_hex, k.reseller_id, k.key_id, k.sub_client_id
       from unnest($1::text[]) p (sha256_hex)
       join api_keys k on k.key_sha256 = decode(p.sha256_hex, 'hex')`,
    [sha256Hexes],
  )
  return new Map(
    rows.map((row) => [row.sha256_hex, { resellerId: row.reseller_id, keyId: row.key_id, subClientId: row.sub_client_id ?? undefined }]),
  )
}
