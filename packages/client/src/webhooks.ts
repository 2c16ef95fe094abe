// Signatures of webhooks, as Standard Webhooks (https://www.standardwebhooks.com) has them: HMAC-SHA256 over `id.timestamp.body`.

import { ConfigurationError, RoadworthyError } from './errors.ts'
import type { FleetEvent } from './generated/published-types.ts'

/** Those of `fetch`, also of a package that has its own, or an object such as `request.headers` of Node. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** The body as it came: the bytes or their text, never an object that was parsed and written again. */
  readonly payload: string | Uint8Array | ArrayBuffer
  readonly headers: WebhookHeaders
  /** `whsec_…`; both while one takes the place of the other. */
  readonly secret: string | readonly string[]
  /** How old a message may be, or how far ahead by its clock. */
  readonly toleranceS?: number | undefined
  readonly now?: Date | undefined
}

export type SignOptions = {
  readonly payload: string | Uint8Array | ArrayBuffer
  readonly id: string
  readonly secret: string | readonly string[]
  readonly now?: Date | undefined
}

export type WebhookRefusal = 'missing_header' | 'invalid_timestamp' | 'too_old' | 'too_new' | 'invalid_signature' | 'invalid_payload'

/** The message is not to be believed: answer 400. */
export class WebhookVerificationError extends RoadworthyError {
  override readonly name = 'WebhookVerificationError'
  declare readonly code: WebhookRefusal

  constructor(code: WebhookRefusal, message: string) {
    super(message, { code })
  }
}

const PRESET_TOLERANCE_S = 300
/** While a secret is replaced there are two of each. More would be somebody who lets us reckon. */
const MAX_SIGNATURES = 8
const MAX_SECRETS = 8

/** The event, when the signature is that of one of the secrets and the message is not old. Else it rejects. */
async function verify({ payload, headers, secret, toleranceS = PRESET_TOLERANCE_S, now = new Date() }: VerifyOptions): Promise<FleetEvent> {
  const body = bytesOf(payload)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  checkAge(timestamp, toleranceS, now)
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .map((each) => fromBase64(each.slice('v1,'.length)))
  const signed = signedBytes(id, timestamp, body)
  let isGenuine = false
  // Each is compared with each, without an end at the first that fits: how long it takes says nothing of which.
  for (const key of await keysOf(secret, 'verify')) {
    for (const signature of given) {
      // `verify` compares in constant time.
      const fits = signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))
      isGenuine ||= fits
    }
  }
  if (!isGenuine) throw new WebhookVerificationError('invalid_signature', 'No signature of the message fits a secret.')
  return eventOf(body)
}

/** The three headers of a message, for tests of a receiver. */
async function sign({ payload, id, secret, now = new Date() }: SignOptions): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = signedBytes(id, timestamp, bytesOf(payload))
  const signatures: string[] = []
  for (const key of await keysOf(secret, 'sign')) {
    signatures.push(`v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`)
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

export const webhooks = Object.freeze({ verify, sign })

function bytesOf(payload: unknown): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  // Bytes of another realm, such as those of a test in a sandbox, are no instance of our `Uint8Array`.
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength)
  if (isArrayBuffer(payload)) return new Uint8Array(payload)
  throw new ConfigurationError('payload must be the body as it came, as a string or bytes: written again from an object it may differ.')
}

const isArrayBuffer = (payload: unknown): payload is ArrayBuffer => Object.prototype.toString.call(payload) === '[object ArrayBuffer]'

const areOfFetch = (headers: WebhookHeaders): headers is { get(name: string): string | null } => typeof headers.get === 'function'

function header(headers: WebhookHeaders, name: string): string {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new ConfigurationError('headers must be those of the request: Headers of fetch, or an object of names and values.')
  const found = areOfFetch(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found.join(' ') : found
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`)
  return value
}

function checkAge(timestamp: string, toleranceS: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is not in whole seconds.')
  if (!(toleranceS >= 0)) throw new ConfigurationError('toleranceS must be a number of seconds, 0 or more.')
  const ageS = now.getTime() / 1000 - Number(timestamp)
  if (Number.isNaN(ageS)) throw new ConfigurationError('now is no date.')
  if (ageS > toleranceS)
    throw new WebhookVerificationError('too_old', `The message is ${Math.round(ageS)} s old; ${toleranceS} s are taken.`)
  if (ageS < -toleranceS) throw new WebhookVerificationError('too_new', 'The message is from later than now: compare the clocks.')
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return signed
}

async function keysOf(secret: string | readonly string[], use: 'sign' | 'verify') {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length === 0 || secrets.length > MAX_SECRETS)
    throw new ConfigurationError(`secret must be one, or a list of 1 to ${MAX_SECRETS}.`)
  if (globalThis.crypto?.subtle === undefined)
    throw new ConfigurationError('crypto.subtle is not there: browsers have it on https pages only.')
  return Promise.all(
    secrets.map((each) => {
      const bytes = typeof each === 'string' ? fromBase64(each.replace(/^whsec_/, '')) : undefined
      // An empty one is none either: it would let in anyone who knows that it is empty.
      if (bytes === undefined) throw new ConfigurationError('A secret must be as it was shown: whsec_ and base64.')
      return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
    }),
  )
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

function eventOf(body: Uint8Array): FleetEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new WebhookVerificationError('invalid_payload', `The body is no JSON: ${String(error)}`)
  }
  const isEvent = typeof event === 'object' && event !== null && 'event' in event && typeof event.event === 'string'
  if (!isEvent) throw new WebhookVerificationError('invalid_payload', 'The body is no event.')
  return event as FleetEvent
}
