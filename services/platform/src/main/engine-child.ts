import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, isPortFree } from '@roadworthy/service-kit/network/free-ports'
import { ChildProgram } from '@roadworthy/service-kit/process/child-program'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'

const ENGINE_MAIN = join(import.meta.dirname, '../../../engine/src/main.ts')
const HEALTH_TIMEOUT_MS = 2000
/** The engine of one machine takes requests from that machine; it asks for no key (spec §4.3). */
const HOST = '127.0.0.1'
/** How this process keeps its memory small, `npm start` sets; the engine does the same. */
const MEMORY_FLAG = /^--(?:max-semi-space-size|heap-growing-percent)=/

/** Programs that choose a port at the same moment may choose the same one. */
const MAX_START_ATTEMPTS = 5

export type EngineChildOptions = {
  readonly port: number
  readonly env: NodeJS.ProcessEnv
  readonly log: Logger
  readonly choosePort?: (host: string) => Promise<number>
}

export type EngineChild = {
  readonly program: ChildProgram
  /** Starts it, and answers where it listens. */
  readonly start: () => Promise<string>
}

/** The engine as a process of its own on this machine, not yet started. It keeps its port when it is started again. `port` 0: one that is free. */
export function prepareEngineChild(options: EngineChildOptions): EngineChild | undefined {
  if (!existsSync(ENGINE_MAIN)) return undefined
  const { choosePort = findFreePort } = options
  let { port } = options
  const urlOf = () => `http://${HOST}:${port}`
  const program = new ChildProgram({
    name: 'engine',
    nodeFlags: process.execArgv.filter((flag) => MEMORY_FLAG.test(flag)),
    script: ENGINE_MAIN,
    args: () => ['--port', String(port), '--host', HOST],
    // Platform and database want the other cores; `||`, because an empty variable is one that nobody meant.
    env: { ...options.env, ENGINE_WORKERS: options.env['ENGINE_WORKERS'] || '1' },
    log: options.log,
    isReady: () => isEngineReady(urlOf()),
  })
  const start = async () => {
    for (let attempt = 1; ; attempt++) {
      if (options.port === 0) port = await choosePort(HOST)
      try {
        await program.start()
        return urlOf()
      } catch (error) {
        if (options.port !== 0 || attempt === MAX_START_ATTEMPTS || (await isPortFree(port, HOST))) throw error
        options.log.warn({ port }, 'the port that was chosen for the engine was taken meanwhile; another one is chosen')
      }
    }
  }
  return { program, start }
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
