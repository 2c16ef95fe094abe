import { useDebouncedCallback } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** A search is asked for when the person pauses. Assumption: between two letters of one who types slowly. */
const TYPING_PAUSE_MS = 300

type TypedSearch = { readonly typed: string; readonly type: (text: string) => void; readonly clear: () => void }

/**
 * What stands in a search box whose text goes into the address when the person pauses. The box follows the address, as when somebody goes back, except
 * while they type. Who leaves for another page before the pause is over is not brought back: that page may still be loading, with this one on the screen.
 * `inAddress` is `asRead` of the text that was searched for last.
 */
export function useTypedSearch(inAddress: string, asRead: (typed: string) => string, onPause: (typed: string) => void): TypedSearch {
  const { history } = useRouter()
  const [typed, setTyped] = useState(inAddress)
  const typedAt = useRef('')
  const searchSoon = useDebouncedCallback((text: string) => {
    if (history.location.pathname === typedAt.current) onPause(text)
  }, TYPING_PAUSE_MS)
  const latest = useRef('')
  latest.current = asRead(typed)
  useEffect(() => {
    // Characters that are no search by themselves (two digits of an ICCID, a space at the end) stay in the box.
    if (!searchSoon.isPending() && inAddress !== latest.current) setTyped(inAddress)
  }, [inAddress, searchSoon])
  return {
    typed,
    type: (text) => {
      typedAt.current = history.location.pathname
      setTyped(text)
      searchSoon(text)
    },
    clear: () => {
      searchSoon.cancel()
      setTyped('')
      onPause('')
    },
  }
}
