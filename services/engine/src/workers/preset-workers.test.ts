import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { presetWorkers, thisMachine } from './preset-workers.ts'

const MIB = 1024 ** 2

test('a worker for each core, within four, and within what memory allows', () => {
  for (const [coreCount, memoryMib, expected] of [
    [1, 8192, 1],
    [2, 8192, 2],
    [4, 8192, 4],
    [64, 262_144, 4],
    [4, 1536, 3],
    [2, 1024, 2],
    [2, 1023, 1],
    [8, 128, 1],
  ] as const) {
    assert.equal(presetWorkers({ coreCount, memoryBytes: memoryMib * MIB }), expected, `${coreCount} cores, ${memoryMib} MiB`)
  }
})

test('the machine is what this process may use of it', () => {
  const { coreCount, memoryBytes } = thisMachine()
  assert.equal(coreCount, availableParallelism())
  assert.ok(memoryBytes > 0 && Number.isSafeInteger(memoryBytes))
})
