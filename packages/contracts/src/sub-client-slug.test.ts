import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/fast-check.ts'
import { isSlug, numberedSlug, slugFromName } from './sub-client-slug.ts'

test('a slug reads like the name it was made from', () => {
  const cases: Record<string, string> = {
    'Acme Logistics': 'acme-logistics',
    '  Müller & Söhne GmbH  ': 'muller-sohne-gmbh',
    'Łódź Straße Ærø': 'lodz-strasse-aero',
    "O'Brien’s Trucks": 'obriens-trucks',
    'ﬁne ①': 'fine-1',
    '--A__b--': 'a-b',
    北京: 'sub-client',
    '...': 'sub-client',
  }
  for (const [name, slug] of Object.entries(cases)) assert.equal(slugFromName(name), slug)
})

test('every name has a slug that is valid, also with a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 99_999 }), (name, n) => {
      const slug = slugFromName(name)
      assert.ok(isSlug(slug) && !slug.startsWith('-') && !slug.endsWith('-'), slug)
      const numbered = numberedSlug(slug, n)
      assert.ok(isSlug(numbered), numbered)
      assert.ok(n === 1 ? numbered === slug : numbered.endsWith(`-${n}`))
    }),
  )
})

test('a slug as long as it may be makes room for its number', () => {
  const longest = slugFromName('x'.repeat(200))
  assert.equal(longest.length, 64)
  assert.equal(numberedSlug(longest, 12), `${'x'.repeat(61)}-12`)
})
