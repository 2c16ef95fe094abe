// Goal: loading the client compiles no validator, and what a validator refuses is refused in the same words. Method: compilations are counted below
// the module that puts them off. Each file of tests has a process of its own, in which nothing else has loaded the client.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

test('a validator of the client is compiled when it is first called, and once', async () => {
  const { Ajv2020 } = createRequire(import.meta.resolve('@platformatic/kafka'))('ajv/dist/2020.js')
  const compile = Ajv2020.prototype.compile
  let compiledCount = 0
  Ajv2020.prototype.compile = function (schema: unknown) {
    compiledCount++
    return compile.call(this, schema)
  }
  await import('./lazy-validators.ts')
  const { Consumer } = await import('@platformatic/kafka')
  assert.equal(compiledCount, 0)
  const open = () => new Consumer({ clientId: 'c', groupId: 7, bootstrapBrokers: ['127.0.0.1:1'] } as never)
  assert.throws(open, /groupId must be string/)
  const afterFirst = compiledCount
  assert.ok(afterFirst > 0)
  assert.throws(open, /groupId must be string/)
  assert.equal(compiledCount, afterFirst)
})
