import { type NormalBand, normalBandOf } from '@roadworthy/signals/normal-bands'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { useMemo, useRef } from 'react'
import type UPlot from 'uplot'
import { clockTime, shortTime } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { shownUnit, shownValue } from '../text/units.ts'
import { bandText } from './band-text.ts'
import { chartValue, tickNumber } from './chart-numbers.ts'
import { aloneAmong, type ChartSeries } from './chart-series.ts'
import { axisLook, colorOf, timeAxis, usePlot } from './use-plot.ts'

const HEIGHT = 140
const TALL_HEIGHT = 320
/** A pointer on one chart shows the same moment on all. */
const CURSOR_GROUP = 'readings'
/** Less is a click that trembled. */
const MIN_ZOOM_PX = 8
const DAY_S = 86_400

/** When an alert opened. */
export type ChartMark = { readonly atS: number; readonly label: string }

type SignalChartProps = {
  signal: SignalName
  series: ChartSeries
  spanS: readonly [number, number]
  marks?: readonly ChartMark[]
  /** Colours are read when a chart is made. */
  scheme: string
  isTall?: boolean
  /** Called with a range that was drawn with the pointer. */
  onZoom?: (fromS: number, toS: number) => void
}

/** Mean as a line, lowest to highest as a veil, the normal band as a shade behind, and a dashed line where an alert opened. */
export function SignalChart({ signal, series, spanS, marks = [], scheme, isTall = false, onZoom }: SignalChartProps) {
  const { unit } = signals[signal]
  const band = normalBandOf(
    signal,
    series.means.filter((value) => value !== null),
  )
  const drawn = useRef({ band, spanS, marks, onZoom })
  drawn.current = { band, spanS, marks, onZoom }
  const lines = useMemo<UPlot.AlignedData>(() => {
    const inUnit = (values: readonly (number | null)[]) => values.map((value) => (value === null ? null : shownValue(unit, value)))
    return [series.timesS, inUnit(series.highs), inUnit(series.lows), inUnit(series.means)]
  }, [series, unit])
  const container = usePlot(`${signal} ${scheme}`, isTall ? TALL_HEIGHT : HEIGHT, lines, (element) => optionsOf(signal, element, drawn))
  const shownMarks = marks.filter(({ atS }) => atS >= spanS[0] && atS <= spanS[1])
  return (
    <>
      <div ref={container} className="chart-canvas" aria-hidden="true" />
      {band !== undefined && (
        <div className="chart-note">
          <span className="chart-swatch" /> {bandText(signal, band)}
        </div>
      )}
      {shownMarks.length > 0 && (
        <div className="chart-note">
          <span className="chart-mark" />{' '}
          {t('{count, plural, one {an alert opened} other {# alerts opened}}', { count: shownMarks.length })}
          {isTall && `: ${shownMarks.map(({ label, atS }) => `${label} (${shortTime(atS * 1000)})`).join(' · ')}`}
        </div>
      )}
    </>
  )
}

type Drawn = Readonly<Pick<SignalChartProps, 'spanS'>> & {
  readonly band: NormalBand | undefined
  readonly marks: readonly ChartMark[]
  readonly onZoom: SignalChartProps['onZoom'] | undefined
}

function optionsOf(signal: SignalName, element: HTMLElement, drawn: { readonly current: Drawn }) {
  const color = (name: string) => colorOf(element, name)
  const [line, veil, shade, mark] = [color('--chart-line'), color('--chart-veil'), color('--chart-band'), color('--chart-mark')]
  const axis = axisLook(element)
  const { unit } = signals[signal]
  const inUnit = (band: NormalBand | undefined): NormalBand | undefined =>
    band && {
      ...(band.min !== undefined && { min: shownValue(unit, band.min) }),
      ...(band.max !== undefined && { max: shownValue(unit, band.max) }),
    }
  const value = (_: UPlot, raw: number | null) => (raw === null ? '–' : chartValue(unit, raw))
  return {
    cursor: {
      sync: { key: CURSOR_GROUP },
      y: false,
      drag: { x: drawn.current.onZoom !== undefined, y: false, setScale: false, dist: MIN_ZOOM_PX },
    },
    legend: { live: true },
    scales: {
      x: { range: () => [...drawn.current.spanS] as [number, number] },
      y: { range: (_: UPlot, low: number | null, high: number | null) => rangeOf(low, high, inUnit(drawn.current.band)) },
    },
    axes: [
      timeAxis(element),
      {
        ...axis,
        ...{ size: 52, label: shownUnit(unit), labelSize: 16, labelFont: '11px sans-serif' },
        values: (_: UPlot, ticks: number[]) => ticks.map((tick) => tickNumber(tick)),
      },
    ],
    series: [
      { label: t('At'), value: (_: UPlot, raw: number | null) => (raw === null ? '–' : timeText(raw, drawn.current.spanS)) },
      { label: t('Highest'), stroke: 'transparent', points: { show: false }, value },
      { label: t('Lowest'), stroke: 'transparent', points: { show: false }, value },
      { label: t('Mean'), stroke: line, width: 1.8, points: alonePoints(line), value },
    ],
    bands: [{ series: [1, 2] as [number, number], fill: veil }],
    hooks: {
      drawClear: [(made: UPlot) => shadeBand(made, inUnit(drawn.current.band), shade)],
      draw: [(made: UPlot) => drawMarks(made, drawn.current.marks, mark)],
      setSelect: [
        (made: UPlot) => {
          const { left, width } = made.select
          if (width < MIN_ZOOM_PX) return
          drawn.current.onZoom?.(made.posToVal(left, 'x'), made.posToVal(left + width, 'x'))
          made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** A line takes two values: one with gaps on both sides is a dot. */
function alonePoints(color: string): UPlot.Series.Points {
  return { show: true, filter: (made, nth) => aloneAmong(made.data[nth] ?? []), size: 5, fill: color, stroke: color }
}

function timeText(atS: number, [fromS, toS]: readonly [number, number]): string {
  return toS - fromS > DAY_S ? shortTime(atS * 1000) : clockTime(atS * 1000)
}

/** All that was measured and all that would be normal, and never so little that noise fills the chart. */
function rangeOf(low: number | null, high: number | null, band: NormalBand | undefined): [number, number] {
  const from = Math.min(low ?? 0, band?.min ?? low ?? 0)
  const to = Math.max(high ?? 1, band?.max ?? high ?? 1, from + 1)
  const margin = (to - from) * 0.06
  return [from >= 0 && from < margin ? 0 : from - margin, to + margin]
}

function shadeBand({ ctx, bbox, valToPos }: UPlot, band: NormalBand | undefined, fill: string): void {
  if (band === undefined) return
  const top = band.max === undefined ? bbox.top : valToPos(band.max, 'y', true)
  const bottom = band.min === undefined ? bbox.top + bbox.height : valToPos(band.min, 'y', true)
  ctx.save()
  ctx.fillStyle = fill
  ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  ctx.restore()
}

function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly ChartMark[], stroke: string): void {
  ctx.save()
  ctx.strokeStyle = stroke
  ctx.lineWidth = 2 * devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  for (const { atS } of marks) {
    const x = valToPos(atS, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
