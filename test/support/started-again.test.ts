import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_STARTS, startedAgain } from './started-again.ts'

test('a service that asks to be started again is, some times at most; one that fails otherwise is not', async () => {
  let startCount = 0
  const failing = (times: number, message: string) => async () => {
    startCount++
    if (startCount <= times) throw new Error(message)
    return startCount
  }
  const asks = 'it printed:\nThe database did not answer in time while the service started (Query read timeout). Start it again.'
  assert.equal(await startedAgain(failing(2, asks)), 3)
  startCount = 0
  await assert.rejects(startedAgain(failing(MOST_STARTS + 1, asks)), /Start it again/)
  assert.equal(startCount, MOST_STARTS)
  startCount = 0
  await assert.rejects(startedAgain(failing(1, 'no such setting')), /no such setting/)
  assert.equal(startCount, 1)
})
