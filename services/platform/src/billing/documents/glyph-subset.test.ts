import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Blob, Face, Font as Shaper } from 'harfbuzzjs'
import { readTables, subsetOf } from './glyph-subset.ts'

const file = readFileSync(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'))
const whole = new Shaper(new Face(new Blob(file)))
const glyph = (character: string) => whole.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0
const alone = (character: string) => ({ components: [{ glyph: glyph(character), x: 0, y: 0 }], advanceWidth: 500 })
const subset = (drawn: Parameters<typeof subsetOf>[1]) => new Shaper(new Face(new Blob(subsetOf(readTables(file), drawn))))

test('a glyph has its outline and its width, also where it is made of others', () => {
  const font = subset([alone('\u0000'), alone('a'), alone(' '), alone('é'), alone('a')])
  assert.equal(font.glyphToPath(1), whole.glyphToPath(glyph('a')))
  assert.equal(font.glyphToPath(2), '')
  assert.equal(font.glyphToPath(3), whole.glyphToPath(glyph('é')))
  assert.equal(font.glyphToPath(4), font.glyphToPath(1))
  assert.equal(font.glyphHAdvance(1), 500)
})

test('several glyphs are drawn as one, each in its place', () => {
  const parts = [
    { glyph: glyph('n'), x: 0, y: 0 },
    { glyph: glyph(' '), x: 300, y: 0 },
    { glyph: glyph('i'), x: -40, y: 700 },
  ]
  const font = subset([alone('\u0000'), { components: parts, advanceWidth: 640 }])
  const outline = font.glyphToPath(1)
  assert.ok(outline.startsWith(whole.glyphToPath(glyph('n'))))
  assert.ok(outline.length > whole.glyphToPath(glyph('n')).length)
  const box = (extents: { xBearing: number; yBearing: number; height: number } | undefined) => extents
  const [n, i, both] = [box(whole.glyphExtents(glyph('n'))), box(whole.glyphExtents(glyph('i'))), box(font.glyphExtents(1))]
  assert.equal(both?.xBearing, Math.min(n?.xBearing ?? 0, (i?.xBearing ?? 0) - 40))
  assert.equal(both?.yBearing, (i?.yBearing ?? 0) + 700)
  assert.equal(font.glyphHAdvance(1), 640)
})

test('one glyph that is not at the origin is moved', () => {
  const font = subset([alone('\u0000'), { components: [{ glyph: glyph('n'), x: 100, y: 0 }], advanceWidth: 640 }])
  assert.equal(font.glyphExtents(1)?.xBearing, (whole.glyphExtents(glyph('n'))?.xBearing ?? 0) + 100)
})

test('tables that are missing are named', () => {
  assert.throws(() => subsetOf(new Map(), [alone('a')]), /the font has no table/)
})
