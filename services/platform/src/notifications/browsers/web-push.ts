// Web Push by node:crypto alone (ADR 0033): a payload is encrypted for one browser (RFC 8291, content coding of RFC 8188), and each request says which
// service sends it (VAPID, RFC 8292).

import { createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const CURVE = 'prime256v1'
/** An uncompressed point of P-256: 0x04 and two coordinates. */
const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16
const SALT_BYTES = 16
const RECORD_BYTES = 4_096
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES
const TAG_BYTES = 16
/** RFC 8291 §4: the body is one record, and push services take 4,096 bytes. One is the delimiter. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - HEADER_BYTES - TAG_BYTES - 1

/** Of a browser, as its `PushSubscription` gives them: base64url. */
export type BrowserKeys = { readonly p256dh: string; readonly auth: string }

/** Whether a payload can be encrypted by them. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  const publicKey = Buffer.from(p256dh, 'base64url')
  if (publicKey.length !== PUBLIC_KEY_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  try {
    const ours = createECDH(CURVE)
    ours.generateKeys()
    ours.computeSecret(publicKey)
    return true
  } catch {
    // The point is not on the curve.
    return false
  }
}

/** Used for one message. `privateKey` is of the sender; both are random but in a test vector. */
export type Once = { readonly privateKey: Buffer; readonly salt: Buffer }

/** RFC 8291 §3. */
export function encryptForBrowser(payload: Buffer, keys: BrowserKeys, { privateKey, salt }: Once = newOnce()): Buffer {
  if (payload.length > MAX_PAYLOAD_BYTES) throw new RangeError(`a payload has at most ${MAX_PAYLOAD_BYTES} bytes`)
  const theirs = Buffer.from(keys.p256dh, 'base64url')
  const ours = createECDH(CURVE)
  ours.setPrivateKey(privateKey)
  const publicKey = ours.getPublicKey()
  const { contentKey, nonce } = contentKeys(ours.computeSecret(theirs), Buffer.from(keys.auth, 'base64url'), salt, theirs, publicKey)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  // RFC 8188 §2: 0x02 ends the last record.
  const ciphertext = Buffer.concat([cipher.update(payload), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()])
  const recordSize = Buffer.alloc(4)
  recordSize.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, recordSize, Buffer.of(PUBLIC_KEY_BYTES), publicKey, ciphertext])
}

function newOnce(): Once {
  const ecdh = createECDH(CURVE)
  ecdh.generateKeys()
  return { privateKey: ecdh.getPrivateKey(), salt: randomBytes(SALT_BYTES) }
}

/** RFC 8291 §3.4. */
function contentKeys(secret: Buffer, auth: Buffer, salt: Buffer, theirs: Buffer, ours: Buffer): { contentKey: Buffer; nonce: Buffer } {
  const expand = (from: Buffer, by: Buffer, info: Buffer, bytes: number) => Buffer.from(hkdfSync('sha256', from, by, info, bytes))
  const keyMaterial = expand(secret, auth, Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]), 32)
  return {
    contentKey: expand(keyMaterial, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    nonce: expand(keyMaterial, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  }
}

export type Vapid = {
  /** What a browser subscribes with (`applicationServerKey`): base64url of the uncompressed point. */
  readonly publicKey: string
  /** The `authorization` header of a request to a push service. `contact`: an https URL or mailto address of who sends; others are left out. */
  authorizationOf(endpoint: string, contact: string, at: Date): string
}

/** RFC 8292 §2: at most a day. A clock that is hours off is borne. */
const TOKEN_LIVES_S = 43_200
/** n of P-256 (FIPS 186-5). */
const CURVE_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Derived from the secret key of the installation for this purpose alone: every process has it, and nothing is stored. */
export function createVapid(secretKey: string): Vapid {
  const { privateKey, publicKey } = vapidKeysOf(secretKey)
  return {
    publicKey,
    authorizationOf: (endpoint, contact, at) => {
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor(at.getTime() / 1000) + TOKEN_LIVES_S,
        ...(/^(https:|mailto:)/.test(contact) ? { sub: contact } : {}),
      }
      const text = [{ typ: 'JWT', alg: 'ES256' }, claims].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.')
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
      return `vapid t=${text}.${signature}, k=${publicKey}`
    },
  }
}

/** FIPS 186-5 A.2.1: more bits than the order has, so that no key is likelier than another. */
function vapidKeysOf(secretKey: string): { privateKey: KeyObject; publicKey: string } {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'roadworthy web push', 48))
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (CURVE_ORDER - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: String(x), y: String(y) }
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), publicKey: point.toString('base64url') }
}
