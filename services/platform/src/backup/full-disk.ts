// A disk that is too small for what is restored onto it.

import { statfsSync } from 'node:fs'
import { isOutage } from '@roadworthy/service-kit/telemetry/outage'
import { BackupProblem } from './backup-problem.ts'

const MIB = 1024 ** 2
/** A segment of PostgreSQL's log, and as much again. */
const FULL_BELOW_BYTES = 32 * MIB

/**
 * What to throw in place of `error`, which something met that writes into `folder`. PostgreSQL ends where it cannot extend its log, and who waits for it learns
 * only that a connection is gone.
 */
export function explainFullDisk(error: unknown, folder: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && !isOutage(error)) return error
  const { bavail, bsize } = statfsSync(folder)
  const freeBytes = bavail * bsize
  if (code !== 'ENOSPC' && freeBytes >= FULL_BELOW_BYTES) return error
  const found = `The disk of ${folder} is full: ${Math.floor(freeBytes / MIB)} MiB are left`
  const fix = 'Free some room there, or choose a folder on another disk, and begin again.'
  return new BackupProblem(`${found}. Nothing is restored. ${fix} (${message})`, { cause: error })
}
