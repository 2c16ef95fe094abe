// Loaded before every test file by `npm test`: an event that the service publishes under test and that is not as it is documented fails the
// file. It also notes which types were published, so that a whole run can be asked whether each was.

import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Checks = typeof import('@roadworthy/platform/events/test-documented-event')

const require = createRequire(import.meta.url)
const notesFile = process.env['ROADWORTHY_PUBLISHED_EVENTS']
const noted = new Set<string>()

// What throws here is an uncaught exception of the process, which node:test reports as a failure of the file.
subscribe('roadworthy:event', (message) => {
  if (isMadeUp(new Error().stack ?? '')) return
  const { type, dataJson } = message as { type: string; dataJson: string }
  // Required when there is one: most files publish none, and all of them load this.
  const { assertDocumented } = require('@roadworthy/platform/events/test-documented-event') as Checks
  assertDocumented(type, JSON.parse(dataJson))
  if (notesFile === undefined || noted.has(type)) return
  noted.add(type)
  appendFileSync(notesFile, `${type}\n`)
})

/** Whether a test wrote it, not the service: such events show nothing of what the service publishes. */
function isMadeUp(stack: string): boolean {
  const lines = stack.split('\n')
  const caller = lines[lines.findLastIndex((line) => line.includes('/events/outbox.ts')) + 1] ?? ''
  return /\.test\.ts:|\/test-[\w-]+\.ts:/.test(caller)
}
