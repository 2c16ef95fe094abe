// Forests fitted on several processors at once. A forest is the same wherever it is fitted, so nothing but the time depends on how many there are.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FeatureTable, Forest } from '@roadworthy/prognostics/learning/forest'
import { type FitForest, type ForestJob, fitHere } from '@roadworthy/prognostics/learning/forest-job'

export type ToWorker = { readonly job: ForestJob }
export type FromWorker = { readonly kind: 'tree' } | { readonly kind: 'forest'; readonly forest: Forest }

export type ForestPool = {
  readonly fit: FitForest
  /** Ends its threads; a job that is not done by then never is. */
  readonly close: () => Promise<void>
}

/** Each has its own copy of the rows that it learns from. */
const MOST_THREADS = 4
const SCRIPT = new URL('./forest-worker.ts', import.meta.url)

type Waiting = {
  readonly job: ForestJob
  readonly onTree: () => void
  readonly resolve: (forest: Forest) => void
  readonly reject: (error: Error) => void
}

/** As many threads as there are processors, started as there are jobs for them. */
export function openForestPool(threadCount = Math.min(availableParallelism(), MOST_THREADS)): ForestPool {
  if (threadCount <= 1) return { fit: fitHere, close: async () => {} }
  const threads = new Set<Worker>()
  const idle: Worker[] = []
  const queue: Waiting[] = []
  const busy = new Map<Worker, Waiting>()
  const shared = new WeakMap<FeatureTable, FeatureTable>()

  const giveWork = () => {
    while (queue.length > 0) {
      const thread = idle.pop() ?? (threads.size < threadCount ? start() : undefined)
      const next = thread === undefined ? undefined : queue.shift()
      if (thread === undefined || next === undefined) return
      busy.set(thread, next)
      thread.postMessage({ job: next.job } satisfies ToWorker)
    }
  }
  const start = () => {
    const thread = new Worker(SCRIPT)
    threads.add(thread)
    thread.on('message', (message: FromWorker) => {
      if (message.kind === 'tree') return busy.get(thread)?.onTree()
      const { resolve } = busy.get(thread) ?? {}
      busy.delete(thread)
      idle.push(thread)
      giveWork()
      resolve?.(message.forest)
    })
    // What a job throws ends its thread.
    thread.on('error', (error) => {
      threads.delete(thread)
      busy.get(thread)?.reject(error as Error)
      busy.delete(thread)
      giveWork()
    })
    return thread
  }
  return {
    fit: (job, onTree) => {
      const { promise, resolve, reject } = Promise.withResolvers<Forest>()
      const table = shared.get(job.table) ?? toShared(job.table)
      shared.set(job.table, table)
      queue.push({ job: { ...job, table }, onTree, resolve, reject })
      giveWork()
      return promise
    },
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}

/** The pool is there for as long as the work goes on, and no longer, however it ends. */
export async function withForestPool<Result>(work: (fit: FitForest) => Promise<Result>): Promise<Result> {
  const pool = openForestPool()
  try {
    return await work(pool.fit)
  } finally {
    await pool.close()
  }
}

/** Its columns in memory that threads look at without a copy of their own. */
function toShared({ names, columns, rowCount }: FeatureTable): FeatureTable {
  const inSharedMemory = (column: Float32Array) => {
    const copy = new Float32Array(new SharedArrayBuffer(column.byteLength))
    copy.set(column)
    return copy
  }
  return { names, columns: columns.map(inSharedMemory), rowCount }
}
