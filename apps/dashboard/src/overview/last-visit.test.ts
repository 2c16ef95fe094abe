import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteVisit } from './last-visit.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOW_MS = Date.parse('2026-11-20T12:00:00Z')

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
}

test('a first visit sees the day before; looking again is the same visit, until half an hour went by without', () => {
  const kept = storage()
  const at = (minutes: number, userId = 'usr-1') => noteVisit(kept, userId, NOW_MS + minutes * MINUTE_MS)
  assert.equal(at(0), NOW_MS - DAY_MS)
  assert.equal(at(20), NOW_MS - DAY_MS)
  assert.equal(at(50), NOW_MS - DAY_MS)
  assert.equal(at(81), NOW_MS + 50 * MINUTE_MS)
  assert.equal(at(82), NOW_MS + 50 * MINUTE_MS)
  assert.equal(at(82, 'usr-2'), NOW_MS + 82 * MINUTE_MS - DAY_MS, 'another person has another last visit')
})

test('no visit is further back than the service looks, and what is stored wrongly counts as none', () => {
  const kept = storage()
  noteVisit(kept, 'usr-1', NOW_MS - 90 * DAY_MS)
  assert.equal(noteVisit(kept, 'usr-1', NOW_MS), NOW_MS - 30 * DAY_MS)
  for (const text of ['x', 'null', '{"seenAtMs":"1","beforeMs":2}', JSON.stringify({ seenAtMs: NOW_MS + 1, beforeMs: 0 })]) {
    const broken = { getItem: () => text, setItem: () => undefined }
    assert.equal(noteVisit(broken, 'usr-1', NOW_MS), NOW_MS - DAY_MS, text)
  }
  const refusing = {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('refused')
    },
  }
  assert.equal(noteVisit(refusing, 'usr-1', NOW_MS), NOW_MS - DAY_MS)
  assert.equal(noteVisit(undefined, 'usr-1', NOW_MS), NOW_MS - DAY_MS)
})
