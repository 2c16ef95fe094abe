// A record of a topic to what ingest takes. What cannot be read is poison: it would be the same when it is read again.

import { MAX_BATCH_RECORDS } from '@roadworthy/contracts/external/telemetry'
import { MAX_MQTT_PAYLOAD_BYTES } from '@roadworthy/contracts/mqtt/device-message'
import type { KafkaMessage } from '@roadworthy/message-stream/kafka-client'
import { isPoison, type Poison, readMessage, toStreamMessage } from '@roadworthy/message-stream/read-message'
import { assertJsonLimits } from '@roadworthy/service-kit/json-limits'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Inbound } from '../../inbound.ts'

export type DecodedRecord = { readonly inbound: readonly Inbound[] } | { readonly poison: Poison }

export type RecordContext = { readonly resellerId: string; readonly nowMs: number; readonly maxAheadMs: number }

/** What is billed and what is partitioned goes by when it was received; a topic that is kept for longer is not read from its beginning. */
const MAX_WAITED_MS = 30 * 86_400_000

/**
 * Reads one record: the JSON of `POST /telemetry` or `/track`, or an array of them as over MQTT, bare or in a CloudEvents envelope.
 *
 * Received is when Kafka says it was written, so that a record that is read again is the same reading. A record without a time of its own
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
  const content = readMessage(toStreamMessage(message), MAX_MQTT_PAYLOAD_BYTES)
  if (isPoison(content)) return { poison: content }
  try {
    const eventAt = content.receivedAtMs === writtenAtMs ? undefined : new Date(content.receivedAtMs).toISOString()
    const key = message.key?.toString()
    const receivedAt = new Date(writtenAtMs)
    const records = readRecords(content.body)
    return {
      inbound: records.map((record): Inbound => {
        assertJsonLimits(record)
        return { resellerId: context.resellerId, kind: 'telemetry', record: completed(record, key, eventAt), receivedAt }
      }),
    }
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

/** What is no object is refused further on, by the same words as at the other doors. */
function completed(record: unknown, key: string | undefined, eventAt: string | undefined): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const said = record as Record<string, unknown>
  const isNobody = (said['device_id'] ?? said['vehicle_id'] ?? undefined) === undefined
  const hasNoTime = (said['timestamp'] ?? undefined) === undefined
  return {
    ...said,
    ...(isNobody && key !== undefined && key !== '' ? { device_id: key } : {}),
    ...(hasNoTime && eventAt !== undefined ? { timestamp: eventAt } : {}),
  }
}
