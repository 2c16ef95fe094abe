import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import UPlot from 'uplot'
import { calendarDay, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { axisLook, colorOf, usePlot } from '../vehicle/use-plot.ts'
import type { ChartDay } from './month-of-usage.ts'

const HEIGHT = 220
/** Of the place of a day; and no wider than so many pixels. */
const BAR_WIDTH = [0.7, 48]

/** A bar for each day of the month; those of days to come are pale, and as high as the month goes on at this rate. */
export function UsageChart({ days, label }: { days: readonly ChartDay[]; label: string }) {
  const scheme = useComputedColorScheme('light')
  const bars = useMemo<UPlot.AlignedData>(
    () => [
      days.map((_, i) => i + 1),
      days.map(({ used }) => used ?? null),
      // A series without values has no legend to be confused by.
      days.map(({ expected }) => expected ?? null),
    ],
    [days],
  )
  const month = days[0]?.day.slice(0, 7) ?? ''
  const container = usePlot(`${scheme} ${label} ${month} ${days.length}`, HEIGHT, bars, (element) => optionsOf(element, days, label))
  return <div ref={container} className="chart-canvas" aria-hidden="true" />
}

function optionsOf(element: HTMLElement, days: readonly ChartDay[], label: string): Omit<UPlot.Options, 'width' | 'height'> {
  const axis = axisLook(element)
  const paths = UPlot.paths.bars?.({ size: BAR_WIDTH as [number, number], radius: 0.1 })
  const value = (_: UPlot, raw: number | null) => (raw === null ? '–' : wholeNumber(raw))
  const bar = { ...(paths === undefined ? {} : { paths }), points: { show: false }, value }
  return {
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false, range: [0.4, days.length + 0.6] }, y: { range: (_, __, high) => [0, Math.max(1, high * 1.08)] } },
    axes: [
      { ...axis, size: 28, grid: { show: false }, incrs: [1, 2, 5, 10], values: (_, ticks) => ticks.map((tick) => wholeNumber(tick)) },
      { ...axis, size: 64, incrs: wholeSteps(), values: (_, ticks) => ticks.map((tick) => wholeNumber(tick)) },
    ],
    series: [
      { label: t('Day'), value: (_, raw) => (raw === null ? '–' : calendarDay(days[raw - 1]?.day ?? '')) },
      { label, fill: colorOf(element, '--chart-line'), width: 0, ...bar },
      {
        label: t('Expected'),
        fill: colorOf(element, '--chart-veil'),
        stroke: colorOf(element, '--chart-line'),
        width: 1,
        dash: [3, 3],
        ...bar,
      },
    ],
  }
}

/** 1, 2, 5, 10, 20, …: nobody makes half a call. */
function wholeSteps(): number[] {
  return Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
}
