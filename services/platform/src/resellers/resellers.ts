import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import { isTimeZone } from '@roadworthy/service-kit/time/zoned-time'
import { type AuditedFields, type Author, systemAuthor, writeAudit } from '../audit/audit.ts'
import { type PlanName, planNames, type Subscription, subscriptions } from '../limits/plans.ts'
import { insertReseller, type Reseller, selectReseller, selectResellerForUpdate, updateResellerRow } from './resellers.sql.ts'

const SLUG_FORM = /^[a-z0-9-]{1,64}$/
const MAX_NAME_LENGTH = 200

/** That of most who will use it; Spec gap §8. */
const DEFAULT_TIME_ZONE = 'Asia/Kolkata'
/** Assumption: ten times the largest fleet we know of behind gateways. As in the constraint of the column. */
export const MAX_DEVICE_VEHICLE_LIMIT = 100_000
/** Assumption: a quarter is as far ahead as a workshop plans. As in the constraint of the column. */
export const MAX_MAINTENANCE_LEAD_DAYS = 90
/** As in the column. */
const DEFAULT_MAINTENANCE_LEAD_DAYS = 7

type NewReseller = { slug: string; name: string; plan?: string; subscription?: string; timeZone?: string }

/** A self-hosted reseller starts as `enterprise` and `active` (Spec gap §8). Its slug is its id and never changes. */
export async function createReseller(
  database: Database,
  given: NewReseller,
  now: Date,
  author: Author = systemAuthor(given.slug, now),
): Promise<Reseller> {
  checkSlug(given.slug)
  return await database.tenant(given.slug, (db) => addReseller(db, given, author))
}

/** The same within a transaction of the caller's. */
export async function addReseller(db: Db, given: NewReseller, author: Author): Promise<Reseller> {
  checkSlug(given.slug)
  const reseller = {
    resellerId: given.slug,
    name: checkedName(given.name),
    plan: checkedPlan(given.plan ?? 'enterprise'),
    subscription: checkedSubscription(given.subscription ?? 'active'),
    timeZone: checkedTimeZone(given.timeZone ?? DEFAULT_TIME_ZONE),
    createdAt: author.at,
  }
  try {
    await insertReseller(db, reseller)
  } catch (error) {
    if (!isUniqueViolation(error, 'resellers_pkey')) throw error
    throw new Problem('already_exists', `There is a reseller ${given.slug} already.`, { details: { field: 'slug' } })
  }
  const made: Reseller = { ...reseller, deviceVehicleLimit: 0, maintenanceLeadDays: DEFAULT_MAINTENANCE_LEAD_DAYS }
  await writeAudit(db, author, { action: 'reseller.created', objectId: given.slug, after: auditedReseller(made) })
  return made
}

export type ResellerChanges = {
  readonly name?: string | undefined
  readonly plan?: string | undefined
  readonly subscription?: string | undefined
  readonly timeZone?: string | undefined
  readonly deviceVehicleLimit?: number | undefined
  readonly maintenanceLeadDays?: number | undefined
}

/** Every process acts on a new plan or standing within a second, on a new zone or limit within 15. */
export async function updateReseller(database: Database, resellerId: string, changes: ResellerChanges, author: Author): Promise<Reseller> {
  const checked = {
    name: changes.name === undefined ? undefined : checkedName(changes.name),
    plan: changes.plan === undefined ? undefined : checkedPlan(changes.plan),
    subscription: changes.subscription === undefined ? undefined : checkedSubscription(changes.subscription),
    timeZone: changes.timeZone === undefined ? undefined : checkedTimeZone(changes.timeZone),
    deviceVehicleLimit: changes.deviceVehicleLimit === undefined ? undefined : checkedDeviceVehicleLimit(changes.deviceVehicleLimit),
    maintenanceLeadDays: changes.maintenanceLeadDays === undefined ? undefined : checkedLeadDays(changes.maintenanceLeadDays),
  }
  if (!SLUG_FORM.test(resellerId)) throw unknownReseller(resellerId)
  return await database.tenant(resellerId, async (db) => {
    const before = await selectReseller(db, resellerId)
    const after = await updateResellerRow(db, resellerId, checked)
    if (before === undefined || after === undefined) throw unknownReseller(resellerId)
    const entry = {
      action: 'reseller.updated',
      objectId: resellerId,
      before: auditedReseller(before),
      after: auditedReseller(after),
    } as const
    await writeAudit(db, author, entry)
    return after
  })
}

/**
 * Moves the standing of a reseller where it is one of `from`, within a transaction of the caller's on the reseller's rows; else leaves it. For what
 * follows by itself from bills; the audit row is in the log of the reseller. Returns whether it moved.
 */
export async function changeStanding(
  db: Db,
  resellerId: string,
  { from, to }: { readonly from: readonly Subscription[]; readonly to: Subscription },
  author: Author,
): Promise<boolean> {
  const before = await selectResellerForUpdate(db, resellerId)
  if (before === undefined || !from.includes(before.subscription)) return false
  const after = await updateResellerRow(db, resellerId, { ...unchanged, subscription: to })
  if (after === undefined) return false
  const entry = {
    action: 'reseller.updated',
    objectId: resellerId,
    before: auditedReseller(before),
    after: auditedReseller(after),
  } as const
  await writeAudit(db, { ...author, resellerId }, entry)
  return true
}

const unchanged = {
  name: undefined,
  plan: undefined,
  subscription: undefined,
  timeZone: undefined,
  deviceVehicleLimit: undefined,
  maintenanceLeadDays: undefined,
}

function auditedReseller({ name, plan, subscription, timeZone, deviceVehicleLimit, maintenanceLeadDays }: Reseller): AuditedFields {
  return { name, plan, subscription, timeZone, deviceVehicleLimit, maintenanceLeadDays }
}

export async function requireReseller(database: Database, resellerId: string): Promise<Reseller> {
  if (!SLUG_FORM.test(resellerId)) throw unknownReseller(resellerId)
  const reseller = await database.tenant(resellerId, (db) => selectReseller(db, resellerId))
  if (reseller === undefined) throw unknownReseller(resellerId)
  return reseller
}

function checkSlug(slug: string): void {
  if (SLUG_FORM.test(slug)) return
  throw new Problem('invalid_request', 'A reseller slug is 1 to 64 of a-z, 0-9 and -.', { details: { field: 'slug' } })
}

function unknownReseller(resellerId: string): Problem {
  return new Problem('not_found', `There is no reseller ${JSON.stringify(resellerId)}.`)
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (!isOneLine(trimmed)) throw new Problem('invalid_request', '"name" is one line of text.', { details: { field: 'name' } })
  if (trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH) return trimmed
  throw new Problem('invalid_request', `A name has 1 to ${MAX_NAME_LENGTH} characters.`, { details: { field: 'name' } })
}

function checkedPlan(plan: string): PlanName {
  const known = planNames.find((each) => each === plan)
  if (known !== undefined) return known
  throw new Problem('invalid_request', `There is no plan ${JSON.stringify(plan)}. One of: ${planNames.join(', ')}.`, {
    details: { field: 'plan', allowed: planNames },
  })
}

function checkedSubscription(subscription: string): Subscription {
  const known = subscriptions.find((each) => each === subscription)
  if (known !== undefined) return known
  const message = `There is no subscription standing ${JSON.stringify(subscription)}. One of: ${subscriptions.join(', ')}.`
  throw new Problem('invalid_request', message, { details: { field: 'subscription', allowed: subscriptions } })
}

function checkedTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone
  const message = `${JSON.stringify(timeZone)} is no time zone. Give a name of the IANA database, such as ${DEFAULT_TIME_ZONE} or UTC.`
  throw new Problem('invalid_request', message, { details: { field: 'time_zone' } })
}

function checkedDeviceVehicleLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 0 && limit <= MAX_DEVICE_VEHICLE_LIMIT) return limit
  throw new Problem(
    'invalid_request',
    `The limit of vehicles that devices create is a whole number from 0 to ${MAX_DEVICE_VEHICLE_LIMIT}.`,
    {
      details: { field: 'device_vehicles' },
    },
  )
}

function checkedLeadDays(days: number): number {
  if (Number.isInteger(days) && days >= 0 && days <= MAX_MAINTENANCE_LEAD_DAYS) return days
  throw new Problem('invalid_request', `The lead time of maintenance is a whole number of days from 0 to ${MAX_MAINTENANCE_LEAD_DAYS}.`, {
    details: { field: 'lead_days', min: 0, max: MAX_MAINTENANCE_LEAD_DAYS },
  })
}
