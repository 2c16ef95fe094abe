import 'uplot/dist/uPlot.min.css'
import { type RefObject, useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { tickSpacePx, tickTexts } from './chart-times.ts'

/**
 * A chart in an element, as wide as that. It is made anew when `key` changes, and else given other data; `makeOptions` may read what changes from
 * references.
 */
export function usePlot(
  key: string,
  height: number,
  data: UPlot.AlignedData,
  makeOptions: (element: HTMLElement) => Omit<UPlot.Options, 'width' | 'height'>,
): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  const make = useRef(makeOptions)
  make.current = makeOptions
  const first = useRef(data)
  first.current = data

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart reads colours, units and signals once; the key names them.
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const made = new UPlot({ ...make.current(element), width: element.clientWidth, height }, first.current, element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = undefined
    }
  }, [key, height])
  useEffect(() => {
    chart.current?.setData(data)
  }, [data])
  return container
}

/** A variable may hold an expression, which only a property of an element turns into a colour that a canvas knows. */
export function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

/** Of every chart. */
export function axisLook(element: HTMLElement): UPlot.Axis {
  return {
    stroke: colorOf(element, '--chart-text'),
    grid: { stroke: colorOf(element, '--chart-grid'), width: 1 },
    ticks: { show: false },
    font: '11px sans-serif',
  }
}

/** Of a chart over time. */
export function timeAxis(element: HTMLElement): UPlot.Axis {
  return {
    ...axisLook(element),
    size: 28,
    space: (_, _axis, fromS, toS, widthPx) => tickSpacePx(fromS, toS, widthPx),
    values: (_, ticks) => tickTexts(ticks),
  }
}
