// The command line. The one file of it that reads the environment, the clock and the arguments.

import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE } from './compile-cache.ts'
import { handOver } from './hand-over.ts'

// Half of the time to the first answer is compiling (0.44 s of CPU without, 0.21 s with). What is imported from here on is kept, and what programs import
// that this one starts: an engine without it takes a second longer.
enableCompileCache(COMPILE_CACHE)
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

const args = process.argv.slice(2)
const handedOver = handOver(args)
if (handedOver !== undefined) {
  // The service reads its own flags, all of them, and stops by its own rules.
  process.argv.splice(2, args.length, ...handedOver.flags)
  if (handedOver.program === 'engine') await import('@roadworthy/engine/main')
  else await import('@roadworthy/platform/main/all')
} else {
  const { runCommand } = await import('./run-command.ts')
  process.exitCode = await runCommand(args, { env: process.env, cwd: process.cwd(), now: () => new Date() })
}
