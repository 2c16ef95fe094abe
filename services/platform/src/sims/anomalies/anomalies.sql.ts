import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../../fleet/viewer.ts'
import { type AnomalyKind, CUSTODY_SETTLES_MS, LEAST_ODD_BYTES, type SimFacts } from './judge-anomalies.ts'

export type SimWithFacts = SimFacts & {
  readonly simId: string
  readonly iccid: string
  readonly msisdn: string | undefined
  readonly subClientId: string | undefined
  readonly deviceId: string | undefined
}

export type StandingAnomaly = {
  readonly anomalyId: string
  readonly simId: string
  readonly kind: AnomalyKind
  readonly detail: Readonly<Record<string, string | number>>
}

/**
 * What is judged of these SIMs. Days are the 24 hours before `at`, and those before them. Of nearly all SIMs only the last day is read: the days before are
 * those of a SIM that used much in it.
 */
export async function selectSimFacts(db: Db, resellerId: string, simIds: readonly string[], at: Date): Promise<SimWithFacts[]> {
  const { rows } = await db.query<FactsRow>(
    `select s.sim_id, s.iccid, s.msisdn, s.sub_client_id, s.device_id, s.status, s.status_since, s.imei, d.imei as device_imei,
            coalesce(t.bytes, 0) as day_bytes,
            coalesce(u.used_days || array_fill(0::float8, array[coalesce(u.first_day - cardinality(u.used_days), 0)]), '{}') as earlier_days,
            coalesce(c.bytes, 0) as custody_bytes
       from sims s
       left join devices d on d.reseller_id = s.reseller_id and d.device_id = s.device_id
       left join lateral (
            select sum(bytes) as bytes
              from sim_usage
             where reseller_id = s.reseller_id and sim_id = s.sim_id and received_at > $3::timestamptz - interval '24 hours') t on true
       left join lateral (
            select max(w.day) as first_day, array_agg(w.bytes::float8) as used_days
              from (select floor(extract(epoch from $3::timestamptz - received_at) / 86400)::integer as day, sum(bytes) as bytes
                      from sim_usage
                     where t.bytes >= $5::bigint and reseller_id = s.reseller_id and sim_id = s.sim_id
                       and received_at > $3::timestamptz - interval '696 hours' and received_at <= $3::timestamptz - interval '24 hours'
                     group by 1) w) u on true
       left join lateral (
            select sum(bytes) as bytes
              from sim_usage
             where s.status = 'safe_custody' and reseller_id = s.reseller_id and sim_id = s.sim_id
               and received_at > s.status_since + make_interval(secs => $4::float8)) c on true
      where s.reseller_id = $1 and s.sim_id = any ($2)
      order by s.sim_id`,
    [resellerId, simIds, at, CUSTODY_SETTLES_MS / 1000, LEAST_ODD_BYTES],
  )
  return rows.map((row) => ({
    simId: row.sim_id,
    iccid: row.iccid,
    msisdn: row.msisdn ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    status: row.status,
    statusSince: row.status_since,
    deviceImei: row.device_imei ?? undefined,
    seenImei: row.imei ?? undefined,
    dayBytes: Number(row.day_bytes),
    earlierDaysBytes: row.earlier_days,
    custodyBytes: Number(row.custody_bytes),
  }))
}

export async function selectStandingAnomalies(db: Db, resellerId: string, simIds: readonly string[]): Promise<StandingAnomaly[]> {
  const { rows } = await db.query<{ anomaly_id: string; sim_id: string; kind: AnomalyKind; detail: StandingAnomaly['detail'] }>(
    `select anomaly_id, sim_id, kind, detail
       from sim_anomalies
      where reseller_id = $1 and sim_id = any ($2) and ended_at is null
        for update`,
    [resellerId, simIds],
  )
  return rows.map((row) => ({ anomalyId: row.anomaly_id, simId: row.sim_id, kind: row.kind, detail: row.detail }))
}

export type ShownAnomaly = {
  readonly kind: AnomalyKind
  readonly detail: StandingAnomaly['detail']
  readonly openedAt: Date
  readonly lastSeenAt: Date
}

/** What stands, newest first. A viewer of one sub-client sees what began while that sub-client had the SIM: evidence names the device of that time. */
export async function selectShownAnomalies(db: Db, { resellerId, subClientPin }: Viewer, simId: string): Promise<ShownAnomaly[]> {
  const { rows } = await db.query<{ kind: AnomalyKind; detail: ShownAnomaly['detail']; opened_at: Date; last_seen_at: Date }>(
    `select a.kind, a.detail, a.opened_at, a.last_seen_at
       from sim_anomalies a
      where a.reseller_id = $1 and a.sim_id = $2 and a.ended_at is null
        and ($3::text is null
             or $3 = (select h.sub_client_id
                        from sim_history h
                       where h.reseller_id = a.reseller_id and h.sim_id = a.sim_id and h.at <= a.opened_at
                       order by h.seq desc
                       limit 1))
      order by a.opened_at desc, a.kind`,
    [resellerId, simId, subClientPin ?? null],
  )
  return rows.map((row) => ({ kind: row.kind, detail: row.detail, openedAt: row.opened_at, lastSeenAt: row.last_seen_at }))
}

/** Whether it was written: it is not where one of the kind stands. */
export async function insertAnomaly(db: Db, resellerId: string, anomaly: StandingAnomaly, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into sim_anomalies (reseller_id, anomaly_id, sim_id, kind, detail, opened_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6, $6)
         on conflict (reseller_id, sim_id, kind) where ended_at is null do nothing`,
    [resellerId, anomaly.anomalyId, anomaly.simId, anomaly.kind, JSON.stringify(anomaly.detail), at],
  )
  return rowCount === 1
}

export async function updateAnomalySeen(db: Db, resellerId: string, { anomalyId, detail }: StandingAnomaly, at: Date): Promise<void> {
  await db.query('update sim_anomalies set last_seen_at = $3, detail = $4 where reseller_id = $1 and anomaly_id = $2', [
    resellerId,
    anomalyId,
    at,
    JSON.stringify(detail),
  ])
}

export async function updateAnomalyEnded(db: Db, resellerId: string, anomalyId: string, at: Date): Promise<void> {
  await db.query('update sim_anomalies set ended_at = $3 where reseller_id = $1 and anomaly_id = $2', [resellerId, anomalyId, at])
}

export type AnomalyToReport = StandingAnomaly & {
  readonly iccid: string
  readonly isStanding: boolean
  /** The device that the SIM is allocated to, and the vehicle that this is in. */
  readonly deviceId: string | undefined
  readonly vehicleId: string | undefined
}

export async function selectAnomalyToReportAcrossResellers(
  db: Db,
  resellerId: string,
  anomalyId: string,
): Promise<AnomalyToReport | undefined> {
  const { rows } = await db.query<ToPublishRow>(
    `select a.anomaly_id, a.sim_id, a.kind, a.detail, a.ended_at is null as is_standing, s.iccid, s.device_id, d.vehicle_id
       from sim_anomalies a
       join sims s on s.reseller_id = a.reseller_id and s.sim_id = a.sim_id
       left join devices d on d.reseller_id = s.reseller_id and d.device_id = s.device_id
      where a.reseller_id = $1 and a.anomaly_id = $2`,
    [resellerId, anomalyId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  return {
    anomalyId: row.anomaly_id,
    simId: row.sim_id,
    kind: row.kind,
    detail: row.detail,
    iccid: row.iccid,
    isStanding: row.is_standing,
    deviceId: row.device_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
  }
}

type ToPublishRow = {
  anomaly_id: string
  sim_id: string
  kind: AnomalyKind
  detail: StandingAnomaly['detail']
  is_standing: boolean
  iccid: string
  device_id: string | null
  vehicle_id: string | null
}
type FactsRow = {
  sim_id: string
  iccid: string
  msisdn: string | null
  sub_client_id: string | null
  device_id: string | null
  status: string
  status_since: Date
  imei: string | null
  device_imei: string | null
  day_bytes: string
  earlier_days: number[]
  custody_bytes: string
}
