import { Anchor, Button, Group, Loader, Text, TextInput } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import type { Track } from '@roadworthy/contracts/platform-v1/track'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { vehicleQuery } from '../api/queries.ts'
import { alertsOfRangeQuery, trackQuery } from '../api/track-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { BackIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { clockTime, distance, measure, vehicleLabel } from '../text/format.ts'
import { timeZone } from '../text/preferences.ts'
import { t } from '../text/translate.ts'
import { courseOfDay } from './course-of-day.ts'
import { CourseTable } from './course-table.tsx'
import { durationText } from './duration-text.ts'
import { courseOf, momentAt } from './replay.ts'
import { ReplayControls } from './replay-controls.tsx'
import { dayAfter, dayOf, isDay, rangeOf } from './track-day.ts'
import type { Mark } from './track-map.tsx'
import { usePlayback } from './use-playback.ts'

const TrackMap = lazy(() => import('./track-map.tsx').then((module) => ({ default: module.TrackMap })))

const NO_ALERTS: readonly Alert[] = []

export function TrackPage() {
  const { vehicleId } = useParams({ from: '/vehicles/$vehicleId/track' })
  const vehicle = useQuery(vehicleQuery(vehicleId))
  if (vehicle.data === undefined) return <NotLoaded asked={vehicle} what={t('vehicle')} isPage />
  return <TrackOfVehicle vehicle={vehicle.data} />
}

function TrackOfVehicle({ vehicle }: { vehicle: Vehicle }) {
  const today = dayOf(Date.now(), zoneOf())
  const { day = today } = useSearch({ from: '/vehicles/$vehicleId/track' })
  const range = useMemo(() => rangeOf(day, zoneOf()), [day])
  const track = useQuery(trackQuery(vehicle.id, range))
  const alerts = useQuery(alertsOfRangeQuery(vehicle.id, range)).data ?? NO_ALERTS
  const label = vehicleLabel(vehicle)
  return (
    <div className="page">
      <header>
        <Anchor
          size="sm"
          className="breaking"
          renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId" params={{ vehicleId: vehicle.id }} />}
        >
          <Group component="span" gap={4} display="inline-flex">
            <BackIcon size={14} /> {label}
          </Group>
        </Anchor>
        <PageHeading title={t('Track of {vehicle}', { vehicle: label })}>
          <DayChoice day={day} today={today} />
        </PageHeading>
      </header>
      {track.data === undefined ? (
        <NotLoaded asked={track} what={t('track')} />
      ) : track.data.points.length === 0 ? (
        <Panel title={t('Course of the day')}>
          <Message title={t('No position on this day')}>{t('Choose another day, or look whether the device sends its position.')}</Message>
        </Panel>
      ) : (
        <Replay key={day} track={track.data} alerts={alerts} label={label} />
      )}
    </div>
  )
}

function DayChoice({ day, today }: { day: string; today: string }) {
  const navigate = useNavigate({ from: '/vehicles/$vehicleId/track' })
  const choose = (next: string) => isDay(next) && navigate({ to: '/vehicles/$vehicleId/track', search: { day: next }, replace: true })
  return (
    <Group gap={6} align="flex-end">
      <Button variant="default" size="sm" aria-label={t('Day before')} onClick={() => choose(dayAfter(day, -1))}>
        ‹
      </Button>
      <TextInput
        type="date"
        size="sm"
        aria-label={t('Day')}
        value={day}
        max={today}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <Button variant="default" size="sm" aria-label={t('Day after')} disabled={day >= today} onClick={() => choose(dayAfter(day, 1))}>
        ›
      </Button>
    </Group>
  )
}

function Replay({ track, alerts, label }: { track: Track; alerts: readonly Alert[]; label: string }) {
  const course = useMemo(() => courseOf(track), [track])
  const [fromMs, toMs] = [course.points[0]?.atMs ?? 0, course.points.at(-1)?.atMs ?? 0]
  const playback = usePlayback(fromMs, toMs)
  const moment = useMemo(() => momentAt(course, playback.atMs), [course, playback.atMs])
  const entries = useMemo(() => courseOfDay(track, alerts), [track, alerts])
  const marks = useMemo(
    () =>
      entries.flatMap((entry): Mark[] => {
        const { kind, fromMs: atMs, place } = entry
        if (place === undefined || (kind !== 'stop' && kind !== 'alert')) return []
        const time = clockTime(atMs)
        const text =
          kind === 'alert'
            ? t('Alert at {time}: {description}', { time, description: entry.alert.description })
            : t('Stop at {time}, {duration}', { time, duration: durationText(entry.toMs - atMs) })
        return [{ id: `${kind} ${atMs}`, kind, label: text, atMs, longitude: place.longitude, latitude: place.latitude }]
      }),
    [entries],
  )
  return (
    <>
      <section className="track-map panel" aria-label={t('Map of the track')}>
        <Suspense fallback={<Loader m="xl" aria-label={t('Loading the map')} />}>
          <TrackMap course={course} marks={marks} moment={moment} label={label} onChoose={playback.setAtMs} />
        </Suspense>
      </section>
      <ReplayControls playback={playback} fromMs={fromMs} toMs={toMs} moment={moment} marks={marks} />
      <div className="side-by-side">
        <Panel title={t('Summary')}>
          <Facts facts={summaryOf(track)} />
          <Text size="xs" c="dimmed" mt="xs">
            {t('Times are of the zone {zone}.', { zone: zoneName() })}
          </Text>
        </Panel>
        <Panel title={t('Course of the day')}>
          <CourseTable entries={entries} onChoose={playback.setAtMs} />
        </Panel>
      </div>
    </>
  )
}

function summaryOf({ distanceKm, maxSpeed, stops, gaps, points }: Track) {
  const sumMs = (spans: readonly { from: string; to: string }[]) =>
    spans.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0)
  return [
    [t('First position'), clockTime(points[0]?.at ?? '')],
    [t('Last position'), clockTime(points.at(-1)?.at ?? '')],
    [t('Distance'), distance(distanceKm)],
    [t('Highest speed'), maxSpeed === null ? undefined : measure(maxSpeed, 'km/h')],
    [t('Stops'), t('{count} ({duration})', { count: stops.length, duration: durationText(sumMs(stops)) })],
    [
      t('No messages'),
      gaps.length === 0 ? undefined : t('{count} ({duration})', { count: gaps.length, duration: durationText(sumMs(gaps)) }),
    ],
  ] as const
}

function zoneOf(): 'UTC' | undefined {
  return timeZone === 'UTC' ? 'UTC' : undefined
}

function zoneName(): string {
  return timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
