// Small images for the tests of logos.

import { crc32, deflateSync } from 'node:zlib'

export function pngChunk(type: string, content: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([head, typed, sum])
}

type Png = {
  readonly width: number
  readonly height: number
  /** The rows of pixels, each with its filter byte, before they are compressed. */
  readonly rows?: Buffer
  readonly filter?: number
  readonly isInterlaced?: boolean
  readonly colourType?: number
  readonly bits?: number
  /** Chunks before the pixels. */
  readonly additions?: readonly Buffer[]
}

/** Unless set otherwise, with colours and transparency (8 bits, type 6). */
export function png({ width, height, rows, filter = 0, isInterlaced = false, colourType = 6, bits = 8, additions = [] }: Png): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([bits, colourType, 0, 0, isInterlaced ? 1 : 0], 8)
  const row = Buffer.concat([Buffer.from([filter]), Buffer.alloc(4 * width, Buffer.from([0xd9, 0x48, 0x0f, 0xc0]))])
  const pixels = rows ?? Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', head),
    ...additions,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The rows of an interlaced image of 8 bits a sample, pass by pass (PNG §8.2). */
export function interlacedRows(width: number, height: number, pixelAt: (x: number, y: number) => readonly number[]): Buffer {
  const starts = ['00', '40', '04', '20', '02', '10', '01']
  const steps = ['88', '88', '48', '44', '24', '22', '12']
  const rows = starts.flatMap((start, pass) => {
    const [x0 = 0, y0 = 0, dx = 1, dy = 1] = Array.from(start + steps[pass], Number)
    const columns = Array.from({ length: Math.max(0, Math.ceil((width - x0) / dx)) }, (_, nth) => x0 + nth * dx)
    const lines = Array.from({ length: Math.max(0, Math.ceil((height - y0) / dy)) }, (_, nth) => y0 + nth * dy)
    return columns.length === 0 ? [] : lines.map((y) => [0, ...columns.flatMap((x) => pixelAt(x, y))])
  })
  return Buffer.from(rows.flat())
}

/** No more than a frame header: a PDF has a JPEG as it is, and only viewers decode it. */
export function jpegHead({ width, height, channels = 3 }: { width: number; height: number; channels?: number }): Buffer {
  const frame = Buffer.alloc(10 + 3 * channels)
  frame.set([0xff, 0xc0])
  frame.writeUInt16BE(8 + 3 * channels, 2)
  frame.writeUInt8(8, 4)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  frame.writeUInt8(channels, 9)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.from([0xff, 0xd9])])
}

const decoded = (text: string) => Buffer.from(text, 'base64')
/** One pixel each, with its colours. */
export const webps = {
  lossy: { file: decoded('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'), pixels: [130, 130, 130, 255] },
  transparent: {
    file: decoded('UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA=='),
    pixels: [127, 127, 127, 0],
  },
  lossless: { file: decoded('UklGRhwAAABXRUJQVlA4TBAAAAAvAAAAEM1VICIC9ahqeRqY'), pixels: [200, 30, 90, 128] },
}
