import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityOf } from './model-identity.ts'

test('a model has the name of its folder, as where it is served, unless a flag sets another', () => {
  assert.deepEqual(identityOf({ out: 'models/pumps/1.2.0' }, 'remaining-life'), { name: 'pumps', version: '1.2.0' })
  assert.deepEqual(identityOf({ out: 'models/pumps/2/' }, 'remaining-life'), { name: 'pumps', version: '2' })
  assert.deepEqual(identityOf({ out: 'models/pumps/1.2.0', name: 'fans', modelVersion: '3.0.0' }, 'x'), { name: 'fans', version: '3.0.0' })
  for (const out of ['my model', 'models/pumps', '/tmp/.hidden/1.0.0'])
    assert.deepEqual(identityOf({ out }, 'remaining-life'), { name: 'remaining-life', version: '1.0.0' }, out)
})
