import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignInRate } from './sign-in-rate.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const at = (laterMs = 0) => new Date(start + laterMs)
const TOO_MANY = { code: 'rate_limit_exceeded' }

test('one address may try one account ten times a minute', () => {
  const rate = new SignInRate()
  for (let i = 0; i < 10; i++) rate.take('203.0.113.7', 'a@x.example', at())
  assert.throws(() => rate.take('203.0.113.7', 'a@x.example', at()), { ...TOO_MANY, retryAfterS: 6 })
  rate.take('203.0.113.8', 'a@x.example', at())
  rate.take('203.0.113.7', 'a@x.example', at(6_000))
})

test('one address may try sixty accounts a minute; this machine, behind which a proxy speaks for many, any number', () => {
  const rate = new SignInRate()
  for (let i = 0; i < 60; i++) rate.take('203.0.113.7', `${i}@x.example`, at())
  assert.throws(() => rate.take('203.0.113.7', '60@x.example', at()), TOO_MANY)
  for (let i = 0; i < 200; i++) rate.take('127.0.0.1', `${i}@x.example`, at())
})

test('strangers together may try one account a hundred times an hour, and shut nobody out who got in before', () => {
  const rate = new SignInRate()
  rate.remember('203.0.113.7', 'a@x.example')
  for (let i = 0; i < 100; i++) rate.take(`198.51.100.${i}`, 'a@x.example', at())
  assert.throws(() => rate.take('198.51.100.200', 'a@x.example', at()), TOO_MANY)
  rate.take('203.0.113.7', 'a@x.example', at())
  // The other account of the same address is another matter, and so is the same account an hour later.
  assert.throws(() => rate.take('198.51.100.201', 'a@x.example', at(1_000)), TOO_MANY)
  rate.take('198.51.100.202', 'a@x.example', at(3_600_000))
})
