import type { FirstSteps } from '@roadworthy/contracts/platform-v1/overview'
import type { Db } from '@roadworthy/service-kit/db'

/** What a new account has set up. Each question ends at the first row that answers it. */
export async function selectFirstSteps(db: Db, resellerId: string, now: Date): Promise<FirstSteps> {
  const { rows } = await db.query<FirstSteps>(
    `select exists (select from api_keys k
                     where k.reseller_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)) as "apiKey",
            exists (select from devices d where d.reseller_id = $1 and d.status <> 'decommissioned') as device,
            exists (select from devices d join latest_states l on l.source_id = d.device_id and l.reseller_id = d.reseller_id
                     where d.reseller_id = $1)
            or exists (select from vehicles v join latest_states l on l.vehicle_id = v.vehicle_id and l.reseller_id = v.reseller_id
                        where v.reseller_id = $1) as reading,
            exists (select from predictions p where p.reseller_id = $1) as prediction,
            exists (select from webhook_endpoints e where e.reseller_id = $1 and e.status <> 'deleted') as webhook`,
    [resellerId, now],
  )
  return rows[0] as FirstSteps
}
