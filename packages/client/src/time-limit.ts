import type { Clock } from './clock.ts'

/** A signal that is aborted by the caller's, or when the time is up. */
export type TimeLimit = {
  readonly signal: AbortSignal
  isOver(): boolean
  /** Starts the time anew. */
  restart(): void
  stop(): void
}

export function startTimeLimit(clock: Clock, limitMs: number, caller: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let timer = new AbortController()
  let isOver = false
  const onAbort = () => controller.abort(caller?.reason)
  if (caller?.aborted === true) onAbort()
  else caller?.addEventListener('abort', onAbort, { once: true })
  const start = () => {
    clock.sleep(limitMs, timer.signal).then(
      () => {
        isOver = true
        controller.abort(new Error(`no answer within ${limitMs} ms`))
      },
      // The sleep ends early by `restart` or `stop`, and then there is nothing to do.
      () => undefined,
    )
  }
  const stopTimer = () => timer.abort(new Error('in time'))
  start()
  return {
    signal: controller.signal,
    isOver: () => isOver,
    restart: () => {
      stopTimer()
      timer = new AbortController()
      start()
    },
    stop: () => {
      stopTimer()
      caller?.removeEventListener('abort', onAbort)
    },
  }
}
