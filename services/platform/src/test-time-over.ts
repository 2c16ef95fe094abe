// For tests only.

import type { TestContext } from 'node:test'

/**
 * What becomes of what is held back when its time is over: timers of so many ms end as soon as `isThere`. So no machine is too slow to have asked in time, and
 * no test waits.
 */
export async function onceTimeIsOver<T>(t: TestContext, ms: number, ask: () => Promise<T>, isThere: () => Promise<boolean>): Promise<T> {
  const ends: (() => void)[] = []
  const begin = globalThis.setTimeout
  const begun = t.mock.method(globalThis, 'setTimeout', ((run: () => void, waitMs?: number, ...given: []) => {
    if (waitMs === ms) ends.push(run)
    return begin(run, waitMs, ...given)
  }) as typeof setTimeout)
  try {
    let isAnswered = false
    const asked = ask()
    asked.finally(() => (isAnswered = true)).catch(() => undefined)
    while (!isAnswered && !(await isThere())) await new Promise((resolve) => setImmediate(resolve))
    for (const end of ends) end()
    return await asked
  } finally {
    begun.mock.restore()
  }
}
