// One service per data folder. The lock names its holder by process id and start time, so a lock left by a killed process, or by a
// process whose id now belongs to another, is known to be stale.

import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { processStartToken } from './process-identity.ts'

type Holder = { pid: number; startToken: string | null }

/** Taking over a stale lock can race with another starter; each lost race is one turn. */
const MAX_ATTEMPTS = 5

export class FolderInUseError extends Error {
  readonly holderPid: number
  constructor(folder: string, holderPid: number) {
    super(`${folder} is in use by another Roadworthy, process ${holderPid}. Stop that one first, or choose another folder with --data-dir.`)
    this.name = 'FolderInUseError'
    this.holderPid = holderPid
  }
}

/** Takes the lock or throws `FolderInUseError`. The returned function gives it back and may be called twice. */
export function lockFolder(folder: string, lockPath: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, startToken: processStartToken(process.pid) ?? null } satisfies Holder)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (tryCreate(lockPath, mine)) return () => release(lockPath, mine)
    const held = readIfThere(lockPath)
    if (held === undefined) continue
    const holder = parseHolder(held)
    if (holder !== undefined && isHeld(holder)) throw new FolderInUseError(folder, holder.pid)
    removeStale(lockPath, held)
  }
  throw new Error(`Could not take the lock ${lockPath} in ${MAX_ATTEMPTS} attempts. Is something else starting and stopping here?`)
}

function isHeld(holder: Holder): boolean {
  const token = processStartToken(holder.pid)
  return token !== undefined && token === holder.startToken
}

/** The content appears with the name, in one step: a reader never sees a half-written lock. */
function tryCreate(lockPath: string, content: string): boolean {
  const draft = `${lockPath}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, lockPath)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(draft)
  }
}

/** Moves the lock aside and looks again: when it is no longer the one judged stale, someone else took it over, and it goes back. */
function removeStale(lockPath: string, judged: string): void {
  const aside = `${lockPath}.stale.${process.pid}`
  try {
    renameSync(lockPath, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (readIfThere(aside) !== judged) {
    try {
      linkSync(aside, lockPath)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  rmSync(aside, { force: true })
}

function release(lockPath: string, mine: string): void {
  if (readIfThere(lockPath) === mine) rmSync(lockPath, { force: true })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>
    return typeof value.pid === 'number' ? { pid: value.pid, startToken: value.startToken ?? null } : undefined
  } catch {
    return undefined
  }
}
