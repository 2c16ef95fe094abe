import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { vehicleQuery } from '../api/queries.ts'
import { useLiveVehicle, useLiveVehicles, useShown } from '../live/use-live.ts'
import { FleetMap } from '../map/fleet-map.tsx'
import { SelectedVehicle } from '../map/selected-vehicle.tsx'
import { t } from '../text/translate.ts'
import { choiceOf, type FleetSearch } from './fleet-search.ts'
import { useFleetMap } from './use-fleet-map.ts'

type FleetMapViewProps = { search: FleetSearch; onChange: (change: (before: FleetSearch) => FleetSearch) => void }

/** The chosen vehicles on the map, and the selected one over it. */
export function FleetMapView({ search, onChange }: FleetMapViewProps) {
  const { selected, follow: isFollowing = false } = search
  const { whole, part, onView } = useFleetMap(choiceOf(search))
  const points = useLiveVehicles(part.data?.points ?? NONE, part.dataUpdatedAt)
  const vehicle = useSelected(selected)
  if (whole.data === undefined) return <Loader m="xl" aria-label={t('Loading the map')} />
  const select = (vehicleId: string | undefined) =>
    onChange(({ selected: _, follow: __, ...rest }) => (vehicleId === undefined ? rest : { ...rest, selected: vehicleId }))
  const setFollowing = (isFollowed: boolean) => onChange(({ follow: _, ...rest }) => (isFollowed ? { ...rest, follow: true } : rest))
  return (
    <>
      <FleetMap
        bounds={whole.data.bounds}
        points={points}
        clusters={part.data?.clusters ?? NONE}
        selected={vehicle}
        onView={onView}
        onSelect={select}
        isFollowing={isFollowing}
        onUnfollow={() => isFollowing && setFollowing(false)}
      />
      {vehicle !== undefined && (
        <SelectedVehicle vehicle={vehicle} isFollowed={isFollowing} onFollow={setFollowing} onClose={() => select(undefined)} />
      )}
    </>
  )
}

const NONE: readonly never[] = []

function useSelected(vehicleId: string | undefined) {
  const asked = useQuery({ ...vehicleQuery(vehicleId ?? ''), enabled: vehicleId !== undefined })
  useShown(useMemo(() => (vehicleId === undefined ? {} : { vehicleIds: [vehicleId] }), [vehicleId]))
  return useLiveVehicle(vehicleId === undefined ? undefined : asked.data, asked.dataUpdatedAt)
}
