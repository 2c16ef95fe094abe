import type { Db } from '@roadworthy/service-kit/db'
import { publishChanged } from './alert-events.ts'
import { updateAlertsOfComponentResolved } from './alerts.sql.ts'

/** Work on a component was done: the engine's alerts about it that were opened before are resolved, and published as such. */
export async function resolveAlertsOfComponent(
  db: Db,
  resellerId: string,
  work: { vehicleId: string; component: string; openedUntil: Date; at: Date },
): Promise<void> {
  const resolved = await updateAlertsOfComponentResolved(db, resellerId, work)
  await publishChanged(
    db,
    resolved.map((after) => ({ before: { ...after, status: 'open' }, after })),
  )
}
