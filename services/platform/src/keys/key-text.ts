// The text of an API key: `rw_live_`, 30 random base62 characters (178 bits), and 6 of checksum. The checksum lets secret scanners recognise a
// key from a look-alike, and lets us refuse garbage without asking the database.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62, randomText } from '@roadworthy/service-kit/text/ids'

export const KEY_PREFIX = 'rw_live_'
const RANDOM_LENGTH = 30
/** 62^6 > 2^32. */
const CHECKSUM_LENGTH = 6
const KEY_FORM = /^rw_live_[0-9A-Za-z]{36}$/

export function newKeyText(): string {
  const body = KEY_PREFIX + randomText(RANDOM_LENGTH, BASE62)
  return body + checksum(body)
}

export function isKeyText(text: string): boolean {
  if (!KEY_FORM.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Hex SHA-256: what is stored, announced when a key changes, and looked up. The key is random, so a slow hash would add nothing. */
export function hashKeyText(text: string): string {
  return hash('sha256', text, 'hex')
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
