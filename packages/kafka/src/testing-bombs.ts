// For tests: small contents that inflate to large ones, in the two formats that Node cannot write.

/** Snappy: the length, one literal zero, and copies of it, 64 bytes by three (format description §2.2.2). */
export function snappyBlockOfZeros(length: number): Buffer {
  const header: number[] = []
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    header.push(rest >= 128 ? (rest % 128) | 0x80 : rest)
    if (rest < 128) break
  }
  const literal = [0, 0]
  const copies = Buffer.alloc(3 * Math.ceil((length - 1) / 64), Buffer.from([((64 - 1) << 2) | 2, 1, 0]))
  return Buffer.concat([Buffer.from([...header, ...literal]), copies])
}

const LZ4_BLOCK_BYTES = 4 * 1024 * 1024
/** Version 1, blocks that stand for themselves, no check sums; blocks of 4 MiB; and the check sum of these two bytes. */
const LZ4_HEADER = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73])

/** One literal zero and a match of everything behind it, its length in bytes of 255, then the five literals that end a block. */
function lz4BlockOfZeros(): Buffer {
  const lastLiterals = 5
  const match = LZ4_BLOCK_BYTES - 1 - lastLiterals - 4
  const extension = match - 15
  const lengths = Buffer.concat([Buffer.alloc(Math.floor(extension / 255), 255), Buffer.from([extension % 255])])
  return Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), lengths, Buffer.from([lastLiterals << 4]), Buffer.alloc(lastLiterals)])
}

export function lz4FrameOfZeros(length: number): Buffer {
  const block = lz4BlockOfZeros()
  const size = Buffer.alloc(4)
  size.writeUInt32LE(block.length)
  const blocks = Array.from({ length: Math.ceil(length / LZ4_BLOCK_BYTES) }, () => [size, block]).flat()
  return Buffer.concat([LZ4_HEADER, ...blocks, Buffer.alloc(4)])
}
