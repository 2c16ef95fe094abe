// What a person reads of a message of a device.

import type { DeviceMessage } from '@roadworthy/contracts/platform-v1/device-messages'
import { signals, signalsByWireKey } from '@roadworthy/signals/registry'
import { decimalNumber } from '../text/format.ts'
import { t, tListed } from '../text/translate.ts'
import { shownUnit, shownValue } from '../text/units.ts'

/** As many names as stand in one line. */
const LISTED_NAMES = 5
/** Of a position 0.1 m, and of a measurement more than any sensor has. */
const SHOWN_DECIMALS = 6

/** What became of it, shortest first. */
export function summaryOf({ error, understood, keptUnread, warnings }: DeviceMessage): readonly string[] {
  if (error !== null) return [error.message]
  const implausible = understood.filter((each) => each.implausible).map(({ key }) => key)
  const unread = Object.keys(keptUnread)
  const warned = warnings.filter(({ field }) => !unread.includes(field) && !implausible.includes(field)).map(({ field }) => field)
  return [
    t('{count, plural, =0 {No value understood} one {# value understood} other {# values understood}}', { count: understood.length }),
    ...(unread.length === 0 ? [] : [t('Kept, not understood: {fields}', { fields: namesOf(unread) })]),
    ...(implausible.length === 0 ? [] : [t('Implausible: {fields}', { fields: namesOf(implausible) })]),
    ...(warned.length === 0 ? [] : [t('Warnings: {fields}', { fields: namesOf(warned) })]),
  ]
}

function namesOf(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_NAMES).join(', ')
  return names.length <= LISTED_NAMES ? listed : t('{listed} and {count} more', { listed, count: names.length - LISTED_NAMES })
}

/** `Coolant temperature` of `coolant`; of what is no signal its key alone. */
export function labelOfKey(key: string): string | undefined {
  const signal = signalsByWireKey.get(key)
  return signal === undefined ? undefined : tListed(signals[signal.name].label)
}

/** A value in the unit of the person, and anything else as JSON has it. */
export function valueText(value: unknown, unit: string | null): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return JSON.stringify(value)
  if (unit === null) return decimalNumber(value, SHOWN_DECIMALS)
  return `${decimalNumber(shownValue(unit, value), 3)} ${shownUnit(unit)}`.trimEnd()
}
