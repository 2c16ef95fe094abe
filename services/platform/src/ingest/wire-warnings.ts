// What is reported to the sender of a reading about fields that were stored and not understood, bounded however many there are.

import { atMostEntries } from '@roadworthy/service-kit/pacing/at-most-entries'
import { closestName } from '@roadworthy/service-kit/text/closest-name'
import { LRUCache } from 'lru-cache'
import type { FieldWarning } from './inbound.ts'
import { knownKeys } from './record-keys.ts'

export type WireWarning = { readonly field: string; readonly reason: string }

/** Warnings in one answer or report; what is beyond is counted. */
export const MAX_WARNINGS = 100

/** Longer keys are cut: a name is for people, and a key may have kilobytes. */
const MAX_FIELD_LENGTH = 128
/** Devices send the same unknown keys over and over, and comparing one with all known names takes some 50 µs. */
const MAX_REMEMBERED_NAMES = 5_000

/** How many more warnings an answer has room for. */
export type WarningRoom = { left: number }

/** Undefined when there is nothing to warn of. */
export function toWireWarnings(warnings: readonly FieldWarning[] | undefined, room: WarningRoom): WireWarning[] | undefined {
  if (warnings === undefined || warnings.length === 0) return undefined
  const shown = warnings.slice(0, room.left).map(toWireWarning)
  room.left -= shown.length
  const omittedCount = warnings.length - shown.length
  if (omittedCount > 0) shown.push({ field: '*', reason: `${omittedCount} more; an answer names at most ${MAX_WARNINGS} fields` })
  return shown
}

/** For an answer about one reading. */
export function warningsOfOne(warnings: readonly FieldWarning[] | undefined): WireWarning[] | undefined {
  return toWireWarnings(warnings, { left: MAX_WARNINGS })
}

function toWireWarning({ field, kind, count }: FieldWarning): WireWarning {
  const shown = field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : field
  return { field: shown, reason: reasonOf(field, kind, count) }
}

function reasonOf(field: string, kind: FieldWarning['kind'], count = 0): string {
  switch (kind) {
    case 'implausible':
      return 'implausible'
    case 'unknown': {
      const closest = closestKnownKey(field)
      return closest === undefined ? 'unknown, kept in extra' : `unknown, kept in extra; the closest known name is "${closest}"`
    }
    case 'unread':
      return 'unknown, kept in extra; no mapping of this format reads it'
    case 'misplaced':
      return 'unknown in this place, kept in extra; it is known at the top of a record'
    case 'unknown vehicle':
      return 'unknown, kept in extra; there is no such vehicle, and the sender may not create one'
    case 'retired vehicle':
      return 'retired, kept in extra; the reading is stored under its device alone'
    case 'more':
      return `${count} more fields are unknown, and kept in extra, or implausible`
  }
}

/** '' of a key that is near to none. */
const closestByKey = new LRUCache<string, string>({
  ...atMostEntries(MAX_REMEMBERED_NAMES),
  memoMethod: (key) => closestName(key, knownKeys) ?? '',
})

function closestKnownKey(field: string): string | undefined {
  const key = field.startsWith('location.') ? field.slice('location.'.length) : field
  return key.length > MAX_FIELD_LENGTH ? closestName(key, knownKeys) : closestByKey.memo(key) || undefined
}
