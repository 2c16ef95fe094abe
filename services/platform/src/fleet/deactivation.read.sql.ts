// What deactivating a sub-client would do, counted before it is done. The devices slice, that of SIMs, and access keep what is counted.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type Deactivation = {
  readonly devices: number
  readonly sims: number
  readonly vehicles: number
  readonly people: number
}

export async function selectDeactivation(db: Db, resellerId: string, subClientId: string): Promise<Deactivation> {
  const of = (table: string) => `select count(*)::integer from ${table} where reseller_id = $1 and sub_client_id = $2`
  const { rows } = await db.query<Deactivation>(
    `select (${of('devices')} and status <> 'decommissioned') as devices,
            (${of('sims')}) as sims,
            (${of('vehicles')} and status = 'active') as vehicles,
            (${of('users')} and deactivated_at is null) as people`,
    [resellerId, subClientId],
  )
  const [counted] = rows
  if (counted === undefined) throw new Error('a statement without a from clause gave no row')
  return counted
}
