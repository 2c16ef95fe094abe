import type { FleetMap as MapAnswer, MapCluster } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { LngLatBounds, type Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { useTrail } from '../track/use-trail.ts'
import { BaseMap } from './base-map.tsx'
import type { Box } from './box.ts'
import { type LivePoint, VehicleMarkers } from './vehicle-markers.ts'

type FleetMapProps = {
  /** What is in view at first. */
  bounds: MapAnswer['bounds']
  points: readonly LivePoint[]
  clusters: readonly MapCluster[]
  selected: Vehicle | undefined
  onSelect: (vehicleId: string) => void
  /** Called with what is in view, when the map comes to rest. */
  onView: (view: Box) => void
  /** Whether the map moves with the selected vehicle. */
  isFollowing: boolean
  /** Somebody moved the map by hand. */
  onUnfollow: () => void
}

const SELECTED_ZOOM = 9
const FOLLOWED_ZOOM = 14
/** Closer to its end, the built-in map is empty. */
const ZOOM_TO_SPARE = 3

export function FleetMap({ bounds, points, clusters, selected, onSelect, onView, isFollowing, onUnfollow }: FleetMapProps) {
  const [map, setMap] = useState<MapLibre>()
  const [markers, setMarkers] = useState<VehicleMarkers>()
  const [firstBounds] = useState(() => boundsOf(bounds))
  const latest = useRef({ selected, onSelect, onView, onUnfollow })
  latest.current = { selected, onSelect, onView, onUnfollow }
  const selectedId = selected?.id
  const { longitude, latitude } = selected?.location ?? {}

  useEffect(() => {
    setMarkers(map === undefined ? undefined : new VehicleMarkers(map, (vehicleId) => latest.current.onSelect(vehicleId)))
    if (map === undefined) return undefined
    const onDrag = () => latest.current.onUnfollow()
    const onRest = () => latest.current.onView(viewOf(map))
    map.on('dragstart', onDrag)
    map.on('moveend', onRest)
    onRest()
    return () => {
      map.off('dragstart', onDrag)
      map.off('moveend', onRest)
    }
  }, [map])
  useTrail(map, selected)
  useEffect(() => {
    const others = points.filter(({ id }) => id !== selectedId)
    markers?.update(others, clusters)
  }, [markers, points, clusters, selectedId])
  useEffect(() => markers?.select(selected), [markers, selected])
  useEffect(() => {
    const place = latest.current.selected?.location
    if (map === undefined || selectedId === undefined || place === undefined || place === null) return
    map.easeTo({ center: [place.longitude, place.latitude], zoom: Math.max(map.getZoom(), SELECTED_ZOOM) })
  }, [map, selectedId])
  useEffect(() => {
    if (map === undefined || !isFollowing || longitude === undefined || latitude === undefined) return
    const zoom = Math.max(map.getZoom(), Math.min(FOLLOWED_ZOOM, map.getMaxZoom() - ZOOM_TO_SPARE))
    map.easeTo({ center: [longitude, latitude], zoom })
  }, [map, isFollowing, longitude, latitude])

  return <BaseMap bounds={firstBounds} onOpen={setMap} />
}

function boundsOf(bounds: MapAnswer['bounds']): LngLatBounds {
  if (bounds === null) return new LngLatBounds()
  const { west, south, east, north } = bounds
  // MapLibre counts on beyond 180 degrees where a box is across the antimeridian.
  return new LngLatBounds([west, south, east < west ? east + 360 : east, north])
}

/** A map that is wider than the world shows some of it twice. */
function viewOf(map: MapLibre): Box {
  const bounds = map.getBounds()
  const [southWest, northEast] = [bounds.getSouthWest(), bounds.getNorthEast()]
  const [south, north] = [Math.max(-90, southWest.lat), Math.min(90, northEast.lat)]
  if (northEast.lng - southWest.lng >= 360) return { west: -180, south, east: 180, north }
  return { west: southWest.wrap().lng, south, east: northEast.wrap().lng, north }
}
