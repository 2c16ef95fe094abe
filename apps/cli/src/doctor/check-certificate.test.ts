import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameForDevices } from './check-certificate.ts'

test('the certificate of MQTT is for the name that devices are given, and for that of the pages where they have no other', () => {
  const page = 'https://fleet.example.com'
  assert.deepEqual(nameForDevices('mqtt.example.com', page), { setting: 'MQTT_PUBLIC_HOST', host: 'mqtt.example.com' })
  assert.deepEqual(nameForDevices(undefined, page), { setting: 'BASE_URL', host: 'fleet.example.com' })
  assert.equal(nameForDevices(undefined, undefined), undefined)
})
