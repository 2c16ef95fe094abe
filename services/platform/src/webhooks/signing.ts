// Standard Webhooks, symmetric: https://www.standardwebhooks.com. The bytes that are signed are the bytes that are sent.

import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A signing secret stops counting some time after it is followed by another. */
export type SigningSecret = { readonly secret: string; readonly expiresAt: string | null }

export function newSigningSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** The three headers by which a receiver knows a message for ours and for new. One signature for each secret, the newest first. */
export function signatureHeaders(
  message: { id: string; body: string },
  secrets: readonly string[],
  sentAt: Date,
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestampS = String(Math.floor(sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${message.id}.${timestampS}.${message.body}`)}`)
  return { 'webhook-id': message.id, 'webhook-timestamp': timestampS, 'webhook-signature': signatures.join(' ') }
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .update(text)
    .digest('base64')
}

/** Those that still count. */
export function validSecrets(secrets: readonly SigningSecret[], at: Date): SigningSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > at)
}
