import { useEffect, useState } from 'react'
import { noteVisit } from './last-visit.ts'

const MINUTE_MS = 60_000

/** When this person last left the page. It stays the same while the page is looked at. */
export function useLastVisit(userId: string): string {
  const [beforeMs, setBeforeMs] = useState(() => noteVisit(browserStorage(), userId, Date.now()))
  useEffect(() => {
    const note = () => {
      // A page in the background is looked at by nobody.
      if (document.visibilityState === 'visible') setBeforeMs(noteVisit(browserStorage(), userId, Date.now()))
    }
    const timer = setInterval(note, MINUTE_MS)
    document.addEventListener('visibilitychange', note)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', note)
    }
  }, [userId])
  return new Date(beforeMs).toISOString()
}

/** A browser may refuse storage altogether. */
function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
