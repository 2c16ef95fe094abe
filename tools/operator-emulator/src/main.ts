// The emulator as a process: `node tools/operator-emulator/src/main.ts`. Prints one line `ready http://…` and ends on SIGTERM, on SIGINT, and
// with `--exit-with-parent` when its standard input closes.

import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { Platform } from './platform.ts'
import { createEmulatorServer } from './server.ts'
import { readStateFile, writeStateFile } from './state-file.ts'

const USAGE = `usage: node main.ts [--port 0] [--seed 7] [--accounts 2] [--sims 40] [--job-ms 2000] [--clock real|TIME] [--state-file FILE] [--exit-with-parent]
--clock TIME (RFC 3339) is a clock that stands still until POST /_state sets it.`

function fail(reason: string): never {
  console.error(`operator-emulator: ${reason}\n${USAGE}`)
  process.exit(2)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        seed: { type: 'string', default: '7' },
        accounts: { type: 'string', default: '2' },
        sims: { type: 'string', default: '40' },
        'job-ms': { type: 'string', default: '2000' },
        clock: { type: 'string', default: 'real' },
        'state-file': { type: 'string' },
        'exit-with-parent': { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most) fail(`--${name} must be a whole number from 0 to ${most}, not ${text}`)
  return value
}

const args = readOptions()
const virtualMs = args.clock === 'real' ? undefined : Date.parse(args.clock)
if (Number.isNaN(virtualMs)) fail(`--clock must be real or a time, not ${args.clock}`)
const stateFile = args['state-file']

const platform = new Platform({
  seed: wholeNumber('seed', args.seed, Number.MAX_SAFE_INTEGER),
  accounts: wholeNumber('accounts', args.accounts, 100),
  sims: wholeNumber('sims', args.sims, 100_000),
  jobMs: wholeNumber('job-ms', args['job-ms'], 86_400_000),
  virtualMs,
  snapshot: stateFile === undefined ? undefined : readStateFile(stateFile),
})
const save = () => {
  if (stateFile !== undefined) writeStateFile(stateFile, platform.snapshot())
}
const server = createEmulatorServer({ platform, save })

let isStopping = false
function stop(): void {
  if (isStopping) return
  isStopping = true
  save()
  server.closeAllConnections()
  server.close(() => process.exit(0))
}
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, stop)
if (args['exit-with-parent']) {
  // The parent holds the other end of stdin; however it dies, the pipe closes.
  process.stdin.resume()
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, stop)
}

server.listen(wholeNumber('port', args.port, 65_535), '127.0.0.1', () => {
  save()
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
