import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PlanName, Subscription } from '../limits/plans.ts'

export type Reseller = {
  readonly resellerId: string
  readonly name: string
  readonly plan: PlanName
  readonly subscription: Subscription
  /** IANA name; where the days and months it is billed by begin. */
  readonly timeZone: string
  /** How many vehicles its devices may create by naming them in a reading; 0: none. */
  readonly deviceVehicleLimit: number
  /** How many days before the early end of a remaining life work on it is advised. */
  readonly maintenanceLeadDays: number
  readonly createdAt: Date
}

const RESELLER_COLUMNS = 'reseller_id, name, plan, subscription, time_zone, device_vehicle_limit, maintenance_lead_days, created_at'

export async function insertReseller(db: Db, reseller: Omit<Reseller, 'deviceVehicleLimit' | 'maintenanceLeadDays'>): Promise<void> {
  await db.query('insert into resellers (reseller_id, name, plan, subscription, time_zone, created_at) values ($1, $2, $3, $4, $5, $6)', [
    reseller.resellerId,
    reseller.name,
    reseller.plan,
    reseller.subscription,
    reseller.timeZone,
    reseller.createdAt,
  ])
}

export async function selectReseller(db: Db, resellerId: string): Promise<Reseller | undefined> {
  const { rows } = await db.query<ResellerRow>(`select ${RESELLER_COLUMNS} from resellers where reseller_id = $1`, [resellerId])
  const [row] = rows
  return row === undefined ? undefined : resellerFromRow(row)
}

/** As it is, until the transaction ends. */
export async function selectResellerForUpdate(db: Db, resellerId: string): Promise<Reseller | undefined> {
  const { rows } = await db.query<ResellerRow>(`select ${RESELLER_COLUMNS} from resellers where reseller_id = $1 for no key update`, [
    resellerId,
  ])
  return rows.map(resellerFromRow)[0]
}

export async function selectAllResellersAcrossResellers(db: Db): Promise<Reseller[]> {
  const { rows } = await db.query<ResellerRow>(`select ${RESELLER_COLUMNS} from resellers order by created_at, reseller_id`)
  return rows.map(resellerFromRow)
}

/** Leaves alone what is undefined. */
export async function updateResellerRow(
  db: Db,
  resellerId: string,
  changes: { readonly [Key in Exclude<keyof Reseller, 'resellerId' | 'createdAt'>]: Reseller[Key] | undefined },
): Promise<Reseller | undefined> {
  const { rows } = await db.query<ResellerRow>(
    `update resellers
        set name = coalesce($2, name),
            plan = coalesce($3, plan),
            subscription = coalesce($4, subscription),
            time_zone = coalesce($5, time_zone),
            device_vehicle_limit = coalesce($6, device_vehicle_limit),
            maintenance_lead_days = coalesce($7, maintenance_lead_days)
      where reseller_id = $1
     returning ${RESELLER_COLUMNS}`,
    [
      ...[resellerId, changes.name, changes.plan, changes.subscription, changes.timeZone, changes.deviceVehicleLimit],
      changes.maintenanceLeadDays,
    ],
  )
  const [row] = rows
  return row === undefined ? undefined : resellerFromRow(row)
}

/** What ingest has to know of a reseller. */
export type ResellerTerms = Pick<Reseller, 'timeZone' | 'subscription' | 'deviceVehicleLimit'>

/** In the order asked, of the resellers of this transaction. */
export async function selectResellerTerms(db: Db, resellerIds: readonly string[]): Promise<(ResellerTerms | undefined)[]> {
  const { rows } = await db.query<{ [Key in 'time_zone' | 'subscription' | 'device_vehicle_limit']: ResellerRow[Key] | null }>(
    `select r.time_zone, r.subscription, r.device_vehicle_limit
       from unnest($1::text[]) with ordinality as a (reseller_id, position)
       left join resellers r on r.reseller_id = a.reseller_id
      order by a.position`,
    [resellerIds],
  )
  return rows.map(({ time_zone: timeZone, subscription, device_vehicle_limit: deviceVehicleLimit }) =>
    timeZone === null || subscription === null || deviceVehicleLimit === null ? undefined : { timeZone, subscription, deviceVehicleLimit },
  )
}

type ResellerRow = {
  reseller_id: string
  name: string
  plan: PlanName
  subscription: Subscription
  time_zone: string
  device_vehicle_limit: number
  maintenance_lead_days: number
  created_at: Date
}

function resellerFromRow(row: ResellerRow): Reseller {
  return {
    resellerId: row.reseller_id,
    name: row.name,
    plan: row.plan,
    subscription: row.subscription,
    timeZone: row.time_zone,
    deviceVehicleLimit: row.device_vehicle_limit,
    maintenanceLeadDays: row.maintenance_lead_days,
    createdAt: row.created_at,
  }
}
