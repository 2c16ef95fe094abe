import type { Db } from '@roadworthy/service-kit/db'
import type { PlanName, Subscription } from './plans.ts'

export type Reseller = {
  readonly resellerId: string
  readonly name: string
  readonly plan: PlanName
  readonly subscription: Subscription
  readonly createdAt: Date
}

export async function insertReseller(db: Db, reseller: Reseller): Promise<void> {
  await db.query('insert into resellers (reseller_id, name, plan, subscription, created_at) values ($1, $2, $3, $4, $5)', [
    reseller.resellerId,
    reseller.name,
    reseller.plan,
    reseller.subscription,
    reseller.createdAt,
  ])
}

export async function selectReseller(db: Db, resellerId: string): Promise<Reseller | undefined> {
  const { rows } = await db.query<ResellerRow>(
    'select reseller_id, name, plan, subscription, created_at from resellers where reseller_id = $1',
    [resellerId],
  )
  const [row] = rows
  return row === undefined ? undefined : resellerFromRow(row)
}

export async function selectAllResellersAcrossResellers(db: Db): Promise<Reseller[]> {
  const { rows } = await db.query<ResellerRow>(
    'select reseller_id, name, plan, subscription, created_at from resellers order by created_at, reseller_id',
  )
  return rows.map(resellerFromRow)
}

/** Leaves alone what is undefined. */
export async function updateResellerRow(
  db: Db,
  resellerId: string,
  changes: { name: string | undefined; plan: PlanName | undefined; subscription: Subscription | undefined },
): Promise<Reseller | undefined> {
  const { rows } = await db.query<ResellerRow>(
    `update resellers
        set name = coalesce($2, name),
            plan = coalesce($3, plan),
            subscription = coalesce($4, subscription)
      where reseller_id = $1
     returning reseller_id, name, plan, subscription, created_at`,
    [resellerId, changes.name, changes.plan, changes.subscription],
  )
  const [row] = rows
  return row === undefined ? undefined : resellerFromRow(row)
}

type ResellerRow = { reseller_id: string; name: string; plan: PlanName; subscription: Subscription; created_at: Date }

function resellerFromRow(row: ResellerRow): Reseller {
  return {
    resellerId: row.reseller_id,
    name: row.name,
    plan: row.plan,
    subscription: row.subscription,
    createdAt: row.created_at,
  }
}
