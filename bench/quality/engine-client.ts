// The engine as a process of its own, asked over HTTP.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { EngineReading } from './trips.ts'

/** As many earlier readings as the engine looks at. */
const WINDOW = 120

export type Answer = {
  readonly alerts: readonly { readonly type: string; readonly component: string; readonly severity: string; readonly message: string }[]
  readonly predictions: { readonly healthStatus: string; readonly anomalyScore: number; readonly anomalyDetected: boolean }
  readonly modelVersion: string
  readonly _schemaMapping?: { readonly suggestions?: unknown }
}

export type EngineClient = {
  /** Judges one reading of a trip, with the readings before it as its history. */
  readonly judge: (readings: readonly EngineReading[], index: number) => Promise<Answer>
  readonly models: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

export async function startEngine(extraArgs: readonly string[]): Promise<EngineClient> {
  const main = resolve(import.meta.dirname, '../../services/engine/src/main.ts')
  const child: ChildProcess = spawn(process.execPath, [main, '--port', '0', '--exit-with-parent', ...extraArgs], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'warn' },
  })
  if (child.stdout === null) throw new Error('the engine has no standard output')
  const exited = once(child, 'exit')
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  const baseUrl = /http:\S+/.exec(String(line[0]))?.[0]
  if (baseUrl === undefined) throw new Error(`the engine did not start: ${line}`)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    judge: async (readings, index) => {
      const history = readings.slice(Math.max(0, index - WINDOW), index)
      return (await call(agent, `${baseUrl}/v1/predict`, JSON.stringify({ vehicleId: 'BENCH', ...readings[index], history }))) as Answer
    },
    models: () => call(agent, `${baseUrl}/v1/models`, undefined),
    stop: async () => {
      agent.destroy()
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** What is measured is what it answers, not how soon: on a machine that is busy it is asked again. */
const MOST_RETRIES = 30
const RETRY_AFTER_MS = 1000

async function call(agent: Agent, url: string, body: string | undefined): Promise<unknown> {
  for (let retry = 0; retry < MOST_RETRIES; retry++) {
    const answer = await callOnce(agent, url, body)
    if (answer !== OVERLOADED) return answer
    await setTimeout(RETRY_AFTER_MS)
  }
  throw new Error(`${url} is overloaded`)
}

const OVERLOADED = Symbol('overloaded')

function callOnce(agent: Agent, url: string, body: string | undefined): Promise<unknown> {
  return new Promise((done, fail) => {
    const method = body === undefined ? 'GET' : 'POST'
    const outgoing = request(url, { agent, method, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200) done(JSON.parse(text))
        else if (response.statusCode === 503) done(OVERLOADED)
        else fail(new Error(`${method} ${url} answered ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}
