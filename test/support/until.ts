// For tests: waits for something that is known to come.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Only what never comes takes that long: a machine may be slow, and run other tests beside. */
const PATIENCE_MS = 180_000
const POLL_MS = 50

/** What it was waiting for stands in the error when it does not come. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, `in ${PATIENCE_MS / 1000} s it did not come to this: ${what}`)
    await sleep(POLL_MS)
  }
}
