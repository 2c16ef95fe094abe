// Holds an event to the schema that documents describe it by. Loaded in the process of a test when it has the first one published.

import assert from 'node:assert/strict'
import { type EventType, eventPayloads } from '@roadworthy/contracts/webhooks/events'
import { typedEvent } from '@roadworthy/contracts/webhooks/typed-events'
import type { TObject } from 'typebox'
import { Errors } from 'typebox/value'

/** Throws unless `data` is what the documents describe of an event of this type, without a field that they do not name. */
export function assertDocumented(type: string, data: unknown): void {
  assert.ok(type in eventPayloads, `an event was published whose type is not documented: ${type}`)
  const schema = typedEvent(type as EventType).properties['data'] as TObject
  const [wrong] = Errors(schema, data)
  assert.ok(
    wrong === undefined,
    `${type} was published with other data than are documented: ${JSON.stringify(wrong)} in ${JSON.stringify(data)}`,
  )
  const undocumented = Object.keys(data as object).filter((field) => !(field in schema.properties))
  assert.deepEqual(undocumented, [], `${type} was published with fields that are not documented`)
}

/** Types that are in no note of a run. */
export function neverPublished(notes: string): string[] {
  const published = new Set(notes.split('\n'))
  return Object.keys(eventPayloads).filter((type) => !published.has(type))
}
