// The log of every change: who, when, from where, what. A row is written in the transaction of the change it records, so that there is
// neither a change without its row nor a row without its change. What arrives as telemetry, and what is predicted from it, is no change.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { FastifyRequest } from 'fastify'
import { type ActorType, type FieldChange, insertAuditRow } from './audit.sql.ts'

/** Who makes a change, when, and from where. */
export type Author = {
  readonly resellerId: string
  readonly type: ActorType
  /** Of the key, of the user, or of the account of the operating system that the command line ran under. */
  readonly id: string
  readonly at: Date
} & Partial<Origin>

/** Where a request came from. */
export type Origin = { readonly requestId: string; readonly address: string }

/** Fields by name, before or after a change. Never a secret. */
export type AuditedFields = Readonly<Record<string, unknown>>

export type AuditEntry = {
  /** The kind of thing and what became of it: `device.decommissioned`. */
  readonly action: `${string}.${string}`
  readonly objectId: string
  readonly subClientId?: string | undefined
  /** Absent: it was not there. With both, only what differs is kept, and where nothing does, no row is written. */
  readonly before?: AuditedFields | undefined
  readonly after?: AuditedFields | undefined
}

const MAX_FIELDS = 40
const MAX_VALUE_CHARACTERS = 200
/** A wall behind the rule that no secret is handed in. Key ids and scopes are none. */
const SECRET_NAME = /password|secret|token|credential|sha256|scrypt/i

/** The key or the person behind a request that got past the gate. */
export function authorOf(request: FastifyRequest, at: Date): Author {
  const { resellerId, keyId } = request.caller
  return { resellerId, type: keyId.startsWith('usr-') ? 'user' : 'key', id: keyId, at, ...originOf(request) }
}

export function originOf({ id, ip }: FastifyRequest): Origin {
  return { requestId: id, address: ip }
}

/** The service itself: the first start, and whatever runs without being asked. */
export function systemAuthor(resellerId: string, at: Date): Author {
  return { resellerId, type: 'system', id: 'roadworthy', at }
}

/** Whoever it was that did not sign in. */
export function anonymousAuthor(resellerId: string, at: Date, origin: Origin): Author {
  return { resellerId, type: 'anonymous', id: 'anonymous', at, ...origin }
}

/** Call with the connection of the transaction that makes the change. */
export async function writeAudit(db: Db, author: Author, { before, after, ...entry }: AuditEntry): Promise<void> {
  const changes = changedFields(before ?? {}, after ?? {})
  if (before !== undefined && after !== undefined && Object.keys(changes).length === 0) return
  await insertAuditRow(db, { ...author, ...entry, auditId: newId('aud'), changes })
}

function changedFields(before: AuditedFields, after: AuditedFields): Record<string, FieldChange> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].slice(0, MAX_FIELDS)
  const changes: Record<string, FieldChange> = {}
  for (const name of names) {
    const [from, to] = [JSON.stringify(before[name] ?? null), JSON.stringify(after[name] ?? null)]
    if (from !== to) changes[name] = SECRET_NAME.test(name) ? {} : { from: bounded(before[name], from), to: bounded(after[name], to) }
  }
  return changes
}

/** A value that is too long is kept as the beginning of its text. */
function bounded(value: unknown, json: string): unknown {
  if (json.length <= MAX_VALUE_CHARACTERS) return value ?? null
  return `${(typeof value === 'string' ? value : json).slice(0, MAX_VALUE_CHARACTERS).toWellFormed()}…`
}
