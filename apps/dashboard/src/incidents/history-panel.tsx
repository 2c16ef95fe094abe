import { Text } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useInfiniteQuery } from '@tanstack/react-query'
import { incidentHistoryQuery } from '../api/incident-queries.ts'
import { BellIcon, CheckIcon, ClockIcon, EyeIcon, InfoIcon, PersonIcon, RepeatIcon } from '../shell/icons.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { ShortTime } from '../text/short-time.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { type HistoryEntry, incidentHistory } from './incident-history.ts'
import type { IncidentNames } from './use-incident-names.ts'

const icons: Readonly<Record<HistoryEntry['kind'], typeof BellIcon>> = {
  ...{ opened: BellIcon, returned: RepeatIcon, acknowledged: EyeIcon, snoozed: ClockIcon },
  ...{ assigned: PersonIcon, changed: InfoIcon, resolved: CheckIcon },
}

/** What happened to it, newest first, and who did it. */
export function HistoryPanel({ incident, names }: { incident: Incident; names: IncidentNames }) {
  const asked = useInfiniteQuery(incidentHistoryQuery(incident.id))
  const steps = asked.data?.pages.flatMap(({ history }) => history) ?? []
  return (
    <Panel title={t('History')}>
      {asked.data === undefined && <NotLoaded asked={asked} what={t('history')} />}
      {!asked.isPending && (
        <ol className="timeline">
          {incidentHistory(incident, steps, names.personOf).map((entry) => (
            <Entry key={`${entry.at} ${entry.words}`} entry={entry} />
          ))}
        </ol>
      )}
      <MoreButton asked={asked} />
    </Panel>
  )
}

function Entry({ entry: { at, kind, words, note } }: { entry: HistoryEntry }) {
  const Icon = icons[kind]
  return (
    <li className="timeline-step">
      <span className="timeline-icon">
        <Icon size={14} />
      </span>
      <div className="breaking">
        <Text size="sm">{words}</Text>
        {note !== undefined && <Text size="sm">{t('“{note}”', { note })}</Text>}
        <Text size="xs" c="dimmed">
          <TimeAgo time={at} /> · <ShortTime time={at} />
        </Text>
      </div>
    </li>
  )
}
