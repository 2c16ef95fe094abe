import { Anchor, CopyButton, Group, Tabs, Text, Title, UnstyledButton } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { groupsOfVehicleQuery } from '../api/group-queries.ts'
import { vehicleQuery } from '../api/queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { OfflineMark } from '../health/health-badge.tsx'
import { VehicleIncidents } from '../incidents/vehicle-incidents.tsx'
import { useLiveVehicle, useShown } from '../live/use-live.ts'
import { useMayChange } from '../session/use-session.ts'
import { BackIcon, PauseIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { BlockPlaceholder } from '../shell/placeholder.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { useSubClientNames } from '../sub-clients/sub-client-name.tsx'
import { vehicleKind, vehicleLabel } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { HealthTab } from './health-tab.tsx'
import { readVehicleSearch, type VehicleTab, vehicleTabs } from './vehicle-search.ts'

// Each is loaded when it is opened.
const SignalsTab = lazy(() => import('./signals-tab.tsx').then((module) => ({ default: module.SignalsTab })))
const FaultCodesTab = lazy(() => import('./fault-codes-tab.tsx').then((module) => ({ default: module.FaultCodesTab })))
const MaintenanceTab = lazy(() => import('./maintenance-tab.tsx').then((module) => ({ default: module.MaintenanceTab })))
const OdometerTab = lazy(() => import('./odometer-tab.tsx').then((module) => ({ default: module.OdometerTab })))
const ReadingsTab = lazy(() => import('./readings-tab.tsx').then((module) => ({ default: module.ReadingsTab })))
const EditTab = lazy(() => import('./edit-tab.tsx').then((module) => ({ default: module.EditTab })))

export function VehiclePage() {
  const { vehicleId } = useParams({ from: '/vehicles/$vehicleId' })
  const vehicle = useQuery(vehicleQuery(vehicleId))
  const label = vehicle.data === undefined ? undefined : vehicleLabel(vehicle.data)
  usePageTitle(label ?? t('Vehicle'))
  if (vehicle.data === undefined) return <NotLoaded asked={vehicle} what={t('vehicle')} isPage />
  return (
    <div className="page">
      <VehicleHeader vehicle={vehicle.data} fetchedAtMs={vehicle.dataUpdatedAt} />
      <VehicleTabs vehicle={vehicle.data} />
    </div>
  )
}

function VehicleTabs({ vehicle }: { vehicle: Vehicle }) {
  const { tab = 'health' } = useSearch({ from: '/vehicles/$vehicleId' })
  const navigate = useNavigate({ from: '/vehicles/$vehicleId' })
  const mayChange = useMayChange()
  const shown = tab === 'edit' && !mayChange ? 'health' : tab
  const labels: Readonly<Record<VehicleTab, string>> = {
    ...{ health: t('Health'), signals: t('Signals'), alerts: t('Alerts'), codes: t('Fault codes') },
    ...{ maintenance: t('Maintenance'), odometer: t('Odometer'), readings: t('Readings'), edit: t('Edit') },
  }
  return (
    <Tabs value={shown} keepMounted={false} onChange={(chosen) => void navigate({ search: readVehicleSearch({ tab: chosen }) })}>
      <Tabs.List className="scrolling-tabs">
        {vehicleTabs
          .filter((each) => each !== 'edit' || mayChange)
          .map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value={shown} pt="sm">
        <Suspense fallback={<BlockPlaceholder height={300} />}>
          <TabContent tab={shown} vehicle={vehicle} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}

function TabContent({ tab, vehicle }: { tab: VehicleTab; vehicle: Vehicle }) {
  const { id: vehicleId } = vehicle
  if (tab === 'signals') return <SignalsTab vehicleId={vehicleId} />
  if (tab === 'alerts') return <VehicleIncidents vehicleId={vehicleId} />
  if (tab === 'codes') return <FaultCodesTab vehicleId={vehicleId} />
  if (tab === 'maintenance') return <MaintenanceTab vehicleId={vehicleId} />
  if (tab === 'odometer') return <OdometerTab vehicleId={vehicleId} />
  if (tab === 'readings') return <ReadingsTab vehicleId={vehicleId} />
  if (tab === 'edit') return <EditTab key={vehicleId} vehicle={vehicle} />
  return <HealthTab vehicleId={vehicleId} />
}

/** Nothing where it is in none. */
function VehicleGroups({ vehicleId }: { vehicleId: string }) {
  const groups = useQuery(groupsOfVehicleQuery(vehicleId)).data?.vehicleGroups ?? []
  if (groups.length === 0) return null
  return (
    <Group gap="xs" component="nav" aria-label={t('Groups of this vehicle')}>
      <Text size="sm" c="dimmed">
        {t('Groups')}
      </Text>
      {groups.map(({ id, name }) => (
        <Anchor key={id} size="sm" className="breaking" renderRoot={(props) => <Link {...props} to="/fleet" search={{ groupId: id }} />}>
          {name}
        </Anchor>
      ))}
    </Group>
  )
}

function VehicleHeader({ vehicle: fetched, fetchedAtMs }: { vehicle: Vehicle; fetchedAtMs: number }) {
  useShown(useMemo(() => ({ vehicleIds: [fetched.id] }), [fetched.id]))
  const vehicle = useLiveVehicle(fetched, fetchedAtMs)
  const { vin, subClientId, lastReadingAt, online, status } = vehicle
  const nameOf = useSubClientNames()
  return (
    <header>
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/fleet" />}>
        <Group component="span" gap={4} display="inline-flex">
          <BackIcon size={14} /> {t('Fleet')}
        </Group>
      </Anchor>
      <Group justify="space-between" align="baseline" gap="xs">
        <Group align="baseline" gap="sm">
          <Title order={1} size="h2">
            {vehicleLabel(vehicle)}
          </Title>
          <Text c="dimmed" className="breaking">
            {[vehicleKind(vehicle), subClientId === null ? '' : nameOf(subClientId)].filter(Boolean).join(' · ')}
          </Text>
          {status === 'retired' && <StatusBadge look={{ color: 'gray', Icon: PauseIcon }}>{t('Retired')}</StatusBadge>}
        </Group>
        <Group gap="md">
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/vehicles/$vehicleId/track" params={{ vehicleId: vehicle.id }} />}>
            {t('Replay a day')}
          </Anchor>
          {vin !== null && (
            <CopyButton value={vin}>
              {({ copied, copy }) => (
                <UnstyledButton onClick={copy} fz="sm" className="copy" aria-label={t('Copy the VIN {vin}', { vin })}>
                  {copied ? t('Copied') : t('VIN {vin}', { vin })}
                </UnstyledButton>
              )}
            </CopyButton>
          )}
          <Text size="sm" component="span">
            {online ? t('Online') : <OfflineMark />} · <TimeAgo time={lastReadingAt} />
          </Text>
        </Group>
      </Group>
      <VehicleGroups vehicleId={vehicle.id} />
    </header>
  )
}
