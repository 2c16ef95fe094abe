// The verdict of both adapters on a callback, and the parts of judging it that do not depend on the gateway.

import { isUtf8 } from 'node:buffer'
import type { CallbackHeaders, CallbackRefusal, CallbackVerdict, GatewayEvent } from './gateway.ts'
import { parseJsonObject } from './gateway-call.ts'

/** Gateways' events are a few kilobytes; Stripe's largest, with all its fields, some tens. The route should read no more than this. */
export const MAX_CALLBACK_BYTES = 256 * 1024
/** A signature is 64 hexadecimal characters; a header that carries several while a secret is changed is a few hundred long. */
const MAX_HEADER_LENGTH = 2_000

const MESSAGES: Readonly<Record<CallbackRefusal, string>> = {
  too_large: `The body is longer than ${MAX_CALLBACK_BYTES} bytes.`,
  missing_signature: 'The signature is missing.',
  bad_signature: 'The signature is not of this body and one of our secrets.',
  stale: 'The signature is too old, or of the future.',
  malformed: 'The body is not what the gateway describes.',
}

export function refused(refusal: CallbackRefusal): CallbackVerdict {
  return { isAuthentic: false, refusal, message: MESSAGES[refusal] }
}

/** The only value of a header; absent where it is missing, given twice, empty or too long. */
export function onlyHeader(headers: CallbackHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' && value !== '' && value.length <= MAX_HEADER_LENGTH ? value : undefined
}

/** The body as text that has exactly these bytes; absent of what has no such text, which no gateway sends. */
export function exactText(rawBody: Buffer): string | undefined {
  return rawBody.length > 0 && isUtf8(rawBody) ? rawBody.toString('utf8') : undefined
}

/** Of a body whose signature is good. `read` throws `MalformedError` or `RangeError` on what it does not understand. */
export function judgeBody(rawBody: Buffer, read: (body: Record<string, unknown>) => GatewayEvent): CallbackVerdict {
  const body = parseJsonObject(rawBody)
  if (body === undefined) return refused('malformed')
  try {
    return { isAuthentic: true, events: [read(body)] }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return refused('malformed')
    throw error
  }
}

class MalformedError extends Error {}

/** Throws what `judgeBody` makes a refusal of. */
export function required<T>(schema: { Check(value: unknown): value is T }, value: unknown): T {
  if (!schema.Check(value)) throw new MalformedError()
  return value
}
