// The same for many SIMs: each in a transaction of its own, so that one that is refused keeps none of the others back.

import type { SimBulk, SimBulkAnswer } from '@roadworthy/contracts/sim-billing/sim-actions'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Author } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { actOnSim } from './act-on-sim.ts'
import { type ActionWish, readUntil } from './request-action.ts'

type Result = SimBulkAnswer['results'][number]

export async function actOnMany(database: Database, caller: Caller, body: SimBulk, author: Author): Promise<SimBulkAnswer> {
  const { action, mode, rate_plan: ratePlan, reason, until, days } = body
  if (action !== 'safe_custody' && (until !== undefined || days !== undefined))
    throw notOf(until === undefined ? 'days' : 'until', 'safe_custody')
  // `live` is the mode of a body without one.
  if (action !== 'activate' && (mode === 'test' || ratePlan !== undefined)) throw notOf(mode === 'test' ? 'mode' : 'rate_plan', 'activate')
  const kind = action === 'activate' && mode === 'test' ? 'activate_test' : action
  const wish: ActionWish = { kind, ratePlan, reason, until: readUntil(until), days }
  const results: Result[] = []
  // One after the other: a bulk request takes no more connections than any other.
  for (const [index, reference] of body.sim_ids.entries())
    results.push(await resultOf(database, caller, { index, reference }, wish, author))
  const countOf = (status: Result['status']) => results.filter((each) => each.status === status).length
  const refused = countOf('refused')
  return { success: refused === 0, accepted: countOf('accepted'), unchanged: countOf('unchanged'), refused, results }
}

async function resultOf(
  database: Database,
  caller: Caller,
  { index, reference }: { index: number; reference: string },
  wish: ActionWish,
  author: Author,
): Promise<Result> {
  try {
    const { simId, action } = await actOnSim(database, caller, reference, wish, author)
    return {
      ...{ index, sim_id: simId, action_id: action?.actionId ?? null, error: null },
      status: action === undefined ? 'unchanged' : 'accepted',
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, details } = error
    const refusal = { code, message, ...(details === undefined ? {} : { details: { ...details } }) }
    return { index, sim_id: null, status: 'refused', action_id: null, error: refusal }
  }
}

function notOf(field: string, action: string): Problem {
  return new Problem('invalid_request', `"${field}" goes with the action "${action}" only.`, { details: { in: 'body', field } })
}
