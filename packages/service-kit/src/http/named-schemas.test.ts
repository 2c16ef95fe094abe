import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectNamedSchemas, withoutKeyPatterns } from './named-schemas.ts'

const wheel = { title: 'Wheel', type: 'object', properties: { sizeMm: { type: 'number' } } }

test('a schema with a name stands once, and references take its place, also inside others', () => {
  const { move, schemas } = collectNamedSchemas()
  const moved = move({
    a: wheel,
    b: [{ title: 'Axle', anyOf: [wheel, { type: 'null' }] }],
    c: { title: 'No name of a type', type: 'string' },
  })
  const toWheel = { $ref: '#/components/schemas/Wheel' }
  assert.deepEqual(moved, { a: toWheel, b: [{ $ref: '#/components/schemas/Axle' }], c: { title: 'No name of a type', type: 'string' } })
  assert.deepEqual(schemas(), { Axle: { title: 'Axle', anyOf: [toWheel, { type: 'null' }] }, Wheel: wheel })
})

test('two schemas of one name are refused unless only their examples differ', () => {
  const { move, schemas } = collectNamedSchemas()
  move([wheel, { ...wheel, examples: [{ sizeMm: 700 }] }])
  assert.deepEqual(schemas()['Wheel'], { ...wheel, examples: [{ sizeMm: 700 }] })
  assert.throws(() => move({ ...wheel, properties: {} }), /two different schemas are titled Wheel/)
})

test('whether it may be null stays at the place, and so does what only that place says of it', () => {
  const { move, schemas } = collectNamedSchemas()
  const moved = move({
    front: { ...wheel, description: 'The front one.' },
    spare: { ...wheel, type: ['object', 'null'], description: 'Null: none.' },
    other: wheel,
    hub: { title: 'Hub', type: ['object', 'null'], description: 'Of a wheel.' },
  })
  const { Wheel, Hub } = schemas()
  const toWheel = { $ref: '#/components/schemas/Wheel' }
  assert.deepEqual(moved, {
    front: { ...toWheel, description: 'The front one.' },
    spare: { anyOf: [toWheel, { type: 'null' }], description: 'Null: none.' },
    other: toWheel,
    hub: { anyOf: [{ $ref: '#/components/schemas/Hub' }, { type: 'null' }] },
  })
  assert.deepEqual(Wheel, wheel)
  assert.deepEqual(Hub, { title: 'Hub', type: 'object', description: 'Of a wheel.' })
})

test('the values of a record stand under additionalProperties', () => {
  const record = { type: 'object', patternProperties: { '^.*$': { type: 'object', patternProperties: { '^.*$': { type: 'number' } } } } }
  assert.deepEqual(withoutKeyPatterns([record]), [
    { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'number' } } },
  ])
  assert.throws(() => withoutKeyPatterns({ patternProperties: { '^a': {}, '^b': {} } }), /two patterns of keys/)
})
