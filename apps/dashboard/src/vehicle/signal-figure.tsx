import { useComputedColorScheme } from '@mantine/core'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import type { ReactNode } from 'react'
import { signalValue } from '../text/signal-value.ts'
import { tListed } from '../text/translate.ts'
import type { ChartSeries } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { type ChartMark, SignalChart } from './signal-chart.tsx'

type SignalFigureProps = {
  signal: SignalName
  heading: ReactNode
  series: ChartSeries
  spanS: readonly [number, number]
  marks: readonly ChartMark[]
  isTall?: boolean
  onZoom?: (fromS: number, toS: number) => void
}

/** The chart of a signal with its newest value, and the same as a table. */
export function SignalFigure({ signal, heading, series, ...chart }: SignalFigureProps) {
  const scheme = useComputedColorScheme('light')
  const newest = series.means.findLast((value) => value !== null)
  return (
    <figure className="chart" aria-label={tListed(signals[signal].label)}>
      <figcaption>
        {heading}
        <strong className="numbers">{newest == null ? '–' : signalValue(signal, newest)}</strong>
      </figcaption>
      <SignalChart signal={signal} series={series} scheme={scheme} {...chart} />
      <ChartTable signal={signal} series={series} />
    </figure>
  )
}
