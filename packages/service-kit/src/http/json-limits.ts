// Reads JSON from strangers. What a text may hold is limited before anything else looks at it, because the dangerous inputs are
// dangerous to the next step: a deep body parses but cannot be serialised again, NUL and lone surrogates cannot be stored by
// PostgreSQL, and a `__proto__` key rewrites whatever object it is merged into.

import { isUtf8 } from 'node:buffer'
import { Problem } from './problem.ts'

export const MAX_JSON_DEPTH = 32
export const MAX_JSON_KEYS = 256
export const MAX_JSON_STRING_LENGTH = 8 * 1024
/** Names that reach into an object's prototype when a parsed body is copied. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Refuses a text nested deeper than allowed, before it is parsed. One pass over the bytes; what is inside strings does not count. */
function assertDepth(text: Buffer, maxDepth: number): void {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]
    if (byte === QUOTE) {
      // Not `indexOf`: names and values of telemetry are shorter than what a call out of JavaScript costs.
      for (i++; i < text.length && text[i] !== QUOTE; i++) if (text[i] === BACKSLASH) i++
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > maxDepth) throw new Problem('invalid_request', `The JSON body is nested deeper than ${maxDepth} levels.`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
    }
  }
}

function assertString(value: string, what: string): void {
  if (value.length > MAX_JSON_STRING_LENGTH) {
    throw new Problem('invalid_request', `${what} is longer than ${MAX_JSON_STRING_LENGTH} characters.`)
  }
  if (value.includes('\u0000')) throw new Problem('invalid_request', `${what} contains a NUL character (\\u0000), which cannot be stored.`)
  if (!value.isWellFormed()) throw new Problem('invalid_request', `${what} contains half of a surrogate pair and is not valid Unicode.`)
}

/** Keys that were looked at: a fleet sends the same ones millions of times. The first few hundred that came, so that strangers cannot fill the memory. */
const allowedKeys = new Set<string>()
const MAX_ALLOWED_KEYS = 500
const MAX_ALLOWED_KEY_LENGTH = 64

function assertKey(key: string): void {
  if (FORBIDDEN_KEYS.has(key)) throw new Problem('invalid_request', `The key "${key}" is not allowed.`, { details: { field: key } })
  assertString(key, 'A key')
  if (key.length <= MAX_ALLOWED_KEY_LENGTH && allowedKeys.size < MAX_ALLOWED_KEYS) allowedKeys.add(key)
}

/**
 * Refuses a parsed value with too many keys, too long strings, text that cannot be stored, keys that reach into prototypes, or a
 * number that overflowed to Infinity (`1e999`, the only way a non-finite number gets through JSON). `path` names the place in errors.
 */
export function assertJsonLimits(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    assertString(value, path === '' ? 'The body' : `"${path}"`)
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Problem('invalid_request', `"${path}" is not a finite number.`, { details: { field: path } })
    return
  }
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      if (item !== null && (typeof item === 'object' || typeof item === 'string' || typeof item === 'number')) {
        assertJsonLimits(item, path === '' ? `[${i}]` : `${path}[${i}]`)
      }
    }
    return
  }
  const keys = Object.keys(value)
  if (keys.length > MAX_JSON_KEYS) {
    throw new Problem('invalid_request', `${path === '' ? 'The body' : `"${path}"`} has more than ${MAX_JSON_KEYS} keys.`)
  }
  for (const key of keys) {
    if (!allowedKeys.has(key)) assertKey(key)
    const inner = (value as Record<string, unknown>)[key]
    // Most of what telemetry holds; nothing of it needs a path.
    if (typeof inner === 'number' && Number.isFinite(inner)) continue
    assertJsonLimits(inner, path === '' ? key : `${path}.${key}`)
  }
}

/** Parses a JSON text within the limits above. Throws `Problem('invalid_request')` that names what was wrong. */
export function parseJson(text: Buffer): unknown {
  const value = parseJsonShallow(text)
  assertJsonLimits(value)
  return value
}

/**
 * Parses a JSON text checking only its depth. For batches, where a bad record is refused by its index and must not take the others
 * with it: the caller runs `assertJsonLimits` on each record.
 */
export function parseJsonShallow(sent: Buffer): unknown {
  const text = withoutByteOrderMark(sent)
  if (text.length === 0) throw new Problem('invalid_request', 'The body is empty; JSON was expected.')
  // RFC 8259 §8.1. Decoding would put U+FFFD for each wrong byte: two names would become one.
  if (!isUtf8(text)) throw new Problem('invalid_request', 'The body is not valid UTF-8, in which JSON is sent.')
  assertDepth(text, MAX_JSON_DEPTH)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // V8 quotes the text, and cuts it anywhere.
    throw new Problem('invalid_request', 'The body is not valid JSON.', { details: { reason: error.message.slice(0, 200).toWellFormed() } })
  }
}

/** RFC 8259 §8.1: a parser may ignore it. Some editors, and the UTF-8 writer of .NET, put it before what they send. */
export function withoutByteOrderMark(text: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK
  return text.subarray(0, length).equals(BYTE_ORDER_MARK) ? text.subarray(length) : text
}
