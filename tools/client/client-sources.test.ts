// Goal: a person who adds a route has to give it a method, and the client that is committed is the one that the documents describe. Method: the
// committed files against those that are made now; and documents that have an operation more, less, or with something new in a schema.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DocumentName, documentNames, type OpenApi, readOpenApi } from '../../test/support/open-api.ts'
import { clientSources, gapsOf } from './client-sources.ts'
import { typeOf } from './schema-type.ts'

const folder = join(import.meta.dirname, '../../packages/client/src/generated')
const documents = Object.fromEntries(documentNames.map((name) => [name, readOpenApi(name)])) as Record<DocumentName, OpenApi>

test('the committed client is that of the documents and contracts now', () => {
  const made = clientSources(documents)
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(made).sort())
  for (const [name, text] of Object.entries(made)) {
    assert.ok(readFileSync(join(folder, name), 'utf8') === text, `packages/client/src/generated/${name} is stale: run "npm run openapi"`)
  }
})

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
  assert.throws(() => clientSources({ ...documents, external: more }), /geofences has no method/)
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
