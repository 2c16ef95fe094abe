import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import type { UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import type { Static } from 'typebox'
import { platformUrl } from '../api/client.ts'
import { usageQuery } from '../api/usage-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { Panel } from '../shell/panel.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { meterLabels, meters, type UsageDay, usageDays } from './usage-days.ts'
import { readUsageSearch, type UsageSearch, usageFilter } from './usage-search.ts'

type Report = Static<typeof UsageReport>

export function UsagePage() {
  const search = useSearch({ from: '/usage' })
  const asked = useInfiniteQuery(usageQuery(search))
  const report = asked.data?.pages[0]
  return (
    <div className="page">
      <PageHeading title={t('Usage')}>
        {report !== undefined && <Downloads search={search} month={search.month ?? report.projected.period} />}
      </PageHeading>
      <Filters key={JSON.stringify(search)} search={search} />
      {report !== undefined && (
        <Totals report={report} isThisMonth={search.month === undefined || search.month === report.projected.period} />
      )}
      <PagedPanel asked={asked} what={t('usage')}>
        {(pages) => <DayTable days={usageDays(pages.flatMap(({ rows }) => rows))} />}
      </PagedPanel>
    </div>
  )
}

/** Files that the browser asks for itself. The statement is of one sub-client, or of what belongs to none. */
function Downloads({ search, month }: { search: UsageSearch; month: string }) {
  const ofSubClient = search.subClientId === undefined ? {} : { subClientId: search.subClientId }
  return (
    <Group gap="xs">
      <Button
        component="a"
        href={platformUrl('/usage', { ...usageFilter(search), granularity: 'day', format: 'csv' })}
        download={`usage-${month}.csv`}
        size="sm"
        variant="default"
      >
        {t('CSV')}
      </Button>
      <Button component="a" href={platformUrl('/usage/statements', { month, ...ofSubClient })} download size="sm" variant="default">
        {t('Signed statement')}
      </Button>
    </Group>
  )
}

function Filters({ search }: { search: UsageSearch }) {
  const navigate = useNavigate({ from: '/usage' })
  const isOfReseller = useIsOfReseller()
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void navigate({ search: readUsageSearch(Object.fromEntries(new FormData(event.currentTarget))) })
  }
  return (
    <form onSubmit={show}>
      <Group gap="sm" align="flex-end">
        <TextInput
          name="month"
          label={t('Month')}
          placeholder={t('This month')}
          pattern="\d{4}-(0[1-9]|1[0-2])"
          title="2026-01"
          defaultValue={search.month}
          w={140}
        />
        {isOfReseller && (
          <TextInput
            name="subClientId"
            label={t('Sub-client')}
            placeholder={t('All')}
            pattern="[a-z0-9\-]{1,64}"
            title={t('Its id')}
            defaultValue={search.subClientId}
            autoComplete="off"
            w={200}
          />
        )}
        <Button type="submit">{t('Show')}</Button>
      </Group>
    </form>
  )
}

function Totals({ report, isThisMonth }: { report: Report; isThisMonth: boolean }) {
  const { totals, projected, timeZone } = report
  return (
    <Panel title={isThisMonth ? t('{period} so far', { period: projected.period }) : t('In all')}>
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
              <span className="numbers nowrap">{period}</span>
              <Text size="xs" c="dimmed">
                {subClientId ?? t('no sub-client')}
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
