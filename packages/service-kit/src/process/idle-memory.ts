// Has V8 give back what a load took. It keeps every page that its heap ever freed in a pool, and without work it does not collect what the last work left. With
// `--optimize-for-size` it does both, but then its compiled code costs a third more processor time a reading (bench/scenarios/ingest.ts), so the flag is set
// only while nothing is asked of the process.

import v8 from 'node:v8'

/** A load that begins is noticed within this time: until then it costs a third more. Looking takes 10 µs. */
const LOOK_EVERY_MS = 200
/** Of one processor. A service that waits uses 1 to 3 % of it, a fleet of some hundred vehicles 5 %. Assumption. */
const IDLE_BELOW = 0.1
/** Between two loads, what the first one took is worth keeping. Assumption. */
const IDLE_AFTER_MS = 4_000

/** From now on, without keeping the process alive. */
export function giveBackMemoryWhenIdle(): void {
  let isIdle = false
  let last = process.cpuUsage()
  let lastMs = performance.now()
  let busyMs = lastMs
  setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    const nowMs = performance.now()
    if (user + system >= (nowMs - lastMs) * 1_000 * IDLE_BELOW) busyMs = nowMs
    last = process.cpuUsage()
    lastMs = nowMs
    const isIdleNow = nowMs - busyMs >= IDLE_AFTER_MS
    if (isIdleNow !== isIdle) v8.setFlagsFromString(isIdleNow ? '--optimize-for-size' : '--no-optimize-for-size')
    isIdle = isIdleNow
  }, LOOK_EVERY_MS).unref()
}
