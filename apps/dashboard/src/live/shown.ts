// Which vehicles are shown, as the stream is asked for them.

import { type Box, boxText, contains } from '../map/box.ts'

/** Named in one address: common proxies refuse one of more than 8 kB. */
export const MAX_NAMED = 300

export type Shown = { readonly vehicleIds?: readonly string[] | undefined; readonly box?: Box | undefined }

/** The smallest parts first: what is selected, then what is listed, then what is on the map. A page has one map: of several boxes, the newest. */
export function unionOfShown(parts: readonly Shown[]): Shown {
  const smallestFirst = parts.map((part) => part.vehicleIds ?? []).sort((a, b) => a.length - b.length)
  const vehicleIds = [...new Set(smallestFirst.flat())].slice(0, MAX_NAMED).sort()
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
  const query = [
    ...(vehicleIds === undefined ? [] : [`vehicles=${vehicleIds.map(encodeURIComponent).join(',')}`]),
    ...(box === undefined ? [] : [`bbox=${boxText(box)}`]),
    ...(lastEventId === undefined ? [] : [`lastEventId=${encodeURIComponent(lastEventId)}`]),
  ]
  return `/api/v1/stream${query.length === 0 ? '' : `?${query.join('&')}`}`
}
