import { Anchor, Group, Text, Title } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { incidentQuery } from '../api/incident-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { componentName } from '../health/component-name.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { BackIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { BlockPlaceholder } from '../shell/placeholder.tsx'
import { absoluteTime, daysBetween, distance } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { evidenceSignals } from './evidence-signals.ts'
import { FlappingMark } from './flapping-mark.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { IncidentActions } from './incident-actions.tsx'
import { statusName } from './incident-status.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { urgencyOf } from './urgency.ts'
import { type IncidentNames, useIncidentNames } from './use-incident-names.ts'

// The library of charts is for incidents that have one.
const EvidenceCharts = lazy(() => import('./evidence-charts.tsx').then((module) => ({ default: module.EvidenceCharts })))

export function IncidentPage() {
  const { incidentId } = useParams({ from: '/alerts/$incidentId' })
  const asked = useQuery(incidentQuery(incidentId))
  const names = useIncidentNames(asked.data === undefined ? [] : [asked.data])
  usePageTitle(asked.data?.title ?? t('Incident'))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('incident')} isPage />
  const incident = asked.data
  return (
    <div className="page">
      <Head incident={incident} names={names} />
      <IncidentActions incident={incident} names={names} />
      <div className="side-by-side wide-first">
        <div className="stack">
          <AdvicePanel incident={incident} />
          <EvidencePanel incident={incident} />
          <ChartsPanel incident={incident} />
        </div>
        <div className="stack">
          <FactsPanel incident={incident} names={names} />
          <HistoryPanel incident={incident} names={names} />
        </div>
      </div>
    </div>
  )
}

function Head({ incident, names }: { incident: Incident; names: IncidentNames }) {
  const { label, vehicleId } = names.subjectOf(incident)
  return (
    <header>
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/alerts" />}>
        <Group component="span" gap={4} display="inline-flex">
          <BackIcon size={14} /> {t('Alerts')}
        </Group>
      </Anchor>
      <Group gap="sm">
        <Title order={1} size="h2">
          {incident.title}
        </Title>
        <SeverityBadge severity={incident.severity} />
        {incident.flapping !== null && <FlappingMark flapping={incident.flapping} />}
      </Group>
      {vehicleId === undefined ? (
        <Text>{label}</Text>
      ) : (
        <Anchor className="breaking" renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId" params={{ vehicleId }} />}>
          {label}
        </Anchor>
      )}
    </header>
  )
}

function FactsPanel({ incident, names }: { incident: Incident; names: IncidentNames }) {
  const { status, snoozedUntil, component, assignee, occurrences, openedAt, alertIds } = incident
  const facts: readonly Fact[] = [
    [t('Status'), statusName(status)],
    [t('Snoozed until'), snoozedUntil === null ? undefined : absoluteTime(snoozedUntil)],
    [t('Urgency'), urgencyOf(incident, Date.now())],
    [t('Part'), componentName(component)],
    [t('Assigned to'), assignee === null ? t('nobody') : names.personOf(assignee)],
    [t('Opened'), <TimeAgo key="opened" time={openedAt} />],
    [t('Times opened'), occurrences],
    [t('Alerts'), alertIds.length],
  ]
  return (
    <Panel title={t('What it is')}>
      <Facts facts={facts} />
    </Panel>
  )
}

function AdvicePanel({ incident: { advice, recommendation } }: { incident: Incident }) {
  const facts: readonly Fact[] =
    advice === null
      ? []
      : [
          [
            t('Lasts'),
            advice.interval === undefined ? undefined : t('{interval} (8 of 10 cases)', { interval: daysBetween(advice.interval) }),
          ],
          [t('By odometer'), advice.byOdometerKm === undefined ? undefined : distance(advice.byOdometerKm)],
        ]
  return (
    <Panel title={t('What to do')}>
      <Text fw={600}>{recommendation}</Text>
      {advice !== null && (
        <>
          {advice.what !== recommendation && <Text size="sm">{advice.what}</Text>}
          <Text size="sm">{t('Why: {why}', { why: advice.why })}</Text>
          <Text size="sm">{t('If it waits: {risk}', { risk: advice.risk })}</Text>
          <Facts facts={facts} />
        </>
      )}
    </Panel>
  )
}

function EvidencePanel({ incident: { evidence, status } }: { incident: Incident }) {
  return (
    <Panel title={status === 'resolved' ? t('Evidence, as it was') : t('Evidence')}>
      {evidence.length === 0 && <Text c="dimmed">{t('None of its alerts is left.')}</Text>}
      {evidence.map(({ alertId, severity, message, code, component }) => (
        <div key={alertId} className="evidence">
          <SeverityBadge severity={severity} />
          <div className="breaking">
            <Text size="sm">{message}</Text>
            <Text size="xs" c="dimmed">
              {[componentName(component), code === null ? undefined : t('Code {code}', { code })].filter(Boolean).join(' · ')}
            </Text>
          </div>
        </div>
      ))}
    </Panel>
  )
}

function ChartsPanel({ incident: { vehicleId, evidence, openedAt } }: { incident: Incident }) {
  const shown = evidenceSignals(evidence)
  if (vehicleId === null || shown.length === 0) return null
  return (
    <Suspense fallback={<BlockPlaceholder height={220} />}>
      <EvidenceCharts vehicleId={vehicleId} shown={shown} openedAt={openedAt} />
    </Suspense>
  )
}
