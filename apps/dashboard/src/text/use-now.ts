import { useEffect, useState } from 'react'

/** The time, renewed often enough for "12 s ago" to be true. */
export function useNow(everyMs = 2_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
