import type { Map as MapLibre } from 'maplibre-gl'
import { OVERLAY_PREFIX } from './overlay.ts'

/** What of MapLibre's events is read. */
type SourceEvent = { readonly sourceId?: string; readonly tile?: unknown }

export type Watched = Pick<MapLibre, 'on' | 'off'>

/**
 * Reports once when nothing of the streets came within the time, or when the map has come to rest without them. A single tile that is missing is
 * nothing: there are none of the sea. Returns how to stop watching.
 */
export function watchStreets(map: Watched, withinMs: number, onFailure: () => void): () => void {
  let hasFailed = false
  const isOfStreets = ({ sourceId }: SourceEvent) => sourceId !== undefined && !sourceId.startsWith(OVERLAY_PREFIX)
  const onLoaded = (event: SourceEvent) => {
    if (isOfStreets(event) && event.tile !== undefined) stop()
  }
  const onError = (event: SourceEvent) => {
    hasFailed ||= isOfStreets(event)
  }
  const fail = () => {
    stop()
    onFailure()
  }
  const onIdle = () => {
    if (hasFailed) fail()
    else stop()
  }
  const timer = setTimeout(fail, withinMs)
  const stop = () => {
    clearTimeout(timer)
    map.off('sourcedata', onLoaded)
    map.off('error', onError as never)
    map.off('idle', onIdle)
  }
  map.on('sourcedata', onLoaded)
  map.on('error', onError as never)
  map.on('idle', onIdle)
  return stop
}
