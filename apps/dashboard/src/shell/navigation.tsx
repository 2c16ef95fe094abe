import { Badge, VisuallyHidden } from '@mantine/core'
import { useClickOutside, useHotkeys, useMediaQuery } from '@mantine/hooks'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { incidentCountQuery } from '../api/incident-queries.ts'
import { t } from '../text/translate.ts'
import { groupsFor, type Page, type PageGroup, pagesOfBar } from './pages.ts'

/** As in `styles/small-screens.css`. */
const SMALL = '(max-width: 900px)'

/** On the left; on a small screen at the bottom, where the thumb is. */
export function Navigation({ session }: { session: Session }) {
  const openCount = useQuery(incidentCountQuery({ status: 'open' })).data
  const isSmall = useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false }) ?? false
  const groups = groupsFor(session)
  return (
    <nav aria-label={t('Pages')} className="navigation">
      {isSmall ? <Bar groups={groups} openCount={openCount ?? 0} /> : <Groups groups={groups} openCount={openCount ?? 0} />}
      <VisuallyHidden aria-live="polite">
        {openCount === undefined ? '' : t('{count, plural, one {# open incident} other {# open incidents}}', { count: openCount })}
      </VisuallyHidden>
    </nav>
  )
}

type GroupsProps = { groups: readonly PageGroup[]; openCount: number }

function Groups({ groups, openCount }: GroupsProps) {
  return groups.map((group) => <Group key={group.label} group={group} openCount={openCount} />)
}

function Group({ group, openCount }: { group: PageGroup; openCount: number }) {
  const labelId = useId()
  return (
    <>
      <span id={labelId} className="navigation-label">
        {group.label}
      </span>
      <ul aria-labelledby={labelId}>
        <Links pages={group.pages} openCount={openCount} />
      </ul>
    </>
  )
}

function Links({ pages, openCount }: { pages: readonly Page[]; openCount: number }) {
  return pages.map(({ to, label }) => (
    <li key={to}>
      <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
        {label}
        {to === '/alerts' && openCount > 0 && (
          <Badge component="span" size="sm" circle={openCount < 10} color="red" ml={6} className="badge" aria-hidden="true">
            {openCount}
          </Badge>
        )}
      </Link>
    </li>
  ))
}

/** The first pages, and a button that opens the others. */
function Bar({ groups, openCount }: GroupsProps) {
  const { bar, others } = pagesOfBar(groups)
  const { pathname } = useLocation()
  return (
    <>
      <ul>
        <Links pages={bar} openCount={openCount} />
      </ul>
      {/* Begun anew, closed, with each page that is chosen here or elsewhere. */}
      {others.length > 0 && <Others key={pathname} groups={others} openCount={openCount} pathname={pathname} />}
    </>
  )
}

function Others({ groups, openCount, pathname }: GroupsProps & { pathname: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const sheetId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const outside = useClickOutside(() => setIsOpen(false))
  const isHere = groups.some(({ pages }) => pages.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`)))
  const close = () => {
    if (isOpen) button.current?.focus()
    setIsOpen(false)
  }
  useHotkeys([['Escape', close]])
  return (
    <div ref={outside} className="navigation-others">
      <button
        ref={button}
        type="button"
        className={isHere ? 'active' : undefined}
        aria-expanded={isOpen}
        aria-controls={isOpen ? sheetId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('More')}
      </button>
      {isOpen && (
        <div id={sheetId} className="navigation-sheet">
          <Groups groups={groups} openCount={openCount} />
        </div>
      )}
    </div>
  )
}
