import 'uplot/dist/uPlot.min.css'
import { type NormalBand, normalBandOf } from '@roadworthy/signals/normal-bands'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { clockTime, signalValue } from '../text/format.ts'
import type { ChartSeries } from './chart-series.ts'

const HEIGHT = 140
/** A pointer on one chart shows the same moment on all. */
const CURSOR_GROUP = 'readings'

/** Mean as a line, lowest to highest as a veil, the normal band as a shade behind. */
export function SignalChart({ signal, series, spanS }: { signal: SignalName; series: ChartSeries; spanS: readonly [number, number] }) {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  const band = useRef<NormalBand>(undefined)
  const span = useRef(spanS)
  span.current = spanS
  band.current = normalBandOf(
    signal,
    series.means.filter((value) => value !== null),
  )

  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const made = new UPlot(chartOptions(signal, element, band, span), [[], [], [], []], element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [signal])
  useEffect(() => {
    chart.current?.setData([series.timesS, series.highs, series.lows, series.means])
  }, [series])

  const { current: shaded } = band
  return (
    <>
      <div ref={container} className="chart-canvas" aria-hidden="true" />
      {shaded !== undefined && (
        <div className="chart-note">
          <span className="chart-swatch" /> normal {signalValue(signal, shaded.min)} to {signalValue(signal, shaded.max)}, {shaded.when}
        </div>
      )}
    </>
  )
}

type Ref<T> = { readonly current: T | undefined }

function chartOptions(
  signal: SignalName,
  element: HTMLElement,
  band: Ref<NormalBand>,
  span: Ref<readonly [number, number]>,
): UPlot.Options {
  const color = (name: string) => colorOf(element, name)
  const [line, veil, grid, text, shadeColor] = ['--chart-line', '--chart-veil', '--chart-grid', '--chart-text', '--chart-band'].map(
    color,
  ) as [string, string, string, string, string]
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: '11px sans-serif' }
  const { unit } = signals[signal]
  const value = (_: UPlot, raw: number | null) => (raw === null ? '–' : signalValue(signal, raw))
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { sync: { key: CURSOR_GROUP }, y: false, drag: { x: false, y: false } },
    legend: { live: true },
    scales: {
      x: { range: () => [...(span.current ?? [0, 1])] as [number, number] },
      y: { range: (_, low, high) => rangeOf(low, high, band.current) },
    },
    axes: [
      {
        ...axis,
        size: 28,
        values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })),
      },
      { ...axis, size: 46, values: (_, ticks) => ticks.map((tick) => `${tick}`), label: unit, labelSize: 16, labelFont: '11px sans-serif' },
    ],
    series: [
      { label: 'At', value: (_, raw) => (raw === null ? '–' : clockTime(raw * 1000)) },
      { label: 'Highest', stroke: 'transparent', points: { show: false }, value },
      { label: 'Lowest', stroke: 'transparent', points: { show: false }, value },
      { label: 'Mean', stroke: line, width: 1.8, points: { show: false }, value },
    ],
    bands: [{ series: [1, 2], fill: veil }],
    hooks: { drawClear: [(made) => shade(made, band.current, shadeColor)] },
  }
}

/** A variable may hold an expression, which only a property of an element turns into a colour that a canvas knows. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

/** All that was measured and all that would be normal, and never so little that noise fills the chart. */
function rangeOf(low: number | null, high: number | null, band: NormalBand | undefined): [number, number] {
  const from = Math.min(low ?? 0, band?.min ?? low ?? 0)
  const to = Math.max(high ?? 1, band?.max ?? high ?? 1, from + 1)
  const margin = (to - from) * 0.06
  return [from >= 0 && from < margin ? 0 : from - margin, to + margin]
}

function shade({ ctx, bbox, valToPos }: UPlot, band: NormalBand | undefined, fill: string): void {
  if (band === undefined) return
  const top = valToPos(band.max, 'y', true)
  const bottom = valToPos(band.min, 'y', true)
  ctx.save()
  ctx.fillStyle = fill
  ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  ctx.restore()
}
