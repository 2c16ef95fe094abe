import { type Severity, severityRank } from '@roadworthy/signals/severity'
import type { Digest } from '../digests/digest.ts'

/** On these days of the week, from Monday as 1; times as `08:15`, `24:00` being the end of the day. */
export type WorkingHours = { readonly days: readonly number[]; readonly from: string; readonly to: string }
/** Every day; over midnight where they end earlier than they begin. */
export type QuietHours = { readonly from: string; readonly to: string }

/** Who is sent a message about what, when. Times are as clocks on the wall show them in the zone of the reseller. */
export type Rule = {
  readonly ruleId: string
  readonly name: string
  /** Whose own rule it is: it sends to this person alone. Undefined: a rule of the reseller or of a sub-client. */
  readonly ownerId: string | undefined
  /** Only incidents of this sub-client; undefined: of the whole fleet. Of a person's own rule, the sub-client of the person as it is now. */
  readonly subClientId: string | undefined
  readonly isEnabled: boolean
  readonly minSeverity: Severity
  /** Undefined: any. */
  readonly components: readonly string[] | undefined
  /** Those and the vehicles of the groups; both undefined: any. */
  readonly vehicleIds: readonly string[] | undefined
  readonly vehicleGroupIds: readonly string[] | undefined
  /** Ids of users and of channels. */
  readonly recipients: readonly string[]
  readonly workingHours: WorkingHours | undefined
  readonly quietHours: QuietHours | undefined
  /** What is critical waits for no hour. */
  readonly criticalAtAnyHour: boolean
  /** Sent again after so long, as long as the incident is open. */
  readonly repeatMinutes: number | undefined
  /** Sent to others when nobody acknowledged the incident so long after the first message. */
  readonly escalation: { readonly afterMinutes: number; readonly recipients: readonly string[] } | undefined
  /** One message a day about everything, instead of one for each incident. */
  readonly digest: Digest | undefined
  /** What happened until then was in a digest, or was before the rule had one. Set with `digest`. */
  readonly digestedUntil: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A rule that a person made for themself, and can end (`manage-personal-rules.ts`). */
export function isPersonalRuleId(ruleId: string | undefined): boolean {
  return ruleId?.startsWith('nrp-') === true
}

export type DigestRule = Rule & { readonly digest: Digest; readonly digestedUntil: Date }

/** Whether the rule sends digests now. */
export function isDigestRule(rule: Rule): rule is DigestRule {
  return rule.isEnabled && rule.digest !== undefined && rule.digestedUntil !== undefined
}

/** What of an incident decides whether a rule is about it. */
export type RuledIncident = {
  readonly subClientId: string | undefined
  readonly severity: Severity
  readonly component: string
  readonly vehicleId: string | undefined
  /** That its vehicle is in. */
  readonly groupIds: readonly string[]
  readonly openedAt: Date
  readonly updatedAt: Date
}

/** Whether it sends single messages about the incident. A rule is about what opens or changes after it was made: making one sends no message about everything that is open. */
export function isAbout(rule: Rule, incident: RuledIncident): boolean {
  const { subClientId, minSeverity, components, isEnabled, digest, createdAt } = rule
  return (
    isEnabled &&
    digest === undefined &&
    (subClientId === undefined || subClientId === incident.subClientId) &&
    severityRank[incident.severity] >= severityRank[minSeverity] &&
    (components === undefined || components.some((component) => partKey(component) === partKey(incident.component))) &&
    isAboutVehicle(rule, incident) &&
    (incident.openedAt >= createdAt || incident.updatedAt >= createdAt)
  )
}

/** Why a message is not sent that waited when the rule was changed. */
export const NOT_NAMED = 'The rule does not name the recipient any more.'

/** Whether the rule sends to the person or channel of a message, or to the person whose browser it is for. */
export function isNamedBy(
  { recipients, escalation }: Pick<Rule, 'recipients' | 'escalation'>,
  { recipient, userId }: { readonly recipient: string; readonly userId: string | undefined },
): boolean {
  return [...recipients, ...(escalation?.recipients ?? [])].includes(userId ?? recipient)
}

/** The same of `air filter`, `air-filter` and `air_filter`: people write the parts that they name themselves in one way here and in another there. */
export function partKey(component: string): string {
  return component.replace(/[ -]/g, '_')
}

function isAboutVehicle({ vehicleIds, vehicleGroupIds }: Rule, { vehicleId, groupIds }: RuledIncident): boolean {
  if (vehicleIds === undefined && vehicleGroupIds === undefined) return true
  if (vehicleId === undefined) return false
  return (vehicleIds?.includes(vehicleId) ?? false) || groupIds.some((groupId) => vehicleGroupIds?.includes(groupId))
}
