import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withAbsoluteUrls } from './absolute-urls.ts'

test('parts of a style are found from where the style is, and the braces of templates stay', () => {
  const style = withAbsoluteUrls(
    {
      version: 8,
      glyphs: '../fonts/{fontstack}/{range}.pbf',
      sprite: '/sprites/light',
      sources: {
        near: { type: 'vector', tiles: ['tiles/{z}/{x}/{y}.pbf'] },
        far: { type: 'vector', url: 'https://tiles.example.com/all.json?key=a' },
        file: { type: 'vector', url: 'pmtiles:///map/streets.pmtiles' },
        own: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
      },
      layers: [],
    },
    new URL('https://maps.example.com/styles/streets.json'),
  )
  assert.equal(style.glyphs, 'https://maps.example.com/fonts/{fontstack}/{range}.pbf')
  assert.equal(style.sprite, 'https://maps.example.com/sprites/light')
  assert.deepEqual(style.sources, {
    near: { type: 'vector', tiles: ['https://maps.example.com/styles/tiles/{z}/{x}/{y}.pbf'] },
    far: { type: 'vector', url: 'https://tiles.example.com/all.json?key=a' },
    file: { type: 'vector', url: 'pmtiles://https://maps.example.com/map/streets.pmtiles' },
    own: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
  })
})
