import { List, SegmentedControl, Text, useComputedColorScheme } from '@mantine/core'
import type { HealthPoint } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type UPlot from 'uplot'
import { healthHistoryQuery } from '../api/vehicle-queries.ts'
import { componentName } from '../health/component-name.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { shortTime } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { type HealthStep, healthSteps } from './explain-health.ts'
import { axisLook, colorOf, timeAxis, usePlot } from './use-plot.ts'

const HEIGHT = 220
const PRESET_DAYS = 30
const spansDays: readonly number[] = [7, PRESET_DAYS, 90]

/** The health of the vehicle and of its parts over time, and what changed. */
export function HealthHistoryPanel({ vehicleId }: { vehicleId: string }) {
  const [days, setDays] = useState(PRESET_DAYS)
  const asked = useQuery(healthHistoryQuery(vehicleId, days))
  const points = asked.data ?? []
  const isDrawn = points.length > 1
  const choose = (
    <SegmentedControl
      size="xs"
      aria-label={t('Time span')}
      value={String(days)}
      onChange={(value) => setDays(spansDays.find((each) => String(each) === value) ?? PRESET_DAYS)}
      data={spansDays.map((each) => ({ value: String(each), label: t('{count} days', { count: each }) }))}
    />
  )
  return (
    <Panel title={t('Health over time')} actions={choose}>
      {asked.data === undefined && <NotLoaded asked={asked} what={t('health over time')} />}
      {asked.data !== undefined && !isDrawn && <TooLittle />}
      {isDrawn && (
        <>
          <HealthChart points={points} />
          <Steps steps={healthSteps(points)} />
        </>
      )}
    </Panel>
  )
}

function TooLittle() {
  return <Text c="dimmed">{t('Too little is known yet to draw a line.')}</Text>
}

function HealthChart({ points }: { points: readonly HealthPoint[] }) {
  const scheme = useComputedColorScheme('light')
  const parts = useMemo(() => partsOf(points), [points])
  const lines = useMemo<UPlot.AlignedData>(
    () => [
      points.map(({ scoredAt }) => Date.parse(scoredAt) / 1000),
      points.map(({ healthScore }) => healthScore),
      ...parts.map((part) => points.map(({ components }) => components?.[part] ?? null)),
    ],
    [points, parts],
  )
  const container = usePlot(`${scheme} ${parts.join()}`, HEIGHT, lines, (element) => optionsOf(element, parts, scheme))
  return <div ref={container} className="chart-canvas" aria-hidden="true" />
}

function optionsOf(element: HTMLElement, parts: readonly string[], scheme: string): Omit<UPlot.Options, 'width' | 'height'> {
  const axis = axisLook(element)
  const value = (_: UPlot, raw: number | null) => (raw === null ? '–' : String(Math.round(raw)))
  return {
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: [0, 100] } },
    axes: [timeAxis(element), { ...axis, size: 40 }],
    series: [
      { label: t('At'), value: (_, raw) => (raw === null ? '–' : shortTime(raw * 1000)) },
      { label: t('Vehicle'), stroke: colorOf(element, '--chart-line'), width: 2.6, points: { show: false }, value },
      ...parts.map((part, index) => ({
        ...{ label: componentName(part), stroke: partColour(index, scheme), width: 1.3, points: { show: false }, value },
        // Each can be distinguished from the others without its colour.
        dash: [[], [6, 3], [2, 3], [8, 3, 2, 3]][index % 4] ?? [],
      })),
    ],
  }
}

/** Of the parts that were ever below their best, the ones that fell furthest; all would be a tangle. */
const MAX_PARTS = 6

function partsOf(points: readonly HealthPoint[]): readonly string[] {
  const lowest = new Map<string, number>()
  for (const { components } of points) {
    for (const [part, score] of Object.entries(components ?? {})) lowest.set(part, Math.min(score, lowest.get(part) ?? 100))
  }
  return [...lowest]
    .sort(([, a], [, b]) => a - b)
    .slice(0, MAX_PARTS)
    .map(([part]) => part)
}

/** Hues apart from each other, as dark or light as the page needs. */
function partColour(index: number, scheme: string): string {
  return `hsl(${(index * 360) / MAX_PARTS + 15} 65% ${scheme === 'dark' ? 68 : 38}%)`
}

function Steps({ steps }: { steps: readonly HealthStep[] }) {
  return (
    <div aria-live="off">
      <Text size="sm" fw={600} mt="sm" mb={4}>
        {t('What changed')}
      </Text>
      {steps.length === 0 && <Text c="dimmed">{t('Nothing by five points or more.')}</Text>}
      <List size="sm" spacing={4}>
        {steps.map(({ at, from, to, parts }) => (
          <List.Item key={at}>
            {to < from
              ? t('{time}: fell from {from} to {to}', { time: shortTime(at), from: Math.round(from), to: Math.round(to) })
              : t('{time}: rose from {from} to {to}', { time: shortTime(at), from: Math.round(from), to: Math.round(to) })}
            {parts.length > 0 && (
              <Text span size="sm" c="dimmed">
                {` (${parts.map((part) => `${componentName(part.component)} ${Math.round(part.from)} → ${Math.round(part.to)}`).join(', ')})`}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
