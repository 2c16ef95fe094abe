// As the Platform API shows rules and what was sent by them.

import type { NotificationChannel, NotificationChannelTest } from '@roadworthy/contracts/platform-v1/notification-channels'
import type { NotificationRule, Notification as WireNotification } from '@roadworthy/contracts/platform-v1/notifications'
import type { PersonalNotificationRule } from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import type { PushSubscription as WireSubscription } from '@roadworthy/contracts/platform-v1/push-subscriptions'
import type { PushSubscription } from './browsers/push-subscription.ts'
import type { Channel } from './channels/channel.ts'
import type { Notification } from './notification.ts'
import type { Rule } from './rules/rule.ts'
import type { IncidentReference } from './subject-name.read.sql.ts'

export function toPlatformRule(rule: Rule): NotificationRule {
  const { escalation } = rule
  return {
    ...ruleFields(rule),
    recipients: [...rule.recipients],
    escalation: escalation === undefined ? null : { ...escalation, recipients: [...escalation.recipients] },
  }
}

/** As the person whom it reaches sees it: who else it reaches is not theirs to know. */
export function toPersonalRule(rule: Rule, userId: string): PersonalNotificationRule {
  const isFirst = rule.recipients.includes(userId)
  return { ...ruleFields(rule), own: rule.ownerId === userId, afterMinutes: isFirst ? null : (rule.escalation?.afterMinutes ?? null) }
}

function ruleFields(rule: Rule): Omit<NotificationRule, 'recipients' | 'escalation'> {
  const { workingHours } = rule
  return {
    id: rule.ruleId,
    name: rule.name,
    subClientId: rule.subClientId ?? null,
    enabled: rule.isEnabled,
    minSeverity: rule.minSeverity,
    components: rule.components === undefined ? null : [...rule.components],
    vehicleIds: rule.vehicleIds === undefined ? null : [...rule.vehicleIds],
    vehicleGroupIds: rule.vehicleGroupIds === undefined ? null : [...rule.vehicleGroupIds],
    workingHours: workingHours === undefined ? null : { ...workingHours, days: [...workingHours.days] },
    quietHours: rule.quietHours === undefined ? null : { ...rule.quietHours },
    criticalAtAnyHour: rule.criticalAtAnyHour,
    repeatMinutes: rule.repeatMinutes ?? null,
    digest: rule.digest === undefined ? null : { ...rule.digest },
    createdAt: rule.createdAt.toISOString(),
    updatedAt: rule.updatedAt.toISOString(),
  }
}

export function toPlatformNotification(notification: Notification, about: IncidentReference | undefined): WireNotification {
  return {
    id: notification.notificationId,
    ruleId: notification.ruleId ?? null,
    incidentId: notification.incidentId ?? null,
    vehicleId: about?.vehicleId ?? null,
    incidentTitle: about?.title ?? null,
    subClientId: notification.subClientId ?? null,
    step: notification.step,
    recipient: notification.userId ?? notification.recipient,
    browserId: notification.userId === undefined ? null : notification.recipient,
    status: notification.status,
    attemptCount: notification.attemptCount,
    nextAttemptAt: notification.status === 'pending' ? notification.nextAttemptAt.toISOString() : null,
    error: notification.error ?? null,
    createdAt: notification.createdAt.toISOString(),
    sentAt: notification.sentAt?.toISOString() ?? null,
    acknowledgedAt: notification.acknowledgedAt?.toISOString() ?? null,
  }
}

export function toPlatformChannel(channel: Channel): NotificationChannel {
  const { channelId, name, kind, subClientId, language, units, shownTarget, createdAt, updatedAt } = channel
  return {
    ...{ id: channelId, name, kind, subClientId: subClientId ?? null, language, units, target: shownTarget },
    ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
  }
}

export function toPlatformTest(id: string, { notificationId, status, error }: Notification): NotificationChannelTest {
  const shown = status === 'sent' || status === 'failed' || status === 'uncertain' ? status : ('sending' as const)
  return { id, notificationId, status: shown, error: error ?? null }
}

export function toPlatformPushSubscription({ subscriptionId, name, host, endpointSha256, createdAt }: PushSubscription): WireSubscription {
  return { ...{ id: subscriptionId, name, host }, endpointSha256: endpointSha256.toString('hex'), createdAt: createdAt.toISOString() }
}
