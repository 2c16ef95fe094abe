import { Anchor, Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import type { Life } from '@roadworthy/contracts/platform-v1/maintenance'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { platformUrl } from '../api/client.ts'
import { type LifeUnit, livesQuery } from '../api/maintenance-queries.ts'
import { componentName } from '../health/component-name.ts'
import { CheckIcon, ClockIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { days, decimalNumber, distance } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { dayText } from './calendar-day.ts'
import { type LifeSummary, summaryOf } from './life-summary.ts'
import { VehicleLink } from './work-list.tsx'

const units: readonly { value: LifeUnit; label: string }[] = [
  { value: 'km', label: t('Distance') },
  { value: 'days', label: t('Days') },
  { value: 'engine_hours', label: t('Engine hours') },
]

/** How long parts of one component lasted in this fleet. */
export function LivesView({ component = 'brakes' }: { component: string | undefined }) {
  const [unit, setUnit] = useState<LifeUnit>('km')
  const asked = useInfiniteQuery(livesQuery(component, unit))
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h5">
          {t('{component}: how long parts lasted', { component: componentName(component) })}
        </Title>
        <SegmentedControl
          aria-label={t('Count lives in')}
          data={[...units]}
          value={unit}
          onChange={(chosen) => setUnit(chosen as LifeUnit)}
        />
      </Group>
      <Text size="sm">
        {t(
          'A life begins when work puts a new part in, and ends when the part is replaced or found failed. A part that has not failed is counted too: it lasted at least this long. Left out, the lives of good parts would be missing, and parts would seem to last shorter than they do.',
        )}
      </Text>
      <PagedPanel asked={asked} what={t('lives of parts')}>
        {(pages) => {
          const lives = pages.flatMap((page) => page.lives)
          const [first] = pages
          return <Lives lives={lives} total={first?.total ?? 0} leftOut={first?.leftOut ?? 0} unit={unit} component={component} />
        }}
      </PagedPanel>
    </Stack>
  )
}

type LivesProps = { lives: readonly Life[]; total: number; leftOut: number; unit: LifeUnit; component: string }

function Lives({ lives, total, leftOut, unit, component }: LivesProps) {
  if (lives.length === 0) {
    return (
      <Message title={t('No life of this part is known yet')}>
        {t('Complete work with “The part is new now”, twice on the same vehicle, and say how the old part was.')} {leftOutText(leftOut)}
      </Message>
    )
  }
  return (
    <>
      <Stack gap={4} p="sm">
        <Summary summary={summaryOf(lives)} isPart={lives.length < total} unit={unit} />
        {leftOut > 0 && (
          <Text size="sm" c="dimmed">
            {leftOutText(leftOut)}
          </Text>
        )}
        <Anchor size="sm" href={platformUrl('/maintenance/lives', { component, unit, format: 'csv' })} download={`${component}.csv`}>
          {t('Download as CSV, to fit a life model of your own')}
        </Anchor>
      </Stack>
      <Table verticalSpacing={8} horizontalSpacing="sm">
        <Table.Caption className="visually-hidden">{t('Lives of parts, oldest first')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Vehicle')}</Table.Th>
            <Table.Th ta="right">{t('Lasted')}</Table.Th>
            <Table.Th>{t('Then')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('From')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('Until')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lives.map((life) => (
            <Table.Tr key={`${life.vehicleId} ${life.startedAt}`}>
              <Table.Td>
                <VehicleLink vehicleId={life.vehicleId} />
              </Table.Td>
              <Table.Td ta="right" className="numbers nowrap">
                {life.failed ? ageText(life.age, unit) : t('at least {age}', { age: ageText(life.age, unit) })}
              </Table.Td>
              <Table.Td>
                {life.failed ? (
                  <StatusBadge look={{ color: 'red', Icon: WarningIcon }}>{t('Failed')}</StatusBadge>
                ) : (
                  <StatusBadge look={{ color: 'green', Icon: CheckIcon }}>{t('Had not failed')}</StatusBadge>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">{dayText(new Date(life.startedAt))}</Table.Td>
              <Table.Td visibleFrom="sm">{dayText(new Date(life.endedAt))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

function Summary({ summary, isPart, unit }: { summary: LifeSummary; isPart: boolean; unit: LifeUnit }) {
  const { failedCount, censoredCount, medianLife, longest } = summary
  const counted = t('{failed, plural, one {# part failed} other {# parts failed}}, {others, plural, one {# had not} other {# had not}}.', {
    failed: failedCount,
    others: censoredCount,
  })
  const median =
    medianLife === undefined
      ? t('More than half of them outlast what is known, so nobody can say yet how long half of them last. The longest: {longest}.', {
          longest: ageText(longest, unit),
        })
      : t('Half of them last at least {age} (Kaplan–Meier estimate, with those that have not failed).', { age: ageText(medianLife, unit) })
  return (
    <>
      <Text fw={600}>{counted}</Text>
      <Text size="sm">
        {median} {isPart && t('Of the lives that are shown here; show more to count all.')}
      </Text>
      {failedCount < FEW_FAILURES && (
        <Text size="sm" role="note">
          <ClockIcon /> {t('With fewer than {count} failures, take this as a hint.', { count: FEW_FAILURES })}
        </Text>
      )}
    </>
  )
}

/** Assumption: with fewer the estimate moves by more than anybody plans with at the next failure. */
const FEW_FAILURES = 10

function leftOutText(count: number): string {
  return count === 0
    ? ''
    : t('{count, plural, one {# life is} other {# lives are}} left out: nobody said how the part was found, or its age is not known.', {
        count,
      })
}

function ageText(age: number, unit: LifeUnit): string {
  if (unit === 'km') return distance(age)
  return unit === 'days' ? days(age) : t('{count} engine hours', { count: decimalNumber(age, 0) })
}
