import { Button, Code, Group, SegmentedControl, Select, Skeleton, Table, Text, TextInput } from '@mantine/core'
import type { UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { platformUrl } from '../api/client.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import { usageQuery } from '../api/usage-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { calendarDay, monthName, wholeNumber } from '../text/format.ts'
import { t, tRich } from '../text/translate.ts'
import { PlanLimits, SubClientLimitsPanel } from './limits-panel.tsx'
import { monthOfUsage } from './month-of-usage.ts'
import { meterLabels, meters, type UsageDay, usageDays } from './usage-days.ts'
import { readUsageSearch, shiftMonth, type UsageSearch, usageFilter } from './usage-search.ts'

const UsageChart = lazy(() => import('./usage-chart.tsx').then((module) => ({ default: module.UsageChart })))

export function UsagePage() {
  const given = useSearch({ from: '/usage' })
  const isOfReseller = useIsOfReseller()
  const { subClientId: _, ...ofOwn } = given
  // A person without a choice of sub-clients reads of their own, also by an address that somebody else sent.
  const search: UsageSearch = isOfReseller ? given : ofOwn
  const asked = useInfiniteQuery(usageQuery(search))
  const report = asked.data?.pages[0]
  const isThisMonth = search.month === undefined || search.month === report?.projected.period
  return (
    <div className="page">
      <PageHeading title={t('Usage')}>
        {report !== undefined && <Downloads search={search} month={search.month ?? report.projected.period} />}
      </PageHeading>
      <Filters search={search} thisMonth={report?.projected.period} />
      {report !== undefined && (
        <>
          <Totals report={report} search={search} month={search.month ?? report.projected.period} isThisMonth={isThisMonth} />
          <ByDay report={report} search={search} isThisMonth={isThisMonth} />
        </>
      )}
      {isThisMonth && isOfReseller && search.subClientId === undefined && <PlanLimits />}
      {isThisMonth && <SubClientLimitsPanel search={search} />}
      <PagedPanel asked={asked} what={t('usage')}>
        {(pages) => <DayTable days={usageDays(pages.flatMap(({ rows }) => rows))} />}
      </PagedPanel>
    </div>
  )
}

/** Files that the browser asks for itself. The statement is of one sub-client, or of what belongs to none. */
function Downloads({ search, month }: { search: UsageSearch; month: string }) {
  const ofSubClient = search.subClientId === undefined ? {} : { subClientId: search.subClientId }
  const rows = (format: 'csv' | 'ndjson') => platformUrl('/usage', { ...usageFilter(search), granularity: 'day', format })
  return (
    <Group gap="xs">
      <Button component="a" href={rows('csv')} download={`usage-${month}.csv`} size="sm" variant="default">
        {t('CSV')}
      </Button>
      <Button
        component="a"
        href={rows('ndjson')}
        download={`usage-${month}.ndjson`}
        size="sm"
        variant="default"
        title={t('A row in each line (NDJSON)')}
      >
        {t('JSON')}
      </Button>
      <Button component="a" href={platformUrl('/usage/statements', { month, ...ofSubClient })} download size="sm" variant="default">
        {t('Signed statement')}
      </Button>
    </Group>
  )
}

/** Assumption: nothing is older. A year that is typed digit by digit (0002, 0020) is none before it is whole. */
const FIRST_MONTH = '2015-01'

function Filters({ search, thisMonth }: { search: UsageSearch; thisMonth: string | undefined }) {
  const navigate = useNavigate({ from: '/usage' })
  const isOfReseller = useIsOfReseller()
  const subClients = useQuery({ ...subClientChoicesQuery, enabled: isOfReseller }).data?.subClients ?? []
  const withChanges = (changes: Record<string, unknown>) => readUsageSearch({ ...search, ...changes })
  const month = search.month ?? thisMonth
  const isLast = month === undefined || (thisMonth !== undefined && month >= thisMonth)
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        key={month}
        type="month"
        label={t('Month')}
        defaultValue={month}
        min={FIRST_MONTH}
        {...(thisMonth === undefined ? {} : { max: thisMonth })}
        onChange={({ currentTarget }) => {
          if (currentTarget.validity.valid && currentTarget.value !== '')
            void navigate({ search: withChanges({ month: currentTarget.value }) })
        }}
        w={180}
      />
      {month !== undefined && (
        <Group gap={6}>
          <MonthLink month={shiftMonth(month, -1)} search={search} label={t('Month before')} />
          {!isLast && (
            <MonthLink
              month={shiftMonth(month, 1) === thisMonth ? undefined : shiftMonth(month, 1)}
              search={search}
              label={t('Month after')}
            />
          )}
        </Group>
      )}
      {isOfReseller && (
        <Select
          label={t('Sub-client')}
          placeholder={t('All')}
          clearable
          searchable
          value={search.subClientId ?? null}
          data={subClients.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(subClientId) => void navigate({ search: withChanges({ subClientId }), replace: true })}
          nothingFoundMessage={t('No sub-client matches')}
          w={220}
        />
      )}
    </Group>
  )
}

function MonthLink({ month, search, label }: { month: string | undefined; search: UsageSearch; label: string }) {
  return (
    <Button
      size="sm"
      variant="default"
      renderRoot={(props) => <Link to="/usage" search={readUsageSearch({ ...search, month })} {...props} />}
    >
      {label}
    </Button>
  )
}

/** The month, day by day, of one meter. */
function ByDay({ report, search, isThisMonth }: { report: UsageReport; search: UsageSearch; isThisMonth: boolean }) {
  const navigate = useNavigate({ from: '/usage' })
  const meter = search.meter ?? 'points_ingested'
  const days = monthOfUsage(report, meter)
  const choose = (
    <SegmentedControl
      size="xs"
      aria-label={t('What is drawn')}
      value={meter}
      onChange={(value) => void navigate({ search: readUsageSearch({ ...search, meter: value }), replace: true })}
      data={meters.map((value) => ({ value, label: meterLabels[value] }))}
      className="meter-choice"
    />
  )
  return (
    <Panel title={t('By day')} actions={choose}>
      <Suspense fallback={<Skeleton height={252} />}>
        <UsageChart days={days} label={meterLabels[meter]} />
      </Suspense>
      {isThisMonth && meter !== 'active_devices' && (
        <Text size="xs" c="dimmed">
          {t('Pale bars are an assumption: days to come, at the rate of the month so far.')}
        </Text>
      )}
      {/* A table is as high as its rows, whatever its style: by itself it would add an empty sheet to what is printed. */}
      <div className="visually-hidden">
        <table>
          <caption>{t('{meter} by day', { meter: meterLabels[meter] })}</caption>
          <tbody>
            {days.map(({ day, used, expected }) => (
              <tr key={day}>
                <th scope="row">{calendarDay(day)}</th>
                <td>
                  {used === undefined
                    ? expected === undefined
                      ? '–'
                      : t('about {count}', { count: wholeNumber(expected) })
                    : wholeNumber(used)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

type TotalsProps = { report: UsageReport; search: UsageSearch; month: string; isThisMonth: boolean }

function Totals({ report, search, month, isThisMonth }: TotalsProps) {
  const isOfAll = useIsOfReseller() && search.subClientId === undefined
  const { totals, projected, timeZone } = report
  return (
    <Panel title={isThisMonth ? t('{month} so far', { month: monthName(month) }) : monthName(month)}>
      <Group gap="xl" align="flex-start">
        {meters.map((meter) => (
          <div key={meter}>
            <Text size="xs" c="dimmed">
              {meterLabels[meter]}
            </Text>
            <Text fw={650} size="lg" className="numbers">
              {wholeNumber(totals[meter])}
            </Text>
            {isThisMonth && meter !== 'active_devices' && (
              <Text size="xs" c="dimmed">
                {t('about {count} by its end', { count: wholeNumber(projected.totals[meter]) })}
              </Text>
            )}
          </div>
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        {t('Days and months of {timeZone}.', { timeZone })}{' '}
        {isThisMonth &&
          t('{elapsed} % of the month is over; the rest is reckoned to go on alike.', { elapsed: wholeNumber(projected.elapsedPercent) })}
      </Text>
      <Text size="xs" c="dimmed">
        {isOfAll && `${t('The signed statement is of what belongs to no sub-client; choose one, and it is of that one.')} `}
        {tRich('Anybody can check a statement, without an account: <code>npx roadworthy verify-statement</code>.', {
          code: (inner) => <Code>{inner}</Code>,
        })}
      </Text>
    </Panel>
  )
}

function DayTable({ days }: { days: readonly UsageDay[] }) {
  if (days.length === 0) return <Message title={t('Nothing was used')}>{t('Choose another month or sub-client.')}</Message>
  return (
    <Table verticalSpacing={6} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Usage by day and sub-client')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Day')}</Table.Th>
          {meters.map((meter) => (
            <Table.Th key={meter} ta="right" visibleFrom="sm">
              {meterLabels[meter]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ period, subClientId, counts }) => (
          <Table.Tr key={`${period} ${subClientId}`}>
            <Table.Td className="breaking">
              <span className="numbers nowrap">{calendarDay(period)}</span>
              <Text size="xs" c="dimmed">
                {subClientId === null ? t('no sub-client') : <SubClientName subClientId={subClientId} />}
              </Text>
              <Text size="xs" className="numbers" hiddenFrom="sm">
                {meters.map((meter) => `${meterLabels[meter]} ${wholeNumber(counts[meter])}`).join(' · ')}
              </Text>
            </Table.Td>
            {meters.map((meter) => (
              <Table.Td key={meter} ta="right" className="numbers" visibleFrom="sm">
                {wholeNumber(counts[meter])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
