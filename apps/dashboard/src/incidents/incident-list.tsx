import { Button, Group, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type IncidentStatus, useMoveIncidents } from '../api/incident-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { showNotice } from '../shell/notice.ts'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { t } from '../text/translate.ts'
import { IncidentCard } from './incident-card.tsx'
import { isFiltered } from './incident-search.ts'
import { actionsOf, type KeyCommand, neighbour } from './offered-actions.ts'
import { useIncidentNames } from './use-incident-names.ts'
import { focusedIncident, focusIncident, useKeyCommands, useRowFocus } from './use-key-commands.ts'

type IncidentListProps = {
  status: IncidentStatus
  asked: UseInfiniteQueryResult<InfiniteData<{ incidents: Incident[] }>>
  incidents: readonly Incident[]
  onHelp: () => void
}

export function IncidentList({ status, asked, incidents, onHelp }: IncidentListProps) {
  const names = useIncidentNames(incidents)
  const mayChange = useMayChange()
  const { selected, toggle, clear } = useSelection()
  const acknowledge = useAcknowledging()
  const canAcknowledge = (incident: Incident) => mayChange && actionsOf(incident).includes('acknowledge')
  const chosen = incidents.filter((incident) => selected.has(incident.id) && canAcknowledge(incident))
  const run = (ids: readonly string[]) => acknowledge.run(ids, clear)
  useRowFocus(incidents.map(({ id }) => id))
  useKeyCommands((command: KeyCommand) => {
    const ids = incidents.map(({ id }) => id)
    const current = focusedIncident()
    if (command === 'help') return onHelp()
    if (command === 'next' || command === 'previous') return focusIncident(neighbour(ids, current, command))
    const incident = incidents.find(({ id }) => id === current)
    if (command === 'select') return incident !== undefined && canAcknowledge(incident) ? toggle(incident.id) : undefined
    const meant = chosen.length > 0 ? chosen : incidents.filter((each) => each === incident && canAcknowledge(each))
    if (meant.length === 0) return
    run(meant.map(({ id }) => id))
  })
  return (
    <>
      {chosen.length > 0 && (
        <Group gap="sm" mb="sm" role="group" aria-label={t('Selected incidents')}>
          <Text size="sm">{t('{count} selected', { count: chosen.length })}</Text>
          <Button size="xs" loading={acknowledge.change.isPending} onClick={() => run(chosen.map(({ id }) => id))}>
            {t('Acknowledge {count}', { count: chosen.length })}
          </Button>
          <Button size="xs" variant="default" onClick={clear}>
            {t('Select none')}
          </Button>
        </Group>
      )}
      <Refusal error={acknowledge.change.error} />
      <PagedPanel asked={asked} what={t('incidents')}>
        {() =>
          incidents.length === 0 ? (
            <Nothing status={status} />
          ) : (
            incidents.map((incident) => (
              <IncidentCard
                key={incident.id}
                incident={incident}
                names={names}
                selection={
                  canAcknowledge(incident) ? { isSelected: selected.has(incident.id), toggle: () => toggle(incident.id) } : undefined
                }
              />
            ))
          )
        }
      </PagedPanel>
      <More asked={asked} />
    </>
  )
}

/** Asks for the next page as soon as the end of the list is seen; the button beside it does the same. A refusal would be followed by the next one: it waits for the button. */
function More({ asked: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } }: Pick<IncidentListProps, 'asked'>) {
  const { ref, entry } = useIntersection({ rootMargin: '300px' })
  const isSeen = entry?.isIntersecting === true
  useEffect(() => {
    if (isSeen && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isSeen, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  return <div ref={ref} />
}

const nothing: Readonly<Record<IncidentStatus, { title: string; text: string }>> = {
  open: { title: t('Nothing is open'), text: t('Incidents appear here by themselves when a vehicle shows one or a device raises one.') },
  acknowledged: { title: t('Nothing is acknowledged'), text: t('Acknowledge an open incident to show that somebody is on it.') },
  snoozed: { title: t('Nothing is snoozed'), text: t('Snooze an incident that can wait; it opens again at its time.') },
  resolved: {
    title: t('Nothing is resolved yet'),
    text: t('Incidents end here when nothing of them is found any more, or when somebody resolves them.'),
  },
}

function Nothing({ status }: { status: IncidentStatus }) {
  const search = useSearch({ from: '/alerts' })
  if (isFiltered(search)) return <Message title={t('No incident matches')}>{t('Choose another tab, or show all.')}</Message>
  return <Message title={nothing[status].title}>{nothing[status].text}</Message>
}

function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setSelected((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])))
  return { selected, toggle, clear: () => setSelected(new Set()) }
}

function useAcknowledging() {
  const change = useMoveIncidents()
  const back = useMoveIncidents()
  const run = (ids: readonly string[], onDone: () => void) => {
    const undo = () => back.mutateAsync({ ids, status: 'open' })
    const text = t('{count, plural, one {Acknowledged one incident.} other {Acknowledged # incidents.}}', { count: ids.length })
    change.mutate({
      ...{ ids, status: 'acknowledged' },
      onDone: () => {
        onDone()
        showNotice({ text, undo })
      },
    })
  }
  return { change, run }
}
