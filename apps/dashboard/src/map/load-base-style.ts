import type { MapSources } from '@roadworthy/contracts/platform-v1/map'
import type { StyleSpecification } from 'maplibre-gl'
import { baseStyle, type Scheme } from './base-style.ts'
import type { Geography } from './geography.ts'
import { loadStreetStyle } from './street-style.ts'

export type BaseStyle = {
  /** `fallback`: the built-in map in place of streets that did not come. */
  readonly kind: 'built_in' | 'streets' | 'fallback'
  readonly style: StyleSpecification
  /** Beyond this there is nothing more to show. */
  readonly maxZoom: number
  /** What is left of the time that streets have. */
  readonly withinMs: number
}

/** Longer than this, nobody waits in front of an empty map. */
const STREETS_WITHIN_MS = 4_000
const BUILT_IN_MAX_ZOOM = 13
const STREETS_MAX_ZOOM = 19

/** Never rejects for want of streets. */
export async function loadBaseStyle(sources: MapSources | null, scheme: Scheme, signal: AbortSignal): Promise<BaseStyle> {
  if (sources === null || sources.kind === 'built_in') return await loadBuiltInStyle(scheme)
  const startMs = performance.now()
  try {
    const style = await loadStreetStyle(sources, scheme, AbortSignal.any([signal, AbortSignal.timeout(STREETS_WITHIN_MS)]))
    const withinMs = Math.max(0, STREETS_WITHIN_MS - (performance.now() - startMs))
    return { kind: 'streets', style, maxZoom: STREETS_MAX_ZOOM, withinMs }
  } catch {
    return { ...(await loadBuiltInStyle(scheme)), kind: 'fallback' }
  }
}

let geography: Promise<Geography> | undefined

/** Its geography is as large as the map's code, and whoever has streets does not need it. */
export async function loadBuiltInStyle(scheme: Scheme): Promise<BaseStyle> {
  geography ??= import('./geography.ts').then(({ readGeography }) => readGeography())
  return { kind: 'built_in', style: baseStyle(await geography, scheme), maxZoom: BUILT_IN_MAX_ZOOM, withinMs: 0 }
}
