// What a format of phones and trackers is turned into: a record in the keys and units of the External API, which `normalize.ts` reads like any other.
// A key goes into the record only by a mapping of its format. None goes in under its own name: `battery`, `distance`, `odometer` and `fuel` of a tracker
// mean its own battery, metres, metres and litres, while the same words are aliases of vehicle signals (spec §2.6).

export type TrackerReading = {
  /** IMEI or id by which a forwarder names the device. Undefined where the token says which device sends. */
  readonly deviceRef: string | undefined
  readonly record: Readonly<Record<string, unknown>>
  /** Keys that no mapping knows, as they were sent. They are kept in `extra`. */
  readonly unread: readonly string[]
  /** How many more there are: neither named nor kept. */
  readonly unnamedCount: number
}

/** Of one reading, in `extra`. Trackers send 30 to 60 keys; a device that makes up keys must not fill the store with them. */
export const MAX_EXTRA_KEYS = 64
const MAX_KEY_CHARACTERS = 64
const MAX_TEXT_CHARACTERS = 256
/** Of a value that is an object or a list, as JSON. */
const MAX_NESTED_CHARACTERS = 1_024
const MAX_NUMBER_CHARACTERS = 32
/** More than any sensor resolves, and short of the noise that a multiplication leaves. */
const SIGNIFICANT_DIGITS = 9
/** A copy of an object with such a key would get another prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export class TrackerRecord {
  readonly #record: Record<string, unknown> = {}
  readonly #extra = new Map<string, unknown>()
  readonly #unread: string[] = []
  #unnamedCount = 0

  /** What is missing sets nothing. */
  set(key: string, value: unknown): void {
    if (value !== undefined && value !== null) this.#record[key] = typeof value === 'string' ? storable(value) : value
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#record, key)
  }

  /** Sets a number in our unit. A value that is none is kept under the name it was sent by, so that it does not cost the rest of the reading. */
  measure(key: string, sentAs: string, value: unknown, scale = 1): void {
    const number = numberOf(value)
    if (number !== undefined) this.set(key, scale === 1 ? number : rounded(number * scale))
    else if (!isMissing(value)) this.keepUnread(sentAs, value)
  }

  /** Sets a flag. A value that is none is kept under the name it was sent by, as that of a number is. */
  setFlag(key: string, sentAs: string, value: unknown): void {
    const flag = booleanOf(value)
    if (flag !== undefined) this.set(key, flag)
    else this.keepUnread(sentAs, value)
  }

  /** As it came: a position that cannot be read is refused. */
  place(latitude: unknown, longitude: unknown): void {
    this.set('latitude', numberOf(latitude) ?? latitude)
    this.set('longitude', numberOf(longitude) ?? longitude)
  }

  /** For what is understood and is no signal. False where there was no room for it. */
  keep(key: string, value: unknown): boolean {
    if (isMissing(value)) return true
    const name = keptName(key)
    if (!this.#extra.has(name) && this.#extra.size >= MAX_EXTRA_KEYS) return false
    this.#extra.set(name, keptValue(value))
    return true
  }

  /** A position that is no fix, as it was sent. */
  keepWithoutFix(latitude: unknown, longitude: unknown): void {
    if (latitude === undefined) return
    this.keep('position_without_fix', [latitude, longitude].map((each) => String(keptValue(each))).join(','))
  }

  /** For what no format names. */
  keepUnread(key: string, value: unknown): void {
    if (isMissing(value)) return
    const name = keptName(key)
    if (!this.keep(key, value)) this.#unnamedCount++
    else if (!this.#unread.includes(name)) this.#unread.push(name)
  }

  finish(deviceRef?: string): TrackerReading {
    const extra = this.#extra.size === 0 ? {} : { extra: Object.fromEntries(this.#extra) }
    return { deviceRef, record: { ...this.#record, ...extra }, unread: this.#unread, unnamedCount: this.#unnamedCount }
  }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (typeof value === 'number' && !Number.isFinite(value))
}

function keptName(key: string): string {
  const name = storable(key.slice(0, MAX_KEY_CHARACTERS))
  return FORBIDDEN_KEYS.has(name) ? `_${name}` : name
}

function keptValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value.slice(0, MAX_TEXT_CHARACTERS))
  if (typeof value !== 'object') return value
  return storable(JSON.stringify(value).slice(0, MAX_NESTED_CHARACTERS))
}

/** PostgreSQL stores no NUL and no half of a character. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed()
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS))
}

/** A number, or a decimal text; with spaces around it, as Traccar takes it: a plus that a tracker does not escape in an address is a space. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > MAX_NUMBER_CHARACTERS) return undefined
  if (!/^ *[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)? *$/.test(value)) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1' || value === 1) return true
  return value === 'false' || value === '0' || value === 0 ? false : undefined
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** For `timestamp`. What is no time that JavaScript can hold stays as it was sent, and is refused by its name. */
export function timeText(epochMs: number, sent: unknown): string {
  return Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : storable(String(sent)).slice(0, MAX_TEXT_CHARACTERS)
}
