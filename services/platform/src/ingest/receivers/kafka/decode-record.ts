// A message of a topic to the records that ingest takes. What cannot be read is poison: it would be the same when it is read again.

import { MAX_BATCH_RECORDS } from '@roadworthy/contracts/external/telemetry'
import { MAX_STREAM_MESSAGE_BYTES } from '@roadworthy/contracts/stream/stream-message'
import type { KafkaMessage } from '@roadworthy/kafka/kafka-client'
import { isPoison, type Poison, readMessage, toStreamMessage } from '@roadworthy/kafka/read-message'
import { assertJsonLimits, withoutByteOrderMark } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'

/** Its records as JSON texts, each within the limits of `json-limits.ts`. As texts they cross to another thread at the least cost. */
export type ReadableRecord = { readonly texts: readonly string[]; readonly receivedAtMs: number }
export type DecodedRecord = ReadableRecord | { readonly poison: Poison }

export type RecordContext = { readonly nowMs: number; readonly maxAheadMs: number }

/** What is billed and what is partitioned goes by when it was received; a topic that is kept for longer is not read from its beginning. */
const MAX_WAITED_MS = 30 * 86_400_000

/**
 * Reads one record: the JSON of `POST /telemetry` or `/track`, or an array of them as over MQTT, bare or in a CloudEvents envelope.
 *
 * The time received is that of Kafka's record, so that a record that is read again is the same reading. A record without a time of its own
 * has the time of its event, else that one; one without a device or a vehicle is about the device that its key names.
 */
export function decodeRecord(
  message: Pick<KafkaMessage, 'key' | 'value' | 'headers' | 'timestamp'>,
  context: RecordContext,
): DecodedRecord {
  const writtenAtMs = Number(message.timestamp)
  if (!(writtenAtMs >= context.nowMs - MAX_WAITED_MS && writtenAtMs <= context.nowMs + context.maxAheadMs)) {
    return { poison: { code: 'invalid_request', reason: wrongTime(writtenAtMs, context.maxAheadMs) } }
  }
  const content = readMessage(toStreamMessage(message), MAX_STREAM_MESSAGE_BYTES)
  if (isPoison(content)) return { poison: content }
  try {
    const eventAt = content.receivedAtMs === writtenAtMs ? undefined : new Date(content.receivedAtMs).toISOString()
    const texts = readRecords(content.body).map((record) => {
      assertJsonLimits(record)
      const whole = completed(record, message.key, eventAt)
      // As it was sent, where that is the record: writing it anew would cost as much as parsing it.
      return content.isValue && whole === content.body ? String(withoutByteOrderMark(message.value as Buffer)) : JSON.stringify(whole)
    })
    return { texts, receivedAtMs: writtenAtMs }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { poison: { code: error.code, reason: error.message } }
  }
}

function wrongTime(writtenAtMs: number, maxAheadMs: number): string {
  const time = Number.isFinite(writtenAtMs) && writtenAtMs >= 0 ? new Date(writtenAtMs).toISOString() : 'no time'
  const range = `from ${MAX_WAITED_MS / 86_400_000} days ago to ${maxAheadMs / 1000} s ahead`
  return `Kafka has ${time} for this record; taken is what was written ${range}. With message.timestamp.type=LogAppendTime brokers set it themselves.`
}

function readRecords(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) return [body]
  if (body.length === 0) throw new Problem('invalid_request', 'The array holds no record.')
  if (body.length <= MAX_BATCH_RECORDS) return body
  throw new Problem('batch_too_large', `The array holds ${body.length} records; at most ${MAX_BATCH_RECORDS} are taken.`)
}

/** What is no object is refused further on, by the same words as at the other receivers. */
function completed(record: unknown, key: KafkaMessage['key'] | undefined, eventAt: string | undefined): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const said = record as Record<string, unknown>
  const deviceId = isAbsent(said['device_id']) && isAbsent(said['vehicle_id']) ? key?.toString() : undefined
  const timestamp = isAbsent(said['timestamp']) ? eventAt : undefined
  const isNamed = deviceId !== undefined && deviceId !== ''
  // What a record may hold, which was judged without it: a NUL cannot be stored, and would take the messages of others with it where it is noted.
  if (isNamed) assertJsonLimits(deviceId, 'device_id')
  if (!isNamed && timestamp === undefined) return record
  return { ...said, ...(isNamed ? { device_id: deviceId } : {}), ...(timestamp === undefined ? {} : { timestamp }) }
}

const isAbsent = (value: unknown) => value === undefined || value === null
