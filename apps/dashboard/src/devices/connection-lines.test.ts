import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokerParts, connectionUrl, curlLine, firmwareLines, mosquittoLine } from './connection-lines.ts'

const credentials = {
  id: 'dev-1',
  mqttBroker: 'mqtt.example.com:1883',
  mqttUsername: 'acme/dev-1',
  mqttPassword: 'aB3',
  mqttTopic: 'fleet/acme/devices/dev-1/telemetry',
}
const SAMPLE = '{"speed":42,"rpm":1800,"coolant_temp":88,"battery_voltage":13.9}'

test('a broker is a host and a port, whatever the host looks like', () => {
  assert.deepEqual(brokerParts('localhost:1883'), { host: 'localhost', port: '1883', isTls: false })
  assert.deepEqual(brokerParts('[2001:db8::1]:8883'), { host: '2001:db8::1', port: '8883', isTls: true })
})

test('the address for the QR code holds all that a device needs, and can be read back', () => {
  const url = new URL(connectionUrl(credentials))
  assert.equal(url.protocol, 'mqtt:')
  assert.equal(url.host, credentials.mqttBroker)
  assert.equal(decodeURIComponent(url.username), credentials.mqttUsername)
  assert.equal(url.password, credentials.mqttPassword)
  assert.equal(url.pathname, `/${credentials.mqttTopic}`)
  assert.match(connectionUrl({ ...credentials, mqttBroker: 'mqtt.example.com:8883' }), /^mqtts:/)
})

test('the lines can be pasted into a shell and a header file', () => {
  const login = '-i dev-1 -u acme/dev-1 -P aB3 -t fleet/acme/devices/dev-1/telemetry'
  assert.equal(mosquittoLine(credentials), `mosquitto_pub -h mqtt.example.com -p 1883 ${login} -q 1 -m '${SAMPLE}'`)
  assert.match(mosquittoLine({ ...credentials, mqttBroker: 'h:8883' }), /-p 8883 --tls-use-os-certs /)
  assert.match(mosquittoLine({ ...credentials, mqttTopic: "it's here/t" }), / -t 'it'\\''s here\/t' /)
  assert.equal(
    curlLine(credentials, 'https://fleet.example.com'),
    `curl -X POST https://fleet.example.com/api/external/telemetry -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '{"device_id":"dev-1",${SAMPLE.slice(1)}'`,
  )
  assert.deepEqual(firmwareLines(credentials).split('\n'), [
    '#define MQTT_HOST "mqtt.example.com"',
    '#define MQTT_CLIENT_ID "dev-1"',
    '#define MQTT_USERNAME "acme/dev-1"',
    '#define MQTT_PASSWORD "aB3"',
    '#define MQTT_TOPIC "fleet/acme/devices/dev-1/telemetry"',
    '#define MQTT_PORT 1883',
    '#define MQTT_TLS 0',
  ])
})
