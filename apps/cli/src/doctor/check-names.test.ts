// Goal: of each host that a setting names an operator learns whether it has an address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvocation } from '@roadworthy/platform/main/settings/settings'
import { checkNames, namedHosts } from './check-names.ts'

const hosts = (env: Readonly<Record<string, string>>) => {
  const invocation = readInvocation([], { ...env })
  assert.ok(invocation.kind === 'run', JSON.stringify(invocation))
  return namedHosts(invocation.configuration)
}

test('every host that the service itself asks is looked up', async () => {
  const named = hosts({
    ...{ BASE_URL: 'https://fleet.invalid', DATABASE_URL: 'postgresql://u:p@db.invalid/fleet', SECRET_KEY: 'k'.repeat(32) },
    ...{ ENGINE_URL: 'http://engine.invalid:8090', MQTT_BROKER_URL: 'mqtt://broker.invalid' },
    ...{ HISTORY_S3_BUCKET: 'history', HISTORY_S3_URL: 'https://s3.invalid' },
    ...{ SMTP_URL: 'smtp://mail.invalid', MAIL_FROM: 'fleet@example.com', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.invalid:4318' },
  })
  const { status, detail } = await checkNames(named)
  assert.equal(status, 'wrong')
  for (const name of ['fleet', 'db', 'engine', 'broker', 's3', 'mail', 'otel']) assert.match(detail, new RegExp(`\\b${name}\\.invalid of `))
})

test('what is switched off is not looked up', () => {
  assert.deepEqual(hosts({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.invalid:4318', OTEL_SDK_DISABLED: 'true' }), [])
})
