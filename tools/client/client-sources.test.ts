// Goal: a person who adds a route has to give it a method, and the client that is committed is the one that the documents describe. Method: the
// committed files against those that are made now; and documents that have an operation more, less, or with something new in a schema.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DocumentName, documentNames, type OpenApi, readOpenApi } from '../../test/support/open-api.ts'
import { clientSources, gapsOf } from './client-sources.ts'
import { pythonSources } from './python-sources.ts'
import { createPythonTypes, docstring, pythonName } from './python-types.ts'
import { typeOf } from './schema-type.ts'

const ROOT = join(import.meta.dirname, '../..')
const documents = Object.fromEntries(documentNames.map((name) => [name, readOpenApi(name)])) as Record<DocumentName, OpenApi>

const clients = [
  ['packages/client/src/generated', clientSources],
  ['clients/python/src/roadworthy/generated', pythonSources],
] as const
for (const [folder, sourcesOf] of clients) {
  test(`the committed ${folder} is that of the documents and contracts now`, () => {
    const made = sourcesOf(documents)
    const committed = readdirSync(join(ROOT, folder)).filter((name) => name !== '__pycache__')
    assert.deepEqual(committed.sort(), Object.keys(made).sort())
    for (const [name, text] of Object.entries(made)) {
      assert.ok(readFileSync(join(ROOT, folder, name), 'utf8') === text, `${folder}/${name} is stale: run "npm run openapi"`)
    }
  })
}

test('every operation of every document has one method', () => {
  for (const name of documentNames) assert.deepEqual(gapsOf(name, documents[name]), [], name)
})

test('an operation without a method, and a method without an operation, are named', () => {
  const { paths } = documents.external
  const operation = paths['/api/external/devices']?.['get']
  assert.ok(operation !== undefined)
  const more = { ...documents.external, paths: { ...paths, '/api/external/geofences': { get: operation, post: operation } } }
  assert.deepEqual(gapsOf('external', more), [
    'GET /api/external/geofences has no method in the client: name it in tools/client/*-methods.ts',
    'POST /api/external/geofences has no method in the client: name it in tools/client/*-methods.ts',
  ])
  for (const [, sourcesOf] of clients) assert.throws(() => sourcesOf({ ...documents, external: more }), /geofences has no method/)
  const { '/api/external/predict': _, ...others } = paths
  assert.deepEqual(gapsOf('external', { ...documents.external, paths: others }), [
    'POST /api/external/predict has a method and is in no document',
  ])
})

test('a schema becomes the type that it describes, with its words', () => {
  const isInput = { isInput: true }
  const isOutput = { isInput: false }
  const cases: [object, string][] = [
    [{ type: 'string', maxLength: 3 }, 'string'],
    [{ type: ['integer', 'null'] }, 'number | null'],
    [{ enum: ['a', null], type: ['string', 'null'] }, "'a' | null"],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }, '[number, number]'],
    [{ type: 'object', additionalProperties: { $ref: '#/components/schemas/Advice' } }, 'Record<string, Advice>'],
    [{ anyOf: [{ $ref: '#/components/schemas/Cost' }, { type: 'null' }] }, 'Cost | null'],
    [{}, 'unknown'],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'number', description: 'Degrees.' }, 'x-b': { type: 'string' } } },
      "{\n  /** Degrees. */\n  a: number\n  'x-b'?: string | undefined\n}",
    ],
    [
      { type: 'object', properties: { a: { const: 1 } }, additionalProperties: true },
      '{\n  a?: 1 | undefined\n  [key: string]: unknown\n}',
    ],
  ]
  for (const [schema, expected] of cases) assert.equal(typeOf(schema as Parameters<typeof typeOf>[0], isOutput), expected)
  assert.equal(typeOf({ type: 'array', items: { type: 'string' } }, isInput), 'readonly string[]')
  assert.throws(() => typeOf({ type: 'string', not: {} }, isOutput), /not of a schema has no type yet/)
})

test('a schema becomes the type of Python that it describes', () => {
  const isOutput = { name: 'Thing', isInput: false }
  const cases: [object, string][] = [
    [{ type: 'string', maxLength: 3 }, 'str'],
    [{ type: ['integer', 'null'] }, 'int | None'],
    [{ enum: ['a', null], type: ['string', 'null'] }, 'Literal["a"] | None'],
    [{ const: true }, 'Literal[True]'],
    [{ const: 1.5 }, 'float'],
    [{ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }, 'list[float]'],
    [{ type: 'object', additionalProperties: { $ref: '#/components/schemas/Advice' } }, 'dict[str, Advice]'],
    [{ anyOf: [{ $ref: '#/components/schemas/Cost' }, { type: 'null' }] }, 'Cost | None'],
    [{}, 'Any'],
  ]
  for (const [schema, expected] of cases) assert.equal(createPythonTypes().typeOf(schema as never, isOutput), expected)
  const isInput = { name: 'Thing', isInput: true }
  assert.equal(createPythonTypes().typeOf({ type: 'array', items: { type: 'object' } }, isInput), 'Sequence[Mapping[str, object]]')
  assert.throws(() => createPythonTypes().typeOf({ type: 'string', not: {} }, isOutput), /not of a schema has no type yet/)
})

test('an object becomes a TypedDict, also where it is written in place or has a word of Python as a field', () => {
  const types = createPythonTypes()
  const inner = { type: 'array', items: { type: 'object', required: ['from'], properties: { from: { type: 'string' } } } }
  const properties = { a: { type: 'number', description: 'Degrees.' }, spans: inner }
  assert.equal(types.typeOf({ type: 'object', required: ['a'], properties }, { name: 'Thing', isInput: false }), 'Thing')
  const expected = `

class _ThingRequired(TypedDict):
    a: float
    """Degrees."""


class Thing(_ThingRequired, total=False):
    spans: list[ThingSpansItem]


_ThingSpansItemNamed = TypedDict("_ThingSpansItemNamed", {"from": "str"})


class ThingSpansItem(_ThingSpansItemNamed):
    pass`
  assert.equal(types.lines().join('\n'), expected)
  assert.throws(() => types.declare({ type: 'string' }, { name: 'Thing', isInput: false }), /two types have the name Thing/)
  assert.throws(() => types.declare({ type: 'string' }, { name: 'Any', isInput: false }), /a name that types are written with/)
})

test('names and words are those of Python', () => {
  assert.deepEqual(['healthStatus', 'from', 'import', 'sub_client_id'].map(pythonName), [
    'health_status',
    'from_',
    'import_',
    'sub_client_id',
  ])
  assert.deepEqual(docstring('a\\b """c"', 1), ['    """a\\\\b \\"\\"\\"c\\""""'])
  assert.deepEqual(docstring('one\n\ntwo', 0), ['"""one', '', 'two', '"""'])
})
