import { useEffect, useLayoutEffect, useRef } from 'react'
import { hasSingleKeys } from '../shell/single-keys.ts'
import { commandOf, type KeyCommand, placeAfter } from './offered-actions.ts'

/** Keys of the whole page, as long as no dialog is open and no text is typed. */
export function useKeyCommands(run: (command: KeyCommand) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event, isElsewhere(event.target))
      if (command === undefined || !hasSingleKeys()) return
      event.preventDefault()
      latest.current(command)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function isElsewhere(target: EventTarget | null): boolean {
  const isInField =
    target instanceof Element && target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]') !== null
  return isInField || document.querySelector('[role=dialog]') !== null
}

/** When the row that a person is in leaves the list, the work goes on in the next one. */
export function useRowFocus(ids: readonly string[]): void {
  const last = useRef<{ id: string | undefined; ids: readonly string[] }>({ id: undefined, ids })
  useEffect(() => {
    const note = () => {
      last.current = { ...last.current, id: focusedIncident() }
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  // Before the browser draws, and before the focus is put on the heading for want of a better place.
  useLayoutEffect(() => {
    const { id, ids: before } = last.current
    last.current = { id, ids }
    if (id === undefined || ids.includes(id) || document.activeElement !== document.body) return
    focusIncident(placeAfter(before, ids, id))
  })
}

/** The row that has the focus, or something in it. */
export function focusedIncident(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-incident]')?.dataset['incident']
}

export function focusIncident(id: string | undefined): void {
  if (id === undefined) return
  document.querySelector<HTMLElement>(`[data-incident="${CSS.escape(id)}"] .incident-link`)?.focus()
}
