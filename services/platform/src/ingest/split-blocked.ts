// A group that waited in vain for a lock: which of its callers' readings are held by another transaction, and the group of all the others.

import type { Database } from '@roadworthy/service-kit/db'
import { stateKeysOf } from '../readings/latest-state.ts'
import { selectLockedStates, stateKeyText } from '../readings/locked-states.sql.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { addProgress, addToGroup, createGroup, type Group } from './store-group.ts'

type Waiting<Entry> = {
  readonly count: number
  /** The entry for those of its readings that are free; undefined where it is refused as a whole. */
  readonly without: ((isHeld: readonly boolean[]) => Entry) | undefined
}

export type Split<Entry> = {
  readonly group: Group
  readonly free: readonly Entry[]
  readonly blocked: readonly Entry[]
  /** What is held, by `stateKeyText`. */
  readonly held: ReadonlySet<string>
}

export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Undefined where no row of the group is held: then it is a table that was waited for, and everything else would wait for it too. */
export async function splitOffBlocked<Entry extends Waiting<Entry>>(
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
    const isHeld = ofEntry.map((reading) => stateKeysOf(reading).some((key) => locked.has(stateKeyText(key))))
    const left = withoutHeld(entry, isHeld)
    if (left === undefined) blocked.push(entry)
    else {
      free.push(left)
      for (const [nth, reading] of ofEntry.entries()) if (isHeld[nth] !== true) addToGroup(rest, reading)
      const progress = group.progress?.find(({ firstReading }) => firstReading === first)
      if (progress !== undefined) addProgress(rest, progress.readingCount, progress.offsets)
    }
    first += entry.count
  }
  return { group: rest, free, blocked, held: locked }
}

/** Undefined where nothing of it can be stored for now. */
function withoutHeld<Entry extends Waiting<Entry>>(entry: Entry, isHeld: readonly boolean[]): Entry | undefined {
  if (!isHeld.includes(true)) return entry
  return isHeld.includes(false) ? entry.without?.(isHeld) : undefined
}
