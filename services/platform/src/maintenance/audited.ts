import type { AuditedFields } from '../audit/audit.ts'
import type { MaintenanceRecord } from './maintenance-record.ts'
import type { SchedulePlan } from './schedule.ts'

/** What the audit log holds of a record. */
export function auditedRecord(record: MaintenanceRecord): AuditedFields {
  const { resellerId: _reseller, maintenanceId: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = record
  return fields
}

/** What the audit log holds of a schedule: what people set, not what follows from it. */
export function auditedPlan({ component, title, every, remind, last }: SchedulePlan): AuditedFields {
  return { component, title, every, remind, last }
}
