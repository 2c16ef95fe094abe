// Passwords of dashboard users, kept as scrypt (RFC 7914) in one self-describing text: `scrypt$<N>$<r>$<p>$<salt>$<key>`.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number }

/** OWASP's password storage advice for scrypt: N = 2^17, r = 8, p = 1, which takes 128 MB for a moment. */
const COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY_BYTES = 256 * 1024 * 1024
const KEY_BYTES = 32
const SALT_BYTES = 16

/** Only tests, which hash hundreds of times, set less. */
export async function hashPassword(password: string, cost: PasswordCost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** In constant time once the text is well formed; false for a text that is not. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split('$')
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false
  const expected = Buffer.from(key, 'base64url')
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function deriveKey(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
