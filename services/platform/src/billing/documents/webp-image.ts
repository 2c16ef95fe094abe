// A brand's logo that was uploaded as WebP, for which the PDF has no form of its own.
// Container: RFC 9649. The decoder is in Rust, in a memory of its own, and stops where a file is damaged: those that wrap libwebp, and are small, are
// older than the mending of CVE-2023-4863.

import { type PackerOptions, PNG } from 'pngjs'

const RIFF_HEAD_BYTES = 12
const CHUNK_HEAD_BYTES = 8
/** What one still picture is made of; of an animation nothing is drawn. */
const KNOWN_CHUNKS = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L', 'EXIF', 'XMP ']
const START_CODE = 0x9d012a
const LOSSLESS_SIGNATURE = 0x2f

type Size = { readonly width: number; readonly height: number }

export function isWebp(file: Buffer): boolean {
  return file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, RIFF_HEAD_BYTES) === 'WEBP'
}

/**
 * The picture as PNG; absent where it is animated, damaged in its container, or has more pixels. What the decoder finds wrong within the picture is
 * thrown: its memory is not to be used again.
 */
export async function pngOfWebp(file: Buffer, maxPixels: number, writing: PackerOptions): Promise<Buffer | undefined> {
  const sizes = sizesOf(file)
  const [first] = sizes ?? []
  if (first === undefined || !sizes?.every(({ width, height }) => width === first.width && height === first.height)) return undefined
  if (first.width * first.height === 0 || first.width * first.height > maxPixels) return undefined
  // Read when the first logo needs it.
  const { PhotonImage } = await import('@cf-wasm/photon/node')
  const decoded = PhotonImage.new_from_byteslice(file)
  const image = new PNG({ width: decoded.get_width(), height: decoded.get_height() })
  image.data = Buffer.from(decoded.get_raw_pixels())
  decoded.free()
  return PNG.sync.write(image, writing)
}

/** All that the file declares of its size: the decoder makes room for each. Absent where it is not one whole picture. */
function sizesOf(file: Buffer): Size[] | undefined {
  const sizes: Size[] = []
  let pictureCount = 0
  let at = RIFF_HEAD_BYTES
  while (at + CHUNK_HEAD_BYTES <= file.length) {
    const type = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const content = file.subarray(at + CHUNK_HEAD_BYTES, at + CHUNK_HEAD_BYTES + length)
    if (!KNOWN_CHUNKS.includes(type) || content.length < length) return undefined
    const size = sizeOf(type, content)
    if (size !== undefined) sizes.push(size)
    if (type === 'VP8 ' || type === 'VP8L') {
      pictureCount++
      if (size === undefined) return undefined
    }
    // Chunks begin at even places.
    at += CHUNK_HEAD_BYTES + length + (length % 2)
  }
  return pictureCount === 1 ? sizes : undefined
}

function sizeOf(type: string, content: Buffer): Size | undefined {
  if (type === 'VP8X' && content.length === 10) return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ' && content.length >= 10 && content.readUIntBE(3, 3) === START_CODE) {
    return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff }
  }
  if (type === 'VP8L' && content.length >= 5 && content.readUInt8(0) === LOSSLESS_SIGNATURE) {
    const bits = content.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return undefined
}
