// The embedded PostgreSQL of a running service, from outside: its processes, which can be frozen, and its log. Read from /proc, so for Linux.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { listDescendants } from '../e2e/running-service.ts'

export function postmasterOf(dataDir: string): number {
  const path = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  assert.ok(existsSync(path), 'PostgreSQL runs')
  return Number(readFileSync(path, 'utf8').split('\n')[0])
}

export function databaseLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')
}

/** Stops every process of the server where it stands, as a disk does that answers nothing any more. Gives how to let it go on. */
export function freezeDatabase(dataDir: string): () => void {
  const postmaster = postmasterOf(dataDir)
  // First, so that it starts no backend while the others are stopped.
  process.kill(postmaster, 'SIGSTOP')
  const pids = listDescendants(postmaster)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    // One that has been killed meanwhile needs no word.
    for (const pid of pids.reverse()) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
  }
}
