import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf, DARK_LINK_SHADE, DARK_SHADE, LIGHT_SHADE, shadesOf, textOnTint } from './brand-shades.ts'

test('whatever the colour, what is written in it can be read on a light and on a dark page', () => {
  for (const colour of ['#000000', '#ffffff', '#ffff00', '#0b7285', '#ff0000', '#00ff00', '#0000ff', '#808080', '#242424']) {
    const shades = shadesOf(colour)
    assert.equal(shades.length, 10)
    for (const shade of shades) assert.match(shade, /^#[0-9a-f]{6}$/)
    assert.ok(contrastOf(shades[LIGHT_SHADE], '#ffffff') >= 4.5, colour)
    assert.ok(contrastOf(shades[DARK_SHADE], '#ffffff') >= 4.5, colour)
    assert.ok(contrastOf(shades[LIGHT_SHADE - 1] ?? '', '#ffffff') >= 4.5, `${colour} under the pointer, light`)
    assert.ok(contrastOf(shades[DARK_SHADE + 1] ?? '', '#ffffff') >= 4.5, `${colour} under the pointer, dark`)
    assert.ok(contrastOf(textOnTint(shades), shades[1]) >= 4.5, `${colour} on its tint`)
    assert.ok(contrastOf(shades[DARK_SHADE], '#2e2e2e') >= 2.8, colour)
    assert.ok(contrastOf(shades[DARK_LINK_SHADE], '#2e2e2e') >= 4.5, colour)
  }
})

test('a colour that can be read stays as it is', () => {
  assert.equal(shadesOf('#0b7285')[LIGHT_SHADE], '#0b7285')
  assert.equal(shadesOf('#ffd43b')[DARK_LINK_SHADE], '#ffd43b')
})

test('contrast is that of WCAG', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(Math.round(contrastOf('#767676', '#ffffff') * 100) / 100, 4.54)
})
