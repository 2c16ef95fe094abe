import { Loader, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useRef } from 'react'
import { fleetListQuery, vehicleCountsQuery } from '../api/fleet-queries.ts'
import { incidentCountQuery } from '../api/incident-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { t } from '../text/translate.ts'
import { FleetFilters } from './fleet-filters.tsx'
import { choiceOf, type FleetSearch, isChosen, phoneViewOf, readFleetSearch, sortOf } from './fleet-search.ts'
import { KpiTiles } from './kpi-tiles.tsx'
import { NoVehicles } from './no-vehicles.tsx'
import { VehicleList } from './vehicle-list.tsx'

/** The map and its geography are three quarters of all code: the rest of the page does not wait for them. */
const FleetMapView = lazy(() => import('./fleet-map-view.tsx').then((module) => ({ default: module.FleetMapView })))

/** As in `styles/small-screens.css`: beside each other there is no room. */
const NARROW = '(max-width: 900px)'

export function FleetPage() {
  const search = useSearch({ from: '/fleet' })
  const navigate = useNavigate({ from: '/fleet' })
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const counts = useQuery(vehicleCountsQuery).data
  const openIncidents = useQuery(incidentCountQuery({ status: 'open' })).data
  usePageTitle(t('Fleet'))
  const change = useCallback(
    (changeSearch: (before: FleetSearch) => FleetSearch) => void navigate({ to: '/fleet', search: changeSearch, replace: true }),
    [navigate],
  )
  // On a phone, what was tapped in the list is shown on the map.
  const select = useCallback(
    (vehicleId: string) =>
      change(({ view: _, ...rest }) => ({ ...rest, selected: vehicleId, ...(isNarrow ? { view: 'map' as const } : {}) })),
    [change, isNarrow],
  )
  const view = phoneViewOf(search)
  const isListShown = !isNarrow || view === 'list'
  const isMapShown = !isNarrow || view === 'map'

  return (
    <div className="fleet">
      <h1 className="visually-hidden">{t('Fleet')}</h1>
      <KpiTiles counts={counts} openIncidents={openIncidents} search={search} />
      {isNarrow && (
        <SegmentedControl
          fullWidth
          aria-label={t('Show')}
          value={view}
          onChange={(chosen) => change((before) => readFleetSearch({ ...before, view: chosen }))}
          data={[
            { value: 'list', label: t('List') },
            { value: 'map', label: t('Map') },
          ]}
        />
      )}
      <div className="fleet-body">
        {isListShown && <ListPanel search={search} total={counts?.total} onSelect={select} />}
        {isMapShown && (
          <section className="fleet-map panel" aria-label={t('Map of the vehicles')}>
            <Suspense fallback={<Loader m="xl" aria-label={t('Loading the map')} />}>
              <FleetMapView search={search} onChange={change} />
            </Suspense>
          </section>
        )}
      </div>
    </div>
  )
}

type ListPanelProps = { search: FleetSearch; total: number | undefined; onSelect: (vehicleId: string) => void }

function ListPanel({ search, total, onSelect }: ListPanelProps) {
  const asked = useInfiniteQuery(fleetListQuery(choiceOf(search), sortOf(search)))
  const scroller = useRef<HTMLDivElement>(null)
  const { data, dataUpdatedAt, isFetching, isFetchNextPageError, fetchNextPage } = asked
  const vehicles = useMemo(() => data?.pages.flatMap((page) => page.vehicles) ?? [], [data])
  const shown = data?.pages[0]?.total
  const loadMore = useCallback(() => {
    // A refusal would be followed by the next one: it waits for the button.
    if (!isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isFetching, isFetchNextPageError, fetchNextPage])
  return (
    <section className="fleet-list panel" aria-label={t('Vehicle list')}>
      <FleetFilters search={search} shown={shown} total={total} />
      <div className="scroll" ref={scroller} tabIndex={-1}>
        {data === undefined ? (
          <NotLoaded asked={asked} what={t('fleet')} />
        ) : (
          <VehicleList
            {...{ vehicles, scroller, loadMore, onSelect }}
            total={shown ?? 0}
            fetchedAtMs={dataUpdatedAt}
            more={asked}
            selected={search.selected}
            order={search.order ?? 'health'}
            isReversed={search.reversed ?? false}
          />
        )}
        {shown === 0 && <EmptyList isFiltered={isChosen(search)} />}
      </div>
    </section>
  )
}

function EmptyList({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Message title={t('No vehicle matches')}>{t('Change the search or the filter.')}</Message>
  return <NoVehicles />
}
