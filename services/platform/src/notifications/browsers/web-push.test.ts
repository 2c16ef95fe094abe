// Goal: what we send is what browsers and push services read. Method: the example of RFC 8291 in both directions, and a verifier of VAPID of its own.

import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { test } from 'node:test'
import { complaintAbout, decrypt } from './test-push-service.ts'
import { areBrowserKeys, createVapid, encryptForBrowser, MAX_PAYLOAD_BYTES } from './web-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
/** RFC 8291, section 5 and appendix A. */
const RFC = {
  plaintext: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  browserPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  browserPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6' +
    'cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const keys = { p256dh: RFC.browserPublic, auth: RFC.auth }
const browser = createECDH('prime256v1')
browser.setPrivateKey(bytes(RFC.browserPrivate))

test('the example of RFC 8291 is encrypted as it says, and read by the browser of it', () => {
  const once = { privateKey: bytes(RFC.senderPrivate), salt: bytes(RFC.salt) }
  const body = encryptForBrowser(Buffer.from(RFC.plaintext), keys, once)
  assert.equal(body.toString('base64url'), RFC.body)
  assert.equal(decrypt(bytes(RFC.body), browser, bytes(RFC.auth)).toString(), RFC.plaintext)
})

test('each message has keys of its own, and the longest fits what push services take', () => {
  const longest = Buffer.alloc(MAX_PAYLOAD_BYTES, 'x')
  const [one, other] = [encryptForBrowser(longest, keys), encryptForBrowser(longest, keys)]
  assert.notDeepEqual(one.subarray(0, 86), other.subarray(0, 86))
  assert.equal(one.length, 4_096)
  assert.deepEqual(decrypt(one, browser, bytes(RFC.auth)), longest)
  assert.throws(() => encryptForBrowser(Buffer.alloc(MAX_PAYLOAD_BYTES + 1), keys), RangeError)
})

test('keys that nothing can be encrypted by are none', () => {
  assert.equal(areBrowserKeys(keys), true)
  const offCurve = Buffer.from(bytes(RFC.browserPublic))
  offCurve[64] = (offCurve[64] ?? 0) ^ 1
  assert.deepEqual(
    [
      { ...keys, p256dh: offCurve.toString('base64url') },
      { ...keys, p256dh: 'AAAA' },
      { ...keys, auth: 'AAAA' },
    ].map(areBrowserKeys),
    [false, false, false],
  )
})

test('a push service verifies who sends, to whom and until when', () => {
  const at = new Date('2026-03-29T00:30:00Z')
  const vapid = createVapid('a secret key that is long enough to be one')
  const authorization = vapid.authorizationOf('https://push.example/wpush/v2/abc', 'https://fleet.example', at)
  const complaintAt = (audience: string, hours: number, text = authorization) =>
    complaintAbout(text, audience, at.getTime() + hours * 3_600_000)
  assert.equal(complaintAt('https://push.example', 0), undefined)
  assert.equal(complaintAt('https://other.example', 0), 'for somebody else')
  assert.equal(complaintAt('https://push.example', 12), 'expired, or for too long')
  assert.equal(complaintAt('https://push.example', -13), 'expired, or for too long')
  const other = createVapid('another secret key that is long enough').publicKey
  assert.equal(complaintAt('https://push.example', 0, authorization.replace(vapid.publicKey, other)), 'the signature is wrong')
  assert.equal(createVapid('a secret key that is long enough to be one').publicKey, vapid.publicKey)
  // A contact that push services refuse is left out: RFC 8292 §2.1 asks for https or mailto.
  const atHome = vapid.authorizationOf('https://push.example/x', 'http://localhost:8080', at)
  assert.equal(complaintAt('https://push.example', 0, atHome), undefined)
})
