import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { ConditionFound, HeldPrediction, MaintenanceRecord, MaintenanceStatus, ShownRecord } from './maintenance-record.ts'

export async function insertRecord(db: Db, record: MaintenanceRecord): Promise<void> {
  await db.query(
    `insert into maintenance_records (reseller_id, maintenance_id, vehicle_id, component, status, schedule_id, due_at, completed_at, odometer_km,
                                      engine_hours, cost_amount_minor, cost_currency, notes, condition_found, renewed, prediction_id,
                                      created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      record.resellerId,
      record.maintenanceId,
      record.vehicleId,
      record.component,
      ...changingValues(record),
      record.createdAt,
      record.updatedAt,
    ],
  )
}

/** Everything about a record but what it is of. */
export async function updateRecord(db: Db, record: MaintenanceRecord): Promise<void> {
  await db.query(
    `update maintenance_records
        set status = $3, schedule_id = $4, due_at = $5, completed_at = $6, odometer_km = $7, engine_hours = $8, cost_amount_minor = $9,
            cost_currency = $10, notes = $11, condition_found = $12, renewed = $13, prediction_id = $14, updated_at = $15
      where reseller_id = $1 and maintenance_id = $2`,
    [record.resellerId, record.maintenanceId, ...changingValues(record), record.updatedAt],
  )
}

export async function insertOutcome(db: Db, resellerId: string, maintenanceId: string, held: HeldPrediction): Promise<void> {
  await db.query(
    `insert into prediction_outcomes (reseller_id, maintenance_id, prediction_id, rul_days, rul_p10_days, rul_p90_days, told_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [resellerId, maintenanceId, held.predictionId, held.rulDays, held.rulP10Days, held.rulP90Days, held.toldAt],
  )
}

export async function deleteRecord(db: Db, resellerId: string, maintenanceId: string): Promise<void> {
  await db.query('delete from maintenance_records where reseller_id = $1 and maintenance_id = $2', [resellerId, maintenanceId])
}

/** Whether the part was renewed after this time as well. */
export async function isRenewedAfter(
  db: Db,
  resellerId: string,
  part: { vehicleId: string; component: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1
       from maintenance_records
      where reseller_id = $1 and vehicle_id = $2 and component = $3 and renewed and status = 'completed' and completed_at > $4
      limit 1`,
    [resellerId, part.vehicleId, part.component, part.at],
  )
  return rowCount !== 0
}

/** Of the record `r`: the part's life ended with it, by failure or by a new part. */
export const ENDS_LIFE = `(r.renewed or r.condition_found = 'failed')`

const shown = `
  select r.*, o.prediction_id as held_prediction_id, o.rul_days, o.rul_p10_days, o.rul_p90_days, o.told_at
    from maintenance_records r
    join vehicles v on v.reseller_id = r.reseller_id and v.vehicle_id = r.vehicle_id
    left join prediction_outcomes o on o.reseller_id = r.reseller_id and o.maintenance_id = r.maintenance_id and ${ENDS_LIFE}`

/** `undefined` where it is not there or of another sub-client. */
export async function selectRecord(
  db: Db,
  resellerId: string,
  maintenanceId: string,
  subClientPin: string | undefined,
): Promise<ShownRecord | undefined> {
  const { rows } = await db.query<RecordRow>(
    `${shown}
      where r.reseller_id = $1 and r.maintenance_id = $2 and ($3::text is null or v.sub_client_id = $3)`,
    [resellerId, maintenanceId, subClientPin ?? null],
  )
  return rows[0] && recordFromRow(rows[0])
}

/** As `selectRecord`, and held until the transaction ends: of two that complete it at once one finds it completed. */
export async function selectRecordForUpdate(
  db: Db,
  resellerId: string,
  maintenanceId: string,
  subClientPin: string | undefined,
): Promise<ShownRecord | undefined> {
  const { rowCount } = await db.query('select 1 from maintenance_records where reseller_id = $1 and maintenance_id = $2 for update', [
    resellerId,
    maintenanceId,
  ])
  return rowCount === 0 ? undefined : await selectRecord(db, resellerId, maintenanceId, subClientPin)
}

export type RecordFilter = {
  readonly vehicleId: string | undefined
  readonly status: MaintenanceStatus | undefined
  readonly component: string | undefined
  /** Of the day that work was done, or else is to be done. The first is in it, the other is not. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly subClientPin: string | undefined
}

/** What is planned for a retired vehicle, only where it is named. */
const filtered = `
  r.reseller_id = $1 and (r.status <> 'planned' or v.status <> 'retired' or $2::text is not null)
  and ($2::text is null or r.vehicle_id = $2) and ($3::text is null or r.status = $3)
  and ($4::text is null or r.component = $4) and ($5::text is null or v.sub_client_id = $5)
  and ($6::timestamptz is null or coalesce(r.completed_at, r.due_at) >= $6) and ($7::timestamptz is null or coalesce(r.completed_at, r.due_at) < $7)`

function filterValues(resellerId: string, { vehicleId, status, component, subClientPin, from, to }: RecordFilter): unknown[] {
  return [resellerId, vehicleId ?? null, status ?? null, component ?? null, subClientPin ?? null, from ?? null, to ?? null]
}

/** Newest first, one more than asked when there is one. */
export async function selectRecords(db: Db, resellerId: string, filter: RecordFilter, page: PageRequest): Promise<ShownRecord[]> {
  const { rows } = await db.query<RecordRow>(
    `${shown}
      where ${filtered} and (r.created_at, r.maintenance_id) < ($8::timestamptz, $9)
      order by r.created_at desc, r.maintenance_id desc
      limit $10`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(recordFromRow)
}

export async function countRecords(db: Db, resellerId: string, filter: RecordFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from maintenance_records r
       join vehicles v on v.reseller_id = r.reseller_id and v.vehicle_id = r.vehicle_id
      where ${filtered}`,
    filterValues(resellerId, filter),
  )
  return rows[0]?.count ?? 0
}

function changingValues(record: MaintenanceRecord): unknown[] {
  const { cost } = record
  return [
    ...[record.status, record.scheduleId ?? null, record.dueAt ?? null, record.completedAt ?? null, record.odometerKm ?? null],
    ...[record.engineHours ?? null, cost?.amountMinor ?? null, cost?.currency ?? null, record.notes ?? null],
    ...[record.conditionFound ?? null, record.renewed, record.predictionId ?? null],
  ]
}

type RecordRow = {
  reseller_id: string
  maintenance_id: string
  vehicle_id: string
  component: string
  status: MaintenanceStatus
  schedule_id: string | null
  due_at: Date | null
  completed_at: Date | null
  odometer_km: number | null
  engine_hours: number | null
  /** A bigint, which comes as text. */
  cost_amount_minor: string | null
  cost_currency: string | null
  notes: string | null
  condition_found: ConditionFound | null
  renewed: boolean
  prediction_id: string | null
  created_at: Date
  updated_at: Date
  held_prediction_id: string | null
  rul_days: number | null
  rul_p10_days: number | null
  rul_p90_days: number | null
  told_at: Date | null
}

function recordFromRow(row: RecordRow): ShownRecord {
  const { cost_amount_minor: amountMinor, cost_currency: currency } = row
  return {
    resellerId: row.reseller_id,
    maintenanceId: row.maintenance_id,
    vehicleId: row.vehicle_id,
    component: row.component,
    status: row.status,
    scheduleId: row.schedule_id ?? undefined,
    dueAt: row.due_at ?? undefined,
    completedAt: row.completed_at ?? undefined,
    odometerKm: row.odometer_km ?? undefined,
    engineHours: row.engine_hours ?? undefined,
    cost: amountMinor === null || currency === null ? undefined : { amountMinor: Number(amountMinor), currency },
    notes: row.notes ?? undefined,
    conditionFound: row.condition_found ?? undefined,
    renewed: row.renewed,
    predictionId: row.prediction_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    held: heldFromRow(row),
  }
}

function heldFromRow(row: RecordRow): HeldPrediction | undefined {
  const { held_prediction_id: predictionId, rul_days: rulDays, rul_p10_days: rulP10Days, rul_p90_days: rulP90Days, told_at: toldAt } = row
  if (predictionId === null || rulDays === null || rulP10Days === null || rulP90Days === null || toldAt === null) return undefined
  return { predictionId, rulDays, rulP10Days, rulP90Days, toldAt }
}
