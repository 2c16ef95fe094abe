import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { LngLatBounds, type Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { useTrail } from '../track/use-trail.ts'
import { BaseMap } from './base-map.tsx'
import { VehicleMarkers } from './vehicle-markers.ts'

type FleetMapProps = {
  vehicles: readonly Vehicle[]
  selected: string | undefined
  onSelect: (vehicleId: string) => void
  /** Whether the map moves with the selected vehicle. */
  isFollowing: boolean
  /** Somebody moved the map by hand. */
  onUnfollow: () => void
}

const SELECTED_ZOOM = 9
const FOLLOWED_ZOOM = 14
/** Closer to its end, the built-in map is empty. */
const ZOOM_TO_SPARE = 3

export function FleetMap({ vehicles, selected, onSelect, isFollowing, onUnfollow }: FleetMapProps) {
  const [map, setMap] = useState<MapLibre>()
  const [markers, setMarkers] = useState<VehicleMarkers>()
  const [bounds] = useState(() => boundsOf(vehicles))
  const latest = useRef({ vehicles, onSelect, onUnfollow })
  latest.current = { vehicles, onSelect, onUnfollow }
  const { longitude, latitude } = vehicles.find(({ id }) => id === selected)?.location ?? {}

  useEffect(() => {
    setMarkers(map === undefined ? undefined : new VehicleMarkers(map, (vehicleId) => latest.current.onSelect(vehicleId)))
    const onDrag = () => latest.current.onUnfollow()
    map?.on('dragstart', onDrag)
    return () => {
      map?.off('dragstart', onDrag)
    }
  }, [map])
  useTrail(
    map,
    vehicles.find(({ id }) => id === selected),
  )
  useEffect(() => markers?.update(vehicles, selected), [markers, vehicles, selected])
  useEffect(() => {
    const place = latest.current.vehicles.find(({ id }) => id === selected)?.location
    if (map === undefined || place === undefined || place === null) return
    map.easeTo({ center: [place.longitude, place.latitude], zoom: Math.max(map.getZoom(), SELECTED_ZOOM) })
  }, [map, selected])
  useEffect(() => {
    if (map === undefined || !isFollowing || longitude === undefined || latitude === undefined) return
    const zoom = Math.max(map.getZoom(), Math.min(FOLLOWED_ZOOM, map.getMaxZoom() - ZOOM_TO_SPARE))
    map.easeTo({ center: [longitude, latitude], zoom })
  }, [map, isFollowing, longitude, latitude])

  return <BaseMap bounds={bounds} onOpen={setMap} />
}

function boundsOf(vehicles: readonly Vehicle[]): LngLatBounds {
  const bounds = new LngLatBounds()
  for (const { location } of vehicles) if (location !== null) bounds.extend([location.longitude, location.latitude])
  return bounds
}
