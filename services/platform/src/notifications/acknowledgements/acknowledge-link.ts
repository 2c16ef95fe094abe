// The token of a link by which the recipient of a message acknowledges its incident without signing in: which message, until when, and a MAC over both
// under a key that is derived from the secret key. The message's row says who the recipient is, and whether the link was used.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Assumption: who has not acted on a message after a week acts in the dashboard. */
const GOOD_FOR_DAYS = 7
const DAY_S = 86_400

export type LinkedMessage = { readonly resellerId: string; readonly notificationId: string }

export type AcknowledgeLinks = {
  /** `from` is when the message was decided, so that each attempt to send it carries the same link. */
  tokenOf(message: LinkedMessage, from: Date): string
  /** Undefined: it is none of ours. */
  read(token: string): (LinkedMessage & { readonly expiresAt: Date }) | undefined
}

const FORM = /^([a-z0-9-]{1,64})\.(ntf-[a-z0-9]{1,40})\.(\d{10})\.([A-Za-z0-9_-]{43})$/

export function createAcknowledgeLinks(secretKey: string): AcknowledgeLinks {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'roadworthy acknowledgement links', 32))
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    tokenOf: ({ resellerId, notificationId }, from) => {
      const text = `${resellerId}.${notificationId}.${Math.floor(from.getTime() / 1000) + GOOD_FOR_DAYS * DAY_S}`
      return `${text}.${macOf(text)}`
    },
    read: (token) => {
      const [, resellerId = '', notificationId = '', expiresS = '', mac = ''] = FORM.exec(token) ?? []
      const expected = macOf(`${resellerId}.${notificationId}.${expiresS}`)
      // As text: of 43 characters of base64 the last has bits that count for nothing.
      if (mac.length !== expected.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return undefined
      return { resellerId, notificationId, expiresAt: new Date(Number(expiresS) * 1000) }
    },
  }
}
