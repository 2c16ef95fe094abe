import type { Db } from '@roadworthy/service-kit/postgres/db'

type CountRow = { readonly name: string; readonly count: number }

export async function countDevicesAcrossResellers(db: Db): Promise<Record<string, number>> {
  const { rows } = await db.query<CountRow>('select status as name, count(*)::int as count from devices group by status')
  return byName(rows)
}

/** `unknown`: not judged yet. */
export async function countVehiclesAcrossResellers(db: Db): Promise<Record<string, number>> {
  const { rows } = await db.query<CountRow>(
    `select coalesce(h.health_status, 'unknown') as name, count(*)::int as count
       from vehicles v
       left join vehicle_health h using (reseller_id, vehicle_id)
      group by 1`,
  )
  return byName(rows)
}

function byName(rows: readonly CountRow[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
