// What an event of a type looks like, for a receiver that is being built: of no vehicle and no device that there is, and marked as a test.

import { type EventType, eventPayloads } from '@roadworthy/contracts/webhooks/events'

type Schema = Readonly<Record<string, unknown>>

export type SampleEvent = { readonly eventId: string; readonly type: EventType; readonly subClientId: string | undefined }

/** The body of a webhook, in its order of fields, with `test` behind them. */
export function sampleBody({ eventId, type, subClientId }: SampleEvent, at: Date): string {
  const payload = sampleOf(type, eventPayloads[type] as unknown as Schema, at)
  const head = { id: eventId, event: type, timestamp: at.toISOString() }
  return JSON.stringify({ ...head, data: payload, sub_client_id: subClientId ?? null, test: true })
}

function sampleOf(name: string, schema: Schema, at: Date): unknown {
  const { const: fixed, enum: values, type, format, examples, properties, required, items, minItems, minimum, anyOf } = schema
  if (fixed !== undefined) return fixed
  if (Array.isArray(anyOf)) return sampleOf(name, anyOf[0] as Schema, at)
  if (format === 'date-time') return at.toISOString()
  if (Array.isArray(examples)) return examples[0]
  if (Array.isArray(values)) return values[0]
  switch ([type].flat()[0]) {
    case 'object':
      return sampleOfObject(properties as Schema | undefined, required as readonly string[] | undefined, at)
    case 'array':
      return items === undefined ? [] : Array.from({ length: Number(minItems ?? 1) }, () => sampleOf(name, items as Schema, at))
    case 'string':
      return sampleText(name)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return typeof minimum === 'number' ? Math.max(minimum, 1) : 1
  }
}

function sampleOfObject(properties: Schema = {}, required: readonly string[] = Object.keys(properties), at: Date): object {
  return Object.fromEntries(required.map((name) => [name, sampleOf(name, properties[name] as Schema, at)]))
}

/** `vehicleId` is `sample-vehicle`, so that nobody takes it for one of theirs. */
function sampleText(name: string): string {
  if (name === 'currency') return 'EUR'
  if (name === 'period') return '2026-01'
  return `sample-${name.replace(/Ids?$/, '').toLowerCase()}`
}
