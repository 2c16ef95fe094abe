// A brand's logo, before it is drawn. Whoever uploads it chooses every byte, and the service only looks at the first few when it stores it.

import { inflateSync } from 'node:zlib'

/** A logo is 256 KiB at most as a file; this bounds what it becomes when it is decoded, at 4 bytes a pixel. */
const MAX_PIXELS = 4_000_000
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Samples a pixel, by colour type. */
const pngSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const CHUNK_OVERHEAD_BYTES = 12

/**
 * The image where it is a PNG or a JPEG that can be drawn within bounds. Everything else is absent (WebP, SVG, interlaced PNG, damaged or too large): the
 * document then has the brand's name in its place.
 */
export function drawableLogo(image: Uint8Array | undefined): Buffer | undefined {
  if (image === undefined) return undefined
  const file = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const isPng = file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)
  try {
    return (isPng ? isDrawablePng(file) : isDrawableJpeg(file)) ? file : undefined
  } catch {
    // Ends too early, or does not inflate within its bounds.
    return undefined
  }
}

function isDrawablePng(file: Buffer): boolean {
  const width = file.readUInt32BE(16)
  const height = file.readUInt32BE(20)
  const bits = file.readUInt8(24)
  const samples = pngSamples[file.readUInt8(25)]
  const isInterlaced = file.readUInt8(28) !== 0
  if (file.toString('latin1', 12, 16) !== 'IHDR' || samples === undefined || ![1, 2, 4, 8, 16].includes(bits)) return false
  // How much an interlaced image inflates to depends on its seven passes; logos hardly ever are.
  if (width * height === 0 || width * height > MAX_PIXELS || isInterlaced) return false
  const parts: Buffer[] = []
  let hasEnd = false
  for (let at = PNG_SIGNATURE.length; at + CHUNK_OVERHEAD_BYTES <= file.length && !hasEnd; ) {
    const length = file.readUInt32BE(at)
    if (at + length + CHUNK_OVERHEAD_BYTES > file.length) return false
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length))
    hasEnd = type === 'IEND'
    at += length + CHUNK_OVERHEAD_BYTES
  }
  const rowBytes = 1 + Math.ceil((width * samples * bits) / 8)
  const pixels = inflateSync(Buffer.concat(parts), { maxOutputLength: rowBytes * height })
  const filters = Array.from({ length: height }, (_, row) => pixels[row * rowBytes] ?? Number.NaN)
  return hasEnd && pixels.length >= rowBytes * height && filters.every((filter) => filter <= 4)
}

/** The frame header says the size; the picture itself stays as it is, and only the viewer decodes it. */
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
