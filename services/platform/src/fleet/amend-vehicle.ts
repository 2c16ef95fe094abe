import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { type ChangeVehicleDeps, changeVehicle } from './change-vehicle.ts'
import { auditedVehicle, type Vehicle, type VehicleChanges } from './vehicle.ts'
import type { Viewer } from './viewer.ts'

export type AmendVehicleDeps = ChangeVehicleDeps & {
  readonly database: Database
  /** Called after a change is committed, so that this process forgets what it held. */
  readonly fleetChanged: (resellerId: string) => void
}

/** Changes a vehicle, as asked on either surface, with its row of the audit log. `reference` is our id or the caller's own. */
export async function amendVehicle(
  deps: AmendVehicleDeps,
  viewer: Viewer,
  reference: string,
  changes: VehicleChanges,
  author: Author,
): Promise<Vehicle> {
  const amended = await deps.database.tenant(viewer.resellerId, async (db) => {
    const { before, after } = await changeVehicle(db, deps, viewer, reference, changes, author.at)
    await writeAudit(db, author, {
      action: before.status === after.status ? 'vehicle.updated' : after.status === 'retired' ? 'vehicle.retired' : 'vehicle.restored',
      objectId: after.vehicleId,
      subClientId: after.subClientId,
      before: auditedVehicle(before),
      after: auditedVehicle(after),
    })
    return after
  })
  deps.fleetChanged(viewer.resellerId)
  return amended
}
