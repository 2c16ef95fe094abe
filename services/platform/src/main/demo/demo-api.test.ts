import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryUntilDone } from './demo-api.ts'

function noting() {
  const notes: string[] = []
  const note = (level: string) => (given: object) => void notes.push(`${level} ${(given as { err: Error }).err.message}`)
  return { notes, log: { warn: note('warn'), info: note('info') } }
}

test('what fails is gone on with until it is done', async () => {
  const { notes, log } = noting()
  let attempts = 0
  const attempt = async () => {
    if (++attempts < 3) throw new Error('503')
  }
  await tryUntilDone(attempt, { signal: new AbortController().signal, pauseMs: 0, log })
  assert.deepEqual([attempts, notes], [3, ['info 503', 'info 503']])
})

test('what goes on failing is given up with a warning, and a stop ends it without one', async () => {
  const { notes, log } = noting()
  const fail = () => Promise.reject(new Error('409'))
  await tryUntilDone(fail, { signal: new AbortController().signal, pauseMs: 0, log })
  assert.deepEqual([notes.length, notes.at(-1)], [10, 'warn 409'])
  const stopping = new AbortController()
  let attempts = 0
  const stopped = async () => {
    attempts++
    stopping.abort()
    throw new Error('stopped')
  }
  await tryUntilDone(stopped, { signal: stopping.signal, pauseMs: 60_000, log })
  assert.deepEqual([attempts, notes.length], [1, 10])
})
