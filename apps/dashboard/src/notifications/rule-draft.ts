// A rule as it stands in the form, and as the API takes it. Pure.

import type { CreateNotificationRule, NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import type { CreatePersonalNotificationRule } from '@roadworthy/contracts/platform-v1/personal-notification-rules'

/** Times as `HH:MM`. Minutes are NaN where nothing is entered. */
export type RuleDraft = {
  readonly name: string
  readonly minSeverity: NotificationRule['minSeverity']
  readonly subClientId: string | null
  readonly vehicleIds: readonly string[]
  readonly vehicleGroupIds: readonly string[]
  readonly components: readonly string[]
  readonly recipients: readonly string[]
  readonly hasWorkingHours: boolean
  readonly workingDays: readonly number[]
  readonly workingFrom: string
  readonly workingTo: string
  readonly hasQuietHours: boolean
  readonly quietFrom: string
  readonly quietTo: string
  readonly criticalAtAnyHour: boolean
  readonly isRepeated: boolean
  readonly repeatMinutes: number
  readonly isEscalated: boolean
  readonly escalationMinutes: number
  readonly escalationRecipients: readonly string[]
  /** Then hours, repetition and escalation are left out. */
  readonly isDigest: boolean
  readonly digestAt: string
  readonly digestTimeZone: string
}

const WORKDAYS = [1, 2, 3, 4, 5]

export const NEW_RULE: RuleDraft = {
  ...{ name: '', minSeverity: 'high', subClientId: null, vehicleIds: [], vehicleGroupIds: [], components: [], recipients: [] },
  ...{ hasWorkingHours: false, workingDays: WORKDAYS, workingFrom: '08:00', workingTo: '17:00' },
  ...{ hasQuietHours: false, quietFrom: '22:00', quietTo: '06:00', criticalAtAnyHour: true },
  ...{ isRepeated: false, repeatMinutes: 60, isEscalated: false, escalationMinutes: 30, escalationRecipients: [] },
  ...{ isDigest: false, digestAt: '07:30', digestTimeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
}

export function draftOf(rule: NotificationRule): RuleDraft {
  const { workingHours, quietHours, repeatMinutes, escalation, digest, vehicleGroupIds } = rule
  const { name, minSeverity, subClientId, vehicleIds, components, recipients, criticalAtAnyHour } = rule
  return {
    ...{ name, minSeverity, subClientId, vehicleIds: vehicleIds ?? [], components: components ?? [], recipients },
    vehicleGroupIds: vehicleGroupIds ?? [],
    hasWorkingHours: workingHours !== null,
    workingDays: workingHours?.days ?? NEW_RULE.workingDays,
    workingFrom: workingHours?.from ?? NEW_RULE.workingFrom,
    workingTo: workingHours?.to ?? NEW_RULE.workingTo,
    hasQuietHours: quietHours !== null,
    quietFrom: quietHours?.from ?? NEW_RULE.quietFrom,
    quietTo: quietHours?.to ?? NEW_RULE.quietTo,
    criticalAtAnyHour,
    isRepeated: repeatMinutes !== null,
    repeatMinutes: repeatMinutes ?? NEW_RULE.repeatMinutes,
    isEscalated: escalation !== null,
    escalationMinutes: escalation?.afterMinutes ?? NEW_RULE.escalationMinutes,
    escalationRecipients: escalation?.recipients ?? [],
    isDigest: digest !== null,
    digestAt: digest?.at ?? NEW_RULE.digestAt,
    digestTimeZone: digest?.timeZone ?? NEW_RULE.digestTimeZone,
  }
}

export function isWholeDraft(draft: RuleDraft): boolean {
  const { recipients, isDigest, isEscalated, escalationRecipients, escalationMinutes } = draft
  const isWholeEscalation = escalationRecipients.length > 0 && Number.isInteger(escalationMinutes)
  return isWholePersonalDraft(draft) && recipients.length > 0 && (isDigest || !isEscalated || isWholeEscalation)
}

/** Of a person's own rule, which names nobody. */
export function isWholePersonalDraft({ name, isDigest, hasWorkingHours, workingDays, isRepeated, repeatMinutes }: RuleDraft): boolean {
  const hasTimes = (!hasWorkingHours || workingDays.length > 0) && (!isRepeated || Number.isInteger(repeatMinutes))
  return name.trim() !== '' && (isDigest || hasTimes)
}

/** All that a rule says of itself: what is switched off is null, which takes it out of a rule that had it. */
export function requestOf(draft: RuleDraft): Omit<CreateNotificationRule, 'subClientId' | 'enabled'> {
  const { name, minSeverity, vehicleIds, vehicleGroupIds, components, recipients, criticalAtAnyHour } = draft
  return {
    ...{ name: name.trim(), minSeverity, recipients: [...recipients], criticalAtAnyHour },
    vehicleIds: vehicleIds.length === 0 ? null : [...vehicleIds],
    vehicleGroupIds: vehicleGroupIds.length === 0 ? null : [...vehicleGroupIds],
    components: components.length === 0 ? null : [...components],
    ...(draft.isDigest ? DIGEST_ALONE : singleMessagesOf(draft)),
    digest: draft.isDigest ? { at: draft.digestAt, timeZone: draft.digestTimeZone } : null,
  }
}

export function personalRequestOf(draft: RuleDraft): CreatePersonalNotificationRule {
  const { recipients: _, escalation: _escalation, ...fields } = requestOf(draft)
  return fields
}

const DIGEST_ALONE = { workingHours: null, quietHours: null, repeatMinutes: null, escalation: null }

function singleMessagesOf(draft: RuleDraft): Pick<NotificationRule, keyof typeof DIGEST_ALONE> {
  return {
    workingHours: draft.hasWorkingHours
      ? { days: [...draft.workingDays].sort((a, b) => a - b), from: draft.workingFrom, to: draft.workingTo }
      : null,
    quietHours: draft.hasQuietHours ? { from: draft.quietFrom, to: draft.quietTo } : null,
    repeatMinutes: draft.isRepeated ? draft.repeatMinutes : null,
    escalation: draft.isEscalated ? { afterMinutes: draft.escalationMinutes, recipients: [...draft.escalationRecipients] } : null,
  }
}

/** Each quarter of an hour, as the API takes times; the end of the day where something may last until then. */
export function quarterHours(isEnd: boolean): string[] {
  const times = Array.from({ length: 96 }, (_, nth) => `${pad(Math.floor(nth / 4))}:${pad((nth % 4) * 15)}`)
  return isEnd ? [...times, '24:00'] : times
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
