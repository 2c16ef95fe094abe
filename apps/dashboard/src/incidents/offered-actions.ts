// What can be done with an incident, and by which keys.

import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { t } from '../text/translate.ts'

export type IncidentAction = 'acknowledge' | 'reopen' | 'snooze' | 'assign' | 'plan' | 'done' | 'false_alarm' | 'close'

export const actionLabels: Readonly<Record<IncidentAction, string>> = {
  acknowledge: t('Acknowledge'),
  reopen: t('Open again'),
  snooze: t('Snooze'),
  assign: t('Assign'),
  plan: t('Plan work'),
  done: t('Work was done'),
  false_alarm: t('False alarm'),
  close: t('Close for another reason'),
}

/** Work is of a vehicle: what a device raised outside of one has none. What is resolved stays so. */
export function actionsOf({ status, vehicleId }: Pick<Incident, 'status' | 'vehicleId'>): readonly IncidentAction[] {
  if (status === 'resolved') return []
  return [
    ...(status === 'acknowledged' ? [] : (['acknowledge'] as const)),
    ...(status === 'open' ? [] : (['reopen'] as const)),
    ...(vehicleId === null ? [] : (['plan', 'done'] as const)),
    ...(['snooze', 'assign', 'false_alarm', 'close'] as const),
  ]
}

export type KeyCommand = 'next' | 'previous' | 'select' | 'acknowledge' | 'help'

const keyCommands: Readonly<Record<string, KeyCommand>> = { j: 'next', k: 'previous', x: 'select', e: 'acknowledge', '?': 'help' }

type KeyPress = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean }

/** Undefined of what belongs to the browser, and of every key where text is typed. */
export function commandOf({ key, ctrlKey, metaKey, altKey }: KeyPress, isTyping: boolean): KeyCommand | undefined {
  if (isTyping || ctrlKey || metaKey || altKey) return undefined
  return Object.hasOwn(keyCommands, key) ? keyCommands[key] : undefined
}

/** The row to go to from `current`, which may be in none; at either end it stays. */
export function neighbour(ids: readonly string[], current: string | undefined, command: 'next' | 'previous'): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at === -1) return ids[0]
  return ids[Math.min(Math.max(at + (command === 'next' ? 1 : -1), 0), ids.length - 1)]
}

/** The row that comes after one that left the list, or the last one. */
export function placeAfter(before: readonly string[], ids: readonly string[], left: string): string | undefined {
  return before.slice(before.indexOf(left) + 1).find((id) => ids.includes(id)) ?? ids.at(-1)
}
