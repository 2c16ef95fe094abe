import type { GeoJSONSource, LineLayerSpecification, Map as MapLibre } from 'maplibre-gl'
import { useEffect } from 'react'

type LineLook = { readonly id: string; readonly paint: NonNullable<LineLayerSpecification['paint']> }

const EMPTY: readonly GeoJSON.Feature[] = []

/** Lines over the base map, in layers drawn one over the other; they go when the map goes. `name` and the ids begin with `OVERLAY_PREFIX`, and the looks never change. */
export function useLineLayer(
  map: MapLibre | undefined,
  name: string,
  looks: readonly LineLook[],
  lines: readonly GeoJSON.Feature[] = EMPTY,
): void {
  useEffect(() => {
    if (map === undefined) return
    map.addSource(name, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
    for (const { id, paint } of looks) {
      map.addLayer({ id, type: 'line', source: name, layout: { 'line-cap': 'round', 'line-join': 'round' }, paint })
    }
  }, [map, name, looks])
  useEffect(() => {
    map?.getSource<GeoJSONSource>(name)?.setData({ type: 'FeatureCollection', features: [...lines] })
  }, [map, name, lines])
}
