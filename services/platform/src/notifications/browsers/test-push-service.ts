// For tests only: a push service as browsers have one, on loopback, and browsers that read what it brings them. It takes what RFC 8030, 8291 and 8292 ask
// for and refuses the rest, and remembers which browsers there are.

import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { answerWith, type Received, type Reply, startReceiver } from '../../webhooks/test-receiver.ts'
import type { PushTarget } from './push-subscription.ts'

const DAY_S = 86_400

/** What the worker of a browser is given. */
export type Shown = { id: string; topic: string; title: string; body: string; path: string }

export type TestBrowser = {
  readonly target: PushTarget
  /** Oldest first. */
  readonly shown: Shown[]
  /** The person forbids messages in the browser. */
  forbid(): void
}

export type PushService = {
  readonly origin: string
  /** How often it was asked. */
  asked(): number
  addBrowser(): TestBrowser
  /** How the next request is answered, whatever is in it. */
  failNext(reply: Reply): void
  /** What it took, with its headers. */
  readonly taken: Received[]
}

export async function startPushService(t: CleanUp, now: () => number = Date.now): Promise<PushService> {
  const browsers = new Map<string, { receive: (body: Buffer) => void; isForbidden: boolean }>()
  const faults: Reply[] = []
  const taken: Received[] = []
  const receiver = await startReceiver(t, (response, received, nth) => {
    const fault = faults.shift()
    const answer = fault ?? answerWith(...judge(received))
    answer(response, received, nth)
  })
  const { origin } = new URL(receiver.url)

  function judge(received: Received): [status: number, headers: Record<string, string>, body: string] {
    const { headers, path, bytes } = received
    const browser = browsers.get(path)
    if (browser === undefined || browser.isForbidden) return [410, {}, 'push subscription has unsubscribed or expired.']
    const { authorization = '', ttl, 'content-encoding': encoding } = headers
    const complaint = complaintAbout(authorization, origin, now())
    if (complaint !== undefined) return [403, {}, complaint]
    if (!/^\d+$/.test(String(ttl)) || encoding !== 'aes128gcm') return [400, {}, 'TTL or Content-Encoding']
    if (bytes.length > 4_096) return [413, {}, 'too large']
    taken.push(received)
    browser.receive(bytes)
    return [201, { location: `${origin}/message/${taken.length}` }, '']
  }

  return {
    ...{ origin, taken },
    asked: () => receiver.received.length,
    failNext: (reply) => void faults.push(reply),
    addBrowser: () => {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      const shown: Shown[] = []
      const browser = {
        receive: (body: Buffer) => void shown.push(JSON.parse(decrypt(body, keys, auth).toString()) as Shown),
        isForbidden: false,
      }
      browsers.set(path, browser)
      const p256dh = keys.getPublicKey().toString('base64url')
      return {
        target: { endpoint: origin + path, p256dh, auth: auth.toString('base64url') },
        shown,
        forbid: () => {
          browser.isForbidden = true
        },
      }
    },
  }
}

/** RFC 8292: undefined where it is right. */
export function complaintAbout(authorization: string, audience: string, nowMs: number): string | undefined {
  const [, header, claims, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (header === undefined || claims === undefined || signature === undefined || key === undefined) return 'no VAPID'
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), signed, Buffer.from(signature, 'base64url'))) return 'the signature is wrong'
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  const { aud, exp, sub } = read(claims)
  if (read(header)['alg'] !== 'ES256' || aud !== audience) return 'for somebody else'
  const leftS = Number(exp) - nowMs / 1000
  if (leftS <= 0 || leftS > DAY_S) return 'expired, or for too long'
  return sub === undefined || /^(https:\/\/|mailto:)/.test(String(sub)) ? undefined : 'no contact'
}

/** As a browser does: RFC 8291 §3, RFC 8188 §2. */
export function decrypt(body: Buffer, keys: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const keyLength = body.readUInt8(20)
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (record.length > recordSize) throw new Error('more than one record')
  const expand = (from: Buffer, by: Buffer, info: Buffer, bytes: number) => Buffer.from(hkdfSync('sha256', from, by, info, bytes))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const keyMaterial = expand(keys.computeSecret(senderKey), auth, info, 32)
  const contentKey = expand(keyMaterial, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = expand(keyMaterial, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the delimiter of the last record is missing')
  return padded.subarray(0, end)
}
