// What a passphrase protects in a backup: the secret key and the first credentials, which are encrypted, and the manifest, which is signed.

import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { BackupProblem } from './backup-problem.ts'

/**
 * The least that OWASP's Password Storage Cheat Sheet names for scrypt (N=2^17, r=8, p=1), which takes 128 MiB (128 * N * r, RFC 7914) and some 0.4 s. More
 * memory would keep a backup from being opened on a small machine.
 */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 }
/** What a manifest may ask for: a stranger's must not take all memory. 1 GiB. */
const MAX_SCRYPT_BYTES = 2 ** 30
/** RFC 7914 asks for a salt that is unique; NIST SP 800-132 for 128 bits at least. */
const SALT_BYTES = 16
/** NIST SP 800-38D recommends 96 bits for GCM. */
const IV_BYTES = 12
const KEY_BYTES = 32
/** NIST SP 800-63B-4: the least where a password is the only factor. */
const MIN_PASSPHRASE_CHARACTERS = 15

export const KeyBoxSchema = Type.Object({
  kdf: Type.Literal('scrypt'),
  n: Type.Integer({ minimum: 2 ** 14, maximum: 2 ** 22 }),
  r: Type.Integer({ minimum: 1, maximum: 64 }),
  p: Type.Integer({ minimum: 1, maximum: 64 }),
  salt: Type.String(),
  cipher: Type.Literal('aes-256-gcm'),
  iv: Type.String(),
  tag: Type.String(),
  ciphertext: Type.String(),
  holds: Type.Array(Type.String()),
})
/** Files of the data folder, encrypted. Bytes are base64. */
export type KeyBox = Static<typeof KeyBoxSchema>

/** Names and contents of files of the data folder. */
export type KeyFiles = Readonly<Record<string, string>>

/** Of one passphrase and one salt. */
type Keys = { readonly encryption: Buffer; readonly signature: Buffer }

export type SealedKeys = { readonly box: KeyBox; sign(manifest: string): string }
export type OpenedKeys = { readonly files: KeyFiles; isSignatureOf(manifest: string, signature: string): boolean }

export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length >= MIN_PASSPHRASE_CHARACTERS) return
  throw new BackupProblem(`The passphrase has fewer than ${MIN_PASSPHRASE_CHARACTERS} characters. Take several words.`)
}

/** `cost` is less only where the passphrase of a test is what is protected. */
export async function sealKeys(passphrase: string, files: KeyFiles, cost = SCRYPT): Promise<SealedKeys> {
  const salt = randomBytes(SALT_BYTES)
  const keys = await deriveKeys(passphrase, salt, cost)
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keys.encryption, iv)
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(files), 'utf8'), cipher.final()])
  const encoded = { salt: salt.toString('base64'), iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64') }
  const box: KeyBox = {
    ...{ kdf: 'scrypt', n: cost.N, r: cost.r, p: cost.p, salt: encoded.salt },
    ...{ cipher: 'aes-256-gcm', iv: encoded.iv, tag: encoded.tag, ciphertext: ciphertext.toString('base64') },
    holds: Object.keys(files),
  }
  return { box, sign: (manifest) => signatureOf(keys, manifest) }
}

/** Throws where the passphrase is not the one that it was sealed with. */
export async function openKeys(passphrase: string, box: KeyBox): Promise<OpenedKeys> {
  const keys = await deriveKeys(passphrase, Buffer.from(box.salt, 'base64'), { N: box.n, r: box.r, p: box.p })
  let text: string
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.encryption, Buffer.from(box.iv, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(box.tag, 'base64'))
    text = Buffer.concat([decipher.update(Buffer.from(box.ciphertext, 'base64')), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new BackupProblem('The passphrase is not the one that this backup was made with.', { cause })
  }
  const isSignatureOf = (manifest: string, signature: string) => {
    const [wanted, given] = [Buffer.from(signatureOf(keys, manifest), 'hex'), Buffer.from(signature, 'hex')]
    return wanted.length === given.length && timingSafeEqual(wanted, given)
  }
  return { files: JSON.parse(text) as KeyFiles, isSignatureOf }
}

function signatureOf({ signature }: Keys, manifest: string): string {
  return createHmac('sha256', signature).update(manifest).digest('hex')
}

/** A passphrase is the same however its accents were typed: NFKC, as NIST SP 800-63B recommends. */
function deriveKeys(passphrase: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Keys> {
  const bytes = 128 * cost.N * cost.r
  if (bytes > MAX_SCRYPT_BYTES) throw new BackupProblem('The manifest asks for more memory than any backup of Roadworthy needs.')
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 2 * KEY_BYTES, { ...cost, maxmem: 2 * bytes }, (error, derived) => {
      if (error !== null) reject(error)
      else resolve({ encryption: derived.subarray(0, KEY_BYTES), signature: derived.subarray(KEY_BYTES) })
    })
  })
}
