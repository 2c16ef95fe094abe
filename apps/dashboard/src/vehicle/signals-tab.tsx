import { Anchor, Group, Loader, Text } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { type SignalName, signalNames, signals } from '@roadworthy/signals/registry'
import { wireKeyOf } from '@roadworthy/signals/wire-names'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { seriesQuery, vehicleAlertsQuery } from '../api/vehicle-queries.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { t, tListed } from '../text/translate.ts'
import { endsOf, rangeOf } from './chart-range.ts'
import { chartSeries } from './chart-series.ts'
import { RangeChoice } from './range-choice.tsx'
import type { ChartMark } from './signal-chart.tsx'
import { SignalFigure } from './signal-figure.tsx'
import { readVehicleSearch, type VehicleSearch } from './vehicle-search.ts'

/** As many as a small chart has pixels for, and a large one. */
const SMALL_POINTS = 300
const TALL_POINTS = 1_500

/** Every signal that was reported, or one of them large. */
export function SignalsTab({ vehicleId }: { vehicleId: string }) {
  const search = useSearch({ from: '/vehicles/$vehicleId' })
  const navigate = useNavigate({ from: '/vehicles/$vehicleId' })
  const signal = signalNames.find((each) => each === search.signal)
  const asked = useQuery(seriesQuery(vehicleId, rangeOf(search), signal === undefined ? SMALL_POINTS : TALL_POINTS, signal && [signal]))
  const alerts = useQuery(vehicleAlertsQuery(vehicleId)).data?.alerts ?? []
  const show = (changes: VehicleSearch) => void navigate({ search: readVehicleSearch({ tab: 'signals', ...changes }) })
  const { data } = asked
  const known = signalNames.filter((name) => data?.buckets?.some((bucket) => wireKeyOf(name, 'engine').key in bucket.signals))
  const shown = signal === undefined ? known : known.filter((name) => name === signal)
  const zoom = (fromS: number, toS: number) =>
    show({ ...(signal === undefined ? {} : { signal }), from: isoOf(fromS), to: isoOf(Math.max(toS, fromS + 1)) })
  return (
    <Panel
      title={signal === undefined ? t('Signals') : tListed(signals[signal].label)}
      actions={<RangeChoice search={search} onChoose={(range) => show({ ...(signal === undefined ? {} : { signal }), ...range })} />}
    >
      <Group gap="md" mb="xs">
        <Text size="xs" c="dimmed">
          {t('Draw across a chart to look at a shorter time.')}
        </Text>
        {signal !== undefined && (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link {...props} from="/vehicles/$vehicleId" to="." search={{ ...search, signal: undefined }} />}
          >
            {t('All signals')}
          </Anchor>
        )}
        {asked.isFetching && <Loader size="xs" aria-label={t('Loading')} />}
      </Group>
      {data === undefined && <NotLoaded asked={asked} what={t('signals')} />}
      {data !== undefined && shown.length === 0 && (
        <Message title={t('Nothing was reported in this time')}>{t('Choose a longer time, or an earlier one.')}</Message>
      )}
      <div className={signal === undefined ? 'charts' : 'charts one-chart'}>
        {shown.map((name) => (
          <SignalFigure
            key={name}
            signal={name}
            series={chartSeries(data?.buckets ?? [], name, data?.bucketSeconds ?? 60)}
            spanS={endsOf(data)}
            marks={marksOf(alerts, name)}
            isTall={signal !== undefined}
            onZoom={zoom}
            heading={
              signal === undefined ? (
                <Link from="/vehicles/$vehicleId" to="." search={{ ...search, signal: name }} className="vehicle-link">
                  {tListed(signals[name].label)}
                </Link>
              ) : (
                <span>{t('Mean as a line, lowest to highest around it')}</span>
              )
            }
          />
        ))}
      </div>
      {signal === undefined && data !== undefined && shown.length > 0 && <Unreported known={known} />}
    </Panel>
  )
}

function Unreported({ known }: { known: readonly SignalName[] }) {
  const missing = signalNames.filter((name) => !known.includes(name)).map((name) => tListed(signals[name].label))
  return missing.length === 0 ? null : (
    <Text size="xs" c="dimmed" mt="sm">
      {t('Not reported in this time: {signals}', { signals: missing.join(', ') })}
    </Text>
  )
}

/** Alerts that a reading of this signal drove. */
function marksOf(alerts: readonly Alert[], signal: SignalName): readonly ChartMark[] {
  const { key } = wireKeyOf(signal, 'engine')
  return alerts
    .filter(({ evidence, source }) => source === 'engine' && evidence['signal'] === key)
    .map(({ timestamp, description }) => ({ atS: Date.parse(timestamp) / 1000, label: description }))
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
