import type { StyleSpecification } from 'maplibre-gl'

/** Sources and layers whose names begin so are ours and not of the base map: they stay when it is replaced. */
export const OVERLAY_PREFIX = 'own-'

/** The next base map, with what lies over the previous one. */
export function keepOverlay(previous: StyleSpecification | undefined, next: StyleSpecification): StyleSpecification {
  if (previous === undefined) return next
  const sources = Object.entries(previous.sources).filter(([name]) => name.startsWith(OVERLAY_PREFIX))
  const layers = previous.layers.filter(({ id }) => id.startsWith(OVERLAY_PREFIX))
  return { ...next, sources: { ...next.sources, ...Object.fromEntries(sources) }, layers: [...next.layers, ...layers] }
}
