// Goal: nobody's language is missed or made up, also where a request says it. Method: locales of browsers, and what stands in headers.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signals } from '@roadworthy/signals/registry'
import { closestLanguage, languages } from './languages.ts'
import { partNames } from './part-names.ts'
import { phrases } from './phrases.ts'
import { listedWords } from './slots.ts'
import { textsOf } from './texts-of.ts'

test('the language is the first of the browser that there is', () => {
  assert.equal(closestLanguage(['fr-CA', 'de-AT', 'en']), 'de')
  assert.equal(closestLanguage(['es-419']), 'es')
  assert.equal(closestLanguage(['fr', 'ja']), 'en')
  assert.equal(closestLanguage([]), 'en')
  assert.equal(closestLanguage(['*', '', 'x'.repeat(9), 'DE']), 'de')
})

for (const language of languages.filter((each) => each !== 'en')) {
  test(`${language}: every name and every phrase has a translation, with the same gaps`, async () => {
    const gaps = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
    const file = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, `../languages/${language}/${name}.json`), 'utf8'))
    const texts: Record<string, string> = { ...file('names'), ...file('said/said') }
    const textOf = await textsOf(language)
    const names = [...Object.values(signals).map(({ label }) => label), ...Object.values(partNames)]
    const wanted = new Set([...names, ...phrases, ...Object.values(listedWords).flat()])
    assert.deepEqual(
      Object.keys(texts).filter((text) => !wanted.has(text)),
      [],
      'nobody says it any more',
    )
    for (const text of wanted) {
      assert.ok((texts[text] ?? '') !== '', text)
      assert.equal(textOf(text), texts[text])
      assert.deepEqual(gaps(texts[text] ?? ''), gaps(text), text)
    }
  })
}

test('a text that a language lacks stays English, and so does all of English', async () => {
  assert.equal((await textsOf('de'))('Gearbox sings'), 'Gearbox sings')
  assert.equal((await textsOf('en'))('Battery voltage'), 'Battery voltage')
})
