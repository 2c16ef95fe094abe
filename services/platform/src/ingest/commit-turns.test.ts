import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommitTurns } from './commit-turns.ts'

test('a caller that finds no turn is called when one is released', () => {
  const turns = new CommitTurns(2)
  const called: string[] = []
  const take = (name: string) => turns.tryTake(() => called.push(name))
  assert.deepEqual([take('a'), take('b'), take('c'), take('d')], [true, true, false, false])
  assert.deepEqual(called, [])
  turns.release()
  assert.deepEqual(called, ['c', 'd'])
  assert.deepEqual([take('c'), take('d')], [true, false])
  turns.release()
  turns.release()
  assert.deepEqual(called, ['c', 'd', 'd'], 'each is called once for each time that it asked')
})
