import { LngLatBounds, type Map as MapLibre, Marker } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { BaseMap } from '../map/base-map.tsx'
import { OVERLAY_PREFIX } from '../map/overlay.ts'
import { type Course, coloredLines, type Moment } from './replay.ts'
import { speedBandOf, speedBands, UNKNOWN_SPEED_COLOR } from './speed-bands.ts'
import { useLineLayer } from './use-line-layer.ts'

/** Something that happened on the way, at a place. */
export type Mark = {
  readonly id: string
  readonly kind: 'stop' | 'alert'
  readonly label: string
  readonly atMs: number
  readonly longitude: number
  readonly latitude: number
}

type TrackMapProps = {
  course: Course
  marks: readonly Mark[]
  moment: Moment | undefined
  /** What the vehicle is called. */
  label: string
  onChoose: (atMs: number) => void
}

const TRACK = `${OVERLAY_PREFIX}track`
const colorOfBand = ['match', ['get', 'band'], ...speedBands.flatMap(({ color }, band) => [band, color]), UNKNOWN_SPEED_COLOR]
const looks = [
  { id: `${TRACK}-edge`, paint: { 'line-color': '#1b2630', 'line-width': 6 } },
  { id: TRACK, paint: { 'line-color': colorOfBand as never, 'line-width': 4 } },
] as const

const markShapes = {
  stop: '<rect x="-8" y="-8" width="16" height="16" rx="4"/><path class="sign" d="M-2.5 -3.5v7M2.5 -3.5v7"/>',
  alert: '<path d="M0 -9.5L9.5 8H-9.5Z"/><path class="sign" d="M0 -4v5M0 4.6v.2"/>',
} as const

export function TrackMap({ course, marks, moment, label, onChoose }: TrackMapProps) {
  const [map, setMap] = useState<MapLibre>()
  const bounds = useMemo(() => boundsOf(course), [course])
  const latest = useRef({ onChoose })
  latest.current = { onChoose }
  useLineLayer(
    map,
    TRACK,
    looks,
    useMemo(() => coloredLines(course, speedBandOf), [course]),
  )
  useEffect(() => {
    if (map !== undefined && !bounds.isEmpty()) map.fitBounds(bounds, { padding: 60, maxZoom: 15, animate: false })
  }, [map, bounds])
  useEffect(() => {
    if (map === undefined) return undefined
    const shown = marks.map((mark) => markerOf(mark, () => latest.current.onChoose(mark.atMs)).addTo(map))
    return () => {
      for (const marker of shown) marker.remove()
    }
  }, [map, marks])
  useVehicleMarker(map, moment, label)
  return <BaseMap bounds={bounds} onOpen={setMap} />
}

function useVehicleMarker(map: MapLibre | undefined, moment: Moment | undefined, label: string): void {
  const marker = useRef<Marker>(undefined)
  useEffect(() => {
    if (map === undefined || moment === undefined) {
      marker.current?.remove()
      marker.current = undefined
      return
    }
    marker.current ??= new Marker({ element: vehicleElement() }).setLngLat([moment.longitude, moment.latitude]).addTo(map)
    marker.current.setLngLat([moment.longitude, moment.latitude])
    const element = marker.current.getElement()
    element.setAttribute('aria-label', label)
    element.dataset['gap'] = String(moment.isInGap)
    const nose = element.querySelector('.nose')
    nose?.setAttribute('transform', `rotate(${moment.heading ?? 0})`)
    nose?.setAttribute('visibility', moment.heading === null ? 'hidden' : 'visible')
  }, [map, moment, label])
}

function vehicleElement(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'replay-marker'
  element.setAttribute('role', 'img')
  element.innerHTML =
    '<svg viewBox="-20 -20 40 40" width="44" height="44" aria-hidden="true"><path class="nose" d="M0 -18L7 -7H-7Z"/><circle r="8.5"/></svg>'
  return element
}

function markerOf({ kind, label, longitude, latitude }: Mark, onClick: () => void): Marker {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = `track-mark is-${kind}`
  element.title = label
  element.setAttribute('aria-label', label)
  element.innerHTML = `<svg class="mark-shape" viewBox="-11 -11 22 22" width="26" height="26" aria-hidden="true">${markShapes[kind]}</svg>`
  element.addEventListener('click', onClick)
  return new Marker({ element }).setLngLat([longitude, latitude])
}

function boundsOf({ points }: Course): LngLatBounds {
  const bounds = new LngLatBounds()
  for (const { longitude, latitude } of points) bounds.extend([longitude, latitude])
  return bounds
}
