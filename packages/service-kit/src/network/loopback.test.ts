import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from './loopback.ts'

test('loopback is all of 127.0.0.0/8, mapped or not, and ::1, and nothing else', () => {
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) assert.equal(isLoopback(address), true, address)
  for (const address of ['', '10.0.0.1', '1.127.0.1', '::', '::ffff:10.0.0.1', '0.0.0.0']) assert.equal(isLoopback(address), false, address)
})
