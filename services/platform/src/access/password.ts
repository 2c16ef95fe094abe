// Passwords of dashboard users, kept as scrypt (RFC 7914) in one self-describing text: `scrypt$<N>$<r>$<p>$<salt>$<key>`.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** OWASP's password storage advice for scrypt: N = 2^17, r = 8, p = 1, which takes 128 MB for a moment. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY_BYTES = 256 * 1024 * 1024
const KEY_BYTES = 32
const SALT_BYTES = 16

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** In constant time once the text is well formed; false for a text that is not. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split('$')
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false
  const expected = Buffer.from(key, 'base64url')
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function deriveKey(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
