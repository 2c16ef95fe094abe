// Has V8 give back what a load took. It keeps every page that its heap ever freed in a pool, and without work it does not collect what the last work left. With
// `--optimize-for-size` it does both, but then its compiled code costs a third more processor time a reading (bench/scenarios/ingest.ts), so the flag is set
// only while nothing is asked of the process.

import v8 from 'node:v8'

const LOOK_EVERY_MS = 2_000
/** Of one processor. A service that waits uses 1 to 3 % of it, a fleet of some hundred vehicles 5 %. Assumption. */
const IDLE_BELOW = 0.1

/** From now on, without keeping the process alive. */
export function giveBackMemoryWhenIdle(): void {
  let isIdle = false
  let last = process.cpuUsage()
  let lastMs = performance.now()
  setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    const nowMs = performance.now()
    const isIdleNow = user + system < (nowMs - lastMs) * 1_000 * IDLE_BELOW
    last = process.cpuUsage()
    lastMs = nowMs
    if (isIdleNow !== isIdle) v8.setFlagsFromString(isIdleNow ? '--optimize-for-size' : '--no-optimize-for-size')
    isIdle = isIdleNow
  }, LOOK_EVERY_MS).unref()
}
