// The pages of the navigation, in its order. On a small screen the first ones stand side by side at the bottom, and a button opens the others.

import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { LinkProps } from '@tanstack/react-router'
import { t } from '../text/translate.ts'

export type Page = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  /** Of people who would be refused there it returns false. */
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

/** More do not fit beside each other on a phone 360 pixels wide, in any of the languages; one place is that of the button. */
const BAR_PLACES = 5

/** On a small screen: the pages of the bar at the bottom, and those that its button opens. */
export function pagesOfBar(groups: readonly PageGroup[]): { readonly bar: readonly Page[]; readonly others: readonly PageGroup[] } {
  const all = groups.flatMap(({ pages }) => pages)
  const bar = all.slice(0, all.length > BAR_PLACES ? BAR_PLACES - 1 : BAR_PLACES)
  const others = groups.map(({ label, pages }) => ({ label, pages: pages.filter((page) => !bar.includes(page)) }))
  return { bar, others: others.filter(({ pages }) => pages.length > 0) }
}
