// What a reseller does with its accounts at operators' platforms.

import {
  connectionDefaults,
  type OperatorConnectionCreate,
  type OperatorConnectionUpdate,
} from '@roadworthy/contracts/sim-billing/operator-connections'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { checkTarget } from '@roadworthy/service-kit/network/checked-target'
import { type Database, type Db, isForeignKeyViolation } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { type Author, writeAudit } from '../../audit/audit.ts'
import { upsertJob } from '../../jobs/jobs.sql.ts'
import type { Caller } from '../../keys/caller.ts'
import { assertPlanInUse } from '../rate-plan-of-sim.ts'
import { scheduledSyncJob } from '../sync/sync-jobs.ts'
import { auditedConnection, noSuchConnection, type OperatorConnection, type SealedConnection } from './connection.ts'
import { checkFields, readCredentials, readSettings } from './connection-fields.ts'
import {
  countConnections,
  deleteConnection,
  type ListedConnection,
  selectConnectionForUpdate,
  selectListedConnection,
  upsertConnection,
} from './connections.sql.ts'
import { openCredentials, sealCredentials } from './operator-secrets.ts'
import { baseUrlText, readBaseUrl } from './operator-target.ts'

export type ManageConnectionsDeps = {
  readonly database: Database
  /** `createSealer(secretKey, OPERATOR_SECRETS)`. */
  readonly sealer: Sealer
  readonly guard: AddressGuard
  readonly now: () => Date
}

/** Each is synchronised, and has limits and a breaker of its own in every process. */
const MAX_CONNECTIONS = 20

/** An account is the reseller's: to a key or person of one sub-client there is none. */
export async function requireConnection(database: Database, caller: Caller, connectionId: string): Promise<ListedConnection> {
  const { resellerId, subClientPin } = caller
  const isPossible = subClientPin === undefined && isStorable(connectionId)
  const found = isPossible ? await selectListedConnection(database.tenantPool(resellerId), resellerId, connectionId) : undefined
  if (found === undefined) throw noSuchConnection()
  return found
}

export async function createConnection(
  deps: ManageConnectionsDeps,
  caller: Caller,
  given: OperatorConnectionCreate,
  author: Author,
): Promise<ListedConnection> {
  if (caller.subClientPin !== undefined) {
    throw new Problem('missing_scope', 'This key belongs to one sub-client; connections are those of the reseller.', {
      details: { required_scope: '*' },
    })
  }
  const { resellerId, at } = author
  const url = readBaseUrl(given.base_url)
  const { operator } = given
  const baseUrl = baseUrlText(url)
  const settings = readSettings(operator, given.settings ?? {})
  const credentials = readCredentials(operator, given.credentials)
  checkFields(operator, { baseUrl, settings, credentials })
  await checkTarget(deps.guard, url, 'base_url')
  const owner = { resellerId, connectionId: newId('opc') }
  const connection: SealedConnection = {
    ...owner,
    operator,
    ...fieldsOf({ ...connectionDefaults, ...given }),
    baseUrl,
    settings,
    syncedUntil: undefined,
    secretsSealed: sealCredentials(deps.sealer, owner, credentials),
    revision: newId('rev'),
    createdAt: at,
    updatedAt: at,
  }
  checkTerms(connection)
  await deps.database.tenant(resellerId, async (db) => {
    if ((await countConnections(db, resellerId)) >= MAX_CONNECTIONS)
      throw new Problem('conflict', `There are ${MAX_CONNECTIONS} connections, which is the most.`, { details: { limit: MAX_CONNECTIONS } })
    await checkDefaultPlan(db, undefined, connection)
    await upsertConnection(db, connection)
    if (connection.enabled) await upsertJob(db, scheduledSyncJob(connection), at)
    const after = { ...auditedConnection(connection), credentials: 'given' }
    await writeAudit(db, author, { action: 'operator_connection.created', objectId: connection.connectionId, after })
  })
  return { ...connection, simCount: 0 }
}

export async function changeConnection(
  deps: ManageConnectionsDeps,
  connectionId: string,
  given: OperatorConnectionUpdate,
  author: Author,
): Promise<void> {
  const { resellerId, at } = author
  const url = given.base_url === undefined ? undefined : readBaseUrl(given.base_url)
  if (url !== undefined) await checkTarget(deps.guard, url, 'base_url')
  await deps.database.tenant(resellerId, async (db) => {
    const before = await requireHeldConnection(db, resellerId, connectionId)
    const kept = openCredentials(deps.sealer, before)
    if (url !== undefined && given.credentials === undefined && url.origin !== new URL(before.baseUrl).origin) {
      // Whoever may change a connection need not know its credentials, and must not be able to have them sent to a host of his own.
      throw new Problem('invalid_request', 'The scheme, host or port of "base_url" is another one: give the credentials again.', {
        details: { in: 'body', field: 'credentials' },
      })
    }
    const credentials = given.credentials === undefined ? kept : readCredentials(before.operator, given.credentials)
    const after: SealedConnection = {
      ...before,
      ...fieldsOf({ ...toGiven(before), ...given }),
      baseUrl: url === undefined ? before.baseUrl : baseUrlText(url),
      settings: given.settings === undefined ? before.settings : readSettings(before.operator, given.settings),
      secretsSealed: sealCredentials(deps.sealer, before, credentials),
      revision: newId('rev'),
      updatedAt: at,
    }
    checkFields(before.operator, { baseUrl: after.baseUrl, settings: after.settings, credentials })
    checkTerms(after)
    await checkDefaultPlan(db, before, after)
    const isSame = JSON.stringify(credentials) === JSON.stringify(kept)
    const audited = { before: auditedConnection(before), after: auditedConnection(after) }
    if (isSame && JSON.stringify(audited.before) === JSON.stringify(audited.after)) return
    await upsertConnection(db, after)
    if (after.enabled) await upsertJob(db, scheduledSyncJob(after), at)
    await writeAudit(db, author, {
      action: 'operator_connection.updated',
      objectId: connectionId,
      // The log records of credentials that they were changed, and never shows one.
      before: { ...audited.before, credentials: 'as before' },
      after: { ...audited.after, credentials: isSame ? 'as before' : 'changed' },
    })
  })
}

/** Only of one that never had a SIM: what is billed rests on the history of SIMs, and that on their connection. */
export async function removeConnection({ database }: ManageConnectionsDeps, connectionId: string, author: Author): Promise<void> {
  const { resellerId } = author
  try {
    await database.tenant(resellerId, async (db) => {
      const before = await requireHeldConnection(db, resellerId, connectionId)
      await deleteConnection(db, resellerId, connectionId)
      await writeAudit(db, author, { action: 'operator_connection.deleted', objectId: connectionId, before: auditedConnection(before) })
    })
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    throw new Problem('conflict', 'The connection has SIMs, or had some that invoices are made from. Disable it: PUT "enabled": false.')
  }
}

async function requireHeldConnection(db: Db, resellerId: string, connectionId: string): Promise<SealedConnection> {
  const connection = await selectConnectionForUpdate(db, resellerId, connectionId)
  if (connection === undefined) throw noSuchConnection()
  return connection
}

type Given = Required<Omit<OperatorConnectionUpdate, 'base_url' | 'credentials' | 'settings'>>
type Changed = Pick<
  OperatorConnection,
  | 'name'
  | 'enabled'
  | 'custodyMinDays'
  | 'custodyMaxDays'
  | 'custodyOnExpiry'
  | 'terminationGraceDays'
  | 'syncEveryMinutes'
  | 'defaultPlanId'
>

function fieldsOf(given: Given): Changed {
  return {
    name: given.name,
    enabled: given.enabled,
    custodyMinDays: given.custody_min_days,
    custodyMaxDays: given.custody_max_days,
    custodyOnExpiry: given.custody_on_expiry,
    terminationGraceDays: given.termination_grace_days,
    syncEveryMinutes: given.sync_every_minutes,
    defaultPlanId: given.default_plan_id ?? undefined,
  }
}

export function toGiven(connection: OperatorConnection): Given {
  return {
    name: connection.name,
    enabled: connection.enabled,
    custody_min_days: connection.custodyMinDays,
    custody_max_days: connection.custodyMaxDays,
    custody_on_expiry: connection.custodyOnExpiry,
    termination_grace_days: connection.terminationGraceDays,
    sync_every_minutes: connection.syncEveryMinutes,
    default_plan_id: connection.defaultPlanId ?? null,
  }
}

function checkTerms({ custodyMinDays, custodyMaxDays }: OperatorConnection): void {
  if (custodyMinDays <= custodyMaxDays) return
  throw new Problem('invalid_request', '"custody_min_days" is more than "custody_max_days".', {
    details: { in: 'body', field: 'custody_min_days' },
  })
}

/** One that was archived since it was chosen does not keep the connection from being changed. */
async function checkDefaultPlan(db: Db, before: OperatorConnection | undefined, after: OperatorConnection): Promise<void> {
  const { resellerId, defaultPlanId } = after
  if (defaultPlanId === undefined || defaultPlanId === before?.defaultPlanId) return
  await assertPlanInUse(db, resellerId, defaultPlanId, 'default_plan_id')
}
