import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'

/** What precedes the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export type StatementKey = {
  /** Base64 of the DER that OpenSSL reads (SPKI). */
  readonly publicKey: string
  /** Ed25519 (RFC 8032), base64. The same text gets the same signature. */
  sign(text: string): string
  /** The same of a text in UTF-8, outside of the event loop: for many megabytes. */
  signAside(bytes: Uint8Array): Promise<string>
}

/** Derived from the secret key of the installation for this purpose alone: every process has it, and nothing is stored. */
export function createStatementKey(secretKey: string): StatementKey {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'roadworthy usage statements', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    signAside: async (bytes) => (await promisify(sign)(null, bytes, privateKey)).toString('base64'),
  }
}

/** False also for a key or a signature that is none. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey)
  return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** From base64 of SPKI DER, or from PEM. Undefined when it is no Ed25519 key. */
export function readPublicKey(text: string): KeyObject | undefined {
  const trimmed = text.trim()
  try {
    const isPem = trimmed.startsWith('-----')
    const key = isPem ? createPublicKey(trimmed) : createPublicKey({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    // OpenSSL reports in many ways, some without a code, what it cannot read; all of them mean that it is no key.
    return undefined
  }
}
