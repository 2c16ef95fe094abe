import type { FirstSteps } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/postgres/db'

/** What a new account has set up. Each question ends at the first row that answers it. That there was a reading is in the ledger, sealed or not. */
export async function selectFirstSteps(db: Db, resellerId: string, now: Date): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>(
    `select exists (select from api_keys k
                     where k.reseller_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)) as "apiKey",
            exists (select from devices d where d.reseller_id = $1 and d.status <> 'decommissioned') as device,
            exists (select from usage_entries e where e.reseller_id = $1 and e.meter = 'points_ingested' and not e.folded)
            or exists (select from usage_entries e where e.reseller_id = $1 and e.meter = 'points_ingested' and e.folded)
            or exists (select from usage_chains c join usage_lines l using (reseller_id, sub_client_id)
                        where c.reseller_id = $1 and l.meter = 'points_ingested') as reading,
            exists (select from predictions p where p.reseller_id = $1) as prediction,
            exists (select from webhook_endpoints e where e.reseller_id = $1 and e.status <> 'deleted') as webhook`,
    [resellerId, now],
  )
  return rows[0] as FirstSteps
}
