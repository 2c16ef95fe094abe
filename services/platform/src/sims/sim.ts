import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AuditedFields } from '../audit/audit.ts'
import type { StoredSettings } from './connections/connection.ts'
import type { OperatorId, SimStatus } from './operators/operator.ts'
import type { SimActionKind } from './sim-states.ts'

export type SuspendedBy = 'customer' | 'system' | 'operator'

export type Sim = {
  readonly resellerId: string
  readonly simId: string
  readonly connectionId: string
  /** As the operator gives it. */
  readonly iccid: string
  readonly imsi: string | undefined
  readonly msisdn: string | undefined
  readonly eid: string | undefined
  /** Of the device that the operator saw it in. */
  readonly imei: string | undefined
  readonly status: SimStatus
  /** What `terminating` goes back to. */
  readonly statusBefore: SimStatus | undefined
  readonly statusSince: Date
  readonly suspendedBy: SuspendedBy | undefined
  readonly suspendedReason: string | undefined
  /** While it is suspended for an overdue invoice: the sub-client that owed. */
  readonly heldFor: string | undefined
  readonly custodyUntil: Date | undefined
  readonly terminatesAt: Date | undefined
  readonly planId: string | undefined
  /** It has its plan as the default of its connection. */
  readonly isDefaultPlan: boolean
  readonly operatorPlan: string | undefined
  /** The operator's plan to go back to after safe custody. */
  readonly operatorPlanBefore: string | undefined
  /** The operator has it in safe custody, also where that is over here. */
  readonly isParked: boolean
  readonly communicationPlan: string | undefined
  readonly apn: string | undefined
  readonly ipAddress: string | undefined
  readonly subClientId: string | undefined
  readonly deviceId: string | undefined
  readonly dataLimitBytes: number | undefined
  /** Of the cycle that runs at the operator; cumulative. */
  readonly cycleStart: Date | undefined
  readonly cycleEnd: Date | undefined
  readonly cycleBytes: number
  readonly cycleSms: number
  readonly cycleSessions: number
  readonly usageAt: Date | undefined
  readonly activatedAt: Date | undefined
  /** As the operator spells it. */
  readonly operatorStatus: string | undefined
  readonly operatorChangedAt: Date | undefined
  readonly operatorSyncedAt: Date | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  /** Of the newest rows of its history and its usage. */
  readonly lastHistorySeq: number
  readonly lastUsageSeq: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A SIM as it is shown: with the name of its device, and what is asked of its operator at the moment. */
export type ShownSim = Sim & {
  readonly deviceName: string | undefined
  readonly connection: { readonly operator: OperatorId; readonly settings: StoredSettings }
  readonly pending: { readonly kind: SimActionKind; readonly since: Date } | undefined
}

/** Spec gap §2.10: a megabyte of `data_usage_mb` is 2^20 bytes, as operators count it. */
export const BYTES_PER_MB = 1_048_576

/** What the audit log holds of it. */
export function auditedSim(sim: Sim): AuditedFields {
  const { status, suspendedBy, suspendedReason, custodyUntil, terminatesAt, planId, isDefaultPlan, ...rest } = sim
  const { subClientId, deviceId, dataLimitBytes, metadata } = rest
  const state = { status, suspendedBy, suspendedReason, custodyUntil, terminatesAt }
  return { ...state, planId, isDefaultPlan, subClientId, deviceId, dataLimitBytes, metadata }
}

/** The same for one that never was, one of another reseller, and one outside the caller's pin. */
export function noSuchSim(): Problem {
  return new Problem('not_found', 'There is no SIM with this id, ICCID or number.')
}
