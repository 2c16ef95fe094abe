import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { monthQuery } from '../api/maintenance-queries.ts'
import { CheckIcon, ClockIcon, InfoIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { locale } from '../text/preferences.ts'
import { t } from '../text/translate.ts'
import { type Day, dayOf, dayText, middleOf } from './calendar-day.ts'
import { type CalendarEntry, type EntryKind, entriesOf, type Month, monthOf, rangeOf, shiftMonth, weeksOf } from './calendar-month.ts'
import { useStartOfToday } from './use-start-of-today.ts'
import { useVehicleName } from './work-fields.tsx'
import { VehicleLink } from './work-list.tsx'

type Show = (changes: { month?: Month; day?: Day | undefined }) => void

type CalendarViewProps = {
  month: Month | undefined
  day: Day | undefined
  filter: { vehicleId: string | undefined; component: string | undefined }
  show: Show
}

/** Entries of a day that its cell names; the list below has all. */
const NAMED_ENTRIES = 3

/** A month as a table, and the same as a list. */
export function CalendarView({ month = monthOf(new Date()), day, filter, show }: CalendarViewProps) {
  const startOfToday = useStartOfToday()
  const asked = useQuery(monthQuery({ ...rangeOf(month), ...filter }))
  const entries = asked.data === undefined ? [] : entriesOf(month, asked.data, startOfToday)
  const shown = day === undefined ? entries : entries.filter((entry) => entry.day === day)
  return (
    <Stack gap="sm">
      <MonthBar month={month} show={show} />
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('calendar')} />
      ) : (
        <>
          <MonthTable month={month} day={day} entries={entries} show={show} />
          {asked.data.isCut && (
            <Text size="sm" role="note">
              {t('There is more in this month than is shown here. Choose a vehicle or a part.')}
            </Text>
          )}
          <DayList entries={shown} day={day} show={show} hasVehicle={filter.vehicleId !== undefined} />
        </>
      )}
    </Stack>
  )
}

const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })

function MonthBar({ month, show }: { month: Month; show: Show }) {
  const turn = (by: number) => show({ month: shiftMonth(month, by), day: undefined })
  return (
    <Group gap="xs" justify="space-between">
      <Title order={2} size="h4" aria-live="polite">
        {monthName.format(rangeOf(month).from)}
      </Title>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-label={t('Month before')} onClick={() => turn(-1)}>
          ←
        </Button>
        <Button size="xs" variant="default" onClick={() => show({ month: monthOf(new Date()), day: undefined })}>
          {t('This month')}
        </Button>
        <Button size="xs" variant="default" aria-label={t('Month after')} onClick={() => turn(1)}>
          →
        </Button>
      </Group>
    </Group>
  )
}

type MonthTableProps = { month: Month; day: Day | undefined; entries: readonly CalendarEntry[]; show: Show }

/** One day takes the focus at a time; arrow keys go from day to day, Page Up and Page Down from month to month. */
function MonthTable({ month, day, entries, show }: MonthTableProps) {
  const today = dayOf(new Date())
  const ref = useRef<HTMLTableElement>(null)
  const isByKey = useRef(false)
  const focused = day ?? (today.startsWith(month) ? today : `${month}-01`)
  const byDay = Map.groupBy(entries, (entry) => entry.day)
  useEffect(() => {
    if (isByKey.current) ref.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus()
    isByKey.current = false
  }, [focused])
  const move = (event: KeyboardEvent) => {
    const to = dayByKey(event.key, focused)
    if (to === undefined) return
    event.preventDefault()
    isByKey.current = true
    show({ month: to.slice(0, 7), day: to })
  }
  return (
    <table className="month" ref={ref} aria-label={monthName.format(rangeOf(month).from)} onKeyDown={move}>
      <thead>
        <tr>
          {weekdays.map(({ short, long }) => (
            <th key={long} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, i) => (
          <tr key={week.find((each) => each !== undefined) ?? i}>
            {week.map((each, weekday) => (
              <td key={each ?? `empty ${weekday}`} data-today={each === today || undefined} data-chosen={each === day || undefined}>
                {each !== undefined && (
                  <DayCell
                    day={each}
                    entries={byDay.get(each) ?? []}
                    isChosen={each === day}
                    isFocusable={each === focused}
                    onChoose={() => show({ month, day: each === day ? undefined : each })}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function dayByKey(key: string, from: Day): Day | undefined {
  const step = steps[key]
  const at = middleOf(from)
  if (step !== undefined) return dayOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + step))
  if (key === 'PageUp') return `${shiftMonth(from.slice(0, 7), -1)}-01`
  if (key === 'PageDown') return `${shiftMonth(from.slice(0, 7), 1)}-01`
  return undefined
}

/** From Monday on. 3 August 2026 is one. */
const weekdays = Array.from({ length: 7 }, (_, i) => {
  const at = new Date(2026, 7, 3 + i)
  const name = (weekday: 'short' | 'long') => new Intl.DateTimeFormat(locale, { weekday }).format(at)
  return { short: name('short'), long: name('long') }
})

type DayCellProps = { day: Day; entries: readonly CalendarEntry[]; isChosen: boolean; isFocusable: boolean; onChoose: () => void }

function DayCell({ day, entries, isChosen, isFocusable, onChoose }: DayCellProps) {
  const counted = t('{count, plural, =0 {nothing} one {# entry} other {# entries}}', { count: entries.length })
  return (
    <button type="button" className="month-day" data-day={day} tabIndex={isFocusable ? 0 : -1} aria-pressed={isChosen} onClick={onChoose}>
      <span className="visually-hidden">{`${dayText(middleOf(day))}: ${counted}`}</span>
      <span className="month-number" aria-hidden="true">
        {Number(day.slice(8))}
      </span>
      {entries.slice(0, NAMED_ENTRIES).map((entry) => (
        <EntryChip key={entry.key} entry={entry} />
      ))}
      {entries.length > NAMED_ENTRIES && (
        <span className="month-more">{t('+{count} more', { count: entries.length - NAMED_ENTRIES })}</span>
      )}
    </button>
  )
}

function EntryChip({ entry }: { entry: CalendarEntry }) {
  const { color, Icon } = looks[entry.kind]
  return (
    <span className="month-entry" data-kind={entry.kind} style={{ borderColor: `var(--mantine-color-${color}-6)` }}>
      <Icon size={12} />
      <span>
        {useVehicleName(entry.vehicleId)} · {entry.title}
      </span>
    </span>
  )
}

const looks: Readonly<Record<EntryKind, StatusLook & { label: string }>> = {
  overdue: { color: 'red', Icon: WarningIcon, label: t('Overdue') },
  due: { color: 'orange', Icon: ClockIcon, label: t('Due') },
  expected: { color: 'yellow', Icon: UnknownIcon, label: t('Expected, by use') },
  predicted: { color: 'grape', Icon: InfoIcon, label: t('Predicted to fail') },
  planned: { color: 'blue', Icon: ClockIcon, label: t('Planned') },
  done: { color: 'green', Icon: CheckIcon, label: t('Done') },
}

type DayListProps = { entries: readonly CalendarEntry[]; day: Day | undefined; show: Show; hasVehicle: boolean }

function DayList({ entries, day, show, hasVehicle }: DayListProps) {
  return (
    <section className="panel padded" aria-label={t('As a list')}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={3} size="h5">
          {day === undefined ? t('The whole month') : dayText(middleOf(day))}
        </Title>
        {day !== undefined && (
          <Button size="xs" variant="default" onClick={() => show({ day: undefined })}>
            {t('Show the whole month')}
          </Button>
        )}
      </Group>
      {entries.length === 0 ? (
        <Message title={t('Nothing is due, planned or done')}>
          {!hasVehicle && t('Choose a vehicle, and its predictions are in the calendar too.')}
        </Message>
      ) : (
        <ul className="month-list">
          {entries.map((entry) => (
            <EntryLine key={entry.key} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  )
}

function EntryLine({ entry }: { entry: CalendarEntry }) {
  const look = looks[entry.kind]
  return (
    <li>
      <span className="nowrap numbers">{dayText(middleOf(entry.day))}</span>
      <StatusBadge look={look}>{look.label}</StatusBadge>
      <span className="breaking">
        <VehicleLink vehicleId={entry.vehicleId} /> · {entry.title}
        {entry.between !== undefined && (
          <Text size="xs" c="dimmed">
            {t('In 8 of 10 cases between {first} and {last}', {
              first: dayText(middleOf(entry.between[0])),
              last: dayText(middleOf(entry.between[1])),
            })}
          </Text>
        )}
      </span>
      <EntryLink entry={entry} />
    </li>
  )
}

/** Where the record is, with what can be done with it. */
function EntryLink({ entry: { kind, vehicleId, scheduleId, key } }: { entry: CalendarEntry }) {
  if (kind === 'predicted') {
    return (
      <Link to="/vehicles/$vehicleId" params={{ vehicleId }}>
        {t('Go to the vehicle')}
      </Link>
    )
  }
  const isSchedule = scheduleId === key
  const view = isSchedule ? 'schedules' : kind === 'done' ? 'done' : 'planned'
  return (
    <Link to="/maintenance" search={{ view, vehicleId }}>
      {isSchedule ? t('Go to the schedule') : t('Go to the record')}
    </Link>
  )
}
