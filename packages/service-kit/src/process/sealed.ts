// Encryption at rest of small things that must be read back, such as an answer with credentials in it. Not for passwords or keys that are
// only ever compared: those are hashed.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + IV_BYTES + TAG_BYTES

export type Sealer = {
  /** `context` names the place the text is kept in; it opens there and nowhere else. */
  seal(text: string, context: string): Buffer
  /** Throws when the bytes were altered, moved to another place, or sealed with another secret key. */
  open(sealed: Buffer, context: string): string
}

/** AES-256-GCM under a key derived from the secret key for this purpose alone. */
export function createSealer(secretKey: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `roadworthy sealed ${purpose}`, 32))
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ciphertext])
    },
    open(sealed, context) {
      if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) throw new Error('not a sealed text')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, HEADER_BYTES))
      return decipher.update(sealed.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
