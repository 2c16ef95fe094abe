import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useRefreshSims } from '../api/sim-queries.ts'
import { carryOut, type Sending } from './act-on-sims.ts'
import type { SimResult } from './sim-result.ts'

export type BulkRun = {
  readonly phase: 'asked' | 'running' | 'stopping' | 'ended'
  readonly results: readonly SimResult[]
  /** Why a call got no answer, which ended it. */
  readonly error: Error | null
  /** With those that have no result yet. */
  readonly start: (sending: Sending) => void
  /** Once the calls that run are answered. */
  readonly stop: () => void
}

export function useBulkRun(sims: readonly Sim[]): BulkRun {
  const refresh = useRefreshSims()
  const [phase, setPhase] = useState<BulkRun['phase']>('asked')
  const [results, setResults] = useState<readonly SimResult[]>([])
  const [error, setError] = useState<Error | null>(null)
  const isStopped = useRef(false)
  // A dialog that is closed on the way to another page.
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const isRunning = phase === 'running' || phase === 'stopping'
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => isRunning })
  const start = (sending: Sending) => {
    const known = new Set(results.map(({ simId }) => simId))
    const onResults = (more: readonly SimResult[]) => setResults((before) => [...before, ...more])
    isStopped.current = false
    setError(null)
    setPhase('running')
    carryOut(
      sims.filter(({ id }) => !known.has(id)),
      sending,
      { isStopped: () => isStopped.current, onResults },
    )
      .catch(setError)
      .finally(() => {
        setPhase('ended')
        void refresh()
      })
  }
  const stop = () => {
    isStopped.current = true
    setPhase('stopping')
  }
  return { phase, results, error, start, stop }
}
