// A device's message to what ingest takes. Knows nothing of brokers: whoever receives the bytes (our broker, or one we join as a client)
// names the sender.

import { assertJsonLimits, parseJsonShallow } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Inbound } from '../../inbound.ts'

export type DecodedMessage = { readonly inbound: readonly Inbound[]; readonly frame: Frame }

/** What has to be known of a message to report what became of it: all but its records. */
export type Frame = {
  /** Place in the message of each record that went on. */
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
  let records: readonly unknown[]
  try {
    records = readRecords(payload, limits)
  } catch (error) {
    return { inbound: [], frame: { indexes: [], refusals: [{ index: undefined, problem: asProblem(error) }] } }
  }
  const { resellerId, deviceId: senderDeviceId } = sender
  const refusals: RecordRefusal[] = []
  const inbound: Inbound[] = []
  const indexes: number[] = []
  for (const [index, record] of records.entries()) {
    const problem = problemWith(record)
    if (problem === undefined) {
      inbound.push({ resellerId, kind: 'telemetry', record, senderDeviceId, receivedAt, receiver: 'mqtt' })
      indexes.push(index)
    } else {
      refusals.push({ index, problem })
    }
  }
  return { inbound, frame: inbound.length === 1 && records.length === 1 ? ONE_GOOD_RECORD : { indexes, refusals } }
}

/** Of nearly every message, so one for all: thousands of messages wait for their commit at a time. */
const ONE_GOOD_RECORD: Frame = { indexes: [0], refusals: [] }

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

function problemWith(record: unknown): Problem | undefined {
  if (record === null || typeof record !== 'object' || Array.isArray(record)) return notAnObject
  try {
    assertJsonLimits(record)
    return undefined
  } catch (error) {
    return asProblem(error)
  }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
