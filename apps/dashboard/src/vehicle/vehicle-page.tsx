import { Anchor, CopyButton, Group, Loader, Text, Title, UnstyledButton } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { healthQuery, predictionsQuery, vehicleQuery } from '../api/queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { OfflineMark } from '../health/health-badge.tsx'
import { VehicleIncidents } from '../incidents/vehicle-incidents.tsx'
import { useLiveVehicle, useShown } from '../live/use-live.ts'
import { BackIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { vehicleKind, vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { ComponentList } from './component-list.tsx'
import { HealthPanel } from './health-panel.tsx'
import { ReasonsPanel } from './reasons-panel.tsx'

const SignalCharts = lazy(() => import('./signal-charts.tsx').then((module) => ({ default: module.SignalCharts })))

export function VehiclePage() {
  const { vehicleId } = useParams({ from: '/vehicles/$vehicleId' })
  const vehicle = useQuery(vehicleQuery(vehicleId))
  const label = vehicle.data === undefined ? undefined : vehicleLabel(vehicle.data)
  usePageTitle(label ?? 'Vehicle')
  if (vehicle.data === undefined) return <NotLoaded asked={vehicle} what="vehicle" isPage />
  return (
    <div className="page">
      <VehicleHeader vehicle={vehicle.data} fetchedAtMs={vehicle.dataUpdatedAt} />
      <Condition vehicleId={vehicle.data.id} />
      <Suspense fallback={<Loader m="md" aria-label="Loading the charts" />}>
        <SignalCharts vehicleId={vehicle.data.id} />
      </Suspense>
    </div>
  )
}

function Condition({ vehicleId }: { vehicleId: string }) {
  const health = useQuery(healthQuery(vehicleId))
  const predictions = useQuery(predictionsQuery(vehicleId)).data?.predictions ?? []
  if (health.data === undefined) {
    return health.isPending ? <Loader m="md" aria-label="Loading" /> : <Message title="No health yet">{health.error.message}</Message>
  }
  return (
    <div className="condition">
      <HealthPanel health={health.data} />
      <Panel title="Parts" className="parts">
        <ComponentList scores={health.data.components} predictions={predictions} />
      </Panel>
      <ReasonsPanel health={health.data} />
      <VehicleIncidents vehicleId={vehicleId} />
    </div>
  )
}

function VehicleHeader({ vehicle: fetched, fetchedAtMs }: { vehicle: Vehicle; fetchedAtMs: number }) {
  useShown(useMemo(() => ({ vehicleIds: [fetched.id] }), [fetched.id]))
  const vehicle = useLiveVehicle(fetched, fetchedAtMs)
  const { vin, subClientId, lastReadingAt, online } = vehicle
  return (
    <header>
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/fleet" />}>
        <Group component="span" gap={4} display="inline-flex">
          <BackIcon size={14} /> Fleet
        </Group>
      </Anchor>
      <Group justify="space-between" align="baseline" gap="xs">
        <Group align="baseline" gap="sm">
          <Title order={1} size="h2">
            {vehicleLabel(vehicle)}
          </Title>
          <Text c="dimmed">{[vehicleKind(vehicle), subClientId].filter(Boolean).join(' · ')}</Text>
        </Group>
        <Group gap="md">
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId/track" params={{ vehicleId: vehicle.id }} />}>
            {t('Replay a day')}
          </Anchor>
          {vin !== null && (
            <CopyButton value={vin}>
              {({ copied, copy }) => (
                <UnstyledButton onClick={copy} fz="sm" className="copy" aria-label={`Copy the VIN ${vin}`}>
                  {copied ? 'Copied' : `VIN ${vin}`}
                </UnstyledButton>
              )}
            </CopyButton>
          )}
          <Text size="sm" component="span">
            {online ? 'Online' : <OfflineMark />} · <TimeAgo time={lastReadingAt} />
          </Text>
        </Group>
      </Group>
    </header>
  )
}
