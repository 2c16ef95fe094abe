// For tests only: a thread that holds so many bytes of heap, answers which thread it is, and may fail afterwards.

import { parentPort, threadId } from 'node:worker_threads'

const held: number[][] = []

parentPort?.on('message', ({ heapMb, failAfterMs }: { heapMb: number; failAfterMs?: number }) => {
  for (let mb = 0; mb < heapMb; mb++) held.push(Array.from({ length: 131_072 }, (_, nth) => nth / 3))
  parentPort?.postMessage({ threadId, arrays: held.length })
  if (failAfterMs !== undefined) {
    setTimeout(() => {
      throw new Error('after the answer')
    }, failAfterMs)
  }
})
