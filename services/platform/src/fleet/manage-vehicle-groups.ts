// What people and programs do with groups of vehicles. Those of another reseller, or outside the caller's sub-client, do not exist.

import type { CreateVehicleGroup, VehicleGroupChange } from '@roadworthy/contracts/platform-v1/vehicle-groups'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { subClientForWrite } from '../keys/pins.ts'
import { assertOwnerWritable, requireWritableSubClient } from './sub-client-access.ts'
import { isVehicleReference, noSuchVehicle } from './vehicle.ts'
import { MAX_VEHICLE_GROUPS, noSuchVehicleGroup, type VehicleGroup } from './vehicle-group.ts'
import {
  countVehicleGroups,
  deleteGroupMembers,
  deleteVehicleGroup,
  hasVehicleGroupNamed,
  insertGroupMembers,
  lockVehicleGroupNames,
  selectRuleNamesOfGroup,
  selectVehicleGroup,
  upsertVehicleGroup,
} from './vehicle-groups.sql.ts'
import { selectVehiclesByReference } from './vehicles.sql.ts'

const MAX_NAMED_RULES = 5

type Named = Omit<VehicleGroup, 'vehicleCount'>

export async function createVehicleGroup(
  database: Database,
  caller: Caller,
  given: CreateVehicleGroup,
  author: Author,
): Promise<VehicleGroup> {
  const { resellerId } = caller
  const { at } = author
  const subClientId = subClientForWrite(caller, given.subClientId)
  const group: Named = { groupId: newId('vgr'), name: checkedName(given.name), subClientId, createdAt: at, updatedAt: at }
  const { groupId, name } = group
  return await database.tenant(resellerId, async (db) => {
    if (subClientId !== undefined) await requireWritableSubClient(db, caller, subClientId)
    await lockVehicleGroupNames(db, resellerId)
    if ((await countVehicleGroups(db, { resellerId, subClientPin: undefined })) >= MAX_VEHICLE_GROUPS) {
      throw new Problem('conflict', `There are ${MAX_VEHICLE_GROUPS} vehicle groups already, which is the most; delete one first.`, {
        details: { limit: MAX_VEHICLE_GROUPS },
      })
    }
    await requireFreeName(db, resellerId, group)
    await upsertVehicleGroup(db, resellerId, group)
    const added = await insertGroupMembers(db, resellerId, groupId, await vehicleIdsOf(db, caller, group, given.vehicleIds))
    await writeAudit(db, author, {
      ...{ action: 'vehicle_group.created', objectId: groupId, subClientId },
      after: { name, subClientId, addedVehicleIds: added },
    })
    return await requireVehicleGroup(db, caller, groupId)
  })
}

export async function requireVehicleGroup(
  db: Db,
  caller: Caller,
  groupId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<VehicleGroup> {
  const group = isVehicleGroupId(groupId) ? await selectVehicleGroup(db, caller, groupId, lock) : undefined
  if (group === undefined) throw noSuchVehicleGroup()
  return group
}

/** What is left out stays. A vehicle that is both added and removed is removed. */
export async function changeVehicleGroup(
  database: Database,
  caller: Caller,
  groupId: string,
  given: VehicleGroupChange,
  author: Author,
): Promise<VehicleGroup> {
  const { resellerId } = caller
  return await database.tenant(resellerId, async (db) => {
    if (given.name !== undefined) await lockVehicleGroupNames(db, resellerId)
    const before = await requireVehicleGroup(db, caller, groupId, 'locked')
    await assertOwnerWritable(db, resellerId, before.subClientId)
    const after = { ...before, name: given.name === undefined ? before.name : checkedName(given.name) }
    await requireFreeName(db, resellerId, after)
    const added = await insertGroupMembers(db, resellerId, groupId, await vehicleIdsOf(db, caller, before, given.addVehicleIds))
    const removed = await deleteGroupMembers(db, resellerId, groupId, await knownIdsOf(db, resellerId, given.removeVehicleIds ?? []))
    if (after.name === before.name && added.length === 0 && removed.length === 0) return before
    await upsertVehicleGroup(db, resellerId, { ...after, updatedAt: author.at })
    await writeAudit(db, author, {
      ...{ action: 'vehicle_group.updated', objectId: groupId, subClientId: before.subClientId },
      before: { name: before.name },
      after: { name: after.name, ...(added.length > 0 ? { addedVehicleIds: added } : {}), ...removedOf(removed) },
    })
    return await requireVehicleGroup(db, caller, groupId)
  })
}

/** Refused while a rule is about it: the rule would fall silent, or be about every vehicle. */
export async function removeVehicleGroup(database: Database, caller: Caller, groupId: string, author: Author): Promise<void> {
  const { resellerId } = caller
  await database.tenant(resellerId, async (db) => {
    const { name, subClientId } = await requireVehicleGroup(db, caller, groupId, 'locked')
    const rules = await selectRuleNamesOfGroup(db, resellerId, groupId, MAX_NAMED_RULES)
    if (rules.length > 0) {
      throw new Problem('conflict', `A notification rule is about this group; change it first: ${rules.join(', ')}.`, {
        details: { rules },
      })
    }
    await deleteVehicleGroup(db, resellerId, groupId)
    await writeAudit(db, author, { action: 'vehicle_group.deleted', objectId: groupId, subClientId, before: { name, subClientId } })
  })
}

function isVehicleGroupId(text: string): boolean {
  return /^vgr-[a-z0-9]{1,40}$/.test(text)
}

function removedOf(removed: readonly string[]): { removedVehicleIds?: readonly string[] } {
  return removed.length > 0 ? { removedVehicleIds: removed } : {}
}

async function requireFreeName(db: Db, resellerId: string, group: Named): Promise<void> {
  if (await hasVehicleGroupNamed(db, resellerId, group)) {
    throw new Problem('already_exists', 'A vehicle group has this name already.', { details: { field: 'name' } })
  }
}

/** Our ids of vehicles that the caller sees and that the group may hold. */
async function vehicleIdsOf(db: Db, caller: Caller, { subClientId }: Named, references: readonly string[] = []): Promise<string[]> {
  const found = await vehiclesOf(db, caller.resellerId, references)
  const owner = caller.subClientPin ?? subClientId
  return found.map((vehicle) => {
    if (vehicle === undefined || (owner !== undefined && vehicle.subClientId !== owner)) throw noSuchVehicle()
    return vehicle.vehicleId
  })
}

/** Of vehicles that leave: one that is not there is passed over. */
async function knownIdsOf(db: Db, resellerId: string, references: readonly string[]): Promise<string[]> {
  return (await vehiclesOf(db, resellerId, references)).flatMap((vehicle) => vehicle?.vehicleId ?? [])
}

async function vehiclesOf(db: Db, resellerId: string, references: readonly string[]) {
  if (references.length === 0) return []
  return await selectVehiclesByReference(
    db,
    references.map((reference) => ({ resellerId, reference: isVehicleReference(reference) ? reference : '' })),
  )
}

function checkedName(text: string): string {
  const name = text.trim()
  if (name !== '' && isOneLine(name)) return name
  throw new Problem('invalid_request', '"name" is one line of text.', { details: { in: 'body', field: 'name' } })
}
