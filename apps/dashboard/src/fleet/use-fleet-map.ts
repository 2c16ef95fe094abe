import type { FleetMap } from '@roadworthy/contracts/platform-v1/fleet-map'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type FleetChoice, fleetMapQuery } from '../api/fleet-queries.ts'
import type { Shown } from '../live/shown.ts'
import { useShown } from '../live/use-live.ts'
import { type Box, boxAround, isStillGood } from '../map/box.ts'

export type AskedMap = {
  /** Of all that are chosen; where they are many, only to know where they are. */
  readonly whole: UseQueryResult<FleetMap>
  /** Of what is in view. */
  readonly part: UseQueryResult<FleetMap>
  readonly onView: (view: Box) => void
}

/** Vehicles of the part of the map that is in view. A fleet of which each vehicle is named is asked for once, wherever the map is moved. */
export function useFleetMap(choice: FleetChoice): AskedMap {
  const [box, setBox] = useState<Box>()
  const whole = useQuery(fleetMapQuery(choice, undefined))
  const isMany = (whole.data?.clusters.length ?? 0) > 0
  const ofBox = useQuery({ ...fleetMapQuery(choice, box), enabled: isMany && box !== undefined })
  const part = isMany && ofBox.data !== undefined ? ofBox : whole
  const onView = useCallback(
    (view: Box) => setBox((asked) => (asked !== undefined && isStillGood(asked, view) ? asked : boxAround(view))),
    [],
  )

  useShown(useMemo(() => shownOnMap(part.data, isMany ? box : undefined), [part.data, isMany, box]))
  return { whole, part, onView }
}

const EARTH: Box = { west: -180, south: -90, east: 180, north: 90 }
/** More are followed by where they are. */
const MAX_NAMED = 150

/** Few are followed by name, wherever they drive. Clusters are counted anew from time to time. */
function shownOnMap(map: FleetMap | undefined, box: Box | undefined): Shown {
  if (map === undefined || map.clusters.length > 0) return {}
  return map.points.length <= MAX_NAMED ? { vehicleIds: map.points.map(({ id }) => id) } : { box: box ?? EARTH }
}
