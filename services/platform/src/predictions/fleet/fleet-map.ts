// The chosen vehicles on a map: points while they are few, else those that lie together as one.

import { type FleetMap, MAX_MAP_POINTS } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Box, widthOf } from '../../fleet/box.ts'
import { type Cell, type PointRow, selectCells, selectPoints } from './fleet-map.read.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'

/** Squares along the longer side of the box, at most: about 60 pixels each on a large screen, and never more than 625 in an answer. */
const MAX_CELLS_ALONG = 24
/** A few centimetres: of vehicles that all are in one place. */
const MIN_SIDE = 1e-9

export async function readFleetMap(database: Database, choice: VehicleChoice): Promise<FleetMap> {
  const db = database.tenantPool(choice.viewer.resellerId)
  const [all] = await selectCells(db, choice, undefined)
  if (all === undefined) return { total: 0, bounds: null, points: [], clusters: [] }
  const total = countOf(all)
  const bounds = boundsOf(all)
  if (total <= MAX_MAP_POINTS) {
    return { total, bounds, points: (await selectPoints(db, choice, MAX_MAP_POINTS)).map(toPoint), clusters: [] }
  }
  const cells = await selectCells(db, choice, cellSizeOf(choice.box ?? bounds))
  const alone = cells.filter((cell) => countOf(cell) === 1).map(({ vehicleId }) => vehicleId)
  const points = alone.length === 0 ? [] : await selectPoints(db, { ...choice, ids: alone }, alone.length)
  return { total, bounds, points: points.map(toPoint), clusters: cells.filter((cell) => countOf(cell) > 1).map(toCluster) }
}

/** A side of the squares, as a part of the width of the world. A power of two, so that a map that is moved keeps its squares. */
export function cellSizeOf(box: Box): number {
  const side = Math.max(widthOf(box) / 360, mercatorY(box.south) - mercatorY(box.north))
  return 2 ** Math.ceil(Math.log2(Math.max(side, MIN_SIDE) / MAX_CELLS_ALONG))
}

function mercatorY(latitude: number): number {
  const radians = (Math.max(-85.05, Math.min(85.05, latitude)) * Math.PI) / 180
  return (1 - Math.log(Math.tan(Math.PI / 4 + radians / 2)) / Math.PI) / 2
}

function countOf({ critical, warning, healthy, unknown }: Cell): number {
  return critical + warning + healthy + unknown
}

/** Across the antimeridian where the box is narrower that way: around Fiji it would go around the world. */
function boundsOf({ west, south, east, north, easternWest, westernEast }: Cell): Box {
  const direct = { west, south, east, north }
  if (easternWest === null || westernEast === null) return direct
  const across = { west: easternWest, south, east: westernEast, north }
  return widthOf(across) < widthOf(direct) ? across : direct
}

function toCluster(cell: Cell): FleetMap['clusters'][number] {
  const { latitude, longitude, critical, warning, healthy, unknown } = cell
  return { latitude, longitude, health: { critical, warning, healthy, unknown }, bounds: boundsOf(cell) }
}

function toPoint({ lastReadingAt, ...point }: PointRow): FleetMap['points'][number] {
  return { ...point, lastReadingAt: lastReadingAt?.toISOString() ?? null }
}
