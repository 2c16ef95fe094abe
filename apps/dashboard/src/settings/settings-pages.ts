// The pages under "Settings", in their order. Nobody finds one whose routes their role is refused.

import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { Page } from '../shell/pages.ts'
import { t } from '../text/translate.ts'

const isOwner = ({ role }: Session) => role === 'owner'
/** Who may change what the account does: webhooks, notification rules, prices. */
const isMaker = ({ role }: Session) => role === 'owner' || role === 'member'
/** The plan is that of the whole account. */
const isUnpinned = ({ subClientId }: Session) => subClientId === null
const isAnyone = () => true

export const settingsPages = [
  { to: '/settings/api-keys', label: t('API keys'), isFor: isOwner },
  { to: '/settings/webhooks', label: t('Webhooks'), isFor: isMaker },
  { to: '/settings/stream', label: t('Stream connection'), isFor: isOwner },
  { to: '/settings/requests', label: t('Request log'), isFor: isOwner },
  { to: '/settings/people', label: t('People'), isFor: isOwner },
  { to: '/settings/notifications', label: t('Notification rules'), isFor: isMaker },
  { to: '/settings/brand', label: t('Brand'), isFor: isOwner },
  { to: '/settings/operators', label: t('Operators'), isFor: isOwner },
  { to: '/settings/gateways', label: t('Payment gateways'), isFor: isOwner },
  { to: '/settings/rate-plans', label: t('Rate plans and prices'), isFor: isMaker },
  { to: '/settings/billing', label: t('Invoice data'), isFor: isMaker },
  { to: '/settings/plan', label: t('Plan and data'), isFor: isUnpinned },
  { to: '/settings/audit', label: t('Audit log'), isFor: isOwner },
  { to: '/settings/preferences', label: t('Preferences'), isFor: isAnyone },
] as const satisfies readonly Page[]

export function settingsFor(session: Session): readonly Page[] {
  return settingsPages.filter(({ isFor }) => isFor(session))
}

/** The page that this path leads to, or lies below. */
export function pageAt(pages: readonly Page[], pathname: string): Page | undefined {
  return pages.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
}
