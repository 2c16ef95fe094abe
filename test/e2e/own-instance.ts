// An instance with its own PostgreSQL in a folder of its own, started through the command line, and the command line beside it, run with the
// Node that is on the machine.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BIN, type Ended, roadworthy } from '../support/command-line.ts'
import { startedAgain } from '../support/started-again.ts'

const READY_WAIT_MS = 180_000
const FREE_PORTS = ['--port', '0', '--engine-port', '0', '--mqtt-port', '0', '--metrics-port', '0']

/** A Node on this machine that is too old to run TypeScript, so that the command line has to find the other one. */
export const oldNode = (process.env['PATH'] ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'node'))
  .filter((file) => existsSync(file))
  .find((file) => Number(execFileSync(file, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) < 24)
export const node = oldNode ?? process.execPath

export type OwnInstance = {
  readonly folder: string
  readonly dataDir: string
  readonly service: ChildProcess
  readonly baseUrl: string
  readonly run: (...args: string[]) => Promise<Ended>
  /** With these variables in its environment. */
  readonly runWith: (env: Record<string, string>, ...args: string[]) => Promise<Ended>
  /** What a command that succeeds prints with `--json`. */
  readonly json: (...args: string[]) => Promise<Record<string, unknown>>
  readonly stop: () => Promise<void>
}

/** `flags`: of the service. */
export async function startOwnInstance(flags: readonly string[] = []): Promise<OwnInstance> {
  return await startedAgain(() => startOnce(flags))
}

async function startOnce(flags: readonly string[]): Promise<OwnInstance> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-cli-'))
  // Run as root, PostgreSQL belongs to another account, which must be able to enter.
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  const args = [BIN, 'up', '--data-dir', 'data', '--no-demo', '--host', '127.0.0.1', ...FREE_PORTS, ...flags]
  const service = spawn(node, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  // Not at its exit, for its last lines may be on their way then.
  const closed = once(service, 'close')
  const stop = async () => {
    if (service.exitCode === null && service.signalCode === null) service.kill('SIGTERM')
    await closed
    rmSync(folder, { recursive: true, force: true })
  }
  for (let waitedMs = 0; !/^ready/m.test(output); waitedMs += 50) {
    if (service.exitCode !== null || waitedMs > READY_WAIT_MS) {
      await stop()
      assert.fail(`not ready:\n${output}`)
    }
    await sleep(50)
  }
  const { base_url: baseUrl } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')) as { base_url: string }
  const runWith = (env: Record<string, string>, ...given: string[]) =>
    roadworthy(['--data-dir', dataDir, ...given], { env, cwd: folder, node })
  const run = (...given: string[]) => runWith({}, ...given)
  return {
    folder,
    dataDir,
    service,
    baseUrl,
    run,
    runWith,
    json: async (...given) => {
      const { code, stdout, stderr } = await run(...given, '--json')
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as Record<string, unknown>
    },
    stop,
  }
}
