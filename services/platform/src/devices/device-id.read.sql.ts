import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'

/** Of the living device that has it. */
export async function selectIdByImei(db: Db, { resellerId, subClientPin }: Viewer, imei: string): Promise<string | undefined> {
  const { rows } = await db.query<{ device_id: string }>(
    `select d.device_id
       from devices d
      where d.reseller_id = $1 and d.imei = $2 and d.status <> 'decommissioned' and ($3::text is null or d.sub_client_id = $3)`,
    [resellerId, imei, subClientPin ?? null],
  )
  return rows[0]?.device_id
}
