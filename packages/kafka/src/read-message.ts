// One message of a stream or an MQTT topic to its JSON: bare, or in a CloudEvents 1.0 envelope. What cannot be read is poison: it is set
// aside with a reason, since reading it again would give the same.
import { parseJsonShallow } from '@roadworthy/service-kit/http/json-limits'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'

export type StreamMessage = {
  readonly value: Buffer
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** Set by the broker or the receiver; of a message sent again it should be the same again. */
  readonly receivedAtMs: number
}

/** Of a record of a topic, what is needed of it here. */
type StreamRecord = {
  readonly value?: Buffer | null | undefined
  readonly headers: ReadonlyMap<Buffer, Buffer>
  readonly timestamp: bigint
}

export type Poison = { readonly code: string; readonly reason: string }
/** `receivedAtMs` is the time of the event where it has one. `isValue`: the value of the message is the JSON text of the body, with no envelope. */
export type Content = { readonly body: unknown; readonly isValue: boolean; readonly receivedAtMs: number }

const STRUCTURED = /^application\/cloudevents\+json\b/i
const STRUCTURED_BATCH = /^application\/cloudevents-batch\b/i
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\b/i
/** Versions 1.0.x are compatible with one another (CloudEvents 1.0, §specversion). */
const CLOUDEVENTS_VERSION = /^1\./
const MAX_SHOWN_LENGTH = 100

export function isPoison(value: object): value is Poison {
  return 'reason' in value
}

export function toStreamMessage({ value, headers, timestamp }: StreamRecord): StreamMessage {
  const texts = new Map<string, string>()
  for (const [name, content] of headers) texts.set(name.toString().toLowerCase(), content?.toString() ?? '')
  // The record's own time is the same when the record is read again; the clock here is not.
  return { value: value ?? Buffer.alloc(0), headers: texts, receivedAtMs: Number(timestamp) }
}

export function readMessage({ value, headers, receivedAtMs }: StreamMessage, maxBytes: number): Content | Poison {
  if (value.length === 0) return poison('empty_message', 'The message has no content.')
  if (value.length > maxBytes) return poison('payload_too_large', `The message has more than ${maxBytes} bytes.`)
  const contentType = headers.get('content-type') ?? ''
  if (STRUCTURED_BATCH.test(contentType)) return poison('invalid_cloudevent', 'Batches of events are not taken: send one event a message.')
  const version = headers.get('ce_specversion') ?? headers.get('ce-specversion')
  if (version !== undefined) return readBinary(value, headers, { version, contentType, receivedAtMs })
  const parsed = parse(value)
  if (isPoisonResult(parsed)) return parsed.poison
  const body = parsed.json
  if (STRUCTURED.test(contentType) || isEnvelope(body)) return readStructured(body, receivedAtMs)
  return { body, isValue: true, receivedAtMs }
}

/** Binary mode: the attributes are headers with the prefix `ce_` (Kafka binding §3.2), the value is the data. */
function readBinary(
  value: Buffer,
  headers: ReadonlyMap<string, string>,
  { version, contentType, receivedAtMs }: { version: string; contentType: string; receivedAtMs: number },
): Content | Poison {
  if (!CLOUDEVENTS_VERSION.test(version)) return unknownVersion(version)
  if (contentType !== '' && !JSON_TYPE.test(contentType)) return notJson(contentType)
  const parsed = parse(value)
  if (isPoisonResult(parsed)) return parsed.poison
  return { body: parsed.json, isValue: true, receivedAtMs: timeOf(headers.get('ce_time') ?? headers.get('ce-time')) ?? receivedAtMs }
}

/** Structured mode: one JSON object holds the attributes and, as `data` or `data_base64`, the data. */
function readStructured(event: unknown, receivedAtMs: number): Content | Poison {
  if (!isEnvelope(event)) return poison('invalid_cloudevent', 'The event is not a JSON object with specversion.')
  const { specversion, time, data, data_base64: encoded, datacontenttype } = event
  // Not by "String": a sender may put an object there, with a "toString" that is no function.
  const version = typeof specversion === 'string' ? specversion : JSON.stringify(specversion)
  if (version !== specversion || !CLOUDEVENTS_VERSION.test(version)) return unknownVersion(version)
  if (typeof datacontenttype === 'string' && !JSON_TYPE.test(datacontenttype)) return notJson(datacontenttype)
  const sentAtMs = timeOf(time) ?? receivedAtMs
  if (data !== undefined && data !== null) return { body: data, isValue: false, receivedAtMs: sentAtMs }
  if (typeof encoded !== 'string') return poison('invalid_cloudevent', 'The event has neither data nor data_base64.')
  const parsed = parse(Buffer.from(encoded, 'base64'))
  return isPoisonResult(parsed) ? parsed.poison : { body: parsed.json, isValue: false, receivedAtMs: sentAtMs }
}

function parse(bytes: Buffer): { json: unknown } | { poison: Poison } {
  try {
    return { json: parseJsonShallow(bytes) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { poison: poison('invalid_json', error.message) }
  }
}

function isPoisonResult(parsed: { json: unknown } | { poison: Poison }): parsed is { poison: Poison } {
  return 'poison' in parsed
}

/** No field of telemetry is called so: an object that has it is an envelope, whether or not a header states it. */
function isEnvelope(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'specversion')
}

function timeOf(time: unknown): number | undefined {
  return typeof time === 'string' ? parseRfc3339(time) : undefined
}

function unknownVersion(version: string): Poison {
  return poison('invalid_cloudevent', `The event is of CloudEvents ${shown(version)}; 1.0 is read.`)
}

function notJson(contentType: string): Poison {
  return poison('invalid_cloudevent', `The data is ${shown(contentType)}, not JSON.`)
}

/** Both may be as long as a message, and the reason is part of its dead letter. */
function shown(text: string): string {
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…`
}

function poison(code: string, reason: string): Poison {
  return { code, reason }
}
