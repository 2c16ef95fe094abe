import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleOf } from './schema-example.ts'

const components = { Wheel: { type: 'object', properties: {}, examples: [{ side: 'left' }] } }

test('an answer shows the examples of its parts, in their places', () => {
  const schema = {
    type: 'object',
    required: ['success', 'wheel', 'wheels', 'state'],
    properties: {
      success: { const: true },
      wheel: { $ref: '#/components/schemas/Wheel' },
      wheels: { type: 'array', items: { $ref: '#/components/schemas/Wheel' } },
      state: { enum: ['sound', 'worn'] },
      note: { type: 'string' },
    },
  }
  const expected = { success: true, wheel: { side: 'left' }, wheels: [{ side: 'left' }], state: 'sound' }
  assert.deepEqual(exampleOf(schema, components), expected)
})

test('its own example goes before those of its parts', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { const: 1 } }, examples: [{ a: 1, b: 2 }] }
  assert.deepEqual(exampleOf(schema, {}), { a: 1, b: 2 })
})

test('a required part that shows nothing leaves the whole without an example: none is made up', () => {
  const schema = { type: 'object', required: ['a', 'b'], properties: { a: { const: 1 }, b: { type: 'string' } } }
  assert.equal(exampleOf(schema, {}), undefined)
})
