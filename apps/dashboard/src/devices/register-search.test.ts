import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRegisterSearch } from './register-search.ts'

test('the address has the step of the vehicle or the device that is registered, and nothing else', () => {
  assert.deepEqual(readRegisterSearch({ step: 'vehicle', more: 1 }), { step: 'vehicle' })
  assert.deepEqual(readRegisterSearch({ step: 'credentials' }), {})
  assert.deepEqual(readRegisterSearch({ step: 'vehicle', registered: 'dev-1' }), { registered: 'dev-1' })
  assert.deepEqual(readRegisterSearch({ registered: '' }), {})
})
