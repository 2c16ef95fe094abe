import 'maplibre-gl/dist/maplibre-gl.css'
import { useComputedColorScheme } from '@mantine/core'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { LngLatBounds, Map as MapLibre, NavigationControl, setWorkerUrl } from 'maplibre-gl'
// MapLibre 6 looks for its worker at an address that only exists before bundling; this one exists after it.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { Message } from '../shell/message.tsx'
import { baseStyle, paintOf, type Scheme } from './base-style.ts'
import { readGeography } from './geography.ts'
import { VehicleMarkers } from './vehicle-markers.ts'

setWorkerUrl(workerUrl)

type FleetMapProps = { vehicles: readonly Vehicle[]; selected: string | undefined; onSelect: (vehicleId: string) => void }

/** Beyond this the base map has nothing more to show. */
const MAX_ZOOM = 13
const FIRST_ZOOM = 9
const SELECTED_ZOOM = 9

export function FleetMap({ vehicles, selected, onSelect }: FleetMapProps) {
  const scheme = useComputedColorScheme('light')
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<OpenMap>()
  const [isPossible] = useState(hasWebGl2)
  const latest = useRef({ vehicles, scheme, onSelect })
  latest.current = { vehicles, scheme, onSelect }

  useEffect(() => {
    if (container.current === null) return undefined
    const { vehicles: first, scheme: firstScheme } = latest.current
    const opened = openMap(container.current, firstScheme, first, (vehicleId) => latest.current.onSelect(vehicleId))
    opened.map.once('load', () => setMap(opened))
    return () => {
      setMap(undefined)
      opened.map.remove()
    }
  }, [])

  useEffect(() => map?.markers.update(vehicles, selected), [map, vehicles, selected])
  useEffect(() => {
    for (const { id, paint } of map === undefined ? [] : paintOf(scheme)) {
      for (const [name, value] of Object.entries(paint)) map?.map.setPaintProperty(id, name as never, value as never)
    }
  }, [map, scheme])
  useEffect(() => {
    const location = latest.current.vehicles.find(({ id }) => id === selected)?.location
    if (map === undefined || location === undefined || location === null) return
    map.map.easeTo({ center: [location.longitude, location.latitude], zoom: Math.max(map.map.getZoom(), SELECTED_ZOOM) })
  }, [map, selected])

  if (!isPossible) return <Message title="No map in this browser">It needs WebGL 2. The list has everything that the map shows.</Message>
  return <div ref={container} className="map" />
}

type OpenMap = { readonly map: MapLibre; readonly markers: VehicleMarkers }

function openMap(container: HTMLElement, scheme: Scheme, vehicles: readonly Vehicle[], onSelect: (vehicleId: string) => void): OpenMap {
  const bounds = boundsOf(vehicles)
  const map = new MapLibre({
    container,
    style: baseStyle(readGeography(), scheme),
    maxZoom: MAX_ZOOM,
    dragRotate: false,
    pitchWithRotate: false,
    attributionControl: { compact: false },
    ...(bounds.isEmpty() ? { center: [10, 30], zoom: 1.4 } : { bounds, fitBoundsOptions: { padding: 70, maxZoom: FIRST_ZOOM } }),
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  // Tests wait for it; a timeout would guess.
  map.on('idle', () => {
    container.dataset['idle'] = 'true'
  })
  return { map, markers: new VehicleMarkers(map, onSelect) }
}

function boundsOf(vehicles: readonly Vehicle[]): LngLatBounds {
  const bounds = new LngLatBounds()
  for (const { location } of vehicles) if (location !== null) bounds.extend([location.longitude, location.latitude])
  return bounds
}

function hasWebGl2(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}
