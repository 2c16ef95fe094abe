// For tests only: the alerts and incidents of one vehicle as scores and people leave them, without a store.

import type { Alert, ReportedAlert } from '../alerts/alert.ts'
import { decideAlerts, openAlert } from '../alerts/decide-alerts.ts'
import { decideIncidents, type IncidentTransition } from './decide-incidents.ts'
import { decidePublication, type IncidentEventType } from './decide-publication.ts'
import type { Description, Ending, Finding, Incident } from './incident.ts'
import { type IncidentMove, moveIncident } from './move-incident.ts'

const START_MS = Date.parse('2026-05-04T10:00:00.000Z')

export type Published = {
  readonly incidentId: string
  readonly event: IncidentEventType
  readonly atMs: number
  readonly isGraver: boolean
  readonly byPerson: boolean
}

export class IncidentLife {
  readonly alerts: Alert[] = []
  readonly incidents: Incident[] = []
  readonly published: Published[] = []
  nowMs = START_MS

  get at(): Date {
    return new Date(this.nowMs)
  }

  standing(): Alert[] {
    return this.alerts.filter(({ status }) => status !== 'resolved')
  }

  live(): Incident[] {
    return this.incidents.filter(({ status }) => status !== 'resolved')
  }

  /** `causes` is by type of alert; one that is not named is grouped by its component. */
  score(reports: readonly ReportedAlert[], causes: Readonly<Record<string, string>> = {}): void {
    const moment = { scoredAt: this.at, readingAt: this.at, currentSignals: new Set<string>() }
    const before = this.alerts.filter(({ conditionEndedAt }) => conditionEndedAt === undefined)
    const { opened, changed } = decideAlerts(before, reports, moment)
    const shrunk = new Set<string>()
    for (const [nth, alert] of before.entries()) {
      const after = changed[nth] ?? alert
      if (alert.status !== 'resolved' && after.status === 'resolved' && alert.incidentId !== undefined) shrunk.add(alert.incidentId)
      this.alerts[this.alerts.indexOf(alert)] = after
    }
    for (const report of opened) this.alerts.push(openAlert(report, { alertId: `alr-${this.alerts.length}`, vehicleId: 'veh' }, moment))
    const reported = new Set(reports.map(({ type }) => type))
    this.settle((type) => (reported.has(type) ? causes[type] : undefined), shrunk)
  }

  /** An alert is resolved by itself: by a person, or by work on its component. */
  resolveAlert(alert: Alert, ending: Ending): void {
    this.alerts[this.alerts.findIndex(({ alertId }) => alertId === alert.alertId)] = {
      ...alert,
      status: 'resolved',
      resolvedAt: this.at,
      resolvedBy: 'user',
    }
    this.settle(() => undefined, new Set(alert.incidentId === undefined ? [] : [alert.incidentId]), ending)
  }

  move(incident: Incident, move: IncidentMove): Incident {
    const after = moveIncident(incident, move, { id: 'usr-1', at: this.at })
    if (after === incident) return incident
    if (move.to === 'resolved') {
      for (const alert of this.standing().filter(({ incidentId }) => incidentId === incident.incidentId)) {
        this.alerts[this.alerts.indexOf(alert)] = { ...alert, status: 'resolved', resolvedAt: this.at, resolvedBy: 'user' }
      }
    }
    return this.keep({ before: incident, after, joined: false, alertIds: [] }, true)
  }

  private settle(causeOf: (type: string) => string | undefined, shrunk: ReadonlySet<string>, ending?: Ending): void {
    const findings = this.standing().map((alert): Finding => ({ ...alert, cause: causeOf(alert.type) }))
    const scope = {
      subject: { resellerId: 'acme', vehicleId: 'veh', deviceId: undefined },
      ...{ source: 'engine' as const, cause: undefined, findings, descriptions: new Map<string, Description>(), shrunk },
    }
    const newIncidentId = (() => {
      let next = this.incidents.length
      return () => `inc-${next++}`
    })()
    const { transitions, incidentIds } = decideIncidents(this.incidents, scope, { at: this.at, newIncidentId, ending })
    for (const each of transitions) this.keep(each, false)
    for (const [nth, alert] of this.alerts.entries()) {
      this.alerts[nth] = { ...alert, incidentId: incidentIds.get(alert.alertId) ?? alert.incidentId }
    }
  }

  private keep(transition: IncidentTransition, byPerson: boolean): Incident {
    const { after, before, event } = decidePublication(transition, this.at, byPerson)
    const nth = before === undefined ? this.incidents.length : this.incidents.findIndex(({ incidentId }) => incidentId === after.incidentId)
    this.incidents[nth] = after
    const isGraver = before !== undefined && after.severity !== before.published.severity
    if (event !== undefined) this.published.push({ incidentId: after.incidentId, event, atMs: this.nowMs, isGraver, byPerson })
    return after
  }
}
