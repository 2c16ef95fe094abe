import type { SourceSpecification, StyleSpecification } from 'maplibre-gl'

/** Before the address of a PMTiles file, in styles. */
export const PMTILES_SCHEME = 'pmtiles://'

/** Styles may name their parts relative to themselves; MapLibre would take that as relative to the page. */
export function withAbsoluteUrls(style: StyleSpecification, base: URL): StyleSpecification {
  const resolve = (url: string) => resolveTemplate(url, base)
  const resolveSource = (source: SourceSpecification): SourceSpecification => {
    const { url, tiles } = source as { url?: unknown; tiles?: unknown }
    return {
      ...source,
      ...(typeof url === 'string' ? { url: resolve(url) } : {}),
      ...(Array.isArray(tiles) ? { tiles: tiles.map((each) => resolve(String(each))) } : {}),
    } as SourceSpecification
  }
  const { glyphs, sprite } = style
  return {
    ...style,
    sources: Object.fromEntries(Object.entries(style.sources ?? {}).map(([name, source]) => [name, resolveSource(source)])),
    ...(typeof glyphs === 'string' ? { glyphs: resolve(glyphs) } : {}),
    ...(typeof sprite === 'string' ? { sprite: resolve(sprite) } : {}),
  }
}

/** As `new URL` does, but braces such as `{z}` stay what they are. */
export function resolveTemplate(url: string, base: URL): string {
  if (url.startsWith(PMTILES_SCHEME)) return PMTILES_SCHEME + resolveTemplate(url.slice(PMTILES_SCHEME.length), base)
  return new URL(url, base).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
}
