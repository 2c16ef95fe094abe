// What the log is narrowed down to, as it stands in the address.

import type { Notification } from '@roadworthy/contracts/platform-v1/notifications'

export const logStatuses = [
  'pending',
  'sending',
  'sent',
  'failed',
  'uncertain',
  'cancelled',
] as const satisfies readonly Notification['status'][]

export type NotificationsSearch = { readonly status?: Notification['status']; readonly ruleId?: string }

export function readNotificationsSearch({ status, ruleId }: Record<string, unknown>): NotificationsSearch {
  const known = logStatuses.find((each) => each === status)
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(typeof ruleId === 'string' && /^nrl-[a-z0-9]{1,40}$/.test(ruleId) ? { ruleId } : {}),
  }
}
