import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityOf } from './model-identity.ts'

function named(options: Parameters<typeof identityOf>[0], defaultName = 'remaining-life') {
  const notes: string[] = []
  return { identity: identityOf(options, defaultName, { note: (line) => notes.push(line) }), notes }
}

test('a model has the name of its folder, as where it is served, unless a flag sets another', () => {
  for (const [out, name, version] of [
    ['models/pumps/1.2.0', 'pumps', '1.2.0'],
    ['models/pumps/2/', 'pumps', '2'],
    ['models/Pumps/v2', 'Pumps', 'v2'],
  ] as const)
    assert.deepEqual(named({ out }), { identity: { name, version }, notes: [] })
  assert.deepEqual(named({ out: 'models/pumps/1.2.0', name: 'fans', modelVersion: '3.0.0' }).identity, { name: 'fans', version: '3.0.0' })
  for (const out of ['my model', 'models/pumps', '/tmp/.hidden/1.0.0'])
    assert.deepEqual(named({ out }).identity, { name: 'remaining-life', version: '1.0.0' }, out)
})

test('where no engine serves the model from its folder, that is noted', () => {
  for (const out of ['models/my pumps/1.0.0', 'models/pumps', 'models/pumps/first'])
    assert.deepEqual(named({ out }).notes, [
      `The model is called remaining-life 1.0.0. An engine serves it from <folder of models>/remaining-life/1.0.0 only, which ${out} is not.`,
    ])
  assert.equal(named({ out: 'models/pumps/1.0.0', name: 'fans' }).notes.length, 1)
})
