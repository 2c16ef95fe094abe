import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledEntries, isWholeTarget, wordingFields } from './channel-kinds.ts'
import { readNotificationsSearch } from './log-search.ts'

test('a channel is connected when all that its kind needs is there, and sent no field of another', () => {
  assert.deepEqual(
    [isWholeTarget('slack', {}), isWholeTarget('slack', { url: ' ' }), isWholeTarget('slack', { url: 'https://x' })],
    [false, false, true],
  )
  assert.deepEqual(
    [isWholeTarget('telegram', { botToken: '1:a' }), isWholeTarget('telegram', { botToken: '1:a', chatId: '1' })],
    [false, true],
  )
  assert.equal(isWholeTarget('ntfy', { topic: 'fleet' }), true)
  assert.deepEqual(filledEntries('ntfy', { topic: ' fleet ', token: '', url: 'https://x' }), { topic: 'fleet' })
})

test('a chat has a language, and a program none', () => {
  const wording = { id: 'nch-a', language: 'de', units: 'imperial' } as const
  assert.deepEqual(wordingFields('slack', wording), { language: 'de', units: 'imperial' })
  assert.deepEqual(wordingFields('webhook', wording), {})
})

test('the address narrows the log down by what there is', () => {
  assert.deepEqual(readNotificationsSearch({ status: 'failed', ruleId: 'nrl-a1' }), { status: 'failed', ruleId: 'nrl-a1' })
  assert.deepEqual(readNotificationsSearch({ status: 'lost', ruleId: "'; --" }), {})
})
