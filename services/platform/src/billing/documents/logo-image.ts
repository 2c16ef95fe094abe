// A brand's logo, before it is drawn. Whoever uploads it chooses every byte, and the service only looks at the first few when it stores it.

import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { isWebp, pngOfWebp } from './webp-image.ts'

/** A logo is 256 KiB at most as a file; this bounds what it becomes when it is decoded, at 4 bytes a pixel. */
const MAX_PIXELS = 4_000_000
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE = 3
/** By colour type (PNG §11.2.1): samples a pixel, and how many bits they may have. */
const pngColours: Readonly<Record<number, { readonly samples: number; readonly bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  [PALETTE]: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
}
const CHUNK_OVERHEAD_BYTES = 12
/** Quick: the PDF library compresses it again. */
const WRITING = { filterType: 0, deflateLevel: 1 } as const
/** Of an image that is not interlaced, and of one that is, pass by pass (PNG §8): the first column and row, and the steps from one to the next. */
const passes: Readonly<Record<number, readonly { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }[]>> = {
  0: [{ x: 0, y: 0, dx: 1, dy: 1 }],
  1: [
    { x: 0, y: 0, dx: 8, dy: 8 },
    { x: 4, y: 0, dx: 8, dy: 8 },
    { x: 0, y: 4, dx: 4, dy: 8 },
    { x: 2, y: 0, dx: 4, dy: 4 },
    { x: 0, y: 2, dx: 2, dy: 4 },
    { x: 1, y: 0, dx: 2, dy: 2 },
    { x: 0, y: 1, dx: 1, dy: 2 },
  ],
}

/**
 * The image where it can be drawn within bounds: a JPEG, a PNG without whatever drawing does not need, a WebP as PNG. Everything else is absent
 * (SVG, damaged or too large): the document then has the brand's name in its place. A WebP whose picture is damaged is thrown.
 */
export async function drawableLogo(image: Uint8Array | undefined): Promise<Buffer | undefined> {
  if (image === undefined) return undefined
  const file = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  if (isWebp(file)) return await pngOfWebp(file, MAX_PIXELS, WRITING)
  try {
    if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return drawablePng(file)
    return isDrawableJpeg(file) ? file : undefined
  } catch {
    // Ends too early, or does not inflate within its bounds.
    return undefined
  }
}

type Chunk = { readonly type: string; readonly content: Buffer; readonly whole: Buffer }

/** Up to the end that the format marks; absent where the file ends before. */
function chunksOf(file: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = PNG_SIGNATURE.length; at + CHUNK_OVERHEAD_BYTES <= file.length; ) {
    const end = at + file.readUInt32BE(at) + CHUNK_OVERHEAD_BYTES
    if (end > file.length) return undefined
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, content: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return undefined
}

function drawablePng(file: Buffer): Buffer | undefined {
  const chunks = chunksOf(file)
  const head = chunks?.[0]
  if (chunks === undefined || head?.type !== 'IHDR' || head.content.length !== 13) return undefined
  const [width, height, bits] = [head.content.readUInt32BE(0), head.content.readUInt32BE(4), head.content.readUInt8(8)]
  const colourType = head.content.readUInt8(9)
  const colours = pngColours[colourType]
  const interlacing = head.content.readUInt8(12)
  if (!colours?.bits.includes(bits) || width * height === 0 || width * height > MAX_PIXELS) return undefined
  const rows = rowBytesOf(width, height, colours.samples * bits, interlacing)
  const pixelChunks = chunks.filter(({ type }) => type === 'IDAT')
  if (rows === undefined || !areWhole(rows, Buffer.concat(pixelChunks.map(({ content }) => content)))) return undefined
  const palette = colourType === PALETTE ? paletteOf(chunks, bits) : []
  // The decoder of the PDF library can be kept busy, or ended, by chunks with texts, colour keys and other additions.
  const kept = palette && [head, ...palette, ...pixelChunks, ...chunks.slice(-1)].map(({ whole }) => whole)
  const clean = kept && Buffer.concat([PNG_SIGNATURE, ...kept])
  // The PDF library counts in whole bytes: it errs on transparent colours of a palette where they have less than 8 bits, and on small or interlaced ones.
  const isTaken = interlacing === 0 && (bits >= 8 || palette?.length !== 2)
  return clean === undefined || isTaken ? clean : PNG.sync.write(PNG.sync.read(clean), WRITING)
}

/** How many bytes each row of pixels has with its filter, in the order in which they are stored. */
function rowBytesOf(width: number, height: number, pixelBits: number, interlacing: number): number[] | undefined {
  return passes[interlacing]?.flatMap(({ x, y, dx, dy }) => {
    const columns = Math.ceil((width - x) / dx)
    const count = columns > 0 ? Math.max(0, Math.ceil((height - y) / dy)) : 0
    return Array.from({ length: count }, () => 1 + Math.ceil((columns * pixelBits) / 8))
  })
}

/** Whether it inflates to these rows and to no more, each with a filter that exists. */
function areWhole(rows: readonly number[], deflated: Buffer): boolean {
  const size = rows.reduce((sum, bytes) => sum + bytes, 0)
  const pixels = inflateSync(deflated, { maxOutputLength: size })
  let at = 0
  for (const bytes of rows) {
    if ((pixels[at] ?? Number.NaN) > 4) return false
    at += bytes
  }
  return pixels.length === size
}

/** The colours, and how transparent the first of them are. */
function paletteOf(chunks: readonly Chunk[], bits: number): Chunk[] | undefined {
  const palette = chunks.find(({ type }) => type === 'PLTE')
  const count = (palette?.content.length ?? 0) / 3
  if (palette === undefined || !Number.isInteger(count) || count === 0 || count > 2 ** bits) return undefined
  const transparency = chunks.find(({ type, content }) => type === 'tRNS' && content.length > 0 && content.length <= count)
  return transparency === undefined ? [palette] : [palette, transparency]
}

/** The frame header has the size; the picture itself stays as it is, and only the viewer decodes it. */
function isDrawableJpeg(file: Buffer): boolean {
  if (file.readUInt16BE(0) !== 0xffd8) return false
  let at = 2
  while (file.readUInt8(at) === 0xff) {
    const marker = file.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xc2
    if (isFrame) {
      const pixels = file.readUInt16BE(at + 5) * file.readUInt16BE(at + 7)
      const channels = file.readUInt8(at + 9)
      return file.readUInt8(at + 4) === 8 && pixels > 0 && pixels <= MAX_PIXELS && [1, 3, 4].includes(channels)
    }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return false
}
