// A worker's side of the messages between it and the process that started it.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Counted, ToPrimary, ToWorker } from './messages.ts'

/** A worker computes in slices, so it answers in much less; one that does not is stopped or stuck. */
const COLLECT_TIMEOUT_MS = 5000

export type Orders = {
  readonly stop: () => void
  readonly readModels: (options: { force: boolean }) => void
  readonly count: () => Promise<Counted>
}

export type WorkerLink = {
  /** From here on what the starting process orders is done. Signals are for it to hear: a terminal sends them to everybody. */
  obey(orders: Orders): void
  listening(url: string): void
  /** What all workers have counted, this one included. Rejects with `unavailable` when one does not answer. */
  collect(): Promise<readonly Counted[]>
}

export function createWorkerLink(): WorkerLink {
  const asked = new Map<number, (all: readonly Counted[]) => void>()
  let askedCount = 0
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return {
    obey: (orders) => {
      process.on('message', (message: ToWorker) => {
        if (message.kind === 'stop') orders.stop()
        else if (message.kind === 'read_models') orders.readModels(message)
        else if (message.kind === 'count') void orders.count().then((counted) => send({ kind: 'counted', round: message.round, counted }))
        else asked.get(message.id)?.(message.all)
      })
    },
    listening: (url) => send({ kind: 'listening', url }),
    collect: async () => {
      const id = askedCount++
      const { promise, resolve } = Promise.withResolvers<readonly Counted[]>()
      asked.set(id, resolve)
      send({ kind: 'collect', id })
      const all = await Promise.race([promise, sleep(COLLECT_TIMEOUT_MS, undefined, { ref: false })])
      asked.delete(id)
      if (all === undefined)
        throw new Problem('unavailable', 'A worker of the engine does not report what it has counted.', { retryAfterS: 1 })
      return all
    },
  }
}

/** To a process that is gone there is nothing to send: this one ends with it. */
function send(message: ToPrimary): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
