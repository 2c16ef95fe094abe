// A group that waited in vain for a lock: which of its callers' readings are held by another transaction, and the group of all the others.

import { stateKeysOf } from '../readings/latest-state.ts'
import { selectLockedStates, stateKeyText } from '../readings/locked-states.sql.ts'
import type { Reading } from '../readings/reading.ts'
import { ReadingRows } from '../readings/reading-rows.ts'
import { addProgress, addToGroup, createGroup, type Group, hearInGroup, type StoreTarget } from './store-group.ts'

type Waiting<Entry> = {
  readonly count: number
  /** Readings that are stored elsewhere, whose devices are heard here. */
  readonly heard: readonly Reading[]
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
  target: StoreTarget,
  group: Group,
  entries: readonly Entry[],
): Promise<Split<Entry> | undefined> {
  const readings = group.rows.toReadings()
  const locked = await selectLockedStates(target.rows.tenantPool([...group.resellerIds]), target.tables.latestStates, group.states.states())
  if (locked.size === 0) return undefined
  const rest = createGroup(new ReadingRows(readings.length))
  const free: Entry[] = []
  const blocked: Entry[] = []
  let first = 0
  for (const entry of entries) {
    const ofEntry = readings.slice(first, first + entry.count)
    const isHeld = ofEntry.map((reading) => stateKeysOf(reading).some((key) => locked.has(stateKeyText(key))))
    const isHeardHeld = entry.heard.some(({ deviceId = '' }) => locked.has(stateKeyText({ sourceId: deviceId, vehicleId: undefined })))
    const left = isHeardHeld ? undefined : withoutHeld(entry, isHeld)
    if (left === undefined) blocked.push(entry)
    else {
      free.push(left)
      for (const [nth, reading] of ofEntry.entries()) if (isHeld[nth] !== true) addToGroup(rest, reading, target)
      for (const reading of entry.heard) hearInGroup(rest, reading)
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
