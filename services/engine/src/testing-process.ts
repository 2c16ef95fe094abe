// The engine as a process, as an operator runs it: for tests that need signals, settings or a socket.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '@roadworthy/service-kit/process/test-environment'

const MAIN = resolve(import.meta.dirname, 'main.ts')
const WAIT_MS = 120_000
const LOOK_EVERY_MS = 20

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { error?: { code: string; message: string } } }

export type RunningEngine = {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  /** Every line of standard output so far. */
  readonly lines: readonly string[]
  /** Once all it printed has come, too. */
  readonly exited: Promise<[code: number | null, signal: string | null]>
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body: unknown) => Promise<Answer>
}

/** One process, so that what a test counts and signals is that one, unless it asks for more. */
export function spawnEngine(
  t: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Pick<RunningEngine, 'child' | 'exited'> {
  const child = spawn(process.execPath, [MAIN, '--host', '127.0.0.1', ...args], {
    env: { ...bareEnvironment(), ENGINE_WORKERS: '1', ...env },
  })
  t.after(() => child.kill('SIGKILL'))
  return { child, exited: once(child, 'close') as Promise<[number | null, string | null]> }
}

/** Resolves when it takes requests. */
export async function runEngine(
  t: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningEngine> {
  const { child, exited } = spawnEngine(t, ['--port', '0', ...args], env)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  await once(reader, 'line')
  const url = /^ready engine (http:\/\/127\.0\.0\.1:\d+)$/.exec(lines[0] ?? '')?.[1]
  assert.ok(url !== undefined, lines.join('\n'))
  const ask = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }
  const post = (path: string, body: unknown) =>
    ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { child, url, lines, exited, get: ask, post }
}

/** Asks until the answer is right: signals and polls take effect when they do. */
export async function until(engine: RunningEngine, path: string, isRight: (answer: Answer) => boolean): Promise<Answer> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const answer = await engine.get(path)
    if (isRight(answer)) return answer
    assert.ok(waitedMs < WAIT_MS, JSON.stringify(answer.body))
    await sleep(LOOK_EVERY_MS)
  }
}

/** An engine that starts beside other tests on a small machine may be overloaded for a moment: asks until it is not. */
export async function postPatiently(engine: RunningEngine, route: string, body: unknown): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await engine.post(route, body)
    if (!/overloaded/.test(JSON.stringify(answer.body)) || attempt === 600) return answer
    await sleep(200)
  }
}
