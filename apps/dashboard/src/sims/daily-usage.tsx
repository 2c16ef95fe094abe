import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { simUsageQuery } from '../api/sim-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { dataSize } from '../text/money.ts'

/** One bar for each day, and the same numbers as a table for screen readers. */
export function DailyUsage({ simId }: { simId: string }) {
  const asked = useQuery(simUsageQuery(simId))
  return (
    <Panel title="Data by day">
      {asked.data === undefined ? (
        <NotLoaded asked={asked} what="data by day" />
      ) : (
        <Bars daily={asked.data.daily} timeZone={asked.data.time_zone} />
      )}
    </Panel>
  )
}

type Day = { readonly date: string; readonly data_usage_bytes: number }

function Bars({ daily, timeZone }: { daily: readonly Day[]; timeZone: string }) {
  const mostBytes = Math.max(0, ...daily.map(({ data_usage_bytes: bytes }) => bytes))
  const days = `${daily[0]?.date} to ${daily.at(-1)?.date}, days of ${timeZone}`
  if (mostBytes === 0) return <Text c="dimmed">No data was reported from {days}.</Text>
  return (
    <>
      <div className="day-bars" aria-hidden="true">
        {daily.map(({ date, data_usage_bytes: bytes }) => (
          <div key={date} title={`${date}: ${dataSize(bytes)}`}>
            <span style={{ height: `${(bytes / mostBytes) * 100}%` }} />
          </div>
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {days}, counted on the day the operator reported it. Highest: {dataSize(mostBytes)}.
      </Text>
      <table className="visually-hidden">
        <caption>Data by day</caption>
        <tbody>
          {daily.map(({ date, data_usage_bytes: bytes }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              <td>{dataSize(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
