import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { keepOverlay } from './overlay.ts'

const empty: SourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }
const style = (...names: string[]): StyleSpecification => ({
  version: 8,
  sources: Object.fromEntries(names.map((name) => [name, empty])),
  layers: names.map((name) => ({ id: name, type: 'line', source: name })),
})

test('what lies over the base map stays above the next one, and nothing of the previous base map does', () => {
  const kept = keepOverlay(style('land', 'own-trail', 'own-vehicles'), style('streets'))
  assert.deepEqual(Object.keys(kept.sources), ['streets', 'own-trail', 'own-vehicles'])
  assert.deepEqual(
    kept.layers.map(({ id }) => id),
    ['streets', 'own-trail', 'own-vehicles'],
  )
  assert.deepEqual(keepOverlay(undefined, style('streets')), style('streets'))
})
