// What a reseller does with its connection: it has one or none.

import type { PutStreamConnectionRequest } from '@roadworthy/contracts/platform-v1/stream-connection'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type AuditedFields, type Author, writeAudit } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import { checkCertificateWithKey, checkConnection, checkTargets } from './check-connection.ts'
import {
  deleteConnection,
  type SealedConnection,
  selectConnection,
  selectConnectionForUpdate,
  upsertConnection,
} from './connections.sql.ts'
import { deleteOffsets } from './offsets.sql.ts'
import { openStreamSecrets, type StreamSecrets, sealStreamSecrets } from './secrets.ts'
import type { StreamConnection } from './stream-connection.ts'
import { deleteStrike } from './strikes.sql.ts'

export type ManageDeps = {
  readonly database: Database
  readonly sealer: Sealer
  readonly guard: AddressGuard
  readonly now: () => Date
}

const NO_SECRETS: StreamSecrets = { password: undefined, key: undefined }

/** The stream speaks for every device of the reseller. */
export function refusePinned({ subClientPin }: Pick<Caller, 'subClientPin'>): void {
  if (subClientPin === undefined) return
  throw new Problem('missing_scope', 'This key belongs to one sub-client; the stream is that of the reseller.', {
    details: { required_scope: '*' },
  })
}

export async function requireConnection(database: Database, resellerId: string): Promise<SealedConnection> {
  const connection = await selectConnection(database.tenantPool(resellerId), resellerId)
  if (connection === undefined) throw noConnection()
  return connection
}

const noConnection = () => new Problem('not_found', 'There is no stream connection. PUT makes one.')

/** Makes it or changes it: what is left out is as if there had been none, except for secrets, which stay. */
export async function putConnection(deps: ManageDeps, given: PutStreamConnectionRequest, author: Author): Promise<StreamConnection> {
  const { resellerId } = author
  checkConnection(given)
  await checkTargets(deps.guard, given.brokers)
  return await deps.database.tenant(resellerId, async (db) => {
    const before = await selectConnectionForUpdate(db, resellerId)
    const kept = before === undefined ? NO_SECRETS : openStreamSecrets(deps.sealer, resellerId, before.secretsSealed)
    const secrets = secretsAfter(given, before, kept)
    checkCertificateWithKey(given.tls?.certificate ?? undefined, secrets.key)
    const after = connectionAfter(given, before, secrets, author)
    const isSame = JSON.stringify(secrets) === JSON.stringify(kept)
    const audited = { before: before && auditedConnection(before), after: auditedConnection(after) }
    // Whoever reads it begins anew with another revision.
    if (before !== undefined && isSame && JSON.stringify(audited.before) === JSON.stringify(audited.after)) return before
    await upsertConnection(db, { ...after, secretsSealed: sealStreamSecrets(deps.sealer, resellerId, secrets) })
    await writeAudit(db, author, {
      action: before === undefined ? 'stream_connection.created' : 'stream_connection.updated',
      objectId: resellerId,
      // The log records of secrets that they were changed, and never shows one.
      ...(before === undefined ? {} : { before: { ...audited.before, secrets: 'as before' } }),
      after: { ...audited.after, secrets: isSame ? 'as before' : 'changed' },
    })
    return after
  })
}

/** Forgets where it was read from, how far, and its secrets. */
export async function removeConnection({ database }: ManageDeps, author: Author): Promise<void> {
  const { resellerId } = author
  await database.tenant(resellerId, async (db) => {
    const before = await selectConnectionForUpdate(db, resellerId)
    if (before === undefined) throw noConnection()
    await deleteConnection(db, resellerId)
    await deleteOffsets(db, resellerId)
    await deleteStrike(db, resellerId)
    await writeAudit(db, author, { action: 'stream_connection.deleted', objectId: resellerId, before: auditedConnection(before) })
  })
}

function connectionAfter(
  given: PutStreamConnectionRequest,
  before: StreamConnection | undefined,
  secrets: StreamSecrets,
  { resellerId, at }: Author,
): StreamConnection {
  const { tls, sasl } = given
  return {
    resellerId,
    enabled: given.enabled ?? true,
    brokers: given.brokers,
    topic: given.topic,
    groupId: given.groupId ?? `roadworthy-${resellerId}`,
    startAt: given.startAt === 'latest' ? 'latest' : 'earliest',
    tls: tls ? { ca: tls.ca ?? undefined, certificate: tls.certificate ?? undefined, hasKey: secrets.key !== undefined } : undefined,
    sasl: sasl ? { mechanism: sasl.mechanism, username: sasl.username, hasPassword: secrets.password !== undefined } : undefined,
    revision: newId('rev'),
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  }
}

function secretsAfter(
  { tls, sasl, brokers }: PutStreamConnectionRequest,
  before: StreamConnection | undefined,
  kept: StreamSecrets,
): StreamSecrets {
  const password = sasl?.password === undefined ? (sasl ? kept.password : undefined) : (sasl.password ?? undefined)
  const key = tls?.key === undefined ? (tls ? kept.key : undefined) : (tls.key ?? undefined)
  const isElsewhere = brokers.some((broker) => before?.brokers.includes(broker) !== true) || (before?.tls !== undefined && !tls)
  if (sasl && sasl.password === undefined && kept.password !== undefined && isElsewhere) {
    // Whoever may change a connection need not know its password, and must not be able to have it sent to a broker of his own.
    throw new Problem('invalid_request', 'A broker was added or TLS was left: give "sasl.password" again, or null for none.', {
      details: { field: 'sasl.password' },
    })
  }
  return { password, key }
}

function auditedConnection({ enabled, brokers, topic, groupId, startAt, tls, sasl }: StreamConnection): AuditedFields {
  return {
    enabled,
    brokers,
    topic,
    groupId,
    startAt,
    tls: tls !== undefined,
    authorities: tls?.ca,
    certificate: tls?.certificate,
    mechanism: sasl?.mechanism,
    username: sasl?.username,
  }
}
