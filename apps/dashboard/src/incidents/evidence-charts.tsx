import { type SignalName, signals } from '@roadworthy/signals/registry'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { evidenceAlertQuery } from '../api/incident-queries.ts'
import { seriesQuery } from '../api/vehicle-queries.ts'
import { renewalMs } from '../live/live-state.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { BlockPlaceholder } from '../shell/placeholder.tsx'
import { t, tListed } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { endsOf } from '../vehicle/chart-range.ts'
import { chartSeries } from '../vehicle/chart-series.ts'
import { SignalFigure } from '../vehicle/signal-figure.tsx'
import { type EvidenceSignal, rangeAround } from './evidence-signals.ts'

/** Two hours in steps of some seconds. */
const POINTS = 600
const GROWTH_MS = 10_000
const MINUTE_MS = 60_000

type EvidenceChartsProps = { vehicleId: string; shown: readonly EvidenceSignal[]; openedAt: string }

/** Each signal that the incident rests on, around the time its newest alert opened. */
export function EvidenceCharts({ vehicleId, shown, openedAt }: EvidenceChartsProps) {
  return (
    <Panel title={t('Readings at that time')}>
      {shown.map((each) => (
        <EvidenceChart key={each.signal} vehicleId={vehicleId} openedAt={openedAt} {...each} />
      ))}
    </Panel>
  )
}

/** Of an alert that cannot be loaded, the incident has when it opened. */
function EvidenceChart({ vehicleId, signal, alertIds, openedAt }: EvidenceSignal & Omit<EvidenceChartsProps, 'shown'>) {
  const asked = useQueries({ queries: alertIds.map(evidenceAlertQuery) })
  const alerts = asked.flatMap(({ data }) => data ?? [])
  const isKnown = asked.every(({ isPending }) => !isPending)
  const nowMs = useNow(MINUTE_MS)
  const { from, to, isGrowing } = rangeAround(alerts[0]?.timestamp ?? openedAt, nowMs)
  const series = useQuery({
    ...seriesQuery(vehicleId, { from, to }, POINTS, [signal]),
    enabled: isKnown,
    refetchInterval: isGrowing ? renewalMs(GROWTH_MS) : false,
  })
  const { data } = series
  if (series.isPending) return <BlockPlaceholder height={200} />
  if (data === undefined) return <NotLoaded asked={series} what={t('readings')} />
  const marks = alerts.map(({ timestamp, description }) => ({ atS: Date.parse(timestamp) / 1000, label: description }))
  const drawn = chartSeries(data.buckets ?? [], signal, data.bucketSeconds ?? MINUTE_MS / 1000)
  if (drawn.timesS.length === 0) {
    return <Message title={tListed(signals[signal].label)}>{t('No readings of that time are stored any more.')}</Message>
  }
  return (
    <SignalFigure
      signal={signal}
      heading={<SignalLink vehicleId={vehicleId} signal={signal} from={from} to={to} />}
      series={drawn}
      spanS={endsOf(data)}
      marks={marks}
    />
  )
}

function SignalLink({ vehicleId, signal, from, to }: { vehicleId: string; signal: SignalName; from: string; to: string }) {
  return (
    <Link to="/vehicles/$vehicleId" params={{ vehicleId }} search={{ tab: 'signals', signal, from, to }} className="vehicle-link">
      {tListed(signals[signal].label)}
    </Link>
  )
}
