import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type AuditedFields, type Author, writeAudit } from '../audit/audit.ts'
import { assertOwnerWritable } from '../fleet/sub-client-access.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { selectUser } from '../people/users.sql.ts'
import { subjectText } from '../readings/alarm.ts'
import { decidePublication } from './decide-publication.ts'
import { type Finding, type Incident, type Resolution, statusAt } from './incident.ts'
import { hasMaintenance, selectFindingsOfIncidents, selectIncidentOwnersAcrossResellers } from './incidents.read.sql.ts'
import { selectIncidentSubject, selectIncidentsForUpdate } from './incidents.sql.ts'
import { type IncidentMove, moveIncident } from './move-incident.ts'
import { storeTransitions } from './settle-incidents.ts'

/** Resolves the alerts of an incident that are not, as the slice that keeps them does it, and locks them. */
export type ResolveAlerts = (
  db: Db,
  resellerId: string,
  of: { readonly incidentId: string; readonly by: 'user' | 'maintenance'; readonly at: Date },
) => Promise<void>

export type IncidentChange = {
  readonly incidentId: string
  readonly move: IncidentMove | undefined
  /** Null: nobody; undefined: as it is. */
  readonly assignee: string | null | undefined
}

export type ChangeIncidentDeps = { readonly database: Database; readonly resolveAlerts: ResolveAlerts }

/** An alert joined while the others were being locked; it is locked the next time. */
class JoinedMeanwhile extends Error {}
const ATTEMPTS = 3

/** `at` of the author is the database's: snoozes end by its clock. */
export async function changeIncident(deps: ChangeIncidentDeps, viewer: Viewer, change: IncidentChange, author: Author): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await deps.database.tenant(viewer.resellerId, (db) => changeOnce(db, deps, viewer, change, author))
      return
    } catch (error) {
      if (!(error instanceof JoinedMeanwhile)) throw error
      if (attempt === ATTEMPTS) throw new Problem('conflict', 'Findings joined the incident while it was being resolved. Try again.')
    }
  }
}

/** A move that resolves nothing, in a transaction of the caller's. False: it was so already. */
export async function changeIncidentWithin(
  db: Db,
  viewer: Viewer,
  change: IncidentChange & { readonly move: Exclude<IncidentMove, { to: 'resolved' }> },
  author: Author,
): Promise<boolean> {
  return await changeOnce(db, { resolveAlerts: async () => undefined }, viewer, change, author)
}

async function changeOnce(
  db: Db,
  { resolveAlerts }: Pick<ChangeIncidentDeps, 'resolveAlerts'>,
  viewer: Viewer,
  change: IncidentChange,
  author: Author,
): Promise<boolean> {
  const { incidentId, move, assignee } = change
  const { resellerId } = viewer
  const { at } = author
  const subClientId = await requireIncidentOwner(db, viewer, incidentId)
  await assertOwnerWritable(db, resellerId, subClientId)
  // Alerts before incidents, as a score takes them. Of a move that is refused the transaction leaves nothing.
  if (move?.to === 'resolved') await resolveAlerts(db, resellerId, { incidentId, by: resolvedAs(move.resolution), at })
  const [before] = await selectIncidentsForUpdate(db, resellerId, [incidentId])
  if (before === undefined) throw noSuchIncident()
  const findings = await selectFindingsOfIncidents(db, resellerId, [incidentId])
  const moved = move === undefined ? before : moveIncident(before, move, author)
  if (moved.status === 'resolved' && findings.length > 0) throw new JoinedMeanwhile()
  if (move?.to === 'resolved' && moved !== before) await checkMaintenance(db, moved, move.resolution)
  if (typeof assignee === 'string' && assignee !== moved.assignee) await requireUser(db, viewer, assignee, subClientId)
  const after = assigned(moved, assignee, at)
  if (after === before) return false
  const action = move === undefined || moved === before ? 'incident.assigned' : auditedMoves[move.to]
  await storeChange(db, { before, after, action, subClientId, findings }, author)
  return true
}

/** Nobody is at it from here on. Of an incident that the transaction has locked. */
export async function unassign(db: Db, before: Incident, subClientId: string | undefined, author: Author): Promise<void> {
  const findings = await selectFindingsOfIncidents(db, before.resellerId, [before.incidentId])
  const after = assigned(before, null, author.at)
  await storeChange(db, { before, after, action: 'incident.assigned', subClientId, findings }, author)
}

type StoredChange = {
  readonly before: Incident
  readonly after: Incident
  readonly action: `incident.${string}`
  readonly subClientId: string | undefined
  readonly findings: readonly Finding[]
}

async function storeChange(db: Db, { before, after, action, subClientId, findings }: StoredChange, author: Author): Promise<void> {
  const { at } = author
  await writeAudit(db, author, {
    ...{ action, objectId: before.incidentId, subClientId },
    ...{ before: auditedIncident(before, at), after: auditedIncident(after, at) },
  })
  const alertIds = findings.map(({ alertId }) => alertId)
  await storeTransitions(db, [decidePublication({ before, after, joined: false, alertIds }, at, true)], at)
}

const auditedMoves = {
  open: 'incident.reopened',
  acknowledged: 'incident.acknowledged',
  snoozed: 'incident.snoozed',
  resolved: 'incident.resolved',
} as const satisfies Readonly<Record<IncidentMove['to'], string>>

/** Work ends alerts as completed maintenance does: what a day later is still reported was not mended. */
function resolvedAs({ reason }: Resolution): 'user' | 'maintenance' {
  return reason === 'work_done' ? 'maintenance' : 'user'
}

/** Its sub-client, where it has one. What the viewer does not see is as what is not there. */
export async function requireIncidentOwner(db: Db, { resellerId, subClientPin }: Viewer, incidentId: string): Promise<string | undefined> {
  const incident = await selectIncidentSubject(db, resellerId, incidentId)
  if (incident === undefined) throw noSuchIncident()
  const owner = (await selectIncidentOwnersAcrossResellers(db, [incident])).get(subjectText(incident))
  if (subClientPin !== undefined && owner !== subClientPin) throw noSuchIncident()
  return owner
}

function assigned(incident: Incident, assignee: string | null | undefined, at: Date): Incident {
  if (assignee === undefined || (assignee ?? undefined) === incident.assignee) return incident
  return { ...incident, assignee: assignee ?? undefined, updatedAt: at }
}

/** Somebody who can sign in or is invited to, and sees what belongs to `owner`. */
async function requireUser(db: Db, { resellerId, subClientPin }: Viewer, userId: string, owner: string | undefined): Promise<void> {
  const user = /^usr-[a-z0-9]+$/.test(userId) ? await selectUser(db, resellerId, userId, subClientPin) : undefined
  const isThere = user !== undefined && user.status !== 'deactivated' && (user.subClientId === undefined || user.subClientId === owner)
  if (!isThere) throw new Problem('not_found', 'There is no such user who sees the incident.')
}

async function checkMaintenance(db: Db, { resellerId, vehicleId }: Incident, { reason, maintenanceId }: Resolution): Promise<void> {
  if (maintenanceId === undefined) return
  if (reason !== 'work_done') {
    throw new Problem('invalid_request', '"maintenanceId" is of work that was done; the reason is another.', {
      details: { in: 'body', field: 'resolution/maintenanceId' },
    })
  }
  const isKnown =
    vehicleId !== undefined && /^mnt-[a-z0-9]+$/.test(maintenanceId) && (await hasMaintenance(db, resellerId, { vehicleId, maintenanceId }))
  if (!isKnown) throw new Problem('not_found', 'There is no such maintenance of the vehicle.')
}

function auditedIncident(incident: Incident, at: Date): AuditedFields {
  const { assignee, snoozedUntil, resolution } = incident
  return {
    ...{ status: statusAt(incident, at), assignee, snoozedUntil: snoozedUntil?.toISOString() },
    ...{ reason: resolution?.reason, note: resolution?.note, maintenanceId: resolution?.maintenanceId },
  }
}

export function noSuchIncident(): Problem {
  return new Problem('not_found', 'There is no such incident.')
}
