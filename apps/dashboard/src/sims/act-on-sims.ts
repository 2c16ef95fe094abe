// The same for many SIMs, in calls of some at once, so that there is progress to show and a person can stop it. Pure.

import type { Sim } from '@roadworthy/contracts/sim-billing/sims'
import { t } from '../text/translate.ts'
import type { SimRefusal, SimResult } from './sim-result.ts'
import { simStatuses, statusLabels } from './status-labels.ts'

export type Sending = {
  /** So many SIMs a call. */
  readonly perCall: number
  /** So many calls at once. */
  readonly slots: number
  /** One result for each SIM. It throws where the call as a whole got none. */
  readonly send: (sims: readonly Sim[]) => Promise<readonly SimResult[]>
}

type Watching = { readonly isStopped: () => boolean; readonly onResults: (results: readonly SimResult[]) => void }

/**
 * Begins no further call once one has failed or `isStopped`, waits for those that run, and throws the first failure. Called again with the SIMs that have no
 * result, it begins with the call that failed, as it was.
 */
export async function carryOut(sims: readonly Sim[], { perCall, slots, send }: Sending, { isStopped, onResults }: Watching): Promise<void> {
  const failures: unknown[] = []
  let sent = 0
  const work = async () => {
    while (failures.length === 0 && !isStopped() && sent < sims.length) {
      const part = sims.slice(sent, sent + perCall)
      sent += part.length
      try {
        onResults(await send(part))
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: slots }, work))
  if (failures.length > 0) throw failures[0]
}

/** What the service writes of states is for programs. */
export function reasonOf({ code, message, details = {} }: SimRefusal): string {
  if (code !== 'invalid_transition') return message
  if (details['suspended_by'] === 'operator') return t('The operator suspended it, and only the operator can lift that.')
  const status = simStatuses.find((each) => each === details['status'])
  return status === undefined ? message : t('This is not possible in its state: {state}.', { state: statusLabels[status] })
}

/** `Active: 30 · Suspended: 5`. */
export function countsByState(sims: readonly Pick<Sim, 'status'>[]): string {
  return simStatuses
    .map((status) => ({ status, count: sims.filter((sim) => sim.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${statusLabels[status]}: ${count}`)
    .join(' · ')
}
