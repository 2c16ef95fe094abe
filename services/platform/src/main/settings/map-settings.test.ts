import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findMapContradictions, type MapSettings, mapFilesOf, servedMapOf } from './map-settings.ts'

const RASTER = 'https://tiles.example.com/{z}/{x}/{y}.png'

const served = (settings: MapSettings) => servedMapOf({ ...settings, dataDir: '/data' })
const problems = (settings: MapSettings) => findMapContradictions(settings).map(({ name, fix }) => `${name}: ${fix}`)

test('without a setting the map is the built-in one, which asks nobody', () => {
  assert.deepEqual(served({}), { streets: undefined, origins: [], dir: undefined })
  assert.deepEqual(problems({}), [])
})

test('pages may ask the hosts that are named, each once, and no other', () => {
  const style = 'https://Maps.example.com:8443/styles/streets?key=abc'
  const settings = { mapStyleUrl: style, mapHosts: 'tiles.example.com, https://fonts.example.com,maps.example.com:8443' }
  assert.deepEqual(problems(settings), [])
  assert.deepEqual(served(settings).origins, ['https://maps.example.com:8443', 'https://tiles.example.com', 'https://fonts.example.com'])
  assert.deepEqual(served(settings).streets, { kind: 'style', url: style, darkUrl: undefined, attribution: undefined })
  assert.deepEqual(served({ mapRasterUrl: RASTER, mapAttribution: '© A' }).origins, ['https://tiles.example.com'])
})

test('a path of the service asks no other host, and below /map/ is a file of the data folder', () => {
  const settings = { mapPmtilesUrl: '/map/north%20sea.pmtiles' }
  assert.deepEqual(problems(settings), [])
  assert.deepEqual(served(settings).origins, [])
  assert.equal(served(settings).dir, join('/data', 'map'))
  assert.deepEqual(mapFilesOf(settings), [{ name: 'MAP_PMTILES_URL', path: 'north sea.pmtiles' }])
  assert.deepEqual(mapFilesOf({ mapStyleUrl: '/tiles/style.json' }), [], 'a proxy in front may serve other paths')
  assert.equal(served({ mapRasterUrl: '/map/{z}/{x}/{y}.png' }).dir, join('/data', 'map'))
})

test('an address that browsers would refuse is refused at the start', () => {
  const wrong = (mapStyleUrl: string) => problems({ mapStyleUrl })[0] ?? ''
  assert.match(wrong('http://tiles.example.com/style.json'), /^MAP_STYLE_URL: .*over https only/)
  assert.equal(wrong('http://127.0.0.1:8081/style.json'), '')
  assert.match(wrong('tiles.example.com/style.json'), /it is no address/)
  assert.match(wrong('//tiles.example.com/style.json'), /it is no address/)
  assert.match(wrong('javascript:alert(1)'), /https only/)
  assert.match(wrong('https://me:secret@tiles.example.com/'), /password/)
  assert.match(wrong('https://tiles.example.com/a b'), /a character that no address has/)
  assert.match(wrong('/map/../secret-key'), /out of its folder/)
  assert.match(wrong('/map/%2e%2e/secret-key'), /out of its folder/)
  assert.match(problems({ mapPmtilesUrl: 'http://tiles.example.com/a.pmtiles' })[0] ?? '', /^MAP_PMTILES_URL: /)
})

test('images need their place in the address, and whose they are', () => {
  assert.match(
    problems({ mapRasterUrl: RASTER })[0] ?? '',
    /^MAP_ATTRIBUTION: the images of MAP_RASTER_URL do not contain whose map they are/,
  )
  const wrong = (mapRasterUrl: string) => problems({ mapRasterUrl, mapAttribution: '© A' })
  assert.deepEqual(wrong(RASTER), [])
  assert.match(wrong('https://tiles.example.com/{z}/{x}.png')[0] ?? '', /it lacks \{y\}/)
  assert.match(wrong('https://{s}.example.com/{z}/{x}/{y}.png')[0] ?? '', /no map replaces \{s\}/)
})

test('hosts are hosts: a list cannot open the policy any further', () => {
  for (const host of [
    '*',
    '*.example.com',
    "'unsafe-eval'",
    'a.example.com; script-src *',
    'http://a.example.com',
    'a.example.com/path',
    'data:',
    'a@b.example',
  ]) {
    assert.match(problems({ mapStyleUrl: '/map/style.json', mapHosts: host })[0] ?? '', /^MAP_HOSTS: .*not a host/, host)
  }
})

test('settings that contradict each other are refused', () => {
  assert.match(problems({ mapStyleUrl: '/a', mapPmtilesUrl: '/b' })[0] ?? '', /^MAP_PMTILES_URL: MAP_STYLE_URL is set too/)
  assert.match(problems({ mapStyleDarkUrl: '/a' })[0] ?? '', /^MAP_STYLE_URL: .*set both/)
  assert.match(problems({ mapHosts: 'a.example.com' })[0] ?? '', /^MAP_HOSTS: there is no street map/)
  assert.match(problems({ mapAttribution: '© A' })[0] ?? '', /^MAP_ATTRIBUTION: there is no street map/)
})
