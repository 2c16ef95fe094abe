import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo } from 'react'
import { trailQuery } from '../api/track-queries.ts'
import { OVERLAY_PREFIX } from '../map/overlay.ts'
import { coloredLines, courseOf } from './replay.ts'
import { useLineLayer } from './use-line-layer.ts'

const TRAIL = `${OVERLAY_PREFIX}trail`
const looks = [
  { id: `${TRAIL}-edge`, paint: { 'line-color': '#ffffff', 'line-width': 6, 'line-opacity': 0.7 } },
  { id: TRAIL, paint: { 'line-color': '#1971c2', 'line-width': 3 } },
] as const

/** The last half hour of the vehicle, up to where it is. */
export function useTrail(map: MapLibre | undefined, vehicle: Vehicle | undefined): void {
  const { data: track } = useQuery({ ...trailQuery(vehicle?.id ?? ''), enabled: vehicle !== undefined && vehicle.location !== null })
  const { latitude, longitude, timestamp } = vehicle?.location ?? {}
  const lines = useMemo(() => {
    const last = track?.points.at(-1)
    if (track === undefined || track.vehicleId !== vehicle?.id || latitude === undefined || longitude === undefined) return []
    const isNewer = timestamp !== undefined && last !== undefined && timestamp > last.at
    const now = { at: timestamp ?? '', latitude, longitude, speed: null, heading: null, ignition: null }
    return coloredLines(courseOf({ points: isNewer ? [...track.points, now] : track.points, gaps: track.gaps }), () => 0)
  }, [track, vehicle?.id, latitude, longitude, timestamp])
  useLineLayer(map, TRAIL, looks, lines)
}
