// A thread that talks with a broker which somebody else chose. Whatever that broker sends, it ends this thread at worst: by an error that nobody
// caught, by the memory it takes, or by not letting it come to an end. Memory and silence are watched from outside.

import { Worker } from 'node:worker_threads'
import { Problem, type ProblemCode } from '@roadworthy/service-kit/http/problem'
import { toShownText } from './shown-text.ts'

/** What a thread may take of the heap; the client needs some 20 MiB. */
const MAX_HEAP_MB = 256
const MAX_YOUNG_MB = 16
/** Outside of the heap: answers, and what they inflate to. */
const MAX_EXTERNAL_BYTES = 384 * 1024 * 1024
export const BEAT_EVERY_MS = 1_000
/** Turns of this process's own timer without a beat. A machine that was suspended has no turns either. */
const MAX_SILENT_BEATS = 15
/** Loading the client takes seconds on a machine that is busy. */
const MAX_SILENT_BEATS_AT_START = 60

export type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/** What threads send. */
export type FromThread =
  | { readonly kind: 'call'; readonly call: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'beat'; readonly externalBytes: number; readonly content?: unknown }
  | { readonly kind: 'result'; readonly content: unknown }

/** What is sent to them. */
export type ToThread =
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly call: number; readonly failure: CallFailure }
  | { readonly kind: 'stop' }

/** Errors lose their class on the way. */
export type CallFailure = { readonly message: string; readonly code: ProblemCode | undefined; readonly retryAfterS: number | undefined }

export type ThreadOptions = {
  readonly script: URL
  readonly data: unknown
  /** What it may have done here. */
  readonly calls: Calls
  /** Of the content of its beats, and of its results. */
  readonly onContent: (content: unknown) => void
}

export type WatchedThread = {
  /** Resolves when it is there, or gone. */
  readonly begun: Promise<void>
  /** Resolves when it is gone: with undefined when it came to its end, else with why not, in words for whoever chose the broker. */
  readonly ended: Promise<string | undefined>
  /** Asks it to come to its end. */
  stop(): void
  /** Ends it, whatever it does. */
  terminate(): Promise<void>
}

export function startWatchedThread({ script, data, calls, onContent }: ThreadOptions): WatchedThread {
  const thread = new Worker(script, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string | undefined>()
  let silentBeats = 0
  let allowedBeats = MAX_SILENT_BEATS_AT_START
  let isTerminated = false
  const strike = (reason: string) => {
    ended.resolve(reason)
    void thread.terminate()
  }
  const watch = setInterval(() => {
    if (++silentBeats > allowedBeats) strike('What the broker sent kept the reader busy without an end.')
  }, BEAT_EVERY_MS)
  thread.on('message', (message: FromThread) => {
    silentBeats = 0
    allowedBeats = MAX_SILENT_BEATS
    begun.resolve()
    if (message.kind === 'call') return void answerCall(thread, calls, message)
    if (message.kind === 'beat' && message.externalBytes > MAX_EXTERNAL_BYTES) strike('What the broker sent took too much memory.')
    if (message.content !== undefined) onContent(message.content)
  })
  thread.on('error', (error: NodeJS.ErrnoException) => ended.resolve(explainEnd(error)))
  thread.on('exit', (code) => {
    clearInterval(watch)
    begun.resolve()
    ended.resolve(code === 0 || isTerminated ? undefined : `The reader ended on what the broker sent (exit code ${code}).`)
  })
  return {
    begun: begun.promise,
    ended: ended.promise,
    stop: () => thread.postMessage({ kind: 'stop' } satisfies ToThread),
    terminate: async () => {
      isTerminated = true
      await thread.terminate()
    },
  }
}

function explainEnd(error: NodeJS.ErrnoException): string {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'What the broker sent took too much memory.'
  return `The reader ended on what the broker sent: ${toShownText(String(error.message)).replace(/\.$/, '')}.`
}

async function answerCall(thread: Worker, calls: Calls, { call, name, args }: Extract<FromThread, { kind: 'call' }>): Promise<void> {
  const run = Object.hasOwn(calls, name) ? calls[name] : undefined
  try {
    if (run === undefined) throw new Error(`a thread calls ${name}, which it may not`)
    thread.postMessage({ kind: 'answer', call, value: await run(...(args as never[])) } satisfies ToThread)
  } catch (error) {
    const { message } = error as Error
    const { code, retryAfterS } = error instanceof Problem ? error : { code: undefined, retryAfterS: undefined }
    thread.postMessage({ kind: 'failure', call, failure: { message, code, retryAfterS } } satisfies ToThread)
  }
}
