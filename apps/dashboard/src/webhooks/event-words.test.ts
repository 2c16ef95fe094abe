import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '@roadworthy/contracts/webhooks/events'
import { chosenEventsText, eventGroups, eventWords, isEventType } from './event-words.ts'

test('every type of event has words and can be chosen in one group', () => {
  assert.deepEqual(Object.keys(eventWords).sort(), [...eventTypes].sort())
  const chosen = eventGroups.flatMap(({ types }) => types)
  assert.deepEqual([...chosen, 'webhook.test'].sort(), [...eventTypes].sort())
  assert.ok(isEventType('alert.created') && !isEventType('toString') && !isEventType(undefined))
})

test('a list of endpoints shows in a few words what each is sent', () => {
  assert.equal(chosenEventsText(null), 'All events')
  assert.equal(chosenEventsText(['alert.created']), 'An alert was opened')
  assert.equal(chosenEventsText(['alert.created', 'device.online', 'device.offline']), 'An alert was opened and 2 others')
})
