// For tests only: starts a process that stops at one of its steps (`test-steps.ts`), and kills it there.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Answers where it was, or nothing where it came to its end. */
export async function killAtStep(script: string, task: object): Promise<string | undefined> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Not its exit: the line that it printed last may be on its way then.
  const ended = once(child, 'close')
  try {
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown]
    assert.ok(typeof line === 'string', `the process ended without a word: ${String(line)}`)
    const [, where] = /^stopped (.+)$/.exec(line) ?? []
    return where
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
