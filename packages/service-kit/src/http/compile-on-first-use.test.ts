import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { buildSerializer, buildSerializerOnFirstUse, withNullable } from './compile-on-first-use.ts'

const place = Type.Object({ latitude: Type.Number(), name: Type.Optional(Type.String()) })
const schemas = {
  object: Type.Union([place, Type.Null()]),
  array: Type.Union([Type.Null(), Type.Array(place)]),
  text: Type.Union([Type.String(), Type.Null()]),
  several: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  inside: Type.Union([Type.Object({ place: Type.Union([place, Type.Null()]) }), Type.Null()]),
}
const answers = [
  { object: null, array: null, text: null, several: null, inside: null },
  { object: { latitude: 1.5, left: 'out' }, array: [], text: '', several: 3, inside: { place: null } },
  { object: { latitude: 0, name: '"' }, array: [{ latitude: 2 }], text: 'a', several: 'b', inside: { place: { latitude: 4 } } },
]
const route = { schema: Type.Object(schemas), method: 'GET', url: '/', httpStatus: '200' } as const

test('an answer that may be null reads the same as from a serializer that chooses by validating', () => {
  const [plain, ours] = [buildSerializer({}, {})(route), buildSerializerOnFirstUse({}, {})(route)]
  for (const answer of answers) assert.equal(ours(answer), plain(answer))
})

test('only a choice of one schema or null becomes a comparison; everything else stays', () => {
  const { properties } = withNullable(route.schema) as {
    properties: Record<string, { anyOf?: unknown[]; nullable?: boolean; type?: string }>
  }
  for (const name of ['object', 'array', 'text', 'inside']) {
    assert.equal(properties[name]?.nullable, true, name)
    assert.equal(properties[name]?.anyOf, undefined, name)
  }
  assert.equal(properties['several']?.anyOf?.length, 3)
  assert.equal(JSON.stringify(route.schema).includes('nullable'), false, 'what was given is as it was')
})

test('a property that is named as a keyword is a property', () => {
  const schema = Type.Object({ anyOf: Type.Array(Type.String()), nullable: Type.Boolean() })
  assert.deepEqual(withNullable(schema), JSON.parse(JSON.stringify(schema)))
})

test('a field that is required and missing is an error, null or not', () => {
  const schema = Type.Object({ place: Type.Union([place, Type.Null()]) })
  assert.throws(() => buildSerializerOnFirstUse({}, {})({ ...route, schema })({}), /"place" is required/)
})
