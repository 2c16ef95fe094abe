// An account at an operator's platform, and the terms of the contract behind it.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AuditedFields } from '../../audit/audit.ts'
import type { OperatorId } from '../operators/operator.ts'

/** Names as the adapters have them; which there are is by operator. */
export type StoredSettings = Readonly<Record<string, string | number>>

export type OperatorConnection = {
  readonly resellerId: string
  readonly connectionId: string
  readonly operator: OperatorId
  readonly name: string
  readonly enabled: boolean
  readonly baseUrl: string
  readonly settings: StoredSettings
  readonly custodyMinDays: number
  readonly custodyMaxDays: number
  readonly custodyOnExpiry: 'suspend' | 'activate'
  readonly terminationGraceDays: number
  readonly syncEveryMinutes: number
  /** The rate plan of its SIMs that no rate plan claims by the operator's name of theirs. */
  readonly defaultPlanId: string | undefined
  readonly syncedUntil: Date | undefined
  /** Another one with every change: what is kept of a connection elsewhere is of one revision. */
  readonly revision: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type SealedConnection = OperatorConnection & { readonly secretsSealed: Buffer }

/** What the audit log holds of it. */
export function auditedConnection(connection: OperatorConnection): AuditedFields {
  const { resellerId, connectionId, revision, syncedUntil, createdAt, updatedAt, ...fields } = connection
  return fields
}

/** The same for one that never was, one of another reseller, and any under a key that is pinned to a sub-client. */
export function noSuchConnection(): Problem {
  return new Problem('not_found', 'There is no such operator connection.')
}
