import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { simUsageQuery } from '../api/sim-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { calendarDay } from '../text/format.ts'
import { dataSize } from '../text/money.ts'
import { t } from '../text/translate.ts'

/** One bar for each day, and the same numbers as a table for screen readers. */
export function DailyUsage({ simId }: { simId: string }) {
  const asked = useQuery(simUsageQuery(simId))
  return (
    <Panel title={t('Data by day')}>
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what={t('data by day')} />
      ) : (
        <Bars daily={asked.data.daily} timeZone={asked.data.time_zone} />
      )}
    </Panel>
  )
}

function dayText(date: string | undefined): string {
  return date === undefined ? '–' : calendarDay(date)
}

type Day = { readonly date: string; readonly data_usage_bytes: number }

function Bars({ daily, timeZone }: { daily: readonly Day[]; timeZone: string }) {
  const mostBytes = Math.max(0, ...daily.map(({ data_usage_bytes: bytes }) => bytes))
  const days = t('{from} to {to}, days of {timeZone}', { from: dayText(daily[0]?.date), to: dayText(daily.at(-1)?.date), timeZone })
  if (mostBytes === 0) return <Text c="dimmed">{t('No data was reported from {days}.', { days })}</Text>
  return (
    <>
      <div className="day-bars" aria-hidden="true">
        {daily.map(({ date, data_usage_bytes: bytes }) => (
          <div key={date} title={`${calendarDay(date)}: ${dataSize(bytes)}`}>
            <span style={{ height: `${(bytes / mostBytes) * 100}%` }} />
          </div>
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {t('{days}, counted on the day the operator reported it. Highest: {most}.', { days, most: dataSize(mostBytes) })}
      </Text>
      {/* A table is as high as its rows, whatever its style: by itself it would add an empty sheet to what is printed. */}
      <div className="visually-hidden">
        <table>
          <caption>{t('Data by day')}</caption>
          <tbody>
            {daily.map(({ date, data_usage_bytes: bytes }) => (
              <tr key={date}>
                <th scope="row">{calendarDay(date)}</th>
                <td>{dataSize(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
