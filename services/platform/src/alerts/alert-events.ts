import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { NewEvent } from '../events/event.ts'
import { writeEvents } from '../events/outbox.ts'
import { subjectText } from '../readings/alarm.ts'
import { type ResellerAlert, selectOwnersAcrossResellers } from './alerts.sql.ts'

/** An alert that was changed; `before` is what it was when its row was locked. */
export type AlertTransition = { readonly before: ResellerAlert; readonly after: ResellerAlert }

/** Spec §6.1: `alert.created`. In the transaction that opens them. */
export async function publishOpened(db: Db, opened: readonly ResellerAlert[]): Promise<void> {
  await publish(
    db,
    opened.map((alert) => ({ alert, type: 'alert.created' as const, data: describeAlert(alert), occurredAt: alert.openedAt })),
  )
}

/** Spec gap §6.1: `alert.updated` for a severity that changed, `alert.resolved` for an alert that ended. In the transaction of the change. */
export async function publishChanged(db: Db, transitions: readonly AlertTransition[]): Promise<void> {
  await publish(db, transitions.flatMap(eventOf))
}

type AlertEvent = Omit<Extract<NewEvent, { type: `alert.${string}` }>, 'resellerId' | 'subClientId'> & { readonly alert: ResellerAlert }

function eventOf({ before, after }: AlertTransition): AlertEvent[] {
  const { status, updatedAt, severity, resolvedAt, resolvedBy, openedAt } = after
  const about = { alert: after, occurredAt: updatedAt }
  if (status === 'resolved') {
    if (before.status === 'resolved' || resolvedAt === undefined || resolvedBy === undefined) return []
    const ended = { resolvedBy, resolvedAt: resolvedAt.toISOString(), openedAt: openedAt.toISOString() }
    return [{ ...about, type: 'alert.resolved', data: { ...describeAlert(after), ...ended } }]
  }
  if (before.severity === severity) return []
  return [{ ...about, type: 'alert.updated', data: { ...describeAlert(after), previousSeverity: before.severity, status } }]
}

async function publish(db: Db, events: readonly AlertEvent[]): Promise<void> {
  if (events.length === 0) return
  const owners = await selectOwnersAcrossResellers(
    db,
    events.map(({ alert }) => alert),
  )
  await writeEvents(
    db,
    events.map(
      ({ alert, ...event }) => ({ ...event, resellerId: alert.resellerId, subClientId: owners.get(subjectText(alert)) }) as NewEvent,
    ),
  )
}

function describeAlert({ alertId, vehicleId, deviceId, severity, message, type, component, description, urgency, code }: ResellerAlert) {
  const about = { vehicleId: vehicleId ?? null, deviceId: deviceId ?? null }
  return { ...about, severity, message, id: alertId, type, component, description, urgency, code: code ?? null }
}
