// How many processes an engine is without a setting: it should use the machine it is given, and not fill it.

import { availableParallelism, totalmem } from 'node:os'

/** A worker has 130 MB at rest and takes on bodies of 192 MiB; a customer's own models come on top. */
const BYTES_PER_WORKER = 512 * 1024 ** 2
/** Four answer tens of thousands of predictions a second. Who needs more sets it. */
const MOST_WORKERS = 4

export type Machine = { readonly coreCount: number; readonly memoryBytes: number }

/** What this process may use of it: a container's limits count, where it has any. */
export function thisMachine(): Machine {
  // 0, or more than there is, where nothing limits it.
  const limitBytes = process.constrainedMemory()
  return { coreCount: availableParallelism(), memoryBytes: limitBytes === 0 ? totalmem() : Math.min(limitBytes, totalmem()) }
}

/** A worker for each core, as far as memory goes: at least one. */
export function presetWorkers({ coreCount, memoryBytes }: Machine): number {
  return Math.max(1, Math.min(coreCount, Math.floor(memoryBytes / BYTES_PER_WORKER), MOST_WORKERS))
}
