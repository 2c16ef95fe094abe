// Goal: streets are drawn from images and from a PMTiles file too, asked of the host that is set and of no other. Method: a small server of this test
// holds both, the service is started once for each, and a real browser draws them. A style is in map-in-the-dashboard.long.test.ts.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ensureBuilt } from '../../tools/setup/ensure-built.js'
import { callPatiently as call, startPlatform } from '../support/running-platform.ts'
import { inBrowser, launchBrowser, newPage, signIn } from './browser.ts'
import { ROOT } from './running-service.ts'

/** One point. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const E7 = 10_000_000

/** https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md with one tile, of the whole world, that is all land. Nothing is compressed. */
function worldOfLand(): Buffer {
  const tile = landTile()
  // One entry: tile 0, for one tile, so long, at the beginning.
  const root = Buffer.from([1, 0, 1, tile.length, 1])
  const metadata = Buffer.from(JSON.stringify({ vector_layers: [{ id: 'earth', fields: {} }] }))
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header.writeUInt8(3, 7)
  const sections = [root, metadata, Buffer.alloc(0), tile]
  let offset = header.length
  sections.forEach((section, at) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(section.length), 16 + at * 16)
    offset += section.length
  })
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at)
  const [isClustered, uncompressed, mvt] = [1, 1, 1]
  header.set([isClustered, uncompressed, uncompressed, mvt], 96)
  // Zoom 0 to 0, from -180, -85 to 180, 85.
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * E7, 102 + at * 4)
  return Buffer.concat([header, ...sections])
}

/** https://github.com/mapbox/vector-tile-spec 2.1: a layer `earth` with one square. */
function landTile(): Buffer {
  const part = (field: number, bytes: readonly number[]) => [(field << 3) | 2, bytes.length, ...bytes]
  const number = (field: number, ...varint: number[]) => [field << 3, ...varint]
  const [moveTo, lineTo, closePath] = [(1 << 3) | 1, (3 << 3) | 2, (1 << 3) | 7]
  // 4096 and -4096, zigzag and varint.
  const [side, back] = [
    [0x80, 0x40],
    [0xff, 0x3f],
  ] as const
  const square = [moveTo, 0, 0, lineTo, ...side, 0, 0, ...side, ...back, 0, closePath]
  const feature = [...number(3, 3), ...part(4, square)]
  return Buffer.from(part(3, [...number(15, 2), ...part(1, [...Buffer.from('earth')]), ...part(2, feature), ...number(5, 0x80, 0x20)]))
}

async function startServer(t: { after(cleanUp: () => Promise<void>): void }): Promise<{ origin: string; asked: string[] }> {
  const archive = worldOfLand()
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers, method } = request
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'range')
    response.setHeader('access-control-expose-headers', 'content-range, etag')
    if (method === 'OPTIONS') return response.writeHead(204).end()
    asked.push(url)
    if (url.endsWith('.png')) return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    const [, first = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? assert.fail('the file is asked for in parts')).map(
      Number,
    )
    const bytes = archive.subarray(first, Math.min(last + 1, archive.length))
    return response.writeHead(206, { 'content-range': `bytes ${first}-${first + bytes.length - 1}/${archive.length}` }).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

for (const [flag, path, expected] of [
  ['--map-raster-url', '/{z}/{x}/{y}.png', /^\/\d+\/\d+\/\d+\.png$/],
  ['--map-pmtiles-url', '/land.pmtiles', /^\/land\.pmtiles$/],
] as const) {
  test(`${flag} is drawn, at any zoom, and nothing else is asked for`, inBrowser, async (t) => {
    assert.notEqual(await ensureBuilt(ROOT), 'failed')
    const { origin, asked } = await startServer(t)
    const { credentials } = await startPlatform(t, { flags: [flag, origin + path, '--map-attribution', 'Map of the test'] })
    const body = { vehicleId: 'truck-1', timestamp: new Date().toISOString(), latitude: 49, longitude: 8.4, vehicleSpeed: 60 }
    const sent = await call(credentials.base_url, 'POST', '/api/v1/telemetry', { key: credentials.api_key, body })
    assert.equal(sent.status, 200)
    const browser = await launchBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await newPage(browser)
    await page.goto(`${credentials.dashboard.url}fleet?selected=${sent.body['vehicleId']}`)
    await signIn(page, credentials.dashboard)
    await page.locator('.map[data-base=streets][data-idle=true]').waitFor()
    await page.getByText('Map of the test').first().waitFor()
    await page.getByRole('button', { name: /^truck-1, / }).waitFor()
    assert.ok(asked.length > 0 && asked.every((each) => expected.test(each)), asked.join('\n'))
    assert.deepEqual(complaints, [])
  })
}
