// The thread's side of `watched-thread.ts`: what it has done by those who started it.

import { parentPort } from 'node:worker_threads'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { BEAT_EVERY_MS, type CallFailure, type FromThread, type ToThread } from './watched-thread.ts'

export type ThreadCalls = {
  /** Rejects as the call does there. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T>
  send(message: FromThread): void
  /** Resolves when the thread is asked to come to its end. */
  readonly stopAsked: Promise<void>
  /** From here on nothing keeps the thread alive. */
  close(): void
}

type Waiting = { resolve(value: never): void; reject(error: Error): void }

/** Reports that it is alive until it is closed, with what `content` returns. */
export function openThreadCalls(content: () => unknown): ThreadCalls {
  if (parentPort === null) throw new Error('this runs in a thread')
  const port = parentPort
  const waiting = new Map<number, Waiting>()
  const stopAsked = Promise.withResolvers<void>()
  let lastCall = 0
  const send = (message: FromThread) => port.postMessage(message)
  port.on('message', (message: ToThread) => {
    if (message.kind === 'stop') return stopAsked.resolve()
    const asked = waiting.get(message.call)
    waiting.delete(message.call)
    if (message.kind === 'answer') asked?.resolve(message.value as never)
    else asked?.reject(toError(message.failure))
  })
  const beat = () => {
    const { external } = process.memoryUsage()
    send({ kind: 'beat', externalBytes: external, content: content() })
  }
  const beating = setInterval(beat, BEAT_EVERY_MS)
  beat()
  return {
    stopAsked: stopAsked.promise,
    send,
    call: <T>(name: string, ...args: readonly unknown[]) => {
      const call = ++lastCall
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.set(call, { resolve, reject })
      send({ kind: 'call', call, name, args })
      return promise
    },
    close: () => {
      clearInterval(beating)
      port.close()
    },
  }
}

function toError({ message, code, retryAfterS }: CallFailure): Error {
  if (code === undefined) return new Error(message)
  return new Problem(code, message, retryAfterS === undefined ? {} : { retryAfterS })
}
