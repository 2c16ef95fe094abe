// Goal: what a load took goes back to the system once nothing is asked of the process. Method: a process that makes garbage, with the flags of `npm start`, and
// reports how much memory it has while it waits.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

const MODULE = new URL('./idle-memory.ts', import.meta.url).href
const PROGRAM = `
  const { giveBackMemoryWhenIdle } = await import('${MODULE}')
  giveBackMemoryWhenIdle()
  let kept = []
  for (let round = 0; round < 400; round++) {
    kept.push(Array.from({ length: 20_000 }, (_, nth) => ({ nth, text: 'v' + nth })))
    if (kept.length > 40) kept.shift()
  }
  kept = []
  for (let looks = 0; looks < 60; looks++) {
    console.log(Math.round(process.memoryUsage.rss() / 1e6))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }`

test('a process that has nothing to do gives back what a load took', async (t) => {
  const flags = ['--max-semi-space-size=16', '--heap-growing-percent=100', '--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const residentMb: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    residentMb.push(Number(line))
    if (Number(line) < (residentMb[0] ?? 0) / 2) break
  }
  child.kill()
  await exited
  t.diagnostic(`resident MB, a second apart: ${residentMb.join(' ')}`)
  assert.ok((residentMb.at(-1) ?? 0) < (residentMb[0] ?? 0) / 2)
})
