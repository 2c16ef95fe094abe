export type NotificationStatus = 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled'

/** One message to one recipient, from the decision to what came of it. */
export type Notification = {
  readonly notificationId: string
  /** Undefined: a test of a channel. */
  readonly ruleId: string | undefined
  /** Undefined: a digest, or a test. */
  readonly incidentId: string | undefined
  readonly subClientId: string | undefined
  /** Of a digest: what it is about. */
  readonly window: { readonly from: Date; readonly until: Date } | undefined
  readonly step: string
  /** A user, a channel, or a browser of a user. */
  readonly recipient: string
  /** Whose browser it is; undefined: the recipient is none. */
  readonly userId: string | undefined
  readonly status: NotificationStatus
  readonly attemptCount: number
  readonly nextAttemptAt: Date
  readonly error: string | undefined
  readonly createdAt: Date
  readonly sentAt: Date | undefined
  /** When the link in it was used to acknowledge the incident. */
  readonly acknowledgedAt: Date | undefined
}

/** After the first attempt, the second, … Assumption: mail servers that turn away a stranger take the message within minutes, and one that is down is back within hours. */
const RETRY_AFTER_MINUTES = [1, 5, 30, 120]

/** Undefined: no more attempts. */
export function nextAttemptAfter(attemptCount: number, at: Date): Date | undefined {
  const minutes = RETRY_AFTER_MINUTES[attemptCount - 1]
  return minutes === undefined ? undefined : new Date(at.getTime() + minutes * 60_000)
}
