import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { sessionQuery } from '../api/queries.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import type { Page } from '../shell/pages.ts'
import { t } from '../text/translate.ts'
import { pageAt, settingsFor } from './settings-pages.ts'

/** As in `styles/parts.css`. Narrower, the sections do not fit beside each other. */
const PHONE = '(max-width: 47.99em)'

/** Around the pages of the settings. A page that is not for this person is not shown, so it asks for nothing that would be refused. */
export function SettingsFrame() {
  const session = useQuery(sessionQuery).data?.session ?? null
  // Of the page that is there, not of the one that is on its way.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' }).replace(/\/$/, '')
  const pages = session === null ? [] : settingsFor(session)
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false
  const isIndex = pathname === '/settings'
  const first = pages[0]
  // A list of one section would be a detour.
  const isListed = isPhone && pages.length > 1
  if (isIndex && isListed) return <SectionList pages={pages} />
  if (isIndex && first !== undefined) return <Navigate to={first.to} replace />
  const current = pageAt(pages, pathname)
  if (current === undefined) {
    return (
      <Message title={t('This page is not for your role')} isPage>
        {t('Ask an owner of your account.')}
      </Message>
    )
  }
  return (
    <div className="page">
      {isListed ? <WayBack /> : <SubNavigation pages={pages} />}
      <Outlet />
    </div>
  )
}

function SubNavigation({ pages }: { pages: readonly Page[] }) {
  return (
    <nav aria-label={t('Settings')} className="sub-navigation">
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** On a phone: all sections below each other. */
function SectionList({ pages }: { pages: readonly Page[] }) {
  return (
    <div className="page">
      <PageHeading title={t('Settings')} />
      <nav aria-label={t('Settings')} className="section-list">
        <ul>
          {pages.map(({ to, label }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** On a phone: from a section to the list of them. */
function WayBack() {
  return (
    <nav aria-label={t('Settings')} className="way-back">
      <Link to="/settings">{t('All settings')}</Link>
    </nav>
  )
}
