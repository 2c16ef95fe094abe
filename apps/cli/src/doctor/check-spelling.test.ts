import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSpelling } from './check-spelling.ts'

test('a misspelt setting is a warning that names the closest one; what others or this command read is none', () => {
  const [found, ...others] = checkSpelling({ READING_HOT_DAYS: '3', MQTT_PROT: '3', PATH: '/bin', HOME: '/root' })
  assert.deepEqual([found?.status, others], ['warning', []])
  assert.match(found?.detail ?? '', /READING_HOT_DAYS: .*Did you mean READINGS_HOT_DAYS\? MQTT_PROT: .*MQTT_PORT/)
  const known = { MQTT_PORT: '1', ENGINE_WORKERS: '1', SECRET_KEY_FILE: '/a', ROADWORTHY_API_KEY: 'a', EXIT_WITH_PARENT: '1' }
  assert.deepEqual(checkSpelling(known), [])
})
