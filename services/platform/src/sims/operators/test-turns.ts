// For tests that are about something else: nobody waits for a turn.

import { CallGates, type CallTurns } from './limits.ts'

export const freeTurns: CallTurns = {
  take: async () => ({ lost: new AbortController().signal, end: async () => undefined }),
}

export function freeGates(nowMs = () => performance.now()): CallGates {
  return new CallGates({ turns: freeTurns, nowMs })
}
