import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvocation } from '../settings/settings.ts'
import { describeExposure } from './exposure.ts'

const ports = { http: 8080, mqtt: 1883, mqttTls: undefined, metrics: 9464 }

function exposure(args: string[], opened: { mqtt?: undefined } = {}): string | undefined {
  const invocation = readInvocation(args, {})
  if (invocation.kind === 'print') assert.fail(invocation.text)
  return describeExposure(invocation.configuration.settings, { ...ports, ...opened })
}

test('what others can reach without TLS is logged in one line, with how to change it', () => {
  const line = exposure([]) ?? ''
  assert.match(
    line,
    /^open to other machines without TLS \(HOST 0\.0\.0\.0\): HTTP on port 8080, MQTT on port 1883\. --host 127\.0\.0\.1 keeps/,
  )
  assert.ok(!line.includes('\n'))
  assert.match(exposure(['--host', '::']) ?? '', /HOST ::/)
  assert.match(exposure(['--host', '192.168.1.5']) ?? '', /HTTP on port 8080, MQTT/)
})

test('nothing is logged of what is this machine’s own, or behind TLS', () => {
  for (const host of ['127.0.0.1', '::1', 'localhost', '127.8.0.1']) assert.equal(exposure(['--host', host]), undefined, host)
  const behindTls = ['--base-url', 'https://fleet.example.com']
  assert.match(exposure(behindTls) ?? '', /: MQTT on port 1883\./)
  assert.equal(exposure(behindTls, { mqtt: undefined }), undefined)
})
