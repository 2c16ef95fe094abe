// An engine as a process, and what it reports of itself.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '@roadworthy/service-kit/process/test-environment'

const MAIN = resolve(import.meta.dirname, '../main.ts')
const POLL_MS = 100
const WAIT_BOUND_MS = 180_000

export type EngineProcess = {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly log: string[]
  readonly exited: Promise<[number | null, string | null]>
}

export async function startEngineProcess(t: TestContext, env: Record<string, string>): Promise<EngineProcess> {
  const child = spawn(process.execPath, [MAIN, '--port', '0'], { env: { ...bareEnvironment(), ...env } })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'close') as Promise<[number | null, string | null]>
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = /^ready engine (http:\/\/\S+)$/.exec(line)?.[1]
  assert.ok(url !== undefined, line)
  return { child, url, log, exited }
}

/** Waits for something that is known to come; what it is waiting for stands in the error when it does not. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, `in ${WAIT_BOUND_MS} ms it did not come to this: ${what}`)
    await sleep(POLL_MS)
  }
}

export async function readiness(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, text: await response.text() }
}

/** The value of a metric at this moment, labels and all in its name. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}
