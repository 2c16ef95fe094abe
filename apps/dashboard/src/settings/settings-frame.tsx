import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sessionQuery } from '../api/queries.ts'
import { Message } from '../shell/message.tsx'
import type { Page } from '../shell/pages.ts'
import { t } from '../text/translate.ts'
import { pageAt, settingsFor } from './settings-pages.ts'

/** Around the pages of the settings. A page that is not for this person is not shown, so it asks for nothing that would be refused. */
export function SettingsFrame() {
  const session = useQuery(sessionQuery).data?.session ?? null
  // Of the page that is there, not of the one that is on its way.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' }).replace(/\/$/, '')
  const pages = session === null ? [] : settingsFor(session)
  const isIndex = pathname === '/settings'
  const first = pages[0]
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
      <SubNavigation pages={pages} current={current} />
      <Outlet />
    </div>
  )
}

function SubNavigation({ pages, current: { to: where } }: { pages: readonly Page[]; current: Page }) {
  const bar = useRef<HTMLElement>(null)
  // On a phone the row is wider than the screen, and the page that is shown may be far along it.
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>(`a[href$="${where}"]`)
    if (bar.current === null || !link) return
    bar.current.scrollLeft = link.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2
  }, [where])
  return (
    <nav aria-label={t('Settings')} className="sub-navigation" ref={bar}>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
