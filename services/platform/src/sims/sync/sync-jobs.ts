import type { JobId } from '../../jobs/job.ts'

/** Takes a run to its end. The key of such a job is the id of the run. */
export const SYNC_JOB = 'sim_sync'
/** Begins a run as often as a connection sets. The key of such a job is the id of the connection. */
export const SCHEDULED_SYNC_JOB = 'sim_scheduled_sync'

/** Goes on as long as the connection is there and enabled. */
export function scheduledSyncJob({ resellerId, connectionId }: { readonly resellerId: string; readonly connectionId: string }): JobId {
  return { resellerId, kind: SCHEDULED_SYNC_JOB, key: connectionId }
}
