// The files of a ZIP archive, such as a jar, that has no encryption and is smaller than 4 GiB (APPNOTE 6.3.10). For archives whose hash is known.
import { inflateRawSync } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_HEADER_BYTES = 30
const STORED = 0

/** By name, those that are wanted. */
export function readZip(archive: Buffer, isWanted: (name: string) => boolean): Map<string, Buffer> {
  let end = archive.length - END_BYTES
  while (end > 0 && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end--
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)
    if (!name.endsWith('/') && isWanted(name)) files.set(name, contentOf(archive, at))
    at += ENTRY_BYTES + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

function contentOf(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10)
  const packedBytes = archive.readUInt32LE(entry + 20)
  const header = archive.readUInt32LE(entry + 42)
  const start = header + LOCAL_HEADER_BYTES + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  const packed = archive.subarray(start, start + packedBytes)
  return method === STORED ? packed : inflateRawSync(packed)
}
