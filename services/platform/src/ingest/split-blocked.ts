// A group that waited in vain for a lock: which of its callers' readings are held by another transaction, and the group of all the others.

import type { Database } from '@roadworthy/service-kit/db'
import { stateKeysOf } from '../readings/latest-state.ts'
import { selectLockedStates, stateKeyText } from '../readings/locked-states.sql.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { addProgress, addToGroup, createGroup, type Group } from './store-group.ts'

type Counted = { readonly count: number }

export type Split<Entry> = { readonly group: Group; readonly free: readonly Entry[]; readonly blocked: readonly Entry[] }

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Undefined where no row of the group is held: then it is a table that was waited for, and everything else would wait for it too. */
export async function splitOffBlocked<Entry extends Counted>(
  database: Database,
  group: Group,
  entries: readonly Entry[],
): Promise<Split<Entry> | undefined> {
  const readings = group.rows.toReadings()
  const locked = await selectLockedStates(database.tenantPool([...group.resellerIds]), group.states.states())
  if (locked.size === 0) return undefined
  const rest = createGroup(new ReadingRows(readings.length))
  const free: Entry[] = []
  const blocked: Entry[] = []
  let first = 0
  for (const entry of entries) {
    const ofEntry = readings.slice(first, first + entry.count)
    if (ofEntry.some((reading) => stateKeysOf(reading).some((key) => locked.has(stateKeyText(key))))) blocked.push(entry)
    else {
      free.push(entry)
      for (const reading of ofEntry) addToGroup(rest, reading)
      const progress = group.progress?.find(({ firstReading }) => firstReading === first)
      if (progress !== undefined) addProgress(rest, progress.readingCount, progress.offsets)
    }
    first += entry.count
  }
  return { group: rest, free, blocked }
}
