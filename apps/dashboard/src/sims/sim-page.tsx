import { Alert, Button, Group, Table, Text, Title } from '@mantine/core'
import type { Sim, SimHistoryEntry } from '@roadworthy/contracts/sim-billing/sims'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { simActionsQuery, simAnomaliesQuery, simHistoryQuery, simQuery } from '../api/sim-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { useMayChange } from '../session/use-session.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { absoluteTime } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { AllocationPanel } from './allocation-panel.tsx'
import { DailyUsage } from './daily-usage.tsx'
import { SimActionDialog } from './sim-action-dialog.tsx'
import { type OfferedAction, offeredActions } from './sim-actions.ts'
import { SimStatusBadge } from './sim-status.tsx'
import { statusLabels } from './status-labels.ts'
import { UsageBar } from './usage-bar.tsx'

export function SimPage() {
  const { simId } = useParams({ from: '/sims/$simId' })
  const asked = useQuery(simQuery(simId))
  usePageTitle(asked.data === undefined ? t('SIM') : t('SIM {iccid}', { iccid: asked.data.sim.iccid }))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('SIM')} isPage />
  const { sim } = asked.data
  return (
    <div className="page">
      <Head sim={sim} />
      <FailedAction sim={sim} />
      <Anomalies simId={sim.id} />
      <div className="side-by-side">
        <div className="stack">
          <FactsPanel sim={sim} />
          <AllocationPanel key={sim.id} sim={sim} />
        </div>
        <div className="stack">
          <DailyUsage simId={sim.id} />
          <HistoryPanel sim={sim} />
        </div>
      </div>
    </div>
  )
}

function Head({ sim }: { sim: Sim }) {
  const [chosen, setChosen] = useState<OfferedAction>()
  const mayChange = useMayChange()
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2" className="numbers">
          {t('SIM {iccid}', { iccid: sim.iccid })}
        </Title>
        <SimStatusBadge sim={sim} />
      </Group>
      {mayChange && (
        <Group gap="xs">
          {offeredActions(sim).map((offered) => (
            <Button
              key={offered.action}
              size="sm"
              variant={offered.action === 'activate' ? 'filled' : 'default'}
              {...(offered.color === undefined ? {} : { c: offered.color })}
              onClick={() => setChosen(offered)}
            >
              {offered.label}
            </Button>
          ))}
        </Group>
      )}
      {chosen !== undefined && <SimActionDialog sim={sim} offered={chosen} onClose={() => setChosen(undefined)} />}
    </Group>
  )
}

/** What the operator refused last, until something else was asked for. */
function FailedAction({ sim }: { sim: Sim }) {
  const last = useQuery(simActionsQuery(sim.id)).data?.actions[0]
  if (last?.error == null || sim.pending_action !== null) return null
  return (
    <Alert color="orange" title={t('“{action}” was not done', { action: sentenceCase(last.action) })}>
      {t('{message} The SIM is as it was.', { message: last.error.message })}
    </Alert>
  )
}

/** What is odd about the SIM at present. */
function Anomalies({ simId }: { simId: string }) {
  const anomalies = useQuery(simAnomaliesQuery(simId)).data?.anomalies ?? []
  return anomalies.map(({ type, message, opened_at: openedAt }) => (
    <Alert key={type} color="orange" icon={<WarningIcon />} title={anomalyTitles[type]} role="status">
      {message} {tRich('First seen {time}.', { time: <TimeAgo time={openedAt} /> })}
    </Alert>
  ))
}

const anomalyTitles = {
  wrong_device: t('This SIM is in another device'),
  usage_above_habit: t('This SIM uses far more data than usual'),
  traffic_in_custody: t('This SIM has traffic in safe custody'),
}

const suspenders: Readonly<Record<NonNullable<Sim['suspended_by']>, string>> = {
  customer: t('Customer'),
  system: t('System'),
  operator: t('Operator'),
}

function FactsPanel({ sim }: { sim: Sim }) {
  const time = (value: string | null) => (value === null ? undefined : absoluteTime(value))
  const facts: readonly Fact[] = [
    [t('Since'), absoluteTime(sim.status_since)],
    [
      t('Suspended by'),
      sim.suspended_by === null
        ? undefined
        : `${suspenders[sim.suspended_by]}${sim.suspended_reason === null ? '' : `: ${sim.suspended_reason}`}`,
    ],
    [t('Safe custody until'), time(sim.safe_custody_until)],
    [t('Can be taken back until'), time(sim.terminates_at)],
    [t('Number'), sim.msisdn ?? undefined],
    ['IMSI', sim.imsi ?? undefined],
    ['EID', sim.eid ?? undefined],
    [t('Seen in device with IMEI'), sim.imei ?? undefined],
    [t('Operator'), `${sentenceCase(sim.operator)}, ${sim.operator_status ?? t('state not reported yet')}`],
    [t('Operator’s plan'), sim.rate_plan ?? undefined],
    ['APN', sim.apn ?? undefined],
    [t('IP address'), sim.ip_address ?? undefined],
    [t('Billed by'), sim.plan_id ?? t('no rate plan')],
    [t('First active'), time(sim.activated_at)],
    [t('Last report of the operator'), <TimeAgo key="report" time={sim.operator_synced_at} />],
    [t('Data this cycle'), <UsageBar key="usage" sim={sim} />],
  ]
  return (
    <Panel title={t('Details')}>
      <Facts facts={facts} />
    </Panel>
  )
}

function HistoryPanel({ sim }: { sim: Sim }) {
  const asked = useQuery(simHistoryQuery(sim.id))
  return (
    <Panel title={t('History')}>
      {asked.data === undefined ? <NotLoaded asked={asked} what={t('history')} /> : <HistoryTable history={asked.data.history} />}
    </Panel>
  )
}

const changeLabels: Readonly<Record<SimHistoryEntry['change'], string>> = {
  created: t('First seen here'),
  status: t('State changed'),
  allocation: t('Allocated'),
  plan: t('Rate plan changed'),
  details: t('Details changed'),
}
const actorLabels: Readonly<Record<string, string>> = {
  ...{ key: t('API key'), user: t('Person'), cli: t('Command line') },
  ...{ system: t('System'), operator: t('Operator') },
}

function HistoryTable({ history }: { history: readonly SimHistoryEntry[] }) {
  return (
    <Table verticalSpacing={6}>
      <Table.Caption className="visually-hidden">{t('What happened to this SIM, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th visibleFrom="sm">{t('When')}</Table.Th>
          <Table.Th>{t('What')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Sub-client')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('By')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {history.map(({ seq, at, change, status, sub_client_id: subClientId, actor_type: actor, reason }) => (
          <Table.Tr key={seq}>
            <Table.Td visibleFrom="sm">{absoluteTime(at)}</Table.Td>
            <Table.Td className="breaking">
              {changeLabels[change]}
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {absoluteTime(at)}
              </Text>
              {reason !== null && (
                <Text size="xs" c="dimmed">
                  {reason}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{statusLabels[status]}</Table.Td>
            <Table.Td className="breaking" visibleFrom="sm">
              {subClientId === null ? '–' : <SubClientName subClientId={subClientId} />}
            </Table.Td>
            <Table.Td visibleFrom="sm">{actorLabels[actor] ?? sentenceCase(actor)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
