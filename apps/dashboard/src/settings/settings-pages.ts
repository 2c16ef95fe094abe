// The pages under "Settings", in their order. Nobody finds one whose routes their role is refused.

import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { Page } from '../shell/pages.ts'

const isOwner = ({ role }: Session) => role === 'owner'

export const settingsPages = [
  { to: '/settings/api-keys', label: 'API keys', isFor: isOwner },
  { to: '/settings/people', label: 'People', isFor: isOwner },
  { to: '/settings/audit', label: 'Audit log', isFor: isOwner },
] as const satisfies readonly Page[]

export function settingsFor(session: Session): readonly Page[] {
  return settingsPages.filter(({ isFor }) => isFor(session))
}

export function hasSettings(session: Session): boolean {
  return settingsFor(session).length > 0
}

/** The page that this path leads to, or lies below. */
export function pageAt(pages: readonly Page[], pathname: string): Page | undefined {
  return pages.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
}
