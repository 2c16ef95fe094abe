import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { MAX_READING_ID_LENGTH, parseReadingId, readingId } from './reading-id.ts'
import { sourceOfNamed } from './source-id.ts'

const digestHex = '0123456789abcdef'.repeat(2)
const recordedAtMs = Date.parse('2026-11-20T12:00:00.000Z')

for (const [whose, sourceId] of Object.entries({
  'a device': newId('dev'),
  'a vehicle without a device': newId('veh'),
  'a device that names a vehicle': sourceOfNamed(newId('dev'), newId('veh')),
})) {
  test(`the id of a reading of ${whose} carries its key, and stands in a path as it is`, () => {
    for (const kind of ['telemetry', 'track'] as const) {
      const id = readingId({ kind, sourceId, recordedAtMs, digestHex })
      assert.deepEqual(parseReadingId(id), { sourceId, recordedAtMs, digestHex })
      assert.equal(encodeURIComponent(id), id)
      assert.ok(id.length <= MAX_READING_ID_LENGTH)
    }
  })
}

test('the time in an id is the whole number in base 36, wherever its digits change', () => {
  const span = 36 ** 4
  const times = [1, span - 1, span, span + 1, 2 * span, recordedAtMs, recordedAtMs + span, recordedAtMs - span, Date.parse('2100-12-31')]
  for (const ms of [...times, ...times.toReversed()]) {
    const id = readingId({ kind: 'telemetry', sourceId: 'dev-aaaaaaaa', recordedAtMs: ms, digestHex })
    assert.equal(id, `tel-${digestHex}-${ms.toString(36)}-dev-aaaaaaaa`)
  }
})

test('the longest ids there may be have room, and what is not one of ours is none', () => {
  const longest = sourceOfNamed(`dev-${'a'.repeat(40)}`, `veh-${'b'.repeat(40)}`)
  const id = readingId({ kind: 'track', sourceId: longest, recordedAtMs: Date.parse('2100-12-31T00:00:00Z'), digestHex })
  assert.equal(parseReadingId(id)?.sourceId, longest)
  assert.ok(id.length <= MAX_READING_ID_LENGTH)
  const start = `tel-${digestHex}-mk2v1c0g-`
  for (const source of [
    'dev-aaaaaaaa.',
    'dev-aaaaaaaa.dev-aaaaaaaa',
    'dev-aaaaaaaa/veh-aaaaaaaa',
    'dev-aaaaaaaa.veh-aaaaaaaa.veh-aaaaaaaa',
  ]) {
    assert.equal(parseReadingId(start + source), undefined, source)
  }
})
