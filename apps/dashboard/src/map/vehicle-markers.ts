// Vehicles and clusters of them as buttons over the map: they can be reached with the keyboard, and style sheets colour them.

import type { MapCluster, MapPoint } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type GeoJSONSource, type GeoJSONSourceSpecification, type Map as MapLibre, Marker } from 'maplibre-gl'
import { type Condition, conditionOf } from '../health/condition.ts'
import { timeAgo, vehicleLabel } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { OVERLAY_PREFIX } from './overlay.ts'

/** Worst first, which is how a ring begins at the top. */
const conditions: readonly Condition[] = ['critical', 'warning', 'healthy', 'unknown']
/** Vehicles are distinguished by buttons over the map; their source is there for its clusters. */
const VEHICLES = `${OVERLAY_PREFIX}vehicles`
const RING_RADIUS = 16
const RING_LENGTH = 2 * Math.PI * RING_RADIUS

type Shown = { readonly marker: Marker; readonly draw: (properties: Record<string, unknown>) => void }

export class VehicleMarkers {
  readonly #map: MapLibre
  readonly #onSelect: (vehicleId: string) => void
  readonly #shown = new Map<string, Shown>()
  /** Never hidden in a cluster, for it is what somebody is looking for. */
  #selected: (Shown & { readonly id: string }) | undefined

  constructor(map: MapLibre, onSelect: (vehicleId: string) => void) {
    this.#map = map
    this.#onSelect = onSelect
    map.addSource(VEHICLES, vehicleSource())
    // A source whose features no layer draws is not loaded.
    map.addLayer({ id: VEHICLES, type: 'circle', source: VEHICLES, paint: { 'circle-radius': 0, 'circle-opacity': 0 } })
    map.on('render', () => {
      if (map.getSource(VEHICLES) !== undefined && map.isSourceLoaded(VEHICLES)) this.#refresh()
    })
  }

  update(points: readonly LivePoint[], clusters: readonly MapCluster[]): void {
    this.#map.getSource<GeoJSONSource>(VEHICLES)?.setData({
      type: 'FeatureCollection',
      features: [...points.map(featureOfPoint), ...clusters.map(featureOfCluster)],
    })
  }

  select(vehicle: Vehicle | undefined): void {
    this.#showSelected(vehicle === undefined ? undefined : featureOfVehicle(vehicle))
  }

  #showSelected(feature: GeoJSON.Feature<GeoJSON.Point, FeatureProperties> | undefined): void {
    if (feature === undefined || this.#selected?.id !== feature.properties.id) {
      this.#selected?.marker.remove()
      this.#selected = undefined
    }
    if (feature === undefined) return
    const { id } = feature.properties
    this.#selected ??= { id, ...this.#create(feature, 'is-selected') }
    this.#selected.marker.setLngLat(positionOf(feature))
    this.#selected.draw(feature.properties)
  }

  #refresh(): void {
    const present = new Set<string>()
    for (const feature of this.#map.querySourceFeatures(VEHICLES)) {
      const { properties } = feature
      const key = properties['cluster'] === true ? `cluster ${properties['cluster_id']}` : String(properties['id'])
      if (present.has(key)) continue
      present.add(key)
      const shown = this.#shown.get(key) ?? this.#create(feature as AnyFeature)
      this.#shown.set(key, shown)
      shown.marker.setLngLat(positionOf(feature as AnyFeature))
      shown.draw(properties)
    }
    for (const [key, { marker }] of this.#shown) {
      if (present.has(key)) continue
      marker.remove()
      this.#shown.delete(key)
    }
  }

  #create(feature: AnyFeature, extraClass = ''): Shown {
    const element = document.createElement('button')
    element.type = 'button'
    const isCluster = feature.properties['cluster'] === true || feature.properties['west'] !== undefined
    element.className = `${isCluster ? 'cluster-marker' : 'vehicle-marker'} ${extraClass}`
    const draw = isCluster ? this.#cluster(element, feature) : this.#vehicle(element, feature)
    return { marker: new Marker({ element }).setLngLat(positionOf(feature)).addTo(this.#map), draw }
  }

  #vehicle(element: HTMLButtonElement, { properties }: AnyFeature): Shown['draw'] {
    element.addEventListener('click', () => this.#onSelect(String(properties['id'])))
    element.innerHTML = `<svg viewBox="-20 -20 40 40" width="40" height="40" aria-hidden="true"><path class="nose" d="M0 -17.5L6 -8H-6Z"/><g class="badge-shape"></g></svg>`
    let drawn = ''
    return (given) => {
      const { condition, heading, isOnline } = given as FeatureProperties
      const state = `${condition} ${isOnline}`
      element.dataset['condition'] = condition
      element.dataset['online'] = String(isOnline)
      const name = nameOf(given as FeatureProperties)
      element.title = name
      element.setAttribute('aria-label', name)
      const nose = element.querySelector('.nose')
      nose?.setAttribute('transform', `rotate(${heading ?? 0})`)
      nose?.setAttribute('visibility', heading === undefined ? 'hidden' : 'visible')
      if (state === drawn) return
      drawn = state
      const badge = element.querySelector('.badge-shape')
      if (badge !== null) badge.innerHTML = badgeShapes[condition]
    }
  }

  #cluster(element: HTMLButtonElement, feature: AnyFeature): Shown['draw'] {
    element.addEventListener('click', () => void this.#zoomInto(feature))
    let drawn = ''
    return (properties) => {
      const counts = conditions.map((condition) => [condition, Number(properties[condition] ?? 0)] as const)
      const state = counts.join()
      if (state === drawn) return
      drawn = state
      const total = counts.reduce((sum, [, count]) => sum + count, 0)
      const present = counts.filter(([, count]) => count > 0)
      const worst = present[0]?.[0] ?? 'unknown'
      const healths = present.map(([condition, count]) => `${count} ${conditionWord(condition)}`).join(', ')
      element.dataset['condition'] = worst
      element.title = healths
      element.setAttribute(
        'aria-label',
        t('{count, plural, one {# vehicle} other {# vehicles}}: {healths}. Zoom in', { count: total, healths }),
      )
      element.innerHTML = `<svg viewBox="-20 -20 40 40" width="46" height="46" aria-hidden="true"><circle r="18.5" class="disc"/>${ring(counts, total)}<text y="4.5">${total}</text><g class="badge-shape" transform="translate(14 -14) scale(0.7)">${badgeShapes[worst]}</g></svg>`
    }
  }

  async #zoomInto({ properties, ...feature }: AnyFeature): Promise<void> {
    const { west, south, east, north } = properties as Partial<MapCluster['bounds']>
    if (west !== undefined && south !== undefined && east !== undefined && north !== undefined) {
      this.#map.fitBounds([west, south, east, north], { padding: 60 })
      return
    }
    const zoom = await this.#map.getSource<GeoJSONSource>(VEHICLES)?.getClusterExpansionZoom(Number(properties['cluster_id']))
    if (zoom !== undefined) this.#map.easeTo({ center: positionOf({ properties, ...feature }), zoom: zoom + 0.4 })
  }
}

/** As it comes from our own features and from the clusters that MapLibre makes of them. */
type AnyFeature = { readonly properties: Record<string, unknown>; readonly geometry: GeoJSON.Point }

type FeatureProperties = { id: string; label: string; condition: Condition; heading?: number; isOnline: boolean; lastReadingAt?: string }

function conditionWord(condition: Condition): string {
  const words = { healthy: t('healthy'), warning: t('warning'), critical: t('critical'), unknown: t('unknown') }
  return words[condition]
}

/** As it is read out, and under the pointer. */
function nameOf({ label, condition, isOnline, lastReadingAt }: FeatureProperties): string {
  const known = `${label}, ${conditionWord(condition)}`
  return isOnline ? known : `${known}, ${t('last seen {ago}', { ago: timeAgo(lastReadingAt ?? null, Date.now()) })}`
}

function vehicleSource(): GeoJSONSourceSpecification {
  // Of a cluster of the service, as many as it counts.
  const countOf = (condition: Condition) => ['+', ['coalesce', ['get', condition], ['case', ['==', ['get', 'condition'], condition], 1, 0]]]
  return {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    cluster: true,
    clusterRadius: 44,
    clusterMaxZoom: 13,
    clusterProperties: Object.fromEntries(conditions.map((each) => [each, countOf(each)])),
  }
}

/** Each condition has a form of its own beside its colour. */
const badgeShapes: Readonly<Record<Condition, string>> = {
  healthy: '<circle r="8"/>',
  warning: '<path d="M0 -9.5L9.5 8H-9.5Z"/><path class="sign" d="M0 -4v5M0 4.6v.2"/>',
  critical: '<path d="M-4 -9.5H4L9.5 -4V4L4 9.5H-4L-9.5 4V-4Z"/><path class="sign" d="M0 -5v6M0 5v.2"/>',
  unknown: '<circle r="8"/><path class="sign" d="M-3.5 0h7"/>',
}

function ring(counts: readonly (readonly [Condition, number])[], total: number): string {
  let from = 0
  const arcs = counts.map(([condition, count]) => {
    const length = (count / total) * RING_LENGTH
    const arc = `<circle r="${RING_RADIUS}" class="arc" data-condition="${condition}" stroke-dasharray="${length} ${RING_LENGTH}" stroke-dashoffset="${-from}" transform="rotate(-90)"/>`
    from += length
    return count === 0 ? '' : arc
  })
  return arcs.join('')
}

function positionOf({ geometry: { coordinates } }: AnyFeature): [longitude: number, latitude: number] {
  return [coordinates[0] ?? 0, coordinates[1] ?? 0]
}

/** A point of the map, with what the stream reports of it. */
export type LivePoint = MapPoint & { readonly location?: Vehicle['location'] }

type PointFeature = GeoJSON.Feature<GeoJSON.Point, FeatureProperties>

function featureOfPoint({ location, ...point }: LivePoint): PointFeature {
  const { latitude, longitude, heading } = location ?? point
  return featureAt({ latitude, longitude }, { ...point, heading, condition: conditionOf(point) })
}

function featureOfVehicle(vehicle: Vehicle): PointFeature | undefined {
  const { location } = vehicle
  if (location === null) return undefined
  return featureAt(location, { ...vehicle, heading: location.heading, label: vehicleLabel(vehicle), condition: conditionOf(vehicle) })
}

type Drawn = Pick<Vehicle, 'id' | 'online' | 'lastReadingAt'> & { label: string; condition: Condition; heading: number | null }

function featureAt(
  { latitude, longitude }: { latitude: number; longitude: number },
  { id, label, condition, heading, online, lastReadingAt }: Drawn,
): PointFeature {
  const properties: FeatureProperties = {
    ...{ id, label, condition, isOnline: online },
    ...(heading === null ? {} : { heading }),
    ...(lastReadingAt === null ? {} : { lastReadingAt }),
  }
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties }
}

/** Its id is where it is: a cluster that is counted anew keeps its button. */
function featureOfCluster({ latitude, longitude, health, bounds }: MapCluster): GeoJSON.Feature<GeoJSON.Point> {
  const properties = { id: `cell ${longitude.toFixed(5)} ${latitude.toFixed(5)}`, ...health, ...bounds }
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties }
}
