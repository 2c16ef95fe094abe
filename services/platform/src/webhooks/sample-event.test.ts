import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventPayloads, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { Check } from 'typebox/value'
import { sampleBody } from './sample-event.ts'

const at = new Date('2026-01-31T08:15:00.000Z')

for (const type of eventTypes) {
  test(`a sample of ${type} has the shape of one`, () => {
    const body = JSON.parse(sampleBody({ eventId: 'evt-1', type, subClientId: 'north' }, at)) as { data: unknown }
    assert.partialDeepStrictEqual(body, {
      id: 'evt-1',
      event: type,
      timestamp: '2026-01-31T08:15:00.000Z',
      sub_client_id: 'north',
      test: true,
    })
    assert.ok(Check(eventPayloads[type], body.data), JSON.stringify(body.data))
  })
}
