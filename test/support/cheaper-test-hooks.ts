// Loaded before every test file. node:test follows by an `AsyncHook` which test each promise belongs to, and wants to know when a promise has been collected:
// for that V8 keeps a weak reference to every promise. Measured with Node 24.21: 1.3 µs a promise in place of 0.3, a sixth to a quarter of the processor
// time of a test that calls the service. Without it node:test keeps a number for each promise until the process ends, which a test process can bear.

import { type AsyncHook, createHook } from 'node:async_hooks'

let count = 0

const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook
const { enable } = prototype
prototype.enable = function enableWithoutDestroy(this: AsyncHook): AsyncHook {
  const callbacks = this as unknown as Record<symbol, unknown>
  const symbolOf = (name: string) => Object.getOwnPropertySymbols(this).find(({ description }) => description === name)
  const init = symbolOf('init')
  const destroy = symbolOf('destroy')
  // The hooks of others stay as they are.
  if (init !== undefined && destroy !== undefined && String(callbacks[init]).includes('testResources')) {
    callbacks[destroy] = undefined
    count++
  }
  return enable.call(this)
}

/** Of how many hooks the costly half was left out in this process: of one, that of node:test. */
export function cheaperHookCount(): number {
  return count
}
