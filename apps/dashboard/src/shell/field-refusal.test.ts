import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../api/client.ts'
import { refusalElsewhere, refusalOf } from './field-refusal.ts'

const ofName = new ApiError(400, { code: 'invalid_request', message: '"issuer.name" is too long.', details: { field: 'issuer.name' } })
const ofNothing = new ApiError(409, { code: 'conflict', message: 'Billing is not set up.' })

test('a refusal of a field is shown at that field alone', () => {
  assert.equal(refusalOf(ofName, 'issuer.name'), '"issuer.name" is too long.')
  assert.equal(refusalOf(ofName, 'issuer.city'), undefined)
  assert.equal(refusalElsewhere(ofName, ['issuer.name']), null)
})

test('a refusal of no field, or of one that the form does not show, is shown below the form', () => {
  assert.equal(refusalElsewhere(ofNothing, ['issuer.name']), ofNothing)
  assert.equal(refusalElsewhere(ofName, ['currency']), ofName)
  assert.equal(refusalElsewhere(null, []), null)
})
