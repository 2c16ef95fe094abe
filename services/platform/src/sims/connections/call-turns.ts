// The limits of a credential, held to by all processes together: turns are rows of the database, by its clock. The process that has one
// extends its lease while its call takes; the turn of a process that died is free again when the lease is over.

import { createHmac, hkdfSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { ExchangeError } from '../operators/exchange.ts'
import { type CallLimits, type CallTurn, type CallTurns, stopped } from '../operators/limits.ts'
import { beginCallAcrossResellers, type CallId, endCallAcrossResellers, extendCallAcrossResellers } from './operator-calls.sql.ts'

/** A process that is killed in a call keeps the others from calling for so long. Longer than any pause of a process that is well; an assumption. */
const LEASE_MS = 10_000
/** Three times a lease, so that one that fails loses nothing. */
const EXTENDS_PER_LEASE = 3

export type CallTurnDeps = {
  readonly database: Database
  readonly secretKey: string
  /** Of a turn that could not be given back: it is free when its lease is over. */
  readonly onError: (error: unknown) => void
  readonly leaseMs?: number
}

export function createCallTurns({ database, secretKey, onError, leaseMs = LEASE_MS }: CallTurnDeps): CallTurns {
  const db = database.systemPool
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'roadworthy operator calls', 32))
  const leaseS = leaseMs / 1000

  /** Answers until when the turn is held at least, by the clock of this process. */
  async function takeTurn(call: CallId, limits: CallLimits, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      const heldUntilMs = performance.now() + leaseMs
      const waitMs = await beginCallAcrossResellers(db, call, { ...limits, leaseS })
      // The answer may come to a process that stood still, when the turn is another's.
      if (waitMs === 0 && performance.now() < heldUntilMs) return heldUntilMs
      await delay(waitMs, undefined, { signal })
    }
  }

  return {
    take: async (credential, limits, signal) => {
      const call = { credentialHmacHex: createHmac('sha256', key).update(credential).digest('hex'), callId: newId('oca') }
      try {
        return holdTurn(call, await takeTurn(call, limits, signal))
      } catch (error) {
        if (signal.aborted) throw stopped()
        throw new ExchangeError('the turn for the call could not be taken', { hasLeft: false, kind: 'unsent', cause: error })
      }
    },
  }

  function holdTurn(call: CallId, takenUntilMs: number): CallTurn {
    const lost = new AbortController()
    let heldUntilMs = takenUntilMs
    const extend = async () => {
      const extendedMs = performance.now()
      const isHeld = await extendCallAcrossResellers(db, call, leaseS).catch((error: unknown) => {
        onError(error)
        return extendedMs < heldUntilMs ? undefined : false
      })
      if (isHeld === true) heldUntilMs = extendedMs + leaseMs
      if (isHeld === false) lost.abort()
    }
    const timer = setInterval(() => void extend(), leaseMs / EXTENDS_PER_LEASE)
    timer.unref()
    return {
      lost: lost.signal,
      end: async () => {
        clearInterval(timer)
        await endCallAcrossResellers(db, call).catch(onError)
      },
    }
  }
}
