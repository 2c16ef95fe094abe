import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { subjectText } from '../readings/alarm.ts'
import { decideIncidents, type IncidentScope } from './decide-incidents.ts'
import { decidePublication, type PublishedTransition } from './decide-publication.ts'
import type { Ending, Incident } from './incident.ts'
import { selectFindingsOfIncidents } from './incidents.read.sql.ts'
import {
  insertIncidentsAcrossResellers,
  selectIncidentsForUpdate,
  selectKnownIncidentsAcrossResellers,
  updateIncidentsAcrossResellers,
} from './incidents.sql.ts'
import { publishIncidents } from './publish-incidents.ts'

const newIncidentId = () => newId('inc')

export type SettleAt = { readonly at: Date; readonly ending?: Ending | undefined }

/**
 * Brings incidents in line with the alerts that a transaction leaves, whose rows it has locked, before it writes them; in a bounded number of
 * statements, however many scopes. `ending` is of incidents that no finding is left of. Answers by scope, in the order given, the incident of each alert.
 */
export async function settleIncidentsAcrossResellers(
  db: Db,
  scopes: readonly IncidentScope[],
  when: SettleAt,
): Promise<ReadonlyMap<string, string>[]> {
  if (scopes.length === 0) return []
  // Most scores change nothing: what then was only read costs no write. Who resolves an incident needs its alerts, which are locked.
  const unchanged = await decide(db, scopes, when, 'unlocked')
  const decisions = unchanged.some(({ transitions }) => transitions.some(isToWrite)) ? await decide(db, scopes, when, 'locked') : unchanged
  await storeTransitions(
    db,
    decisions.flatMap(({ transitions }) => transitions),
    when.at,
  )
  return decisions.map(({ incidentIds }) => incidentIds)
}

type Decision = { readonly transitions: readonly PublishedTransition[]; readonly incidentIds: ReadonlyMap<string, string> }

async function decide(
  db: Db,
  scopes: readonly IncidentScope[],
  { at, ending }: SettleAt,
  lock: 'locked' | 'unlocked',
): Promise<Decision[]> {
  const incidents = await selectKnownIncidentsAcrossResellers(db, scopes, at, lock)
  const known = Map.groupBy(incidents, (incident) => keyOf(incident, incident.source))
  return scopes.map((scope) => {
    const ofSubject = known.get(keyOf(scope.subject, scope.source)) ?? []
    const ofScope = scope.cause === undefined ? ofSubject : ofSubject.filter(({ cause }) => cause === scope.cause)
    const { transitions, incidentIds } = decideIncidents(ofScope, scope, { at, newIncidentId, ending })
    return { transitions: transitions.map((each) => decidePublication(each, at)), incidentIds }
  })
}

/** Looks at these incidents of a reseller again after some of their alerts were resolved. `ending` is of those that none is left of. */
export async function resettleIncidents(
  db: Db,
  resellerId: string,
  incidentIds: readonly string[],
  { at, ending }: SettleAt,
): Promise<void> {
  if (incidentIds.length === 0) return
  const incidents = (await selectIncidentsForUpdate(db, resellerId, incidentIds)).filter(({ status }) => status !== 'resolved')
  const findings = Map.groupBy(await selectFindingsOfIncidents(db, resellerId, incidentIds), ({ incidentId }) => incidentId)
  const shrunk = new Set(incidentIds)
  const transitions = incidents.flatMap((incident) => {
    const { source, cause } = incident
    const scope = { subject: incident, source, cause, findings: findings.get(incident.incidentId) ?? [], descriptions: new Map(), shrunk }
    return decideIncidents([incident], scope, { at, newIncidentId, ending }).transitions
  })
  await storeTransitions(
    db,
    transitions.map((each) => decidePublication(each, at)),
    at,
  )
}

/** Writes what changed and publishes what of it is news. */
export async function storeTransitions(db: Db, transitions: readonly PublishedTransition[], at: Date): Promise<void> {
  const changed = transitions.filter((each) => each.before !== undefined && isToWrite(each))
  const opened = transitions.filter(({ before }) => before === undefined)
  if (changed.length > 0) await updateIncidentsAcrossResellers(db, afterOf(changed))
  if (opened.length > 0) await insertIncidentsAcrossResellers(db, afterOf(opened))
  await publishIncidents(db, transitions, at)
}

/** What does not change keeps its very `updatedAt`. */
function isToWrite({ before, after, event }: PublishedTransition): boolean {
  return before === undefined || event !== undefined || after.updatedAt !== before.updatedAt
}

function afterOf(transitions: readonly PublishedTransition[]): Incident[] {
  return transitions.map(({ after }) => after)
}

function keyOf(subject: Parameters<typeof subjectText>[0], source: string): string {
  return `${source} ${subjectText(subject)}`
}
