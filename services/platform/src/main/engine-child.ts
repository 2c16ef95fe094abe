import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ChildProgram } from '@roadworthy/service-kit/child-program'
import { findFreePort } from '@roadworthy/service-kit/free-ports'
import type { Logger } from '@roadworthy/service-kit/log'

const ENGINE_MAIN = join(import.meta.dirname, '../../../engine/src/main.ts')
const HEALTH_TIMEOUT_MS = 2000
/** The engine of one machine takes requests from that machine; it asks for no key (spec §4.3). */
const HOST = '127.0.0.1'
/** How this process keeps its memory small, `npm start` sets; the engine does the same. */
const MEMORY_FLAG = /^--(?:max-semi-space-size|heap-growing-percent)=/

export type EngineChild = { url: string; program: ChildProgram }

/** The engine as a process of its own on this machine, not yet started. It keeps its port when it is started again. */
export async function prepareEngineChild(options: { port: number; env: NodeJS.ProcessEnv; log: Logger }): Promise<EngineChild | undefined> {
  if (!existsSync(ENGINE_MAIN)) return undefined
  const port = options.port === 0 ? await findFreePort(HOST) : options.port
  const url = `http://${HOST}:${port}`
  const program = new ChildProgram({
    name: 'engine',
    nodeFlags: process.execArgv.filter((flag) => MEMORY_FLAG.test(flag)),
    script: ENGINE_MAIN,
    args: ['--port', String(port), '--host', HOST],
    // Platform and database want the other cores; `||`, because an empty variable is one that nobody meant.
    env: { ...options.env, ENGINE_WORKERS: options.env['ENGINE_WORKERS'] || '1' },
    log: options.log,
    isReady: () => isEngineReady(url),
  })
  return { url, program }
}

async function isEngineReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // Not listening yet; the caller asks again until its own time is over.
    return false
  }
}
