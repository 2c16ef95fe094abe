import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Severity } from '@roadworthy/signals/severity'
import type { Viewer } from '../../fleet/viewer.ts'
import type { Digest } from '../digests/digest.ts'
import type { QuietHours, Rule, WorkingHours } from './rule.ts'

/** With the sub-client of the person whose own rule it is. */
const RULES = 'notification_rules r left join users u on u.reseller_id = r.reseller_id and u.user_id = r.owner_id'
const COLUMNS = 'r.*, u.sub_client_id as owner_sub_client_id'

/** Held to the end of the transaction: rules of a reseller are counted and added by one at a time. */
export async function lockRuleCount(db: Db, resellerId: string): Promise<number> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('notification_rules ' || $1, 0))", [resellerId])
  return await countRules(db, { resellerId, subClientPin: undefined })
}

/** Held to the end of the transaction: a person's own rules are counted and added by one at a time. */
export async function lockPersonalRuleCount(db: Db, resellerId: string, ownerId: string): Promise<number> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('personal_rules ' || $1 || ' ' || $2, 0))", [resellerId, ownerId])
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from notification_rules where reseller_id = $1 and owner_id = $2',
    [resellerId, ownerId],
  )
  return rows[0]?.count ?? 0
}

/** Those of nobody in particular. */
export async function countRules(db: Db, { resellerId, subClientPin }: Viewer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from notification_rules
      where reseller_id = $1 and owner_id is null and ($2::text is null or sub_client_id = $2)`,
    [resellerId, subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/** Those of nobody in particular, oldest first. One more than asked. */
export async function selectRules(db: Db, { resellerId, subClientPin }: Viewer, page: PageRequest): Promise<Rule[]> {
  const { rows } = await db.query<RuleRow>(
    `select ${COLUMNS}
       from ${RULES}
      where r.reseller_id = $1 and r.owner_id is null and ($2::text is null or r.sub_client_id = $2)
        and (r.created_at, r.rule_id) > ($3::timestamptz, $4)
      order by r.created_at, r.rule_id
      limit $5`,
    [resellerId, subClientPin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(ruleFromRow)
}

/** Their own, and enabled ones that name them. Oldest first. */
export async function selectRulesThatReach(db: Db, resellerId: string, userId: string): Promise<Rule[]> {
  const { rows } = await db.query<RuleRow>(
    `select ${COLUMNS}
       from ${RULES}
      where r.reseller_id = $1
        and (r.owner_id = $2 or (r.owner_id is null and r.is_enabled and (r.recipients @> array[$2] or r.escalation_recipients @> array[$2])))
      order by r.created_at, r.rule_id`,
    [resellerId, userId],
  )
  return rows.map(ruleFromRow)
}

export async function selectRule(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  ruleId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<Rule | undefined> {
  const { rows } = await db.query<RuleRow>(
    `select ${COLUMNS}
       from ${RULES}
      where r.reseller_id = $1 and r.rule_id = $2 and ($3::text is null or r.sub_client_id = $3)
      ${lock === 'locked' ? 'for update of r' : ''}`,
    [resellerId, ruleId, subClientPin ?? null],
  )
  return rows.map(ruleFromRow)[0]
}

/** Writes all of a rule, that of before or a new one. */
export async function upsertRule(db: Db, resellerId: string, rule: Rule): Promise<void> {
  await db.query(
    `insert into notification_rules (reseller_id, rule_id, name, sub_client_id, is_enabled, min_severity, components, vehicle_ids, recipients,
                                     working_hours, quiet_hours, critical_at_any_hour, repeat_minutes, escalation_minutes,
                                     escalation_recipients, digest, digested_until, created_at, updated_at, vehicle_group_ids,
                                     owner_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
         on conflict (reseller_id, rule_id) do update
            set name = excluded.name, is_enabled = excluded.is_enabled, min_severity = excluded.min_severity, components = excluded.components,
                vehicle_ids = excluded.vehicle_ids, vehicle_group_ids = excluded.vehicle_group_ids, recipients = excluded.recipients, working_hours = excluded.working_hours,
                quiet_hours = excluded.quiet_hours, critical_at_any_hour = excluded.critical_at_any_hour,
                repeat_minutes = excluded.repeat_minutes, escalation_minutes = excluded.escalation_minutes,
                escalation_recipients = excluded.escalation_recipients, digest = excluded.digest, digested_until = excluded.digested_until, updated_at = excluded.updated_at`,
    [
      ...[
        resellerId,
        rule.ruleId,
        rule.name,
        rule.ownerId === undefined ? (rule.subClientId ?? null) : null,
        rule.isEnabled,
        rule.minSeverity,
        rule.components ?? null,
      ],
      ...[rule.vehicleIds ?? null, rule.recipients, rule.workingHours ?? null, rule.quietHours ?? null, rule.criticalAtAnyHour],
      ...[rule.repeatMinutes ?? null, rule.escalation?.afterMinutes ?? null, rule.escalation?.recipients ?? null],
      ...[
        rule.digest ?? null,
        rule.digestedUntil ?? null,
        rule.createdAt,
        rule.updatedAt,
        rule.vehicleGroupIds ?? null,
        rule.ownerId ?? null,
      ],
    ],
  )
}

export async function updateDigestedUntil(db: Db, resellerId: string, ruleId: string, until: Date): Promise<void> {
  await db.query('update notification_rules set digested_until = $3 where reseller_id = $1 and rule_id = $2', [resellerId, ruleId, until])
}

export async function deleteRule(db: Db, resellerId: string, ruleId: string): Promise<void> {
  await db.query('delete from notification_rules where reseller_id = $1 and rule_id = $2', [resellerId, ruleId])
}

/** Those of the whole reseller, of its sub-clients, and of people who were not deactivated. */
export async function selectEnabledRules(db: Db, resellerId: string): Promise<Rule[]> {
  const { rows } = await db.query<RuleRow>(
    `select ${COLUMNS}
       from ${RULES}
      where r.reseller_id = $1 and r.is_enabled and u.deactivated_at is null
      order by r.created_at, r.rule_id`,
    [resellerId],
  )
  return rows.map(ruleFromRow)
}

/** Incidents of which messages wait for a time, and those that live and of which this rule has sent something. */
export async function selectIncidentsToDecideAnew(
  db: Db,
  { resellerId, jobKind, ruleId }: { readonly resellerId: string; readonly jobKind: string; readonly ruleId: string },
): Promise<string[]> {
  const { rows } = await db.query<{ incident_id: string }>(
    `select key as incident_id from jobs where reseller_id = $1 and kind = $2
      union
     select i.incident_id
       from incidents i
      where i.reseller_id = $1 and i.status <> 'resolved'
        and exists (select from notifications n where n.reseller_id = i.reseller_id and n.incident_id = i.incident_id and n.rule_id = $3)`,
    [resellerId, jobKind, ruleId],
  )
  return rows.map((row) => row.incident_id)
}

/** Which of these resellers have a rule that sends single messages. */
export async function selectRuledResellersAcrossResellers(db: Db, resellerIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ reseller_id: string }>(
    'select distinct reseller_id from notification_rules where reseller_id = any ($1) and is_enabled and digest is null',
    [resellerIds],
  )
  return new Set(rows.map((row) => row.reseller_id))
}

type RuleRow = {
  rule_id: string
  name: string
  owner_id: string | null
  sub_client_id: string | null
  owner_sub_client_id: string | null
  is_enabled: boolean
  min_severity: Severity
  components: string[] | null
  vehicle_ids: string[] | null
  vehicle_group_ids: string[] | null
  recipients: string[]
  working_hours: WorkingHours | null
  quiet_hours: QuietHours | null
  critical_at_any_hour: boolean
  repeat_minutes: number | null
  escalation_minutes: number | null
  escalation_recipients: string[] | null
  digest: Digest | null
  digested_until: Date | null
  created_at: Date
  updated_at: Date
}

function ruleFromRow(row: RuleRow): Rule {
  const { escalation_minutes: afterMinutes, escalation_recipients: recipients } = row
  return {
    ruleId: row.rule_id,
    name: row.name,
    ownerId: row.owner_id ?? undefined,
    subClientId: row.sub_client_id ?? row.owner_sub_client_id ?? undefined,
    isEnabled: row.is_enabled,
    minSeverity: row.min_severity,
    components: row.components ?? undefined,
    vehicleIds: row.vehicle_ids ?? undefined,
    vehicleGroupIds: row.vehicle_group_ids ?? undefined,
    recipients: row.recipients,
    workingHours: row.working_hours ?? undefined,
    quietHours: row.quiet_hours ?? undefined,
    criticalAtAnyHour: row.critical_at_any_hour,
    repeatMinutes: row.repeat_minutes ?? undefined,
    escalation: afterMinutes === null || recipients === null ? undefined : { afterMinutes, recipients },
    digest: row.digest ?? undefined,
    digestedUntil: row.digested_until ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
