import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestName } from './closest-name.ts'

const known = ['name', 'subClientId', 'eventTypes', 'license_plate', 'contact_email', 'contact_phone', 'expiresAt', 'perMinute', 'perDay']

test('the closest known name is found by case, separators, typing mistakes and words', () => {
  const table: readonly [given: string, closest: string | undefined][] = [
    ['sub_client_id', 'subClientId'],
    ['SUBCLIENTID', 'subClientId'],
    ['sub-client-id', 'subClientId'],
    ['subClient', 'subClientId'],
    ['subCleintId', 'subClientId'],
    ['events', 'eventTypes'],
    ['eventType', 'eventTypes'],
    ['plate', 'license_plate'],
    ['email', 'contact_email'],
    ['nmae', 'name'],
    ['nam', 'name'],
    ['perMin', 'perMinute'],
    ['expires_at', 'expiresAt'],
    ['vehicle_id', undefined],
    ['colour', undefined],
    ['', undefined],
    ['___', undefined],
    ['💥', undefined],
    ['__proto__', undefined],
  ]
  for (const [given, closest] of table) assert.equal(closestName(given, known), closest, given)
  assert.equal(closestName('name', []), undefined)
})

test('a name that is longer than any of ours is not compared', () => {
  assert.equal(closestName(`name${'_'.repeat(60)}`, known), 'name')
  assert.equal(closestName(`name${'_'.repeat(61)}`, known), undefined)
  assert.equal(closestName('x'.repeat(8192), known), undefined)
})
