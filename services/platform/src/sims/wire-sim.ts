import type { SimAnomalies } from '@roadworthy/contracts/sim-billing/sim-anomalies'
import type { SimHistoryEntry, Sim as WireSim } from '@roadworthy/contracts/sim-billing/sims'
import { possibleOf } from './actions/plan-step.ts'
import type { ShownAnomaly } from './anomalies/anomalies.sql.ts'
import { anomalyMessage } from './anomalies/anomaly-message.ts'
import { connectionCaps } from './connections/connection-caps.ts'
import type { HistoryEntry } from './history.sql.ts'
import { BYTES_PER_MB, type ShownSim } from './sim.ts'

export function toWireSim(sim: ShownSim): WireSim {
  return {
    id: sim.simId,
    sim_id: sim.simId,
    iccid: sim.iccid,
    imsi: sim.imsi ?? null,
    msisdn: sim.msisdn ?? null,
    eid: sim.eid ?? null,
    imei: sim.imei ?? null,
    connection_id: sim.connectionId,
    operator: sim.connection.operator,
    status: sim.status,
    status_since: sim.statusSince.toISOString(),
    pending_action: sim.pending?.kind ?? null,
    pending_since: sim.pending?.since.toISOString() ?? null,
    possible: possibleOf(sim, connectionCaps(sim.connection)),
    operator_status: sim.operatorStatus ?? null,
    operator_synced_at: sim.operatorSyncedAt?.toISOString() ?? null,
    suspended_by: sim.suspendedBy ?? null,
    suspended_reason: sim.suspendedReason ?? null,
    safe_custody_until: sim.custodyUntil?.toISOString() ?? null,
    terminates_at: sim.terminatesAt?.toISOString() ?? null,
    plan_id: sim.planId ?? null,
    rate_plan: sim.operatorPlan ?? null,
    communication_plan: sim.communicationPlan ?? null,
    apn: sim.apn ?? null,
    ip_address: sim.ipAddress ?? null,
    sub_client_id: sim.subClientId ?? null,
    device_id: sim.deviceId ?? null,
    device_name: sim.deviceName ?? null,
    ...toWireAmounts(sim.cycleBytes),
    sms_count: sim.cycleSms,
    session_count: sim.cycleSessions,
    data_limit_mb: sim.dataLimitBytes === undefined ? null : Math.round(sim.dataLimitBytes / BYTES_PER_MB),
    cycle_start: sim.cycleStart?.toISOString() ?? null,
    cycle_end: sim.cycleEnd?.toISOString() ?? null,
    usage_at: sim.usageAt?.toISOString() ?? null,
    activated_at: sim.activatedAt?.toISOString() ?? null,
    metadata: { ...sim.metadata },
    created_at: sim.createdAt.toISOString(),
    updated_at: sim.updatedAt.toISOString(),
  }
}

/** Megabytes to the millionth, which is about a byte. */
export function toWireAmounts(bytes: number): { data_usage_mb: number; data_usage_bytes: number } {
  return { data_usage_mb: Math.round((bytes / BYTES_PER_MB) * 1e6) / 1e6, data_usage_bytes: bytes }
}

export function toWireHistory(entry: HistoryEntry): SimHistoryEntry {
  return {
    seq: entry.seq,
    at: entry.at.toISOString(),
    change: entry.change,
    status: entry.status,
    sub_client_id: entry.subClientId ?? null,
    device_id: entry.deviceId ?? null,
    plan_id: entry.planId ?? null,
    source: entry.source,
    actor_type: entry.actorType,
    actor_id: entry.actorId,
    reason: entry.reason ?? null,
    action_id: entry.actionId ?? null,
  }
}

export function toWireAnomaly({ kind, detail, openedAt, lastSeenAt }: ShownAnomaly, iccid: string): SimAnomalies['anomalies'][number] {
  return {
    type: kind,
    message: anomalyMessage({ kind, detail }, iccid),
    evidence: detail,
    opened_at: openedAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  }
}
