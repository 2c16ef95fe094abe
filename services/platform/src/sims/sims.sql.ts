import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Viewer } from '../fleet/viewer.ts'
import type { StoredSettings } from './connections/connection.ts'
import { iccidKey, type SimReference } from './iccid.ts'
import type { OperatorId, SimStatus } from './operators/operator.ts'
import type { ShownSim, Sim, SuspendedBy } from './sim.ts'
import type { SimActionKind } from './sim-states.ts'

export type SimFilter = {
  readonly status: SimStatus | undefined
  readonly subClientId: string | undefined
  readonly deviceId: string | undefined
  readonly connectionId: string | undefined
  /** Digits that stand anywhere in the ICCID, the number or the IMSI. */
  readonly search: string | undefined
}

const shown = `
  select s.*, d.name as device_name, c.operator, c.settings as operator_settings, a.kind as pending_kind, a.requested_at as pending_since
    from sims s
    join operator_connections c on c.reseller_id = s.reseller_id and c.connection_id = s.connection_id
    left join devices d on d.reseller_id = s.reseller_id and d.device_id = s.device_id
    left join sim_actions a on a.reseller_id = s.reseller_id and a.sim_id = s.sim_id and a.state in ('intended', 'sending', 'running')`

const filtered = `
  s.reseller_id = $1 and ($2::text is null or s.sub_client_id = $2) and ($3::text is null or s.status = $3)
  and ($4::text is null or s.sub_client_id = $4) and ($5::text is null or s.device_id = $5) and ($6::text is null or s.connection_id = $6)
  and ($7::text is null or position($7 in s.iccid) > 0 or position($7 in s.msisdn) > 0 or position($7 in s.imsi) > 0)`

function filterValues({ resellerId, subClientPin }: Viewer, filter: SimFilter): unknown[] {
  const { status, subClientId, deviceId, connectionId, search } = filter
  return [resellerId, subClientPin ?? null, status ?? null, subClientId ?? null, deviceId ?? null, connectionId ?? null, search ?? null]
}

/** One more than the page holds, so that the caller knows whether another follows. */
export async function selectSims(db: Db, viewer: Viewer, filter: SimFilter, page: PageRequest): Promise<ShownSim[]> {
  const { rows } = await db.query<ShownSimRow>(
    `${shown}
      where ${filtered} and (s.created_at, s.sim_id) > ($8::timestamptz, $9)
      order by s.created_at, s.sim_id
      limit $10`,
    [...filterValues(viewer, filter), page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(shownFromRow)
}

export async function countSims(db: Db, viewer: Viewer, filter: SimFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from sims s where ${filtered}`,
    filterValues(viewer, filter),
  )
  return rows[0]?.count ?? 0
}

/** A number may be on several SIMs one after the other: it is that of the one that lives, else of the newest. */
const referred = `
  s.reseller_id = $1 and ($2::text is null or s.sub_client_id = $2) and ($3::text is null or s.sim_id = $3)
  and ($4::text is null or s.iccid_key = $4) and ($5::text is null or s.msisdn = $5)`

function referenceValues({ resellerId, subClientPin }: Viewer, reference: SimReference): unknown[] {
  const { simId = null, iccidKey: key = null, msisdn = null } = reference as Partial<Record<'simId' | 'iccidKey' | 'msisdn', string>>
  return [resellerId, subClientPin ?? null, simId, key, msisdn]
}

export async function selectSim(db: Db, viewer: Viewer, reference: SimReference): Promise<ShownSim | undefined> {
  const { rows } = await db.query<ShownSimRow>(
    `${shown} where ${referred} order by s.status = 'terminated', s.created_at desc limit 1`,
    referenceValues(viewer, reference),
  )
  return rows[0] === undefined ? undefined : shownFromRow(rows[0])
}

/** Nobody else changes it until the transaction ends. */
export async function selectSimForUpdate(db: Db, viewer: Viewer, reference: SimReference): Promise<Sim | undefined> {
  const { rows } = await db.query<SimRow>(
    `select s.* from sims s where ${referred} order by s.status = 'terminated', s.created_at desc limit 1 for no key update`,
    referenceValues(viewer, reference),
  )
  return rows[0] === undefined ? undefined : simFromRow(rows[0])
}

/** Those that there are of them, by id and locked in that order. */
export async function selectSimsForUpdate(db: Db, resellerId: string, simIds: readonly string[]): Promise<Sim[]> {
  const { rows } = await db.query<SimRow>(
    'select * from sims where reseller_id = $1 and sim_id = any ($2) order by sim_id for no key update',
    [resellerId, simIds],
  )
  return rows.map(simFromRow)
}

/** Those that are known of them, locked in the order of their keys (`iccidKey`). */
export async function selectSimsByIccidForUpdate(db: Db, resellerId: string, iccidKeys: readonly string[]): Promise<Sim[]> {
  const { rows } = await db.query<SimRow>(
    'select * from sims where reseller_id = $1 and iccid_key = any ($2) order by iccid_key for no key update',
    [resellerId, iccidKeys],
  )
  return rows.map(simFromRow)
}

/** More than one where an operator has not taken a number back from one SIM before it gave it to another, or somebody entered it twice. */
export async function countLivingSimsByNumber(db: Db, { resellerId, subClientPin }: Viewer, msisdn: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from sims
      where reseller_id = $1 and msisdn = $2 and status <> 'terminated' and ($3::text is null or sub_client_id = $3)`,
    [resellerId, msisdn, subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/** The living SIM of a device, which nobody else changes until the transaction ends. */
export async function selectSimOfDeviceForUpdate(db: Db, resellerId: string, deviceId: string): Promise<Sim | undefined> {
  const { rows } = await db.query<SimRow>(
    `select * from sims where reseller_id = $1 and device_id = $2 and status <> 'terminated' for no key update`,
    [resellerId, deviceId],
  )
  return rows[0] === undefined ? undefined : simFromRow(rows[0])
}

/** Some of the SIMs of a sub-client, locked in one order. */
export async function selectSimsOfSubClientForUpdate(db: Db, resellerId: string, subClientId: string, limit: number): Promise<Sim[]> {
  const { rows } = await db.query<SimRow>(
    'select * from sims where reseller_id = $1 and sub_client_id = $2 order by sim_id limit $3 for no key update',
    [resellerId, subClientId, limit],
  )
  return rows.map(simFromRow)
}

/** A page of a synchronisation stores 50 SIMs and more: planned each time, the statement takes twice as long. */
const UPSERT_SIM = {
  name: 'upsert_sim',
  text: `insert into sims
       (reseller_id, sim_id, connection_id, iccid, iccid_key, imsi, msisdn, eid, imei, status, status_before, status_since, suspended_by,
        suspended_reason, custody_until, terminates_at, plan_id, is_default_plan, operator_plan, operator_plan_before, is_parked, communication_plan, apn,
        ip_address, sub_client_id, device_id, data_limit_bytes, cycle_start, cycle_end, cycle_bytes, cycle_sms, cycle_sessions, usage_at, activated_at,
        operator_status, operator_changed_at, operator_synced_at, metadata, last_history_seq, last_usage_seq, created_at, updated_at, held_for)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,
             $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43)
         on conflict (reseller_id, sim_id) do update
            set connection_id = excluded.connection_id, iccid = excluded.iccid, iccid_key = excluded.iccid_key, imsi = excluded.imsi,
                msisdn = excluded.msisdn, eid = excluded.eid, imei = excluded.imei, status = excluded.status,
                status_before = excluded.status_before, status_since = excluded.status_since, suspended_by = excluded.suspended_by,
                suspended_reason = excluded.suspended_reason, custody_until = excluded.custody_until, terminates_at = excluded.terminates_at,
                plan_id = excluded.plan_id, is_default_plan = excluded.is_default_plan, operator_plan = excluded.operator_plan, operator_plan_before = excluded.operator_plan_before,
                is_parked = excluded.is_parked,
                communication_plan = excluded.communication_plan, apn = excluded.apn, ip_address = excluded.ip_address,
                sub_client_id = excluded.sub_client_id, device_id = excluded.device_id, data_limit_bytes = excluded.data_limit_bytes,
                cycle_start = excluded.cycle_start, cycle_end = excluded.cycle_end, cycle_bytes = excluded.cycle_bytes,
                cycle_sms = excluded.cycle_sms, cycle_sessions = excluded.cycle_sessions, usage_at = excluded.usage_at,
                activated_at = excluded.activated_at, operator_status = excluded.operator_status,
                operator_changed_at = excluded.operator_changed_at, operator_synced_at = excluded.operator_synced_at,
                metadata = excluded.metadata, last_history_seq = excluded.last_history_seq, last_usage_seq = excluded.last_usage_seq,
                updated_at = excluded.updated_at, held_for = excluded.held_for`,
}

/**
 * Stores the SIM whole: of one that is held, what changed. Violates `sims_iccid_key` where the reseller has this ICCID already, and
 * `sims_device_key` where the device has another SIM.
 */
export async function upsertSim(db: Db, sim: Sim): Promise<void> {
  const key = iccidKey(sim.iccid)
  if (key === undefined) throw new Error(`not an ICCID: ${sim.iccid}`)
  await db.query(UPSERT_SIM, [
    ...[sim.resellerId, sim.simId, sim.connectionId, sim.iccid, key, sim.imsi ?? null, sim.msisdn ?? null, sim.eid ?? null],
    ...[sim.imei ?? null, sim.status, sim.statusBefore ?? null, sim.statusSince, sim.suspendedBy ?? null, sim.suspendedReason ?? null],
    ...[sim.custodyUntil ?? null, sim.terminatesAt ?? null, sim.planId ?? null, sim.isDefaultPlan, sim.operatorPlan ?? null],
    ...[
      sim.operatorPlanBefore ?? null,
      sim.isParked,
      sim.communicationPlan ?? null,
      sim.apn ?? null,
      sim.ipAddress ?? null,
      sim.subClientId ?? null,
    ],
    ...[sim.deviceId ?? null, sim.dataLimitBytes ?? null, sim.cycleStart ?? null, sim.cycleEnd ?? null, sim.cycleBytes, sim.cycleSms],
    ...[sim.cycleSessions, sim.usageAt ?? null, sim.activatedAt ?? null, sim.operatorStatus ?? null, sim.operatorChangedAt ?? null],
    ...[
      sim.operatorSyncedAt ?? null,
      JSON.stringify(sim.metadata),
      sim.lastHistorySeq,
      sim.lastUsageSeq,
      sim.createdAt,
      sim.updatedAt,
      sim.heldFor ?? null,
    ],
  ])
}

type SimRow = {
  reseller_id: string
  sim_id: string
  connection_id: string
  iccid: string
  imsi: string | null
  msisdn: string | null
  eid: string | null
  imei: string | null
  status: SimStatus
  status_before: SimStatus | null
  status_since: Date
  suspended_by: SuspendedBy | null
  suspended_reason: string | null
  held_for: string | null
  custody_until: Date | null
  terminates_at: Date | null
  plan_id: string | null
  is_default_plan: boolean
  operator_plan: string | null
  operator_plan_before: string | null
  is_parked: boolean
  communication_plan: string | null
  apn: string | null
  ip_address: string | null
  sub_client_id: string | null
  device_id: string | null
  data_limit_bytes: string | null
  cycle_start: Date | null
  cycle_end: Date | null
  cycle_bytes: string
  cycle_sms: string
  cycle_sessions: string
  usage_at: Date | null
  activated_at: Date | null
  operator_status: string | null
  operator_changed_at: Date | null
  operator_synced_at: Date | null
  metadata: Record<string, unknown>
  last_history_seq: string
  last_usage_seq: string
  created_at: Date
  updated_at: Date
}
type ShownSimRow = SimRow & {
  device_name: string | null
  operator: OperatorId
  operator_settings: StoredSettings
  pending_kind: SimActionKind | null
  pending_since: Date | null
}

function shownFromRow(row: ShownSimRow): ShownSim {
  const { pending_kind: kind, pending_since: since } = row
  return {
    ...simFromRow(row),
    deviceName: row.device_name ?? undefined,
    connection: { operator: row.operator, settings: row.operator_settings },
    pending: kind === null || since === null ? undefined : { kind, since },
  }
}

function simFromRow(row: SimRow): Sim {
  return {
    resellerId: row.reseller_id,
    simId: row.sim_id,
    connectionId: row.connection_id,
    iccid: row.iccid,
    imsi: row.imsi ?? undefined,
    msisdn: row.msisdn ?? undefined,
    eid: row.eid ?? undefined,
    imei: row.imei ?? undefined,
    status: row.status,
    statusBefore: row.status_before ?? undefined,
    statusSince: row.status_since,
    suspendedBy: row.suspended_by ?? undefined,
    suspendedReason: row.suspended_reason ?? undefined,
    heldFor: row.held_for ?? undefined,
    custodyUntil: row.custody_until ?? undefined,
    terminatesAt: row.terminates_at ?? undefined,
    planId: row.plan_id ?? undefined,
    isDefaultPlan: row.is_default_plan,
    operatorPlan: row.operator_plan ?? undefined,
    operatorPlanBefore: row.operator_plan_before ?? undefined,
    isParked: row.is_parked,
    communicationPlan: row.communication_plan ?? undefined,
    apn: row.apn ?? undefined,
    ipAddress: row.ip_address ?? undefined,
    subClientId: row.sub_client_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    dataLimitBytes: row.data_limit_bytes === null ? undefined : Number(row.data_limit_bytes),
    cycleStart: row.cycle_start ?? undefined,
    cycleEnd: row.cycle_end ?? undefined,
    cycleBytes: Number(row.cycle_bytes),
    cycleSms: Number(row.cycle_sms),
    cycleSessions: Number(row.cycle_sessions),
    usageAt: row.usage_at ?? undefined,
    activatedAt: row.activated_at ?? undefined,
    operatorStatus: row.operator_status ?? undefined,
    operatorChangedAt: row.operator_changed_at ?? undefined,
    operatorSyncedAt: row.operator_synced_at ?? undefined,
    metadata: row.metadata,
    lastHistorySeq: Number(row.last_history_seq),
    lastUsageSeq: Number(row.last_usage_seq),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
