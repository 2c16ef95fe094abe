// The embedded PostgreSQL of a running service, from outside: its processes, which can be frozen, and its log. Read from /proc, so for Linux.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPostmaster } from '@roadworthy/service-kit/postgres/postgres-postmaster'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { listDescendants } from '../e2e/running-service.ts'

export function postmasterOf(dataDir: string): number {
  return findPostmaster(dataDir) ?? assert.fail('PostgreSQL runs')
}

/** Undefined also while a server that starts makes its file anew: that is there before its number is in it. */
export function findPostmaster(dataDir: string): number | undefined {
  return readPostmaster(join(dataDir, 'postgres', 'cluster'))?.pid
}

export function databaseLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')
}

/** Stops every process of the server where it stands, as a disk does that answers nothing any more. Gives how to let it go on. */
export function freezeDatabase(dataDir: string): () => void {
  const pids: number[] = []
  // The postmaster first, so that it starts no backend while the others are stopped; it may be at one when the signal comes.
  const running = () => listDescendants(postmasterOf(dataDir)).filter((pid) => !pids.includes(pid) && isAlive(pid))
  for (let found = running(); found.length > 0; found = running()) {
    for (const pid of found) process.kill(pid, 'SIGSTOP')
    pids.push(...found)
  }
  return () => {
    // One that has been killed meanwhile needs no word.
    for (const pid of pids.reverse()) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
  }
}
