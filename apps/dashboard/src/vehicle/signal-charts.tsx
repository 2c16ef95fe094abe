import { SegmentedControl, Text, useComputedColorScheme } from '@mantine/core'
import type { ReadingBucket } from '@roadworthy/contracts/platform-v1/readings'
import type { SignalName } from '@roadworthy/signals/registry'
import { signals } from '@roadworthy/signals/registry'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ChartSpan, readingsQuery } from '../api/queries.ts'
import { Panel } from '../shell/panel.tsx'
import { signalValue } from '../text/format.ts'
import { chartSeries } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { SignalChart } from './signal-chart.tsx'

const shownSignals = ['coolantTempC', 'batteryVoltageV', 'vehicleSpeedKmh', 'engineSpeedRpm'] as const satisfies readonly SignalName[]

const HOUR_MS = 3_600_000
/** At most 180 buckets, which is as many as a chart has room for. */
const spans: readonly [ChartSpan, ...ChartSpan[]] = [
  { label: '1 h', spanMs: HOUR_MS, bucket: '20s' },
  { label: '6 h', spanMs: 6 * HOUR_MS, bucket: '2m' },
  { label: '24 h', spanMs: 24 * HOUR_MS, bucket: '10m' },
]

export function SignalCharts({ vehicleId }: { vehicleId: string }) {
  const [label, setLabel] = useState(spans[0].label)
  const scheme = useComputedColorScheme('light')
  const span = spans.find((each) => each.label === label) ?? spans[0]
  const asked = useQuery(readingsQuery(vehicleId, shownSignals, span))
  const { buckets = [], bucketSeconds: bucketS = 60 } = asked.data ?? {}
  const spanS = [startS(buckets.at(0)), startS(buckets.at(-1)) + bucketS] as const
  const choose = (
    <SegmentedControl size="xs" aria-label="Time span" value={label} onChange={setLabel} data={spans.map((each) => each.label)} />
  )
  return (
    <Panel title="Readings" actions={choose}>
      {asked.isError && <Text c="red">{asked.error.message}</Text>}
      {asked.data !== undefined && buckets.length === 0 && <Text c="dimmed">Nothing was heard in this time.</Text>}
      {buckets.length > 0 && (
        <div className="charts">
          {shownSignals.map((signal) => {
            const series = chartSeries(buckets, signal, bucketS)
            const newest = series.means.findLast((value) => value !== null)
            return (
              <figure key={signal} className="chart">
                <figcaption>
                  <span>{signals[signal].label}</span>
                  <strong className="numbers">{newest == null ? '–' : signalValue(signal, newest)}</strong>
                </figcaption>
                {/* Colours are read when a chart is made. */}
                <SignalChart key={scheme} signal={signal} series={series} spanS={spanS} />
                <ChartTable signal={signal} series={series} />
              </figure>
            )
          })}
        </div>
      )}
    </Panel>
  )
}

function startS(bucket: ReadingBucket | undefined): number {
  return bucket === undefined ? 0 : Date.parse(bucket.start) / 1000
}
