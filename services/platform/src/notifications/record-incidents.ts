import type { EventRecorder } from '../events/relay.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { selectRuledResellersAcrossResellers } from './rules/rules.sql.ts'

/** The key of the job is the id of the incident. */
export const INCIDENT_JOB = 'notify-of-incident'

/** Asks that messages about incidents be decided, in the transaction that gives the events their place in the log. Sends nothing. */
export function createIncidentRecorder({ now }: { now: () => Promise<Date> }): EventRecorder {
  return async (db, events) => {
    const incidentEvents = events.filter(({ type }) => type.startsWith('incident.'))
    if (incidentEvents.length === 0) return
    const ruled = await selectRuledResellersAcrossResellers(db, [...new Set(incidentEvents.map(({ resellerId }) => resellerId))])
    const jobs = new Map<string, { resellerId: string; kind: string; key: string; traceparent: string | undefined }>()
    for (const { resellerId, body, traceparent } of incidentEvents) {
      if (!ruled.has(resellerId)) continue
      const { data } = JSON.parse(body) as { data: { id: string } }
      jobs.set(`${resellerId} ${data.id}`, { resellerId, kind: INCIDENT_JOB, key: data.id, traceparent })
    }
    const dueAt = await now()
    for (const { traceparent, ...job } of jobs.values()) await upsertJob(db, job, dueAt, traceparent)
  }
}
