// The states of an attempt to pay and every move between them. `docs/invoices.md` draws its diagram from this table. What a gateway reports late or twice
// leads nowhere from where it has been reported before, so that order does not matter.

export const attemptStatuses = ['created', 'pending', 'paid', 'failed', 'expired', 'canceled'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

type Move = { readonly from: AttemptStatus; readonly to: AttemptStatus; readonly when: string }

export const attemptMoves: readonly Move[] = [
  { from: 'created', to: 'pending', when: 'the gateway opened a checkout' },
  { from: 'created', to: 'paid', when: 'the gateway has the money' },
  { from: 'created', to: 'failed', when: 'the gateway refused to open one' },
  { from: 'created', to: 'failed', when: 'its issuer abandoned it, after a day without an answer of the gateway' },
  { from: 'created', to: 'expired', when: 'the gateway has none, and it is too late to open it' },
  { from: 'created', to: 'canceled', when: 'the gateway ended the checkout' },
  { from: 'pending', to: 'paid', when: 'the gateway has the money' },
  { from: 'pending', to: 'failed', when: 'the gateway reports that it failed for good' },
  { from: 'pending', to: 'failed', when: 'its issuer abandoned it, after a day without an answer of the gateway' },
  { from: 'pending', to: 'expired', when: 'the gateway confirms that it expired' },
  { from: 'pending', to: 'canceled', when: 'the gateway confirms that it was cancelled' },
  { from: 'failed', to: 'paid', when: 'a payment that began before came through late' },
  { from: 'expired', to: 'paid', when: 'a payment that began before came through late' },
  { from: 'canceled', to: 'paid', when: 'a payment that began before came through late' },
]

/** Where it goes when the gateway has it as `reported`: stays where there is no such move. */
export function attemptStatusAfter(from: AttemptStatus, reported: AttemptStatus): AttemptStatus {
  return attemptMoves.some((move) => move.from === from && move.to === reported) ? reported : from
}

/** It may still be paid in the ordinary way, and keeps its invoice from being paid in another. */
export function isLive(status: AttemptStatus): boolean {
  return status === 'created' || status === 'pending'
}
