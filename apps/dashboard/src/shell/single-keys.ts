// Whether a letter alone is a shortcut. Who speaks to the computer, or rests a hand on the keys, sets off such shortcuts without meaning to, so they can be
// switched off (WCAG 2.2, 2.1.4). Kept with the other preferences.

import { useSyncExternalStore } from 'react'
import { hadSingleKeys, remember } from '../text/preferences.ts'

let areOn = hadSingleKeys
const listeners = new Set<() => void>()

export function hasSingleKeys(): boolean {
  return areOn
}

export function switchSingleKeys(on: boolean): void {
  areOn = on
  remember({ singleKeys: on })
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, hasSingleKeys)
}
