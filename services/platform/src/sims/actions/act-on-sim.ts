import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Author } from '../../audit/audit.ts'
import { assertOwnerWritable } from '../../fleet/sub-client-access.ts'
import type { Caller } from '../../keys/caller.ts'
import { mayNotChoosePlan, requireHeldSim } from '../change-sim.ts'
import { assertNotHeld } from '../holds/hold-sims.ts'
import { readSimReference } from '../iccid.ts'
import { type ActionWish, requestAction } from './request-action.ts'
import type { SimActionRecord } from './sim-action.ts'

/** By id, ICCID or number. Answers no action where the SIM is in that state already. */
export async function actOnSim(
  database: Database,
  caller: Caller,
  reference: string,
  wish: ActionWish,
  author: Author,
): Promise<{ simId: string; action: SimActionRecord | undefined }> {
  return await database.tenant(author.resellerId, async (db) => {
    const sim = await requireHeldSim(db, caller, readSimReference(reference))
    // A rate plan may bear the name of the operator's: who is billed by it would choose it.
    const ownPlan = sim.isParked ? sim.operatorPlanBefore : sim.operatorPlan
    if (caller.subClientPin !== undefined && wish.ratePlan !== undefined && wish.ratePlan !== ownPlan) throw mayNotChoosePlan()
    const isActivating = wish.kind === 'activate' || wish.kind === 'activate_test'
    // To bar and to end them is what is left to do with the SIMs of who was suspended.
    if (isActivating) await assertOwnerWritable(db, author.resellerId, sim.subClientId)
    // A key of the reseller is not refused: the reseller is the creditor.
    if (isActivating && caller.subClientPin !== undefined) await assertNotHeld(db, sim, author.at)
    return { simId: sim.simId, action: await requestAction(db, sim, wish, { author, source: 'request' }) }
  })
}
