// As the Platform API shows rules and what was sent by them.

import type { NotificationRule, Notification as WireNotification } from '@roadworthy/contracts/platform-v1/notifications'
import type { Notification } from './notification.ts'
import type { Rule } from './rule.ts'

export function toPlatformRule(rule: Rule): NotificationRule {
  const { workingHours, escalation } = rule
  return {
    id: rule.ruleId,
    name: rule.name,
    subClientId: rule.subClientId ?? null,
    enabled: rule.isEnabled,
    minSeverity: rule.minSeverity,
    components: rule.components === undefined ? null : [...rule.components],
    vehicleIds: rule.vehicleIds === undefined ? null : [...rule.vehicleIds],
    recipients: [...rule.recipients],
    workingHours: workingHours === undefined ? null : { ...workingHours, days: [...workingHours.days] },
    quietHours: rule.quietHours === undefined ? null : { ...rule.quietHours },
    criticalAtAnyHour: rule.criticalAtAnyHour,
    repeatMinutes: rule.repeatMinutes ?? null,
    escalation: escalation === undefined ? null : { ...escalation, recipients: [...escalation.recipients] },
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  }
}

export function toPlatformNotification(notification: Notification): WireNotification {
  return {
    id: notification.notificationId,
    ruleId: notification.ruleId,
    incidentId: notification.incidentId ?? null,
    subClientId: notification.subClientId ?? null,
    step: notification.step,
    recipient: notification.recipient,
    status: notification.status,
    attemptCount: notification.attemptCount,
    nextAttemptAt: notification.status === 'pending' ? notification.nextAttemptAt.toISOString() : null,
    error: notification.error ?? null,
    createdAt: notification.createdAt.toISOString(),
    sentAt: notification.sentAt?.toISOString() ?? null,
  }
}
