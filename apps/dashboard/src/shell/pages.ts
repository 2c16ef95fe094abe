// The pages of the navigation, in its order. On a phone they stand side by side at the bottom, the first ones within reach without scrolling.

import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { LinkProps } from '@tanstack/react-router'
import { t } from '../text/translate.ts'

export type Page = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  /** Of people who would be refused there it says no. */
  readonly isFor?: (session: Session) => boolean
}

export type PageGroup = { readonly label: string; readonly pages: readonly Page[] }

const pageGroups: readonly PageGroup[] = [
  {
    label: t('Vehicles'),
    pages: [
      { to: '/', label: t('Overview') },
      { to: '/fleet', label: t('Fleet') },
      { to: '/alerts', label: t('Alerts') },
      { to: '/maintenance', label: t('Maintenance') },
      { to: '/devices', label: t('Devices') },
      { to: '/groups', label: t('Groups') },
      { to: '/models', label: t('Models') },
    ],
  },
  {
    label: t('Business'),
    pages: [
      { to: '/sub-clients', label: t('Sub-clients'), isFor: ({ subClientId }) => subClientId === null },
      { to: '/sims', label: t('SIMs') },
      { to: '/invoices', label: t('Invoices') },
      { to: '/usage', label: t('Usage') },
    ],
  },
  { label: t('Account'), pages: [{ to: '/settings', label: t('Settings') }] },
]

/** What this person finds in the navigation; a group without pages is not there. */
export function groupsFor(session: Session, groups: readonly PageGroup[] = pageGroups): readonly PageGroup[] {
  return groups
    .map(({ label, pages }) => ({ label, pages: pages.filter(({ isFor }) => isFor?.(session) ?? true) }))
    .filter(({ pages }) => pages.length > 0)
}
