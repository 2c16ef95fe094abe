import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AuditedFields } from '../audit/audit.ts'

/** Spec gap §3: the values of a sub-client's status. */
export type SubClientStatus = 'active' | 'suspended' | 'deactivated'

/** What a sub-client may have and use; undefined where that is not limited. Months are of UTC. */
export type SubClientLimits = {
  readonly devices: number | undefined
  readonly readingsPerMonth: number | undefined
  readonly predictionsPerMonth: number | undefined
}

export type SubClient = {
  readonly subClientId: string
  readonly name: string
  readonly contactEmail: string | undefined
  readonly contactPhone: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: SubClientStatus
  /** Devices that are not decommissioned. */
  readonly deviceCount: number
  readonly vehicleCount: number
  readonly limits: SubClientLimits
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What was not given stays; `undefined` inside a given field removes it. */
export type SubClientChanges = {
  readonly name?: string
  readonly status?: SubClientStatus
  readonly contactEmail?: string | undefined
  readonly contactPhone?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly limits?: Partial<SubClientLimits>
}

/** One page of 500 sub-clients stays below 10 MB. */
const MAX_METADATA_BYTES = 16 * 1024

/** What the audit log holds of it. */
export function auditedSubClient({ name, status, contactEmail, contactPhone, metadata }: SubClient): AuditedFields {
  return { name, status, contactEmail, contactPhone, metadata }
}

export function assertMetadata(metadata: Readonly<Record<string, unknown>>): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES) return
  throw new Problem('invalid_request', `"metadata" is larger than ${MAX_METADATA_BYTES} bytes of JSON.`, { details: { field: 'metadata' } })
}

/** The same for one that never was, one of another reseller, and one outside the caller's pin. */
export function noSuchSubClient(): Problem {
  return new Problem('not_found', 'There is no such sub-client.')
}

/** Spec gap §3: a suspended or deactivated sub-client can be read, and nothing of it can be changed. */
export function assertWritable(status: SubClientStatus): void {
  if (status !== 'active')
    throw new Problem('sub_client_suspended', `The sub-client is ${status}: what belongs to it can be read, not changed.`)
}
