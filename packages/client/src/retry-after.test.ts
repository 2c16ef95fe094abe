import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { retryAfterOf } from './retry-after.ts'

const zoneBefore = process.env['TZ']
after(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

test('each of the three forms of a date is UTC, wherever the machine is', () => {
  const nowMs = Date.UTC(1994, 10, 6, 8, 49, 7)
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    process.env['TZ'] = zone
    for (const date of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']) {
      assert.equal(retryAfterOf(new Headers({ 'retry-after': date }), nowMs), 30, `${date}, ${zone}`)
      assert.equal(retryAfterOf(new Headers({ 'retry-after': 'Sun, 06 Nov 1994 08:50:00 GMT', date }), 0), 23, `${date}, ${zone}`)
    }
  }
})

test('what is neither seconds nor a date is none', () => {
  for (const value of ['', 'soon', '-5', 'Sun 1994 06 Nov what']) {
    assert.equal(retryAfterOf(new Headers({ 'retry-after': value }), 0), undefined, value)
  }
})
