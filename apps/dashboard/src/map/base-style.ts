import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { Geography } from './geography.ts'

export type Scheme = 'light' | 'dark'

type Colors = { water: string; land: string; border: string; coast: string; country: string; place: string; halo: string }

const colors: Readonly<Record<Scheme, Colors>> = {
  light: { water: '#cfe3ec', land: '#f6f5f0', border: '#b9b4a6', coast: '#9fbccb', country: '#8a8577', place: '#4c4a44', halo: '#f6f5f0' },
  dark: { water: '#14212b', land: '#24313b', border: '#46555f', coast: '#33505f', country: '#7f919d', place: '#c0ccd4', halo: '#1d2830' },
}

/** Without glyphs to load, MapLibre draws text with the fonts of the system. */
const FONT = ['sans-serif']

export function baseStyle(geography: Geography, scheme: Scheme): StyleSpecification {
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: geography.countries },
      borders: { type: 'geojson', data: geography.borders },
      coasts: { type: 'geojson', data: geography.coasts },
      countryNames: { type: 'geojson', data: geography.countryNames },
      places: { type: 'geojson', data: geography.places, attribution: 'Natural Earth · GeoNames' },
    },
    layers: layers(colors[scheme]),
  }
}

function layers(color: Colors): LayerSpecification[] {
  return [
    { id: 'water', type: 'background', paint: { 'background-color': color.water } },
    { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': color.land, 'fill-antialias': false } },
    { id: 'coasts', type: 'line', source: 'coasts', paint: { 'line-color': color.coast, 'line-width': 1 } },
    { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': color.border, 'line-width': 1, 'line-dasharray': [3, 2] } },
    ...labels(color),
  ]
}

function labels(color: Colors): LayerSpecification[] {
  const text = { 'text-font': FONT, 'text-max-width': 8 }
  const largestFirst: ExpressionSpecification = ['-', 0, ['get', 'size']]
  return [
    {
      id: 'places',
      type: 'symbol',
      source: 'places',
      // Thousands of people below which a place is not named at this zoom.
      filter: ['>=', ['get', 'size'], ['step', ['zoom'], 20_000, 3, 3_000, 4, 1_000, 5, 500, 6, 200, 7, 80, 8, 40, 9, 0]],
      layout: {
        ...text,
        'text-field': ['get', 'name'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 4, 11, 9, 13],
        'symbol-sort-key': largestFirst,
        'text-padding': 6,
      },
      paint: { 'text-color': color.place, 'text-halo-color': color.halo, 'text-halo-width': 1.4 },
    },
    {
      id: 'countryNames',
      type: 'symbol',
      source: 'countryNames',
      minzoom: 1.5,
      maxzoom: 6.5,
      // Square degrees below which a country has no room for its name.
      filter: ['>=', ['get', 'size'], ['step', ['zoom'], 200, 3, 20, 4, 3, 5, 0]],
      layout: {
        ...text,
        'text-field': ['get', 'name'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 14],
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.12,
        'symbol-sort-key': largestFirst,
      },
      paint: { 'text-color': color.country, 'text-halo-color': color.halo, 'text-halo-width': 1.2 },
    },
  ]
}
