// Which vehicles are shown, as the stream is asked for them.

import { type Box, boxText, contains } from '../map/box.ts'

/** Of one stream: a limit of the service (docs/live.md). */
export const MAX_SHOWN = 500

export type Shown = { readonly vehicleIds?: readonly string[] | undefined; readonly box?: Box | undefined }

/** Vehicles that are named count for more than those of a box. A page has one map: of several boxes, the newest. */
export function unionOfShown(parts: readonly Shown[]): Shown {
  const vehicleIds = [...new Set(parts.flatMap((part) => part.vehicleIds ?? []))].sort().slice(0, MAX_SHOWN)
  const box = parts.findLast((part) => part.box !== undefined)?.box
  return { ...(vehicleIds.length > 0 ? { vehicleIds } : {}), ...(box === undefined ? {} : { box }) }
}

/** Whether a stream that was opened for `opened` shows all of `wanted`. */
export function coversShown(opened: Shown, wanted: Shown): boolean {
  const ids = new Set(opened.vehicleIds)
  if (!(wanted.vehicleIds ?? []).every((id) => ids.has(id))) return false
  return wanted.box === undefined || (opened.box !== undefined && contains(opened.box, wanted.box))
}

export function streamUrl({ vehicleIds, box }: Shown, lastEventId: string | undefined): string {
  const query = new URLSearchParams()
  if (vehicleIds !== undefined) query.set('vehicles', vehicleIds.join(','))
  if (box !== undefined) query.set('bbox', boxText(box))
  if (lastEventId !== undefined) query.set('lastEventId', lastEventId)
  return `/api/v1/stream${query.size === 0 ? '' : `?${query}`}`
}
