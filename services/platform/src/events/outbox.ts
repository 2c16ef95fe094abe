import { channel } from 'node:diagnostics_channel'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { activeSpanOf, isTracing } from '@roadworthy/service-kit/telemetry/tracing'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { NewEvent } from './event.ts'
import { insertIntoOutbox } from './events.sql.ts'

/** What a receiver is promised to be able to take (Standard Webhooks advises 20 kB). */
const MAX_DATA_CHARACTERS = 16_384

/** A message `{ type, dataJson }` for each event: tests hold every one that they cause to its documented schema. Without a subscriber nothing is done. */
const writtenEvents = channel('roadworthy:event')

/**
 * Publishes a change in the transaction that makes it, which `db` must be: both are there, or neither. A writer waits for nobody; the
 * relay takes it from here. Answers the ids the events will have in the log. Throws on data that are larger than an event may be, which is a
 * bug of the slice.
 */
export async function writeEvents(db: Db, events: readonly NewEvent[]): Promise<readonly string[]> {
  if (events.length === 0) return []
  const written = events.map((event) => ({ ...event, eventId: newId('evt'), dataJson: toJson(event), traceparent: traceOf(event) }))
  if (writtenEvents.hasSubscribers) for (const { type, dataJson } of written) writtenEvents.publish({ type, dataJson })
  await insertIntoOutbox(db, written)
  return written.map(({ eventId }) => eventId)
}

/** The trace that goes on at this moment; where work for several vehicles or devices is done together, that of the one it is about. */
function traceOf({ resellerId, type, data }: NewEvent): string | undefined {
  if (!isTracing()) return undefined
  const { vehicleId, deviceId } = data as { vehicleId?: unknown; deviceId?: unknown }
  const span = activeSpanOf(`${resellerId}/${String(vehicleId ?? deviceId)}`)
  span?.addEvent(type)
  return span?.traceparent
}

function toJson({ type, data }: NewEvent): string {
  const json = JSON.stringify(data)
  if (json.length > MAX_DATA_CHARACTERS)
    throw new Error(`the data of ${type} have ${json.length} characters; ${MAX_DATA_CHARACTERS} at most`)
  return json
}
