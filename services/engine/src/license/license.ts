// Licences of the edition `byol`: a few facts as canonical JSON and an Ed25519 signature over those very bytes (RFC 8032). Verified without
// asking anyone: the engine runs where there may be no way out.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const PREFIX = 'rwl1'
const DAY_MS = 86_400_000
/** Clocks are off, and a licence is often used in the minute it is issued. */
const CLOCK_TOLERANCE_MS = DAY_MS
const MAX_TOKEN_CHARACTERS = 8192

const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const LicenseSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64 }),
    licensee: Type.String({ minLength: 1, maxLength: 200 }),
    issued_at: Time,
    expires_at: Time,
    /** For how long after its expiry the engine goes on, with a warning. */
    grace_days: Type.Integer({ minimum: 0, maximum: 365 }),
  },
  { additionalProperties: false },
)
export type License = Static<typeof LicenseSchema>

/** What a token states about itself, believed only where the signature was checked. */
export type Judgement =
  | { readonly state: 'valid' | 'grace'; readonly license: License; readonly message: string }
  | { readonly state: 'expired' | 'not_yet_valid' | 'forged'; readonly license: License; readonly message: string }
  | { readonly state: 'missing' | 'malformed' | 'no_key'; readonly message: string }

export function issueLicense(license: License, privateKeyPem: string): string {
  const payload = Buffer.from(canonicalJson(Value.Parse(LicenseSchema, license)))
  const signature = sign(null, payload, requireEd25519(createPrivateKey(privateKeyPem)))
  return `${PREFIX}.${payload.toString('base64url')}.${signature.toString('base64url')}`
}

/** An Ed25519 public key from PEM, or from the base64 of its DER, which fits into one line. */
export function readPublicKey(text: string): KeyObject {
  const trimmed = text.trim()
  const isPem = trimmed.startsWith('-----')
  // Node makes a public key of it. The engine would take it, and those who run the engine could issue licences.
  if (isPem && /^-+BEGIN [A-Z ]*PRIVATE KEY/.test(trimmed)) throw new Error('it is a private key; name the file with .pub')
  const key = isPem ? createPublicKey(trimmed) : createPublicKey({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'spki' })
  return requireEd25519(key)
}

function requireEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`an Ed25519 key is wanted; this is ${key.asymmetricKeyType}`)
  return key
}

/** The content of a token, whoever wrote it. `undefined`: it is not a licence at all. */
export function decodeLicense(token: string): { license: License; payload: Buffer; signature: Buffer } | undefined {
  const [prefix, payloadText = '', signatureText = '', ...rest] = token.trim().split('.')
  if (prefix !== PREFIX || rest.length > 0 || token.length > MAX_TOKEN_CHARACTERS) return undefined
  const payload = Buffer.from(payloadText, 'base64url')
  try {
    const license: unknown = JSON.parse(payload.toString('utf8'))
    if (!Value.Check(LicenseSchema, license)) return undefined
    return { license, payload, signature: Buffer.from(signatureText, 'base64url') }
  } catch {
    // Not JSON, so not a licence.
    return undefined
  }
}

/** The verdict on a token at a moment. Its message is for whoever runs the engine: what is wrong, and what to do. */
export function judgeLicense(token: string | undefined, publicKey: KeyObject | undefined, nowMs: number): Judgement {
  if (token === undefined) {
    return { state: 'missing', message: 'No licence is set. Put it into ENGINE_LICENSE_KEY, or name its file in ENGINE_LICENSE_KEY_FILE.' }
  }
  const decoded = decodeLicense(token)
  if (decoded === undefined) {
    return {
      state: 'malformed',
      message: 'The licence is not whole: it begins with "rwl1." and is one line. Copy it again from its issuer.',
    }
  }
  if (publicKey === undefined) {
    const message = 'The licence cannot be verified: set ENGINE_LICENSE_PUBLIC_KEY, the public key that its issuer gives out.'
    return { state: 'no_key', message }
  }
  const { license, payload, signature } = decoded
  if (!verify(null, payload, publicKey, signature)) {
    return {
      state: 'forged',
      license,
      message: 'The licence is forged or was changed: its signature is not of the key that is trusted here.',
    }
  }
  return judgeDates(license, nowMs)
}

function judgeDates(license: License, nowMs: number): Judgement {
  const expiresAtMs = Date.parse(license.expires_at)
  const graceEndsAtMs = expiresAtMs + license.grace_days * DAY_MS
  const expired = `The licence of ${license.licensee} expired on ${license.expires_at}`
  if (nowMs < Date.parse(license.issued_at) - CLOCK_TOLERANCE_MS) {
    const message = `The licence of ${license.licensee} begins on ${license.issued_at}. Is the clock of this machine right?`
    return { state: 'not_yet_valid', license, message }
  }
  if (nowMs < expiresAtMs)
    return { state: 'valid', license, message: `The licence of ${license.licensee} runs until ${license.expires_at}.` }
  const graceEndsAt = new Date(graceEndsAtMs).toISOString()
  if (nowMs < graceEndsAtMs) {
    return { state: 'grace', license, message: `${expired}. The engine goes on until ${graceEndsAt}; ask its issuer for a new one.` }
  }
  const grace = license.grace_days === 0 ? '' : `, and its ${license.grace_days} days of grace ended on ${graceEndsAt}`
  return { state: 'expired', license, message: `${expired}${grace}. Ask its issuer for a new one.` }
}
