// A device's message to what ingest takes. Knows nothing of brokers: whoever receives the bytes (our broker, or one we join as a client)
// names the sender.

import { assertJsonLimits, parseJsonShallow } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Inbound } from '../../inbound.ts'

export type DecodedMessage = {
  readonly inbound: readonly Inbound[]
  /** Place in the message of each of `inbound`. */
  readonly indexes: readonly number[]
  /** Records that went no further, and a message that could not be read at all (without an index). */
  readonly refusals: readonly RecordRefusal[]
}

export type RecordRefusal = { readonly index: number | undefined; readonly problem: Problem }

/**
 * Reads one message: a JSON object, or an array of them. Never throws on what a device sent; a bad record does not take the others with it.
 *
 * Spec gap §6.2: every record is handed on as telemetry. `POST /telemetry` and `/track` take the same shapes, a reading may hold a
 * position, sensors or both, and a device that sends both in one array need not mark which is which; only the form of the id differs.
 */
export function decodeMessage(
  payload: Buffer,
  sender: { readonly resellerId: string; readonly deviceId: string },
  limits: { readonly maxPayloadBytes: number; readonly maxRecordsPerMessage: number },
  receivedAt: Date,
): DecodedMessage {
  const refusals: RecordRefusal[] = []
  const inbound: Inbound[] = []
  const indexes: number[] = []
  const attempt = (index: number | undefined, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refusals.push({ index, problem: error })
    }
  }
  attempt(undefined, () => {
    const records = readRecords(payload, limits)
    for (const [index, record] of records.entries()) {
      attempt(index, () => {
        assertRecord(record)
        const { resellerId, deviceId: senderDeviceId } = sender
        inbound.push({ resellerId, kind: 'telemetry', record, senderDeviceId, receivedAt, receiver: 'mqtt' })
        indexes.push(index)
      })
    }
  })
  return { inbound, indexes, refusals }
}

function readRecords(payload: Buffer, limits: { maxPayloadBytes: number; maxRecordsPerMessage: number }): readonly unknown[] {
  if (payload.length > limits.maxPayloadBytes) {
    throw new Problem('payload_too_large', `The payload is longer than ${limits.maxPayloadBytes} bytes.`, {
      details: { limit: limits.maxPayloadBytes },
    })
  }
  const message = parseJsonShallow(payload)
  if (!Array.isArray(message)) return [message]
  if (message.length === 0) throw new Problem('invalid_request', 'The array holds no record.')
  if (message.length > limits.maxRecordsPerMessage) {
    throw new Problem('batch_too_large', `The array holds ${message.length} records; at most ${limits.maxRecordsPerMessage} are taken.`, {
      details: { limit: limits.maxRecordsPerMessage },
    })
  }
  return message
}

/** One for all: making an error costs 7 µs for its stack, and a message of 200 bytes can ask for a hundred. */
const notAnObject = new Problem('invalid_request', 'A record must be a JSON object.')

function assertRecord(record: unknown): void {
  if (record === null || typeof record !== 'object' || Array.isArray(record)) throw notAnObject
  assertJsonLimits(record)
}
