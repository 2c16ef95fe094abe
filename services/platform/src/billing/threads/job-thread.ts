// A thread for what would keep a process from everything else: one job after the other, ended when nobody has any, and after an error.

import { Worker } from 'node:worker_threads'
import { Problem } from '@roadworthy/service-kit/http/problem'

const RETRY_AFTER_S = 5
/** After that long without a job the thread's memory is given back. */
const IDLE_MS = 30_000
/**
 * A job that left a larger heap ends its thread: what 10,000 SIMs need is some 300 MB, in each of three threads. To start another takes a part of what such
 * a job takes.
 */
const MAX_KEPT_HEAP_BYTES = 96 * 1024 * 1024

export type JobThreadLimits = {
  readonly maxHeapMb: number
  /** From the first message of a job to its answer. */
  readonly maxJobMs: number
  /** Under way and waiting. */
  readonly maxWaiting: number
  /** What a job is, for the words of a refusal. */
  readonly name: string
}

export type JobThread = {
  /** Sends the messages of a job, one after the other, and resolves to the thread's one answer. */
  run<T>(messages: () => Iterable<object> | AsyncIterable<object>): Promise<T>
}

export function createJobThread(url: URL, { maxHeapMb, maxJobMs, maxWaiting, name }: JobThreadLimits): JobThread {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let waitingCount = 0
  let last: Promise<unknown> = Promise.resolve()

  async function runNow<T>(messages: Iterable<object> | AsyncIterable<object>): Promise<T> {
    clearTimeout(idle)
    const worker = thread ?? startThread()
    thread = worker
    worker.ref()
    const outcome = Promise.withResolvers<T>()
    // The end of the thread also comes after a job that could not be sent, when nobody waits for it.
    outcome.promise.catch(() => undefined)
    const onExit = () => outcome.reject(new Error(`the thread for ${name} ended`))
    const bound = setTimeout(() => outcome.reject(new Error(`${name} took too long`)), maxJobMs)
    worker.once('message', outcome.resolve).once('error', outcome.reject).once('exit', onExit)
    try {
      const sent = (async () => {
        for await (const message of messages) worker.postMessage(message)
        return await outcome.promise
      })()
      const answer = await Promise.race([sent, outcome.promise])
      const { total_heap_size: heapBytes } = await worker.getHeapStatistics()
      if (heapBytes > MAX_KEPT_HEAP_BYTES) await endThread()
      else idle = setTimeout(endThread, IDLE_MS).unref()
      return answer
    } catch (error) {
      await endThread()
      throw error
    } finally {
      clearTimeout(bound)
      worker.off('message', outcome.resolve).off('error', outcome.reject).off('exit', onExit)
      worker.unref()
    }
  }

  function startThread(): Worker {
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    // What goes wrong between two jobs ends the thread and nothing else.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (thread === worker) thread = undefined
    })
    return worker
  }

  async function endThread(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  return {
    run: async (messages) => {
      if (waitingCount >= maxWaiting) {
        throw new Problem('overloaded', `Too many ${name} are being made at this moment.`, { retryAfterS: RETRY_AFTER_S })
      }
      waitingCount++
      const done = last.then(() => runNow<never>(messages()))
      last = done.catch(() => undefined)
      try {
        return await done
      } finally {
        waitingCount--
      }
    },
  }
}
