import { useEffect, useRef } from 'react'
import { commandOf, type KeyCommand } from './offered-actions.ts'

/** Keys of the whole page, as long as no dialog is open and no text is typed. */
export function useKeyCommands(run: (command: KeyCommand) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event, isElsewhere(event.target))
      if (command === undefined) return
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

/** The row that has the focus, or something in it. */
export function focusedIncident(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-incident]')?.dataset['incident']
}

export function focusIncident(id: string | undefined): void {
  if (id === undefined) return
  document.querySelector<HTMLElement>(`[data-incident="${CSS.escape(id)}"] .incident-link`)?.focus()
}
