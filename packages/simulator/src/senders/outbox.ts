// Between a fleet that never waits and a platform that may be away: a bounded queue in front of a sender.
import type { WireRecord } from '../fleet/reading.ts'
import { MAX_BATCH_RECORDS, type Sender } from './sender.ts'

export type Outbox = {
  readonly sender: Sender
  /** Queues records; when the queue is full the oldest go, as a tracker's memory overwrites itself. */
  push(records: readonly WireRecord[]): void
  /** Resolves when nothing is queued or under way. */
  drained(): Promise<void>
  droppedCount(): number
}

/** A device's memory: at one reading every 2 s this is over an hour. */
const MAX_QUEUED_RECORDS = 2_000

/** `onFailure` hears once of a send that cannot be mended; the outbox then swallows what comes. */
export function createOutbox(sender: Sender, signal: AbortSignal, onFailure: (error: unknown) => void): Outbox {
  let queue: WireRecord[] = []
  let dropped = 0
  let failed = false
  let pumping: Promise<void> | undefined
  const pump = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH_RECORDS)
      queue = queue.slice(MAX_BATCH_RECORDS)
      await sender.send(batch, signal)
    }
  }
  return {
    sender,
    push(records) {
      if (failed || signal.aborted) return
      queue.push(...records)
      if (queue.length > MAX_QUEUED_RECORDS) {
        dropped += queue.length - MAX_QUEUED_RECORDS
        queue = queue.slice(-MAX_QUEUED_RECORDS)
      }
      pumping ??= pump()
        .catch((error: unknown) => {
          failed = true
          queue = []
          if (!signal.aborted) onFailure(error)
        })
        .finally(() => {
          pumping = undefined
        })
    },
    async drained() {
      while (pumping) await pumping
    },
    droppedCount: () => dropped,
  }
}
