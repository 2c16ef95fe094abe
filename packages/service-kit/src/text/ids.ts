import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** For keys and passwords, 5.95 bits a character: nothing to quote, and none that a command takes for an option, as `-P -64v…` would be. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new opaque id such as `dev-k3x…`: 20 characters of [a-z0-9], 103 bits, safe in URLs, topics and MQTT client ids. */
export function newId(prefix: string): string {
  return `${prefix}-${randomText(20, ALPHABET)}`
}

/** Uniform random text over an alphabet of at most 64 characters, by rejection. */
export function randomText(length: number, alphabet: string): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
