import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examples, readPasted } from './read-json.ts'

test('an object is a reading; a list, a number and a slip are not', () => {
  assert.deepEqual(readPasted(' {"coolant": 90} '), { reading: { coolant: 90 } })
  for (const text of ['[]', '3', 'null', '"text"']) assert.deepEqual(readPasted(text), { fault: 'no object' }, text)
  for (const text of ['', '{coolant: 90}', '{"coolant": 90']) assert.deepEqual(readPasted(text), { fault: 'no JSON' }, text)
  for (const example of Object.values(examples)) assert.deepEqual(readPasted(JSON.stringify(example)), { reading: example })
})
