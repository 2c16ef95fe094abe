// The emulator as a process of its own: `node tools/gateway-emulator/src/main.ts --port 0`. It prints one line, `ready http://…`.

import { parseArgs } from 'node:util'
import { startEmulator } from './emulator.ts'

const USAGE = `usage: node main.ts [--port 0] [--host 127.0.0.1] [--state-file FILE] [--retry-delays-ms 1000,3000,…] [--exit-with-parent]`
const MAX_PORT = 65_535

function fail(reason: string): never {
  console.error(`gateway emulator: ${reason}\n${USAGE}`)
  process.exit(2)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        host: { type: 'string', default: '127.0.0.1' },
        'state-file': { type: 'string' },
        'retry-delays-ms': { type: 'string' },
        'exit-with-parent': { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  if (!/^\d{1,12}$/.test(text) || Number(text) > most) fail(`--${name} takes whole numbers up to ${most}, not ${text}`)
  return Number(text)
}

const args = readOptions()
const delays = args['retry-delays-ms']?.split(',').map((text) => wholeNumber('retry-delays-ms', text.trim(), 86_400_000))
const emulator = await startEmulator({
  port: wholeNumber('port', args.port, MAX_PORT),
  host: args.host,
  stateFile: args['state-file'],
  retryDelaysMs: delays,
}).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))

let isStopping = false
const stop = (): void => {
  if (isStopping) return
  isStopping = true
  void emulator.stop().then(() => process.exit(0))
}
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, stop)
if (args['exit-with-parent']) {
  // The parent holds the other end of stdin; however it dies, the pipe closes.
  process.stdin.resume()
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, stop)
}
console.log(`ready ${emulator.url}`)
