import { Badge, Button, Tabs } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type IncidentStatus, incidentCountQuery, incidentsQuery } from '../api/incident-queries.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { useSingleKeys } from '../shell/single-keys.ts'
import { t } from '../text/translate.ts'
import { IncidentFilters } from './incident-filters.tsx'
import { IncidentList } from './incident-list.tsx'
import { incidentStatuses, readIncidentSearch } from './incident-search.ts'
import { statusName } from './incident-status.ts'
import { KeyHelp } from './key-help.tsx'

export function IncidentsPage() {
  const { status = 'open', ...filter } = useSearch({ from: '/alerts' })
  const search = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const hasKeys = useSingleKeys()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const asked = useInfiniteQuery(incidentsQuery({ ...filter, status }))
  const incidents = asked.data?.pages.flatMap((page) => page.incidents) ?? []
  return (
    <div className="page">
      <PageHeading title={t('Alerts')}>
        <Button variant="default" size="xs" visibleFrom="sm" onClick={() => setHelpOpen(true)}>
          {hasKeys ? t('Keys (?)') : t('Keys')}
        </Button>
      </PageHeading>
      <IncidentFilters components={incidents.map(({ component }) => component)} />
      <Tabs
        value={status}
        keepMounted={false}
        onChange={(chosen) => void navigate({ search: readIncidentSearch({ ...search, status: chosen }) })}
      >
        <Tabs.List>
          {incidentStatuses.map((each) => (
            <Tabs.Tab key={each} value={each} rightSection={<Count filter={{ ...filter, status: each }} />}>
              {statusName(each)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={status} pt="sm">
          <IncidentList key={status} status={status} asked={asked} incidents={incidents} onHelp={() => setHelpOpen(true)} />
        </Tabs.Panel>
      </Tabs>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function Count({ filter }: { filter: Parameters<typeof incidentCountQuery>[0] & { status: IncidentStatus } }) {
  const total = useQuery(incidentCountQuery(filter)).data
  return total === undefined ? null : (
    <Badge size="sm" variant="light" color={filter.status === 'open' && total > 0 ? 'red' : 'gray'}>
      {total}
    </Badge>
  )
}
