// Goal: a history is where settings place it, and only one place; what is still accepted is never due to be sealed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyPlaceOf, hotDaysOf } from './history-settings.ts'
import { readInvocation } from './settings.ts'

function settingsOf(env: Record<string, string>) {
  const invocation = readInvocation([], { DATA_DIR: '/data', ...env })
  return invocation.kind === 'run' ? invocation.configuration : assert.fail(invocation.text)
}

const refusalOf = (env: Record<string, string>) => {
  const invocation = readInvocation([], env)
  return invocation.kind === 'print' ? invocation.text : ''
}

test('with the embedded PostgreSQL in DATA_DIR, with one of your own nowhere until a place is set', () => {
  const { settings } = settingsOf({})
  assert.deepEqual(historyPlaceOf(settings, undefined, true), { kind: 'folder', folder: '/data/history' })
  assert.equal(historyPlaceOf(settings, undefined, false), undefined)
  const set = settingsOf({ HISTORY_DIR: '/srv/history' }).settings
  assert.deepEqual(historyPlaceOf(set, undefined, false), { kind: 'folder', folder: '/srv/history' })
})

test('in a bucket, with its secret kept apart', () => {
  const { settings, secrets } = settingsOf({
    ...{ HISTORY_S3_BUCKET: 'history', HISTORY_S3_URL: 'http://127.0.0.1:9000' },
    ...{ HISTORY_S3_ACCESS_KEY_ID: 'who', HISTORY_S3_SECRET_ACCESS_KEY: 'hush' },
  })
  assert.doesNotMatch(JSON.stringify({ settings, secrets }), /hush/)
  const place = historyPlaceOf(settings, secrets.historyS3SecretAccessKey, true)
  const credentials = { accessKeyId: 'who', secretAccessKey: 'hush' }
  assert.deepEqual(place?.kind === 'bucket' && place.bucket, {
    name: 'history',
    url: 'http://127.0.0.1:9000',
    region: 'us-east-1',
    credentials,
  })
})

test('two places, or half a key, are refused by name', () => {
  assert.match(refusalOf({ HISTORY_DIR: '/a', HISTORY_S3_BUCKET: 'history' }), /HISTORY_DIR.*Set one of them/s)
  assert.match(refusalOf({ HISTORY_S3_BUCKET: 'history', HISTORY_S3_ACCESS_KEY_ID: 'who' }), /HISTORY_S3_SECRET_ACCESS_KEY/)
})

test('what is still accepted is not due', () => {
  assert.equal(hotDaysOf(settingsOf({}).settings), 35)
  assert.equal(hotDaysOf(settingsOf({ READINGS_MAX_AGE_DAYS: '90' }).settings), 91)
})
