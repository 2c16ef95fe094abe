import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { fc } from '../../../../../test/support/fast-check.ts'
import { drawableLogo } from './logo-image.ts'
import { interlacedRows, jpegHead, png, pngChunk, webps } from './test-images.ts'

test('PNG and JPEG are drawn', async () => {
  for (const image of [
    png({ width: 40, height: 10 }),
    jpegHead({ width: 40, height: 10 }),
    jpegHead({ width: 4, height: 4, channels: 1 }),
  ]) {
    assert.deepEqual(await drawableLogo(image), image)
  }
})

test('a PNG keeps its palette and transparency, and loses what drawing does not need', async () => {
  const [palette, transparency] = [pngChunk('PLTE', Buffer.alloc(6)), pngChunk('tRNS', Buffer.alloc(2))]
  const image = { width: 40, height: 1, rows: Buffer.alloc(41), colourType: 3 }
  const needed = [palette, transparency]
  const additions = [pngChunk('tEXt', Buffer.alloc(0)), ...needed, pngChunk('iCCP', Buffer.alloc(5))]
  assert.deepEqual(await drawableLogo(png({ ...image, additions })), png({ ...image, additions: needed }))
  assert.deepEqual(
    await drawableLogo(png({ ...image, additions: [palette, pngChunk('tRNS', Buffer.alloc(3))] })),
    png({ ...image, additions: [palette] }),
    'transparency of more colours than there are',
  )
  const good = { width: 40, height: 10 }
  assert.deepEqual(await drawableLogo(png({ ...good, additions: [transparency] })), png(good))
})

test('an interlaced PNG is put together', async () => {
  const pixelAt = (x: number, y: number) => [x, 10 * y, 255 - x, 200]
  for (const [width, height] of [
    [1, 1],
    [3, 2],
    [5, 9],
    [40, 10],
  ] as const) {
    const logo = await drawableLogo(png({ width, height, isInterlaced: true, rows: interlacedRows(width, height, pixelAt) }))
    assert.ok(logo)
    const expected = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => pixelAt(x, y))).flat(2)
    assert.deepEqual([...PNG.sync.read(logo).data], expected)
    assert.equal(logo.readUInt8(28), 0, 'not interlaced')
  }
})

test('colours of a palette that share a byte keep their transparency', async () => {
  const additions = [pngChunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255])), pngChunk('tRNS', Buffer.from([0, 128]))]
  const logo = await drawableLogo(png({ width: 4, height: 1, bits: 2, colourType: 3, rows: Buffer.from([0, 0b00_01_00_01]), additions }))
  const [clear, blue] = [
    [255, 0, 0, 0],
    [0, 0, 255, 128],
  ]
  assert.ok(logo)
  assert.deepEqual([...PNG.sync.read(logo).data], [clear, blue, clear, blue].flat())
  assert.equal(logo.readUInt8(25), 6, 'without a palette')
})

test('a WebP becomes a PNG: with losses, with transparency, and without losses', async () => {
  for (const [name, { file, pixels }] of Object.entries(webps)) {
    const logo = await drawableLogo(file)
    assert.ok(logo, name)
    assert.deepEqual([...PNG.sync.read(logo).data], pixels, name)
  }
})

test('a WebP is not decoded where its container is damaged, animated, or declares more pixels than may be', async () => {
  const { lossy, transparent, lossless } = webps
  const changed = (file: Buffer, at: number, bytes: number[]) => {
    const copy = Buffer.from(file)
    copy.set(bytes, at)
    return copy
  }
  const images: Record<string, Buffer> = {
    cut: lossy.file.subarray(0, 30),
    'no picture': lossy.file.subarray(0, 12),
    'two pictures': Buffer.concat([lossy.file, lossy.file.subarray(12)]),
    animated: Buffer.concat([lossless.file, Buffer.from('ANMF\u0000\u0000\u0000\u0000')]),
    'large, with losses': changed(lossy.file, 26, [0xff, 0x3f, 0xff, 0x3f]),
    'large, without losses': changed(lossless.file, 21, [0xff, 0xff, 0xff, 0x0f]),
    'large canvas': changed(transparent.file, 24, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    'canvas of another size': changed(transparent.file, 24, [9, 0, 0, 9, 0, 0]),
    'no start code': changed(lossy.file, 23, [1, 2, 3]),
  }
  for (const [name, image] of Object.entries(images)) assert.equal(await drawableLogo(image), undefined, name)
})

test('a WebP whose picture is damaged is thrown', async () => {
  const damaged = Buffer.from(webps.lossless.file)
  damaged.fill(0xff, 26)
  await assert.rejects(drawableLogo(damaged), /unreachable/)
})

test('what is no PNG, JPEG or WebP, is damaged or would become too large is not drawn', async () => {
  const good = png({ width: 40, height: 10 })
  const images: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/x"/></svg>'),
    webp: Buffer.from('RIFF\u0010\u0000\u0000\u0000WEBPVP8 '),
    'cut png': good.subarray(0, good.length - 8),
    'png without pixels': png({ width: 40, height: 10, rows: Buffer.alloc(0) }),
    'png of too few rows': png({ width: 40, height: 10, rows: Buffer.alloc(161) }),
    'png that inflates to more than it declares': png({ width: 40, height: 10, rows: Buffer.alloc(50_000_000) }),
    'png that declares more than the bound': png({ width: 60_000, height: 60_000, rows: Buffer.alloc(10) }),
    'png with an unknown filter': png({ width: 40, height: 10, filter: 9 }),
    'png of bits that its colours cannot have': png({ width: 40, height: 10, bits: 4 }),
    'png without its palette': png({ width: 40, height: 1, rows: Buffer.alloc(41), colourType: 3 }),
    'png of half a palette': png({
      width: 40,
      height: 1,
      rows: Buffer.alloc(41),
      colourType: 3,
      additions: [pngChunk('PLTE', Buffer.alloc(4))],
    }),
    'interlaced png of too few rows': png({ width: 40, height: 10, isInterlaced: true }),
    'interlaced png that inflates to more than it declares': png({
      width: 40,
      height: 10,
      isInterlaced: true,
      rows: Buffer.alloc(50_000_000),
    }),
    'interlaced png with an unknown filter': png({
      width: 1,
      height: 1,
      isInterlaced: true,
      rows: Buffer.from([5, 0, 0, 0, 0]),
    }),
    'cut jpeg': jpegHead({ width: 40, height: 10 }).subarray(0, 8),
    'jpeg of no size': jpegHead({ width: 0, height: 10 }),
    'jpeg that is too large': jpegHead({ width: 65_000, height: 65_000 }),
    'jpeg of two channels': jpegHead({ width: 40, height: 10, channels: 2 }),
  }
  for (const [name, image] of Object.entries(images)) assert.equal(await drawableLogo(image), undefined, name)
})

test('whatever bytes come, they are a logo or none, and nothing is thrown', async () => {
  const interlaced = png({ width: 9, height: 9, isInterlaced: true, rows: interlacedRows(9, 9, () => [1, 2, 3, 4]) })
  const good = [png({ width: 40, height: 10 }), interlaced, jpegHead({ width: 40, height: 10 })]
  const damaged = fc
    .tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 5 }))
    .map(([image, changes]) => {
      const copy = Buffer.from(image)
      for (const [at, byte] of changes) copy[at % copy.length] = byte
      return copy
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), async (image) => {
      await drawableLogo(image)
    }),
  )
})
