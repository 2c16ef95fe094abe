// Goal: a renewed certificate is served to who connects next, and one that cannot be used takes nothing away. Method: the broker over TLS, while its
// files change.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { hasOpenssl, makeCertificates } from '@roadworthy/service-kit/network/test-certificates'
import { startReceiver } from './test-mqtt-receiver.ts'

const LOOK_MS = 10

async function nameServedAt(port: number): Promise<string | string[] | undefined> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().subject.CN
  } finally {
    socket.destroy()
  }
}

test('the certificate is followed while devices stay connected', { skip: !hasOpenssl }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-renewed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { broker, stranger } = makeCertificates(folder)
  const [before, renewed] = [broker, stranger].map(({ certFile, keyFile }) => ({
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
  }))
  assert.ok(before !== undefined && renewed !== undefined)
  let read = async () => before
  const { tlsPort = 0, log } = await startReceiver(t, { tls: { ...before, port: 0, readAgain: () => read(), lookEveryMs: LOOK_MS } })
  const logged = async (text: string) => {
    for (let tries = 0; tries < 12_000 && !log.some((line) => line.includes(text)); tries++) await sleep(LOOK_MS)
    assert.ok(
      log.some((line) => line.includes(text)),
      text,
    )
  }
  const connected = tls.connect({ port: tlsPort, host: '127.0.0.1', rejectUnauthorized: false })
  await once(connected, 'secureConnect')

  // Half of it is written.
  read = async () => ({ cert: renewed.cert, key: before.key })
  await logged('key values mismatch')
  read = () => Promise.reject(new Error('ENOENT: the file is gone'))
  await logged('the file is gone')
  assert.equal(await nameServedAt(tlsPort), 'roadworthy-test-broker')

  read = async () => renewed
  await logged('was renewed')
  assert.equal(await nameServedAt(tlsPort), 'roadworthy-test-stranger')
  assert.equal(connected.destroyed, false)
  connected.destroy()
  assert.equal(log.filter((line) => line.includes('cannot be used')).length, 2, 'each reason is reported once')
})
