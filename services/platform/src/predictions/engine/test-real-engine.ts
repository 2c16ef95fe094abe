// For tests only: the engine's own process.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { bareEnvironment } from '@roadworthy/service-kit/process/test-environment'

/** Answers its address. */
export async function startRealEngine(t: CleanUp): Promise<string> {
  const main = path.join(import.meta.dirname, '../../../../engine/src/main.ts')
  const env = { ...bareEnvironment(), HOST: '127.0.0.1', ENGINE_PORT: '0', ENGINE_WORKERS: '1' }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(async () => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return /^ready engine (\S+)$/.exec(line)?.[1] ?? assert.fail(line)
}
