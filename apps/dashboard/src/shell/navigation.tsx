import { Badge, VisuallyHidden } from '@mantine/core'
import type { Session } from '@roadworthy/contracts/platform-v1/session'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { incidentCountQuery } from '../api/incident-queries.ts'
import { t } from '../text/translate.ts'
import { groupsFor, type PageGroup } from './pages.ts'

/** On the left; on a small screen at the bottom, where the thumb is. */
export function Navigation({ session }: { session: Session }) {
  const openCount = useQuery(incidentCountQuery({ status: 'open' })).data
  return (
    <nav aria-label={t('Pages')} className="navigation">
      {groupsFor(session).map((group) => (
        <Group key={group.label} group={group} openCount={openCount ?? 0} />
      ))}
      <VisuallyHidden aria-live="polite">
        {openCount === undefined ? '' : t('{count, plural, one {# open incident} other {# open incidents}}', { count: openCount })}
      </VisuallyHidden>
    </nav>
  )
}

function Group({ group, openCount }: { group: PageGroup; openCount: number }) {
  const labelId = useId()
  return (
    <>
      <span id={labelId} className="navigation-label">
        {group.label}
      </span>
      <ul aria-labelledby={labelId}>
        {group.pages.map(({ to, label }) => (
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
        ))}
      </ul>
    </>
  )
}
