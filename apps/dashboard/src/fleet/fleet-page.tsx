import { Button, CloseButton, Loader, Text, TextInput } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { incidentCountQuery } from '../api/incident-queries.ts'
import { vehiclesQuery } from '../api/queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { MAX_SHOWN } from '../live/shown.ts'
import { useLiveVehicles, useShown } from '../live/use-live.ts'
import { SelectedVehicle } from '../map/selected-vehicle.tsx'
import { SearchIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { chooseVehicles, countFleet } from './choose-vehicles.ts'
import type { FleetSearch } from './fleet-search.ts'
import { KpiTiles } from './kpi-tiles.tsx'
import { VehicleList } from './vehicle-list.tsx'

/** The map and its geography are three quarters of all code: the rest of the page does not wait for them. */
const FleetMap = lazy(() => import('../map/fleet-map.tsx').then((module) => ({ default: module.FleetMap })))

const NONE: readonly Vehicle[] = []

export function FleetPage() {
  const asked = useQuery(vehiclesQuery)
  const openIncidents = useQuery(incidentCountQuery({ status: 'open' })).data
  const search = useSearch({ from: '/fleet' })
  const navigate = useNavigate({ from: '/fleet' })
  const fetched = asked.data?.vehicles
  const live = useLiveVehicles(fetched ?? NONE, asked.dataUpdatedAt)
  const vehicles = fetched === undefined ? undefined : live
  const { q: text, only, order = 'health', reversed: isReversed = false, selected, follow: isFollowing = false } = search
  const chosen = useMemo(() => chooseVehicles(vehicles ?? [], { text, only, order, isReversed }), [vehicles, text, only, order, isReversed])
  const shownIds = chosen
    .map(({ id }) => id)
    .slice(0, MAX_SHOWN - 1)
    .join()
  useShown(
    useMemo(
      () => ({ vehicleIds: [...(selected === undefined ? [] : [selected]), ...shownIds.split(',').filter(Boolean)] }),
      [selected, shownIds],
    ),
  )
  usePageTitle('Fleet')

  if (vehicles === undefined) return <NotLoaded asked={asked} what="fleet" isPage />
  const select = (vehicleId: string | undefined) =>
    navigate({
      to: '/fleet',
      search: ({ selected: _, follow: __, ...rest }: FleetSearch) => (vehicleId === undefined ? rest : { ...rest, selected: vehicleId }),
      replace: true,
    })
  const setFollowing = (isFollowed: boolean) =>
    navigate({
      to: '/fleet',
      search: ({ follow: _, ...rest }: FleetSearch) => (isFollowed ? { ...rest, follow: true as const } : rest),
      replace: true,
    })
  const selectedVehicle = vehicles.find(({ id }) => id === selected)

  return (
    <div className="fleet">
      <h1 className="visually-hidden">Fleet</h1>
      <KpiTiles counts={countFleet(vehicles)} openIncidents={openIncidents} only={only} />
      <div className="fleet-body">
        <section className="fleet-list panel" aria-label="Vehicle list">
          <SearchBar
            text={text ?? ''}
            shown={chosen.length}
            total={vehicles.length}
            isFiltered={text !== undefined || only !== undefined}
          />
          <div className="scroll">
            <VehicleList vehicles={chosen} selected={selected} order={order} isReversed={isReversed} onSelect={select} />
            {chosen.length === 0 && (
              <Message title={vehicles.length === 0 ? 'No vehicles yet' : 'No vehicle matches'}>
                {vehicles.length === 0 ? 'Register a device, or send a reading that names a vehicle.' : 'Change the search or the filter.'}
              </Message>
            )}
          </div>
        </section>
        <section className="fleet-map panel" aria-label="Map of the vehicles">
          <Suspense fallback={<Loader m="xl" aria-label="Loading the map" />}>
            <FleetMap
              vehicles={chosen}
              selected={selected}
              onSelect={select}
              isFollowing={isFollowing}
              onUnfollow={() => isFollowing && setFollowing(false)}
            />
          </Suspense>
          {selectedVehicle !== undefined && (
            <SelectedVehicle vehicle={selectedVehicle} isFollowed={isFollowing} onFollow={setFollowing} onClose={() => select(undefined)} />
          )}
        </section>
      </div>
    </div>
  )
}

type SearchBarProps = { text: string; shown: number; total: number; isFiltered: boolean }

function SearchBar({ text, shown, total, isFiltered }: SearchBarProps) {
  const navigate = useNavigate({ from: '/fleet' })
  const setText = (q: string) =>
    navigate({ to: '/fleet', search: ({ q: _, ...rest }: FleetSearch) => (q === '' ? rest : { ...rest, q }), replace: true })
  return (
    <div className="search-bar">
      <TextInput
        aria-label="Search vehicles"
        placeholder="Plate, make, VIN, customer"
        size="sm"
        flex={1}
        value={text}
        leftSection={<SearchIcon size={16} />}
        rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear the search" onClick={() => setText('')} />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" className="nowrap" role="status">
        {isFiltered ? `${shown} of ${total}` : `${total} vehicles`}
      </Text>
      {isFiltered && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => navigate({ to: '/fleet', search: ({ q: _, only: __, ...rest }: FleetSearch) => rest })}
        >
          Show all
        </Button>
      )}
    </div>
  )
}
