// A change and its row in the audit log are one transaction, so a change needs a partition for its row. Services make them weeks ahead; the
// command line may be used when none has run for longer.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectIsPartitioned } from './partitions.sql.ts'
import { ensurePartitions, partitionHorizonDays } from './partitions.ts'

export const AUDIT_LOG = { name: 'audit_log', writtenBackDays: 1 } as const

/** Makes the partition that rows of today need, where there is none. */
export async function ensureAuditPartition(db: Db, at: Date): Promise<void> {
  // An empty database has no such table, and one of an earlier version has one without partitions.
  if (!(await selectIsPartitioned(db, AUDIT_LOG.name))) return
  if ((await partitionHorizonDays(db, AUDIT_LOG, at)) < 1) await ensurePartitions(db, AUDIT_LOG, at)
}
