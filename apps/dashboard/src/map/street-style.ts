// The style of a map with streets, from what the operator has set. The built-in map is in base-style.ts.

import type { MapSources } from '@roadworthy/contracts/platform-v1/map'
import { addProtocol, type LayerSpecification, type StyleSpecification } from 'maplibre-gl'
import { language } from '../text/preferences.ts'
import { PMTILES_SCHEME, resolveTemplate, withAbsoluteUrls } from './absolute-urls.ts'
import type { Scheme } from './base-style.ts'

/** The highest zoom of nearly all street maps; beyond it they are drawn larger. */
const MAX_RASTER_ZOOM = 19
const STREETS = 'streets'

/** Rejects where the style cannot be fetched or is none. */
export async function loadStreetStyle(sources: MapSources, scheme: Scheme, signal: AbortSignal): Promise<StyleSpecification> {
  const { kind, attribution } = sources
  const style =
    kind === 'pmtiles'
      ? await pmtilesStyle(sources.url ?? '', scheme)
      : kind === 'raster'
        ? rasterStyle(sources.url ?? '', scheme)
        : await fetchStyle((scheme === 'dark' ? sources.darkUrl : null) ?? sources.url ?? '', signal)
  return attribution === null ? style : withAttribution(style, attribution)
}

async function fetchStyle(address: string, signal: AbortSignal): Promise<StyleSpecification> {
  const url = new URL(address, location.href)
  const response = await fetch(url, { signal, credentials: 'omit' })
  if (!response.ok) throw new Error(`the style was answered with ${response.status}`)
  const style = (await response.json()) as StyleSpecification
  if (style.version !== 8 || !Array.isArray(style.layers)) throw new Error('what was answered is no MapLibre style')
  const absolute = withAbsoluteUrls(style, url)
  if (Object.values(absolute.sources).some(({ type, ...rest }) => 'url' in rest && rest.url?.startsWith(PMTILES_SCHEME))) await addPmtiles()
  return absolute
}

function rasterStyle(url: string, scheme: Scheme): StyleSpecification {
  const tiles = [resolveTemplate(url, new URL(location.href))]
  // Images are made for light pages: at night they are dimmed.
  const paint = scheme === 'dark' ? { 'raster-brightness-max': 0.65, 'raster-saturation': -0.4 } : {}
  return {
    version: 8,
    sources: { [STREETS]: { type: 'raster', tiles, tileSize: 256, maxzoom: MAX_RASTER_ZOOM } },
    layers: [{ id: STREETS, type: 'raster', source: STREETS, paint }],
  }
}

async function pmtilesStyle(url: string, scheme: Scheme): Promise<StyleSpecification> {
  const [{ layers, namedFlavor }] = await Promise.all([import('@protomaps/basemaps'), addPmtiles()])
  const drawn = layers(STREETS, namedFlavor(scheme), { lang: language }) as LayerSpecification[]
  return {
    version: 8,
    sources: { [STREETS]: { type: 'vector', url: PMTILES_SCHEME + new URL(url, location.href).href } },
    layers: drawn.flatMap(withoutIcons),
  }
}

/** Icons would be fetched from elsewhere. Text needs no font: MapLibre draws it with those of the system. */
function withoutIcons(layer: LayerSpecification): LayerSpecification[] {
  if (layer.type !== 'symbol') return [layer]
  const layout = Object.fromEntries(Object.entries(layer.layout ?? {}).filter(([name]) => !name.startsWith('icon-')))
  return 'text-field' in layout ? [{ ...layer, layout } as LayerSpecification] : []
}

let pmtiles: Promise<void> | undefined

/** Loaded by those who need it. */
function addPmtiles(): Promise<void> {
  pmtiles ??= import('pmtiles').then(({ Protocol }) => addProtocol('pmtiles', new Protocol({ metadata: true }).tile))
  return pmtiles
}

/** MapLibre shows it as HTML. Of every source, because only those in use are named. */
function withAttribution(style: StyleSpecification, text: string): StyleSpecification {
  const attribution = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const named = Object.entries(style.sources).map(([name, source]) => [name, { ...source, attribution }])
  return { ...style, sources: Object.fromEntries(named) as StyleSpecification['sources'] }
}
