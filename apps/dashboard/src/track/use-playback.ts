import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useState } from 'react'

const TICK_MS = 50
/** For people who asked for less movement: a picture a second in place of a film. */
const CALM_TICK_MS = 1_000

/** How many times as fast as it was. */
export const rates = [10, 60, 300] as const
const FIRST_RATE = 60

export type Playback = {
  readonly atMs: number
  readonly rate: number
  readonly setRate: (rate: number) => void
  readonly isPlaying: boolean
  readonly setAtMs: (atMs: number) => void
  readonly setPlaying: (isPlaying: boolean) => void
}

/** Time of a replay from `fromMs` to `toMs`; at the end it stops, and begins again from there. */
export function usePlayback(fromMs: number, toMs: number): Playback {
  const [rate, setRate] = useState<number>(FIRST_RATE)
  const [atMs, setAtMs] = useState(fromMs)
  const [isPlaying, setPlaying] = useState(false)
  const tickMs = useReducedMotion() ? CALM_TICK_MS : TICK_MS
  useEffect(() => {
    setAtMs(fromMs)
    setPlaying(false)
  }, [fromMs])
  useEffect(() => {
    if (!isPlaying) return undefined
    let lastMs = performance.now()
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const passedMs = (nowMs - lastMs) * rate
      lastMs = nowMs
      setAtMs((before) => Math.min(toMs, before + passedMs))
    }, tickMs)
    return () => clearInterval(timer)
  }, [isPlaying, rate, toMs, tickMs])
  useEffect(() => {
    if (atMs >= toMs) setPlaying(false)
  }, [atMs, toMs])
  return {
    ...{ atMs, rate, setRate, isPlaying, setAtMs },
    setPlaying: (play) => {
      if (play && atMs >= toMs) setAtMs(fromMs)
      setPlaying(play)
    },
  }
}
