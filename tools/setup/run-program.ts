// Runs a program to its end, within a time, and returns what it wrote; one that fails throws what it wrote.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

const KEPT_CHARS = 4_000
const GRACE_MS = 5_000

export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  readonly isLate: boolean

  constructor(message: string, isLate: boolean) {
    super(message)
    this.isLate = isLate
  }
}

export type RunOptions = { timeoutMs: number; onOutput?: (text: string) => void }

/** Its standard output. */
export async function runProgram(program: string, args: readonly string[], { timeoutMs, onOutput }: RunOptions): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let tail = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = `${tail}${text}`.slice(-KEPT_CHARS)
      onOutput?.(text)
    })
  }
  let isLate = false
  const end = (signal: NodeJS.Signals) => () => {
    isLate = true
    child.kill(signal)
  }
  const timers = [setTimeout(end('SIGTERM'), timeoutMs), setTimeout(end('SIGKILL'), timeoutMs + GRACE_MS)]
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    // One that is ended may call that a success.
    if (code === 0 && !isLate) return stdout
    const how = isLate ? `has not ended within ${timeoutMs / 1000} s` : `ended with ${code}`
    throw new ProgramError(`${program} ${args[0]} ${how}: ${tail.trim()}`, isLate)
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
