import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOnlyLocal, phoneServerUrl, phoneSetupUrl } from './phone-setup.ts'

test('a scanned code gives the app the server and the identifier that are shown to be typed', () => {
  const token = 'rwt-k3v9qzt7m2x8hd4wpr6bnyc5ga'
  // As the app takes it apart: `uri.origin` and `uri.path`, then parameters by name.
  const { origin, pathname, searchParams } = new URL(phoneSetupUrl('https://fleet.example.com', token))
  assert.equal(origin + pathname, phoneServerUrl('https://fleet.example.com'))
  assert.deepEqual(Object.fromEntries(searchParams), {
    id: token,
    accuracy: 'high',
    interval: '30',
    distance: '0',
    buffer: 'true',
    stop_detection: 'true',
    service: 'true',
  })
})

test('an address of this machine is no address for a phone', () => {
  for (const origin of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'https://fleet.localhost']) {
    assert.equal(isOnlyLocal(origin), true, origin)
  }
  for (const origin of ['https://fleet.example.com', 'http://192.168.1.5:8080', 'https://localhost.example.com']) {
    assert.equal(isOnlyLocal(origin), false, origin)
  }
})
