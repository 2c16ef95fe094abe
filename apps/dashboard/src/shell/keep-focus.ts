import { useEffect, useRef } from 'react'

/**
 * Keeps the place of a person who uses the keyboard or a screen reader. A browser drops the focus when what has it is disabled or goes away, as a
 * button does while its action runs, a dialog when it is closed, and a link when it leads to another page. It is kept too while the pages are hidden
 * because the session has ended.
 */
export function useKeptFocus(): void {
  const last = useRef<HTMLElement>(undefined)
  const lastOutsideDialogs = useRef<HTMLElement>(undefined)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      last.current = target
      if (target.closest('[role=dialog]') === null) lastOutsideDialogs.current = target
    }
    // A person who clicks beside everything wants no focus.
    const forget = () => {
      last.current = undefined
    }
    const restore = () => {
      if (last.current === undefined || document.activeElement !== document.body || !document.hasFocus()) return
      if (last.current.isConnected && last.current.matches(':disabled')) return
      const place =
        [last.current, lastOutsideDialogs.current].find((each) => each?.isConnected && !each.matches(':disabled')) ?? pageHeading()
      place?.focus({ preventScroll: true })
    }
    restore()
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', forget)
    const observer = new MutationObserver(restore)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', forget)
      observer.disconnect()
    }
  }, [])
}

function pageHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading !== null) heading.tabIndex = -1
  return heading
}
