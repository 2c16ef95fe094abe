import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subClientChanges } from './sub-client-edits.ts'

const subClient = {
  name: 'North',
  contactEmail: 'n@example.com',
  contactPhone: null,
  limits: { devices: 5, readingsPerMonth: null, predictionsPerMonth: null },
}

test('only what differs is sent, and what was emptied is removed', () => {
  assert.deepEqual(subClientChanges(subClient, {}), {})
  assert.deepEqual(
    subClientChanges(subClient, { name: 'North ', contactEmail: 'n@example.com', contactPhone: '', limits: { devices: 5 } }),
    {},
  )
  assert.deepEqual(subClientChanges(subClient, { name: 'South', contactEmail: '', limits: { devices: '', readingsPerMonth: 1000 } }), {
    name: 'South',
    contactEmail: null,
    limits: { devices: null, readingsPerMonth: 1000 },
  })
})
