import type { Db } from '@roadworthy/service-kit/db'
import type { Severity } from '@roadworthy/signals/severity'
import type { QuietHours, Rule, WorkingHours } from './rule.ts'

/** Those of the whole reseller and of its sub-clients. */
export async function selectEnabledRules(db: Db, resellerId: string): Promise<Rule[]> {
  const { rows } = await db.query<RuleRow>(
    'select * from notification_rules where reseller_id = $1 and is_enabled order by created_at, rule_id',
    [resellerId],
  )
  return rows.map(ruleFromRow)
}

/** Which of these resellers have a rule that is enabled. */
export async function selectRuledResellersAcrossResellers(db: Db, resellerIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ reseller_id: string }>(
    'select distinct reseller_id from notification_rules where reseller_id = any ($1) and is_enabled',
    [resellerIds],
  )
  return new Set(rows.map((row) => row.reseller_id))
}

type RuleRow = {
  rule_id: string
  name: string
  sub_client_id: string | null
  is_enabled: boolean
  min_severity: Severity
  components: string[] | null
  vehicle_ids: string[] | null
  recipients: string[]
  working_hours: WorkingHours | null
  quiet_hours: QuietHours | null
  critical_at_any_hour: boolean
  repeat_minutes: number | null
  escalation_minutes: number | null
  escalation_recipients: string[] | null
  created_at: Date
  updated_at: Date
}

function ruleFromRow(row: RuleRow): Rule {
  const { escalation_minutes: afterMinutes, escalation_recipients: recipients } = row
  return {
    ruleId: row.rule_id,
    name: row.name,
    subClientId: row.sub_client_id ?? undefined,
    isEnabled: row.is_enabled,
    minSeverity: row.min_severity,
    components: row.components ?? undefined,
    vehicleIds: row.vehicle_ids ?? undefined,
    recipients: row.recipients,
    workingHours: row.working_hours ?? undefined,
    quietHours: row.quiet_hours ?? undefined,
    criticalAtAnyHour: row.critical_at_any_hour,
    repeatMinutes: row.repeat_minutes ?? undefined,
    escalation: afterMinutes === null || recipients === null ? undefined : { afterMinutes, recipients },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
