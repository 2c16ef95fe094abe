import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { VehicleGroup } from './vehicle-group.ts'
import type { Viewer } from './viewer.ts'

/** Held to the end of the transaction: groups of a reseller are counted, named and added by one at a time. */
export async function lockVehicleGroupNames(db: Db, resellerId: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('vehicle_groups ' || $1, 0))", [resellerId])
}

export async function countVehicleGroups(db: Db, { resellerId, subClientPin }: Viewer, vehicleId?: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from vehicle_groups g
      where g.reseller_id = $1 and ($2::text is null or g.sub_client_id = $2) and ${hasVehicle('$3')}`,
    [resellerId, subClientPin ?? null, vehicleId ?? null],
  )
  return rows[0]?.count ?? 0
}

/** Of a vehicle `v`: whether it is in this group, where one is asked for and the caller sees it. Each is a parameter of the statement. */
export function isInGroup(groupId: string, subClientPin: string): string {
  return `(${groupId}::text is null or exists (
      select from vehicle_group_members m
        join vehicle_groups g on g.reseller_id = m.reseller_id and g.group_id = m.group_id
       where m.reseller_id = v.reseller_id and m.vehicle_id = v.vehicle_id and m.group_id = ${groupId}
         and (${subClientPin}::text is null or g.sub_client_id = ${subClientPin})
         and (g.sub_client_id is null or g.sub_client_id = v.sub_client_id)))`
}

/** Of a group `g`: a vehicle that moved to another sub-client than the group's does not count. */
const columns = `
  g.group_id, g.name, g.sub_client_id, g.created_at, g.updated_at,
  (select count(*)::int
     from vehicle_group_members m
     join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
    where m.reseller_id = g.reseller_id and m.group_id = g.group_id and v.status = 'active'
      and (g.sub_client_id is null or v.sub_client_id = g.sub_client_id)) as vehicle_count`

/** Of a group `g` that the caller sees: whether this vehicle counts in it, where one is asked for. */
function hasVehicle(vehicleId: string): string {
  return `(${vehicleId}::text is null or exists (
      select from vehicle_group_members m
        join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
       where m.reseller_id = g.reseller_id and m.group_id = g.group_id and m.vehicle_id = ${vehicleId}
         and (g.sub_client_id is null or v.sub_client_id = g.sub_client_id)))`
}

/** Oldest first. One more than asked. `vehicleId`: only those that it is in. */
export async function selectVehicleGroups(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  page: PageRequest,
  vehicleId?: string,
): Promise<VehicleGroup[]> {
  const { rows } = await db.query<GroupRow>(
    `select ${columns}
       from vehicle_groups g
      where g.reseller_id = $1 and ($2::text is null or g.sub_client_id = $2) and (g.created_at, g.group_id) > ($3::timestamptz, $4)
        and ${hasVehicle('$6')}
      order by g.created_at, g.group_id
      limit $5`,
    [resellerId, subClientPin ?? null, page.after.at, page.after.id, page.limit + 1, vehicleId ?? null],
  )
  return rows.map(groupFromRow)
}

/** `kept`: it is not deleted until the transaction ends. `locked`: nobody else changes it until then. */
export async function selectVehicleGroup(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  groupId: string,
  lock: 'locked' | 'kept' | 'unlocked' = 'unlocked',
): Promise<VehicleGroup | undefined> {
  const { rows } = await db.query<GroupRow>(
    `select ${columns}
       from vehicle_groups g
      where g.reseller_id = $1 and g.group_id = $2 and ($3::text is null or g.sub_client_id = $3)
      ${lock === 'locked' ? 'for update of g' : lock === 'kept' ? 'for key share of g' : ''}`,
    [resellerId, groupId, subClientPin ?? null],
  )
  return rows.map(groupFromRow)[0]
}

/** Whether another group of the same owner has this name, in any case. */
export async function hasVehicleGroupNamed(
  db: Db,
  resellerId: string,
  { groupId, name, subClientId }: Pick<VehicleGroup, 'groupId' | 'name' | 'subClientId'>,
): Promise<boolean> {
  const { rows } = await db.query(
    `select from vehicle_groups
      where reseller_id = $1 and group_id <> $2 and lower(name) = lower($3) and sub_client_id is not distinct from $4`,
    [resellerId, groupId, name, subClientId ?? null],
  )
  return rows.length > 0
}

/** Writes all of a group but its vehicles, that of before or a new one. */
export async function upsertVehicleGroup(db: Db, resellerId: string, group: Omit<VehicleGroup, 'vehicleCount'>): Promise<void> {
  const { groupId, name, subClientId, createdAt, updatedAt } = group
  await db.query(
    `insert into vehicle_groups (reseller_id, group_id, name, sub_client_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6)
         on conflict (reseller_id, group_id) do update set name = excluded.name, updated_at = excluded.updated_at`,
    [resellerId, groupId, name, subClientId ?? null, createdAt, updatedAt],
  )
}

/** Answers those that were not in it. */
export async function insertGroupMembers(db: Db, resellerId: string, groupId: string, vehicleIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    `insert into vehicle_group_members (reseller_id, group_id, vehicle_id)
     select $1, $2, vehicle_id from unnest($3::text[]) vehicle_id
         on conflict do nothing
     returning vehicle_id`,
    [resellerId, groupId, vehicleIds],
  )
  return rows.map((row) => row.vehicle_id)
}

/** Answers those that were in it. */
export async function deleteGroupMembers(db: Db, resellerId: string, groupId: string, vehicleIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    'delete from vehicle_group_members where reseller_id = $1 and group_id = $2 and vehicle_id = any ($3) returning vehicle_id',
    [resellerId, groupId, vehicleIds],
  )
  return rows.map((row) => row.vehicle_id)
}

export async function deleteVehicleGroup(db: Db, resellerId: string, groupId: string): Promise<void> {
  await db.query('delete from vehicle_groups where reseller_id = $1 and group_id = $2', [resellerId, groupId])
}

/** The groups that a vehicle is in. */
export async function selectGroupIdsOfVehicle(db: Db, resellerId: string, vehicleId: string): Promise<string[]> {
  const { rows } = await db.query<{ group_id: string }>(
    `select m.group_id
       from vehicle_group_members m
       join vehicle_groups g on g.reseller_id = m.reseller_id and g.group_id = m.group_id
       join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
      where m.reseller_id = $1 and m.vehicle_id = $2 and (g.sub_client_id is null or v.sub_client_id = g.sub_client_id)
      order by m.group_id`,
    [resellerId, vehicleId],
  )
  return rows.map((row) => row.group_id)
}

/** The vehicles that are in any of these groups. */
export async function selectVehicleIdsOfGroups(db: Db, resellerId: string, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ vehicle_id: string }>(
    `select distinct m.vehicle_id
       from vehicle_group_members m
       join vehicle_groups g on g.reseller_id = m.reseller_id and g.group_id = m.group_id
       join vehicles v on v.reseller_id = m.reseller_id and v.vehicle_id = m.vehicle_id
      where m.reseller_id = $1 and m.group_id = any ($2) and (g.sub_client_id is null or v.sub_client_id = g.sub_client_id)
      order by m.vehicle_id`,
    [resellerId, groupIds],
  )
  return rows.map((row) => row.vehicle_id)
}

/** Names of the notification rules about it, a few at most; people's own rules keep no group. */
export async function selectRuleNamesOfGroup(db: Db, resellerId: string, groupId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from notification_rules
      where reseller_id = $1 and owner_id is null and $2 = any (vehicle_group_ids)
      order by created_at, rule_id
      limit $3`,
    [resellerId, groupId, limit],
  )
  return rows.map((row) => row.name)
}

type GroupRow = {
  group_id: string
  name: string
  sub_client_id: string | null
  vehicle_count: number
  created_at: Date
  updated_at: Date
}

function groupFromRow(row: GroupRow): VehicleGroup {
  return {
    groupId: row.group_id,
    name: row.name,
    subClientId: row.sub_client_id ?? undefined,
    vehicleCount: row.vehicle_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
