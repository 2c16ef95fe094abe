import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeStrike, nextStrike, type Strike } from './strikes.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const given = { revision: 'rev-1', reason: 'The broker sent garbage.' }

/** Struck again the moment it is read again. */
function strikes(count: number): Strike[] {
  const all: Strike[] = []
  for (let nth = 0; nth < count; nth++) all.push(nextStrike(all.at(-1), given, all.at(-1)?.leftOutUntil ?? START))
  return all
}

test('each strike leaves a connection out for longer, and the fifth for a day', () => {
  const seconds = strikes(6).map(({ struckAt, leftOutUntil }) => (leftOutUntil.getTime() - struckAt.getTime()) / 1000)
  assert.deepEqual(seconds, [10, 60, 300, 1_800, 86_400, 86_400])
  assert.deepEqual(
    strikes(6).map(({ isQuarantined }) => isQuarantined),
    [false, false, false, false, true, true],
  )
  assert.match(describeStrike(strikes(5)[4] ?? assert.fail()), /garbage.*5th time.*quarantine.*2026-11-21/)
})

test('another revision begins with a clean record, and so does one that was read for a day', () => {
  const [last] = strikes(5).slice(-1)
  assert.ok(last !== undefined)
  assert.equal(nextStrike(last, { ...given, revision: 'rev-2' }, last.struckAt).strikeCount, 1)
  const dayLater = new Date(last.leftOutUntil.getTime() + 86_400_000)
  assert.equal(nextStrike(last, given, dayLater).strikeCount, 6)
  assert.equal(nextStrike(last, given, new Date(dayLater.getTime() + 1)).strikeCount, 1)
})
