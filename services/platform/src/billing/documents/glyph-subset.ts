// The part of a TrueType font that a document needs, in which several glyphs may be drawn as one. A consonant with the vowels and marks around it
// is then one glyph with one text, and every reader that searches or copies finds the text in the order in which it was written.
// Tables: https://learn.microsoft.com/typography/opentype/spec/otff

/** A glyph of the font, and where its origin is in the drawn glyph. */
export type Component = { readonly glyph: number; readonly x: number; readonly y: number }
/** One component at the origin is the glyph of the font itself. */
export type DrawnGlyph = { readonly components: readonly Component[]; readonly advanceWidth: number }

export type TrueTypeTables = ReadonlyMap<string, Buffer>
type Outline = { readonly bytes: Buffer; readonly advanceWidth: number }

const COPIED_TABLES = ['cvt ', 'fpgm', 'prep']
const TABLE_RECORD_BYTES = 16
const GLYPH_HEAD_BYTES = 10
/** Bits of a component (glyf table). */
const ARGS_ARE_WORDS = 0x0001
const ARGS_ARE_OFFSETS = 0x0002
const HAS_SCALE = 0x0008
const HAS_MORE = 0x0020
const HAS_TWO_SCALES = 0x0040
const HAS_MATRIX = 0x0080

export function readTables(file: Buffer): TrueTypeTables {
  const tables = new Map<string, Buffer>()
  for (let nth = 0; nth < file.readUInt16BE(4); nth++) {
    const at = 12 + nth * TABLE_RECORD_BYTES
    const offset = file.readUInt32BE(at + 8)
    tables.set(file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12)))
  }
  return tables
}

/** A font whose glyphs are these, in this order, followed by those that they are made of. */
export function subsetOf(font: TrueTypeTables, drawn: readonly DrawnGlyph[]): Buffer {
  const outlines: (Outline | undefined)[] = drawn.map(() => undefined)
  const places = new Map<number, number>()
  for (const [place, { components }] of drawn.entries()) {
    const glyph = soleGlyph(components)
    if (glyph !== undefined && !places.has(glyph)) places.set(glyph, place)
  }
  const waiting: { place: number; glyph: number }[] = []
  const placeOf = (glyph: number) => {
    const known = places.get(glyph)
    if (known !== undefined) return known
    const place = outlines.push(undefined) - 1
    places.set(glyph, place)
    waiting.push({ place, glyph })
    return place
  }
  for (const [place, { components, advanceWidth }] of drawn.entries()) {
    const glyph = soleGlyph(components)
    const bytes = glyph === undefined ? combined(font, components, placeOf) : outlineOf(font, glyph, placeOf)
    outlines[place] = { bytes, advanceWidth }
  }
  for (const { place, glyph } of waiting) {
    outlines[place] = { bytes: outlineOf(font, glyph, placeOf), advanceWidth: advanceWidthOf(font, glyph) }
  }
  const mostComponents = Math.max(...drawn.map(({ components }) => components.length))
  return fontFile(
    font,
    outlines.filter((outline) => outline !== undefined),
    mostComponents,
  )
}

function soleGlyph(components: readonly Component[]): number | undefined {
  const [first] = components
  return components.length === 1 && first?.x === 0 && first.y === 0 ? first.glyph : undefined
}

function tableOf(font: TrueTypeTables, name: string): Buffer {
  const table = font.get(name)
  if (table === undefined) throw new Error(`the font has no table ${name}`)
  return table
}

function advanceWidthOf(font: TrueTypeTables, glyph: number): number {
  const count = tableOf(font, 'hhea').readUInt16BE(34)
  return tableOf(font, 'hmtx').readUInt16BE(4 * Math.min(glyph, count - 1))
}

function sourceOf(font: TrueTypeTables, glyph: number): Buffer {
  const loca = tableOf(font, 'loca')
  const isLong = tableOf(font, 'head').readInt16BE(50) === 1
  const offset = (nth: number) => (isLong ? loca.readUInt32BE(4 * nth) : 2 * loca.readUInt16BE(2 * nth))
  return tableOf(font, 'glyf').subarray(offset(glyph), offset(glyph + 1))
}

/** The outline as the font has it; where it is made of others, it names them by their new places. */
function outlineOf(font: TrueTypeTables, glyph: number, placeOf: (glyph: number) => number): Buffer {
  const bytes = Buffer.from(sourceOf(font, glyph))
  if (bytes.length === 0 || bytes.readInt16BE(0) >= 0) return bytes
  let flags = HAS_MORE
  for (let at = GLYPH_HEAD_BYTES; flags & HAS_MORE; ) {
    flags = bytes.readUInt16BE(at)
    bytes.writeUInt16BE(placeOf(bytes.readUInt16BE(at + 2)), at + 2)
    at += 4 + (flags & ARGS_ARE_WORDS ? 4 : 2)
    at += flags & HAS_MATRIX ? 8 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_SCALE ? 2 : 0
  }
  return bytes
}

function combined(font: TrueTypeTables, components: readonly Component[], placeOf: (glyph: number) => number): Buffer {
  // What draws nothing has no outline.
  const visible = components.filter(({ glyph }) => sourceOf(font, glyph).length > 0)
  if (visible.length === 0) return Buffer.alloc(0)
  const boxes = visible.map(({ glyph, x, y }) => {
    const source = sourceOf(font, glyph)
    return [source.readInt16BE(2) + x, source.readInt16BE(4) + y, source.readInt16BE(6) + x, source.readInt16BE(8) + y] as const
  })
  const head = Buffer.alloc(GLYPH_HEAD_BYTES)
  head.writeInt16BE(-1, 0)
  head.writeInt16BE(Math.min(...boxes.map(([left]) => left)), 2)
  head.writeInt16BE(Math.min(...boxes.map(([, bottom]) => bottom)), 4)
  head.writeInt16BE(Math.max(...boxes.map(([, , right]) => right)), 6)
  head.writeInt16BE(Math.max(...boxes.map(([, , , top]) => top)), 8)
  const parts = visible.map(({ glyph, x, y }, nth) => {
    const part = Buffer.alloc(8)
    part.writeUInt16BE(ARGS_ARE_WORDS | ARGS_ARE_OFFSETS | (nth < visible.length - 1 ? HAS_MORE : 0), 0)
    part.writeUInt16BE(placeOf(glyph), 2)
    part.writeInt16BE(x, 4)
    part.writeInt16BE(y, 6)
    return part
  })
  return Buffer.concat([head, ...parts])
}

function fontFile(font: TrueTypeTables, outlines: readonly Outline[], mostComponents: number): Buffer {
  const count = outlines.length
  const glyf = outlines.map(({ bytes }) => padded(bytes))
  const loca = Buffer.alloc(4 * (count + 1))
  const hmtx = Buffer.alloc(4 * count)
  let offset = 0
  for (const [nth, { bytes, advanceWidth }] of outlines.entries()) {
    hmtx.writeUInt16BE(advanceWidth, 4 * nth)
    hmtx.writeInt16BE(bytes.length === 0 ? 0 : bytes.readInt16BE(2), 4 * nth + 2)
    offset += glyf[nth]?.length ?? 0
    loca.writeUInt32BE(offset, 4 * (nth + 1))
  }
  const head = Buffer.from(tableOf(font, 'head'))
  head.writeUInt32BE(0, 8)
  head.writeInt16BE(1, 50)
  const hhea = Buffer.from(tableOf(font, 'hhea'))
  hhea.writeUInt16BE(count, 34)
  const tables: [string, Buffer][] = [
    ...COPIED_TABLES.flatMap((name): [string, Buffer][] => {
      const table = font.get(name)
      return table === undefined ? [] : [[name, table]]
    }),
    ['glyf', Buffer.concat(glyf)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', limitsOf(font, count, mostComponents)],
  ]
  return assembled(tables)
}

/** The largest numbers that occur, or more. */
function limitsOf(font: TrueTypeTables, glyphCount: number, mostComponents: number): Buffer {
  const maxp = Buffer.from(tableOf(font, 'maxp'))
  const raise = (at: number, value: number) => maxp.writeUInt16BE(Math.min(0xffff, Math.max(maxp.readUInt16BE(at), value)), at)
  const [points, contours] = [6, 8].map((at) => Math.max(maxp.readUInt16BE(at), maxp.readUInt16BE(at + 4)))
  maxp.writeUInt16BE(glyphCount, 4)
  raise(10, mostComponents * (points ?? 0))
  raise(12, mostComponents * (contours ?? 0))
  raise(28, mostComponents)
  raise(30, maxp.readUInt16BE(30) + 1)
  return maxp
}

function assembled(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const head = Buffer.alloc(12)
  const power = Math.floor(Math.log2(tables.length))
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt16BE(tables.length, 4)
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(16 * tables.length - 16 * 2 ** power, 10)
  let offset = head.length + TABLE_RECORD_BYTES * tables.length
  const records = tables.map(([name, table]) => {
    const record = Buffer.alloc(TABLE_RECORD_BYTES)
    record.write(name, 'latin1')
    record.writeUInt32BE(checksumOf(padded(table)), 4)
    record.writeUInt32BE(offset, 8)
    record.writeUInt32BE(table.length, 12)
    offset += padded(table).length
    return record
  })
  return Buffer.concat([head, ...records, ...tables.map(([, table]) => padded(table))])
}

function checksumOf(table: Buffer): number {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}

function padded(bytes: Buffer): Buffer {
  const missing = -bytes.length & 3
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)])
}
