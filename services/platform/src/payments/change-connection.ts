// What an owner does with its connections to gateways: a reseller, or `_operator` on the command line.

import {
  type GatewayConnectionCreate,
  type GatewayConnectionUpdate,
  MAX_GATEWAY_CONNECTIONS,
} from '@roadworthy/contracts/sim-billing/gateway-connections'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { checkTarget } from '@roadworthy/service-kit/network/checked-target'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type AuditedFields, type Author, writeAudit } from '../audit/audit.ts'
import { countUnsettledAcrossResellers } from './attempts.sql.ts'
import { deleteConnection, insertConnection, selectConnection, selectConnectionsForUpdate, updateConnection } from './connections.sql.ts'
import {
  type ConnectionSecrets,
  type ConnectionSettings,
  isLiveConnection,
  openConnectionSecrets,
  type StoredConnection,
  sealConnectionSecrets,
  toGatewayConnection,
} from './gateway-connection.ts'
import { GatewayError, type GatewayId } from './gateways/gateway.ts'
import { type GatewayDeps, readBaseUrl } from './gateways/gateway-call.ts'
import { RazorpaySecrets, RazorpaySettings, StripeSecrets, StripeSettings } from './gateways/gateway-settings.ts'
import { isId } from './payment-deps.ts'
import { DISPUTES_WATCHED_EVERY_MS, LATE_PAYMENT_MS, later, scheduleDisputeWatch } from './payment-schedule.ts'
import { hasSameAccess, refuseOtherAccount } from './same-account.ts'

export type ManageConnectionsDeps = {
  readonly database: Database
  readonly sealer: Sealer
  /** Absent where no address is asked for or called, as on the command line, which does not know the service's settings. */
  readonly gateways?: GatewayDeps
  readonly now: () => Date
}

/** Stripe repeats a delivery for three days: https://docs.stripe.com/webhooks#automatic-retries. Razorpay for one. */
const SECRET_OVERLAP_MS = 3 * 24 * 3_600_000
/** As the adapters take: the newest, and two that are on their way out. */
const MAX_WEBHOOK_SECRETS = 3

const wrong = (field: string, message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })
export const noSuchConnection = () => new Problem('not_found', 'There is no such gateway connection.')

export async function requireConnection(database: Database, resellerId: string, connectionId: string): Promise<StoredConnection> {
  const connection = isId(connectionId) ? await selectConnection(database.tenantPool(resellerId), resellerId, connectionId) : undefined
  if (connection === undefined) throw noSuchConnection()
  return connection
}

export async function createConnection(
  deps: ManageConnectionsDeps,
  given: GatewayConnectionCreate,
  author: Author,
): Promise<StoredConnection> {
  const { resellerId, at } = author
  const { gateway, credentials } = given
  const { webhook_secret: webhookSecret } = credentials
  const apiSecret = apiSecretIn(gateway, credentials)
  if (apiSecret === undefined) throw wrong(`credentials.${apiSecretField(gateway)}`, `"credentials.${apiSecretField(gateway)}" is missing.`)
  if (webhookSecret === undefined)
    throw wrong('credentials.webhook_secret', '"credentials.webhook_secret" is missing: callbacks are signed with it.')
  const secrets: ConnectionSecrets = { apiSecret, webhookSecrets: [{ secret: webhookSecret }] }
  const place = { resellerId, connectionId: newId('gwc') }
  const connection: StoredConnection = {
    ...place,
    gateway,
    name: given.name,
    enabled: given.enabled ?? true,
    settings: settingsOf(given.settings ?? {}),
    secretsSealed: sealConnectionSecrets(deps.sealer, place, secrets),
    revision: newId('rev'),
    ...{ lastEventAt: undefined, refusedCount: 0, lastRefusedAt: undefined, lastRefusal: undefined, disputesListedUntil: undefined },
    ...{ createdAt: at, updatedAt: at },
  }
  checkForm(connection, secrets, at)
  await checkAddress(deps, connection.settings)
  await deps.database.tenant(resellerId, async (db) => {
    const others = await selectConnectionsForUpdate(db, resellerId)
    if (others.length >= MAX_GATEWAY_CONNECTIONS) {
      throw new Problem('conflict', `There are ${MAX_GATEWAY_CONNECTIONS} gateway connections, which is the most.`)
    }
    await insertConnection(db, connection)
    await scheduleDisputeWatch(db, connection, later(at, DISPUTES_WATCHED_EVERY_MS))
    await writeAudit(db, author, {
      action: 'gateway_connection.created',
      objectId: connection.connectionId,
      after: { ...auditedConnection(connection), credentials: 'given' },
    })
  })
  return connection
}

export async function changeConnection(
  deps: ManageConnectionsDeps,
  connectionId: string,
  given: GatewayConnectionUpdate,
  author: Author,
): Promise<StoredConnection> {
  const { resellerId, at } = author
  if (given.settings !== undefined) await checkAddress(deps, settingsOf(given.settings))
  const seen = await requireConnection(deps.database, resellerId, connectionId)
  const { changed, secrets, isSame } = planChange(deps, seen, given, at)
  if (!hasSameAccess(deps, seen, changed, secrets)) await refuseOtherAccount(deps, changed, secrets)
  const audited = { before: auditedConnection(seen), after: auditedConnection(changed) }
  if (isSame && JSON.stringify(audited.before) === JSON.stringify(audited.after)) return seen
  return await deps.database.tenant(resellerId, async (db) => {
    const before = (await selectConnectionsForUpdate(db, resellerId)).find((each) => each.connectionId === connectionId)
    if (before === undefined) throw noSuchConnection()
    if (before.revision !== seen.revision)
      throw new Problem('conflict', 'The connection was changed at the same time. Look at it, and ask again.')
    const after = { ...changed, secretsSealed: sealConnectionSecrets(deps.sealer, before, secrets), revision: newId('rev'), updatedAt: at }
    await updateConnection(db, after)
    await writeAudit(db, author, {
      action: 'gateway_connection.updated',
      objectId: connectionId,
      before: { ...audited.before, credentials: 'as before' },
      after: { ...audited.after, credentials: isSame ? 'as before' : 'changed' },
    })
    return after
  })
}

type PlannedChange = { readonly changed: StoredConnection; readonly secrets: ConnectionSecrets; readonly isSame: boolean }

/** What it would be. Throws where it may not be so. */
function planChange(
  { sealer }: Pick<ManageConnectionsDeps, 'sealer'>,
  before: StoredConnection,
  given: GatewayConnectionUpdate,
  at: Date,
): PlannedChange {
  const kept = openConnectionSecrets(sealer, before)
  const settings = given.settings === undefined ? before.settings : settingsOf(given.settings)
  const secrets = secretsAfter(before, kept, settings, given, at)
  const changed = { ...before, name: given.name ?? before.name, enabled: given.enabled ?? before.enabled, settings }
  checkForm(changed, secrets, at)
  if (isLiveConnection(changed, secrets) !== isLiveConnection(before, kept)) {
    throw new Problem('conflict', 'A connection stays what it is, live or test: its payments are in that account. Make another connection.')
  }
  return { changed, secrets, isSame: JSON.stringify(secrets) === JSON.stringify(kept) }
}

/** Not while money may still move through it: its callbacks could not be read any more. */
export async function removeConnection(deps: ManageConnectionsDeps, connectionId: string, author: Author): Promise<void> {
  const { resellerId } = author
  await deps.database.tenant(resellerId, async (db) => {
    const before = (await selectConnectionsForUpdate(db, resellerId)).find((each) => each.connectionId === connectionId)
    if (before === undefined) throw noSuchConnection()
    await refuseUnsettled(deps, connectionId, author.at)
    await deleteConnection(db, resellerId, connectionId)
    await writeAudit(db, author, { action: 'gateway_connection.deleted', objectId: connectionId, before: auditedConnection(before) })
  })
}

async function refuseUnsettled({ database }: ManageConnectionsDeps, connectionId: string, at: Date): Promise<void> {
  const { payments, refunds, disputes } = await countUnsettledAcrossResellers(
    database.systemPool,
    connectionId,
    later(at, -LATE_PAYMENT_MS),
  )
  if (payments + refunds + disputes === 0) return
  const message =
    'Payments, refunds or disputes are under way through this connection, and a payment may come through up to five days after it ended. Switch the ' +
    'connection off, and delete it when all of them are over.'
  throw new Problem('conflict', message, { details: { payments, refunds, disputes } })
}

/** When the webhook secret that was replaced last ends, where one is still valid. */
export function previousSecretUntil({ webhookSecrets }: ConnectionSecrets, at: Date): Date | undefined {
  const until = webhookSecrets[1]?.until
  return until !== undefined && new Date(until) > at ? new Date(until) : undefined
}

async function checkAddress({ gateways }: ManageConnectionsDeps, { baseUrl }: ConnectionSettings): Promise<void> {
  if (gateways === undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return
  await checkTarget(gateways.guard, new URL(baseUrl), 'settings.base_url')
}

type Credentials = NonNullable<GatewayConnectionUpdate['credentials']>

const apiSecretField = (gateway: GatewayId) => (gateway === 'stripe' ? 'api_key' : 'key_secret')

function apiSecretIn(gateway: GatewayId, credentials: Credentials): string | undefined {
  const other = gateway === 'stripe' ? 'key_secret' : 'api_key'
  if (credentials[other] !== undefined) throw wrong(`credentials.${other}`, `"credentials.${other}" is not of ${gateway}.`)
  return credentials[apiSecretField(gateway)]
}

function settingsOf(given: NonNullable<GatewayConnectionCreate['settings']>): ConnectionSettings {
  return {
    ...(given.base_url === undefined ? {} : { baseUrl: given.base_url }),
    ...(given.key_id === undefined ? {} : { keyId: given.key_id }),
  }
}

function secretsAfter(
  before: StoredConnection,
  kept: ConnectionSecrets,
  settings: ConnectionSettings,
  { credentials = {} }: GatewayConnectionUpdate,
  at: Date,
): ConnectionSecrets {
  const given = apiSecretIn(before.gateway, credentials)
  if (given === undefined && settings.baseUrl !== before.settings.baseUrl) {
    // Whoever may change a connection need not know its key, and must not be able to have it sent to a server of his own.
    const field = `credentials.${apiSecretField(before.gateway)}`
    throw wrong(field, `"settings.base_url" changes: give "${field}" again.`)
  }
  const apiSecret = given ?? kept.apiSecret
  const newest = credentials.webhook_secret
  if (newest === undefined || newest === kept.webhookSecrets[0]?.secret) return { apiSecret, webhookSecrets: kept.webhookSecrets }
  const until = new Date(at.getTime() + SECRET_OVERLAP_MS).toISOString()
  const older = kept.webhookSecrets
    .filter((each) => each.secret !== newest && (each.until === undefined || new Date(each.until) > at))
    .map((each) => ({ secret: each.secret, until: each.until ?? until }))
  return { apiSecret, webhookSecrets: [{ secret: newest }, ...older].slice(0, MAX_WEBHOOK_SECRETS) }
}

/** Refuses what no key of the gateway looks like, and names the field. */
function checkForm(connection: StoredConnection, secrets: ConnectionSecrets, at: Date): void {
  const { gateway, settings } = toGatewayConnection(connection, secrets, at)
  const toWire: Readonly<Record<string, string>> = { baseUrl: 'settings.base_url', keyId: 'settings.key_id' }
  if (gateway === 'stripe' && connection.settings.keyId !== undefined) throw wrong('settings.key_id', '"settings.key_id" is not of stripe.')
  const field = firstWrong(gateway === 'stripe' ? StripeSettings : RazorpaySettings, settings)
  if (field !== undefined) throw wrong(toWire[field] ?? 'settings', `"${toWire[field] ?? field}" is not what ${gateway} gives.`)
  const shown = toGatewayConnection(connection, secrets, at).secrets
  const wrongSecret = firstWrong(gateway === 'stripe' ? StripeSecrets : RazorpaySecrets, shown)
  if (wrongSecret !== undefined) {
    const name = wrongSecret === 'webhookSecrets' ? 'webhook_secret' : apiSecretField(gateway)
    throw wrong(`credentials.${name}`, `"credentials.${name}" is not what ${gateway} gives.`)
  }
  if (settings.baseUrl === undefined) return
  try {
    readBaseUrl(settings.baseUrl)
  } catch (error) {
    if (error instanceof GatewayError) throw wrong('settings.base_url', error.message)
    throw error
  }
}

/** The first field that the schema does not take. */
function firstWrong(schema: TSchema & { properties?: Record<string, TSchema> }, value: object): string | undefined {
  if (Value.Check(schema, value)) return undefined
  const held = value as Record<string, unknown>
  const isWrong = ([name, field]: [string, TSchema]) =>
    !(held[name] === undefined && '~optional' in field) && !Value.Check(field, held[name])
  return Object.entries(schema.properties ?? {}).find(isWrong)?.[0] ?? 'settings'
}

function auditedConnection({ gateway, name, enabled, settings }: StoredConnection): AuditedFields {
  return { gateway, name, enabled, settings }
}
