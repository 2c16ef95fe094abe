import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUrlOf, hostAndPort, localUrlOf, ownAddressesOf } from './address-settings.ts'
import { readInvocation } from './settings.ts'

function refusal(env: Record<string, string>): string {
  const invocation = readInvocation([], env)
  assert.ok(invocation.kind === 'print' && invocation.exitCode === 2, JSON.stringify(env))
  return invocation.text
}

test('an address that is none is refused by the name of its setting', () => {
  for (const text of ['http://[::1', 'https://fleet example.com', 'https://fleet.example.com?tenant=1', 'https://fleet.example.com/#/home'])
    assert.match(
      refusal({ BASE_URL: text }),
      /^BASE_URL is ".*it must be a whole address.*--base-url https:\/\/fleet\.example\.com\.$/m,
      text,
    )
  assert.match(refusal({ ENGINE_URL: 'http://[::1' }), /^ENGINE_URL is "http:\/\/\[::1".*--engine-url http:\/\/engine:8090\.$/m)
})

test('an address of a broker, a store, a database or a mail server that is none is refused by name, and what may hold a password is not shown', () => {
  assert.match(refusal({ MQTT_BROKER_URL: 'mqtt://mqtt:99999' }), /^MQTT_BROKER_URL is "mqtt:\/\/mqtt:99999".*whole address/m)
  assert.match(refusal({ HISTORY_S3_BUCKET: 'files', HISTORY_S3_URL: 'https://s3 example.com' }), /^HISTORY_S3_URL is .*whole address/m)
  const hidden = refusal({
    ...{ DATABASE_URL: 'postgresql://owner:hunter#2@db/fleet', DATABASE_SESSION_URL: 'postgresql://owner:hunter/2@db/fleet' },
    ...{ SMTP_URL: 'smtps://user:hunter#2@mail:465', MAIL_FROM: 'fleet@example.com' },
  })
  for (const name of ['DATABASE_URL', 'DATABASE_SESSION_URL', 'SMTP_URL'])
    assert.match(hidden, new RegExp(`^${name} is "\\(hidden\\)" \\(environment\\): it cannot be read as an address.*# as %23`, 'm'))
  assert.doesNotMatch(hidden, /hunter/)
})

test('a user in an address is refused, and not shown', () => {
  const text = refusal({ ENGINE_URL: 'http://user:hunter2@engine:8090' })
  assert.match(text, /^ENGINE_URL is "\(hidden\)"/)
  assert.doesNotMatch(text, /hunter2/)
})

test('a slash at the end of BASE_URL is not doubled in what is made of it', () => {
  const invocation = readInvocation([], { BASE_URL: 'https://fleet.example.com/' })
  assert.ok(invocation.kind === 'run')
  assert.equal(baseUrlOf(invocation.configuration.settings, 8080), 'https://fleet.example.com')
})

test('the address of this machine in IPv6 stands in brackets', () => {
  assert.equal(baseUrlOf({ host: '::1' }, 8080), 'http://[::1]:8080')
  assert.equal(localUrlOf('::1', 8080), 'http://[::1]:8080')
  assert.equal(hostAndPort({ host: 'fd00::5', port: 1883 }), '[fd00::5]:1883')
  assert.equal(baseUrlOf({ host: '::' }, 8080), 'http://localhost:8080')
  assert.equal(localUrlOf('::', 8080), 'http://127.0.0.1:8080')
})

test('a process names where it listens itself, MQTT included', () => {
  assert.equal(
    ownAddressesOf('0.0.0.0', { http: 8082, mqtt: 1883, mqttTls: 8883 }),
    'http://localhost:8082  mqtt://localhost:1883  mqtts://localhost:8883',
  )
  assert.equal(ownAddressesOf('::1', { http: 8083, mqtt: undefined, mqttTls: undefined }), 'http://[::1]:8083')
})
