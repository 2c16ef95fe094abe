// What was just done, with a way to take it back. One at a time, shown by the shell.

import { useSyncExternalStore } from 'react'

export type Notice = { readonly text: string; readonly undo?: (() => Promise<unknown>) | undefined }

let shown: Notice | undefined
const listeners = new Set<() => void>()

export function showNotice(notice: Notice | undefined): void {
  shown = notice
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function shownNotice(): Notice | undefined {
  return shown
}

export function useNotice(): Notice | undefined {
  return useSyncExternalStore(subscribe, shownNotice)
}
