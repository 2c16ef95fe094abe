// What to do with a PostgreSQL that is already there: a service killed by SIGKILL leaves its server running, and the next start must
// neither fail on it nor leave two.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, isPostmasterOf } from '../process/process-identity.ts'

export type Postmaster = { pid: number; port: number; status: string }

const POLL_INTERVAL_MS = 20

/** Waits given to each kind of shutdown before a harder one. With the rest of the service's stop they stay under DESIGN §6's 10 s. */
const SHUTDOWN_STEPS: { signal: NodeJS.Signals; waitMs: number }[] = [
  { signal: 'SIGINT', waitMs: 3000 },
  { signal: 'SIGQUIT', waitMs: 1000 },
  { signal: 'SIGKILL', waitMs: 500 },
]

/** The content of `postmaster.pid`, or `undefined` when there is none. Lines: pid, folder, start, port, socket, address, key, status. */
export function readPostmaster(clusterPath: string): Postmaster | undefined {
  let text: string
  try {
    text = readFileSync(join(clusterPath, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() } : undefined
}

/**
 * Leaves the folder free for a new server: stops a live one that is ours, and makes PostgreSQL overlook a lock whose process id belongs
 * to something else: another program, or the zombie of a killed server that no one reaps, as in a container without an init process.
 * Returns what was done, in words, or `undefined` when there was nothing to do.
 */
export async function clearPostmaster(clusterPath: string): Promise<string | undefined> {
  const left = readPostmaster(clusterPath)
  if (left === undefined) return undefined
  if (isAlive(left.pid) && isPostmasterOf(left.pid, clusterPath)) {
    await stopPostmaster(left.pid)
    const isGone = readPostmaster(clusterPath) === undefined
    if (!isGone) disownLock(clusterPath)
    return `a PostgreSQL left running by an earlier service (process ${left.pid}) was stopped`
  }
  if (!trySignal(left.pid, 0)) return undefined
  disownLock(clusterPath)
  return `postmaster.pid named process ${left.pid}, which is not PostgreSQL; the lock was taken over`
}

/** Fast shutdown, then immediate, then kill; each waits a bounded time. Throws only when even SIGKILL leaves the process there. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const { signal, waitMs } of SHUTDOWN_STEPS) {
    if (!trySignal(pid, signal)) return
    if (await waitUntil(() => !isAlive(pid), waitMs)) return
  }
  throw new Error(`PostgreSQL (process ${pid}) did not stop, even after SIGKILL.`)
}

/** Polls until true or until the time is over; returns which. */
export async function waitUntil(isTrue: () => boolean, waitMs: number): Promise<boolean> {
  const turns = Math.ceil(waitMs / POLL_INTERVAL_MS)
  for (let turn = 0; turn < turns; turn++) {
    if (isTrue()) return true
    await sleep(POLL_INTERVAL_MS)
  }
  return isTrue()
}

/**
 * Puts our own id in the first line. PostgreSQL treats a lock held by its own parent as stale (miscinit.c, CreateLockFile) and goes on
 * to its second check, the shared memory key in the same file. Deleting the file would skip that check, which is the one that protects
 * the data from backends that outlive their postmaster.
 */
function disownLock(clusterPath: string): void {
  const path = join(clusterPath, 'postmaster.pid')
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[0] = String(process.pid)
  writeFileSync(path, lines.join('\n'))
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return false
    // Asked with 0 the question is whether PostgreSQL would see the process; another user's counts for it as not there.
    if (code === 'EPERM' && signal === 0) return false
    throw error
  }
}
