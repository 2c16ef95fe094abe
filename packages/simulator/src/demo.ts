// The demo as a process of its own: `node packages/simulator/src/demo.ts --base-url URL --mqtt-url URL`, key in ROADWORTHY_API_KEY.
import { parseArgs } from 'node:util'
import { MAX_FLEET_VEHICLES } from './fleet/profile.ts'
import { runDemo } from './run-demo.ts'
import { createApi } from './senders/api.ts'

const USAGE = `usage: node demo.ts --base-url URL --mqtt-url mqtt://HOST:PORT [--vehicles 24] [--seed 7] [--interval-s 2]
       [--backfill-min 20] [--state-file FILE] [--exit-with-parent]
The API key is read from ROADWORTHY_API_KEY.`

function fail(reason: string): never {
  console.error(`demo: ${reason}\n${USAGE}`)
  process.exit(2)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        'base-url': { type: 'string' },
        'mqtt-url': { type: 'string' },
        vehicles: { type: 'string', default: '24' },
        seed: { type: 'string', default: '7' },
        'interval-s': { type: 'string', default: '2' },
        'backfill-min': { type: 'string', default: '20' },
        'state-file': { type: 'string' },
        'exit-with-parent': { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function numberIn(name: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= low && value <= high)) fail(`--${name} must be a number from ${low} to ${high}, not ${text}`)
  return value
}

const args = readOptions()
const baseUrl = args['base-url'] ?? fail('--base-url is missing')
const mqttUrl = args['mqtt-url'] ?? fail('--mqtt-url is missing')
const apiKey = process.env['ROADWORTHY_API_KEY'] ?? fail('ROADWORTHY_API_KEY is not set')

const stopping = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort())
if (args['exit-with-parent']) {
  // The parent holds the other end of stdin; however it dies, the pipe closes.
  process.stdin.resume()
  process.stdin.once('end', () => stopping.abort())
  process.stdin.once('close', () => stopping.abort())
  process.stdin.once('error', () => stopping.abort())
}

try {
  await runDemo({
    api: createApi({ baseUrl, apiKey }),
    mqttUrl,
    vehicleCount: Math.floor(numberIn('vehicles', args.vehicles, 1, MAX_FLEET_VEHICLES)),
    seed: Math.floor(numberIn('seed', args.seed, 0, 2 ** 31)),
    intervalS: numberIn('interval-s', args['interval-s'], 0.5, 3_600),
    backfillS: numberIn('backfill-min', args['backfill-min'], 0, 1_440) * 60,
    stateFile: args['state-file'],
    signal: stopping.signal,
    log: (line) => console.error(line),
    now: Date.now,
  })
  process.exitCode = 0
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(`demo: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
process.stdin.destroy()
