// For tests: one process of an installation of several, which can be killed and started again at the same place.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialsPath } from '@roadworthy/platform/main/credentials'
import { startedAgain } from './started-again.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 180_000

export type ProcessKind = 'api' | 'receivers' | 'worker' | 'engine'

export type FleetProcessOptions = {
  readonly kind: ProcessKind
  readonly port: number
  readonly mqttPort: number
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
}

export class FleetProcess {
  readonly kind: ProcessKind
  readonly port: number
  readonly mqttPort: number
  readonly #options: FleetProcessOptions
  #child: ChildProcess | undefined
  #closed: Promise<unknown> = Promise.resolve()
  #output = ''

  constructor(options: FleetProcessOptions) {
    const { kind, port, mqttPort, dataDir } = options
    this.kind = kind
    this.port = port
    this.mqttPort = mqttPort
    this.#options = options
    mkdirSync(dataDir, { recursive: true })
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    await startedAgain(() => this.#startOnce())
  }

  async #startOnce(): Promise<void> {
    const { kind, port, mqttPort, dataDir, env } = this.#options
    const compiled = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') }
    const args =
      kind === 'engine'
        ? ['services/engine/src/main.ts', '--port', String(port), '--host', '127.0.0.1', '--workers', '1']
        : [
            ...['services/platform/src/main/all.ts', '--roles', kind, '--host', '127.0.0.1', '--port', String(port)],
            ...['--mqtt-port', String(mqttPort), '--metrics-port', '0', '--data-dir', dataDir, '--log-level', 'warn'],
          ]
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...compiled, ...(kind === 'engine' ? {} : env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#closed = once(child, 'close')
    this.#output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (this.#output = `${this.#output}${chunk}`.slice(-20_000)))
    for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += 20) {
      const end = child.exitCode ?? child.signalCode
      if (end !== null) {
        await this.#closed
        assert.fail(`${kind} ended with ${end}: ${this.#output}`)
      }
      if (/^ready|"msg":"ready/m.test(this.#output)) return
      await sleep(20)
    }
    assert.fail(`${kind} is not ready: ${this.#output}`)
  }

  /** Resolves when it is gone; its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#child?.kill(signal)
    await this.#closed
    return this.#child?.exitCode ?? null
  }

  /** Of the process that made it. */
  apiKey(): string {
    const { api_key: key } = JSON.parse(readFileSync(credentialsPath(this.#options.dataDir), 'utf8')) as { api_key: string }
    return key
  }
}
