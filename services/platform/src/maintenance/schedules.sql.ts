import type { ScheduleStatus } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { OdometerAround } from './meter.ts'
import type { Schedule, SchedulePlan } from './schedule.ts'

export type NewSchedule = SchedulePlan & { readonly resellerId: string; readonly scheduleId: string; readonly vehicleId: string }

export async function insertSchedule(db: Db, schedule: NewSchedule, at: Date): Promise<Schedule> {
  const { rows } = await db.query<ScheduleRow>(
    `insert into maintenance_schedules (reseller_id, schedule_id, vehicle_id, component, title, every_days, every_km, every_engine_hours,
                                        remind_days, remind_km, remind_engine_hours, last_at, last_odometer_km, last_engine_hours,
                                        status, reviewed_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'unknown', clock_timestamp(), $15, $15)
     returning *`,
    [schedule.resellerId, schedule.scheduleId, schedule.vehicleId, ...planValues(schedule), at],
  )
  return scheduleFromRow(rows[0] as ScheduleRow)
}

/** Locked until the transaction ends; `undefined` where it is not there or of another sub-client. */
export async function selectScheduleForUpdate(
  db: Db,
  resellerId: string,
  scheduleId: string,
  subClientPin: string | undefined,
): Promise<Schedule | undefined> {
  const { rows } = await db.query<ScheduleRow>(
    `select s.*
       from maintenance_schedules s
       join vehicles v on v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id
      where s.reseller_id = $1 and s.schedule_id = $2 and ($3::text is null or v.sub_client_id = $3)
        for update of s`,
    [resellerId, scheduleId, subClientPin ?? null],
  )
  return rows[0] && scheduleFromRow(rows[0])
}

export async function updateSchedulePlan(db: Db, schedule: Schedule, at: Date): Promise<Schedule> {
  const { rows } = await db.query<ScheduleRow>(
    `update maintenance_schedules
        set component = $3, title = $4, every_days = $5, every_km = $6, every_engine_hours = $7, remind_days = $8, remind_km = $9,
            remind_engine_hours = $10, last_at = $11, last_odometer_km = $12, last_engine_hours = $13, updated_at = $14
      where reseller_id = $1 and schedule_id = $2
     returning *`,
    [schedule.resellerId, schedule.scheduleId, ...planValues(schedule), at],
  )
  return scheduleFromRow(rows[0] as ScheduleRow)
}

/**
 * The work was done: schedules of the vehicle that it is for count from it, unless they count from something later already. A new part is
 * for every schedule of its component; other work for the one it names. Where the odometer of that time is unknown, it is taken from
 * the straight line between what the schedule counted from and `nextKnown`, what the odometer showed next.
 */
export async function restartSchedules(
  db: Db,
  resellerId: string,
  work: {
    vehicleId: string
    scheduleId: string | undefined
    renewedComponent: string | undefined
    completedAt: Date
    odometerKm: number | undefined
    nextKnown: OdometerAround['after']
    engineHours: number | undefined
    at: Date
  },
): Promise<Schedule[]> {
  const { rows } = await db.query<ScheduleRow>(
    `update maintenance_schedules s
        set last_at = $5, last_engine_hours = $7, updated_at = $8,
            last_odometer_km = coalesce($6, case when $9 >= s.last_odometer_km and $10::timestamptz > s.last_at then
              s.last_odometer_km + extract(epoch from $5 - s.last_at) / extract(epoch from $10 - s.last_at) * ($9 - s.last_odometer_km) end)
       from (select schedule_id
               from maintenance_schedules
              where reseller_id = $1 and vehicle_id = $2 and (schedule_id = $3 or component = $4) and last_at <= $5
              order by schedule_id
                for update) done
      where s.reseller_id = $1 and s.schedule_id = done.schedule_id
     returning s.*`,
    [
      ...[resellerId, work.vehicleId, work.scheduleId ?? null, work.renewedComponent ?? null],
      ...[work.completedAt, work.odometerKm ?? null, work.engineHours ?? null, work.at],
      ...[work.nextKnown?.km ?? null, work.nextKnown?.at ?? null],
    ],
  )
  return rows.map(scheduleFromRow)
}

/**
 * Those not looked at for so long by the database's clock, which all processes share; longest ago first. Locked until the transaction ends; what
 * another process holds is left to it.
 */
export async function takeSchedulesToReviewAcrossResellers(db: Db, notForMs: number, limit: number): Promise<Schedule[]> {
  const { rows } = await db.query<ScheduleRow>(
    `select s.*
       from maintenance_schedules s
      where s.reviewed_at <= statement_timestamp() - make_interval(secs => $1::float8 / 1000)
        and not exists (select from vehicles v where v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id and v.status = 'retired')
      order by s.reviewed_at
      limit $2
        for update of s skip locked`,
    [notForMs, limit],
  )
  return rows.map(scheduleFromRow)
}

export async function selectSchedulesOfVehicleForUpdate(db: Db, resellerId: string, vehicleId: string): Promise<Schedule[]> {
  const { rows } = await db.query<ScheduleRow>(
    'select * from maintenance_schedules where reseller_id = $1 and vehicle_id = $2 order by schedule_id for update',
    [resellerId, vehicleId],
  )
  return rows.map(scheduleFromRow)
}

/** They were looked at and could not be judged: those that wait are before them, until their time comes again. */
export async function updateUnjudgedAcrossResellers(db: Db, schedules: readonly Schedule[]): Promise<void> {
  await db.query(
    `update maintenance_schedules s set reviewed_at = clock_timestamp()
       from unnest($1::text[], $2::text[]) u (reseller_id, schedule_id)
      where s.reseller_id = u.reseller_id and s.schedule_id = u.schedule_id`,
    [schedules.map(({ resellerId }) => resellerId), schedules.map(({ scheduleId }) => scheduleId)],
  )
}

/** What a review found. When a person last changed a schedule stays as it is. */
export async function updateReviewedAcrossResellers(db: Db, schedules: readonly Schedule[]): Promise<void> {
  await db.query(
    `update maintenance_schedules s
        set status = u.status, projected_at = u.projected_at, last_odometer_km = u.last_odometer_km, last_engine_hours = u.last_engine_hours,
            reviewed_at = clock_timestamp()
       from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::float8[], $6::float8[])
            u (reseller_id, schedule_id, status, projected_at, last_odometer_km, last_engine_hours)
      where s.reseller_id = u.reseller_id and s.schedule_id = u.schedule_id`,
    [
      schedules.map(({ resellerId }) => resellerId),
      schedules.map(({ scheduleId }) => scheduleId),
      schedules.map(({ status }) => status),
      schedules.map(({ expectedAt }) => expectedAt ?? null),
      schedules.map(({ last }) => last.odometerKm ?? null),
      schedules.map(({ last }) => last.engineHours ?? null),
    ],
  )
}

export async function deleteSchedule(db: Db, resellerId: string, scheduleId: string): Promise<void> {
  await db.query('delete from maintenance_schedules where reseller_id = $1 and schedule_id = $2', [resellerId, scheduleId])
}

export type ScheduleFilter = {
  readonly scheduleId?: string | undefined
  readonly vehicleId?: string | undefined
  readonly status?: ScheduleStatus | undefined
  readonly component?: string | undefined
  /** Of when it is expected to fall due. The first is in it, the other is not. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly subClientPin: string | undefined
}

/** Those of a retired vehicle, which nobody reviews, only where it is named. */
const filtered = `
  maintenance_schedules s
  join vehicles v on v.reseller_id = s.reseller_id and v.vehicle_id = s.vehicle_id
 where s.reseller_id = $1 and (v.status <> 'retired' or $2::text is not null or $3::text is not null)
   and ($2::text is null or s.schedule_id = $2) and ($3::text is null or s.vehicle_id = $3)
   and ($4::text is null or s.status = $4) and ($5::text is null or s.component = $5) and ($6::text is null or v.sub_client_id = $6)
   and ($7::timestamptz is null or s.projected_at >= $7) and ($8::timestamptz is null or s.projected_at < $8)`

function filterValues(resellerId: string, filter: ScheduleFilter): unknown[] {
  const { scheduleId, vehicleId, status, component, subClientPin, from, to } = filter
  return [
    ...[resellerId, scheduleId ?? null, vehicleId ?? null, status ?? null, component ?? null, subClientPin ?? null],
    ...[from ?? null, to ?? null],
  ]
}

/** Oldest first, one more than asked when there is one. */
export async function selectSchedules(db: Db, resellerId: string, filter: ScheduleFilter, page: PageRequest): Promise<Schedule[]> {
  const { rows } = await db.query<ScheduleRow>(
    `select s.*
       from ${filtered} and (s.created_at, s.schedule_id) > ($9::timestamptz, $10)
      order by s.created_at, s.schedule_id
      limit $11`,
    [...filterValues(resellerId, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(scheduleFromRow)
}

export async function countSchedules(db: Db, resellerId: string, filter: ScheduleFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${filtered}`, filterValues(resellerId, filter))
  return rows[0]?.count ?? 0
}

function planValues({ component, title, every, remind, last }: SchedulePlan): unknown[] {
  return [
    ...[component, title, every.days ?? null, every.km ?? null, every.engineHours ?? null],
    ...[remind.days, remind.km, remind.engineHours, last.at, last.odometerKm ?? null, last.engineHours ?? null],
  ]
}

type ScheduleRow = {
  reseller_id: string
  schedule_id: string
  vehicle_id: string
  component: string
  title: string
  every_days: number | null
  every_km: number | null
  every_engine_hours: number | null
  remind_days: number
  remind_km: number
  remind_engine_hours: number
  last_at: Date
  last_odometer_km: number | null
  last_engine_hours: number | null
  status: ScheduleStatus
  projected_at: Date | null
  reviewed_at: Date
  created_at: Date
  updated_at: Date
}

function scheduleFromRow(row: ScheduleRow): Schedule {
  return {
    resellerId: row.reseller_id,
    scheduleId: row.schedule_id,
    vehicleId: row.vehicle_id,
    component: row.component,
    title: row.title,
    every: { days: row.every_days ?? undefined, km: row.every_km ?? undefined, engineHours: row.every_engine_hours ?? undefined },
    remind: { days: row.remind_days, km: row.remind_km, engineHours: row.remind_engine_hours },
    last: { at: row.last_at, odometerKm: row.last_odometer_km ?? undefined, engineHours: row.last_engine_hours ?? undefined },
    status: row.status,
    expectedAt: row.projected_at ?? undefined,
    reviewedAt: row.reviewed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
