// The emulator's state as a file, so that what the demo did is still there after a restart. Written whole and put in place at once.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Snapshot } from './platform.ts'

/** `undefined` when there is none yet. Throws on a file that is not one of ours: overwriting it might lose something. */
export function readStateFile(path: string): Snapshot | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const snapshot = JSON.parse(text) as Partial<Snapshot>
  if (snapshot.version !== 1 || !Array.isArray(snapshot.accounts)) throw new Error(`${path} is not a state file of the operator emulator`)
  return snapshot as Snapshot
}

export function writeStateFile(path: string, snapshot: Snapshot): void {
  writeFileSync(`${path}.new`, JSON.stringify(snapshot), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
