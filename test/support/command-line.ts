// The real command line as a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

export const BIN = path.join(import.meta.dirname, '../../apps/cli/bin/roadworthy.js')
const TIMEOUT_MS = 300_000

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type RunOptions = {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly input?: string
  readonly node?: string
  readonly timeoutMs?: number
}

/** Runs it to its end, with none of this process's settings. */
export async function roadworthy(
  args: readonly string[],
  { env = {}, cwd, input, node = process.execPath, timeoutMs = TIMEOUT_MS }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(node, [BIN, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    ...(cwd === undefined ? {} : { cwd }),
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
