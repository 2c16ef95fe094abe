// Types of events in words, in the groups in which they are chosen.

import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { t } from '../text/translate.ts'

export const eventWords: Readonly<Record<EventType, string>> = {
  'vehicle.health.changed': t('The health of a vehicle changed'),
  'prediction.created': t('The remaining life of a part is predicted, or moved'),
  'maintenance.completed': t('Maintenance was completed'),
  'incident.opened': t('An incident was opened'),
  'incident.updated': t('An incident changed'),
  'incident.resolved': t('An incident ended'),
  'alert.created': t('An alert was opened'),
  'alert.updated': t('The severity of an alert changed'),
  'alert.resolved': t('An alert ended'),
  'device.online': t('A device came online'),
  'device.offline': t('A device went offline'),
  'device.decommissioned': t('A device was decommissioned'),
  'sim.state.changed': t('The state of a SIM changed'),
  'sim.action.failed': t('An action on a SIM failed'),
  'sim.anomaly': t('A SIM shows an anomaly'),
  'usage.threshold': t('Usage reached 80 % or 100 % of a limit'),
  'invoice.opened': t('An invoice was issued'),
  'invoice.paid': t('An invoice was paid'),
  'invoice.overdue': t('An invoice is overdue'),
  'invoice.voided': t('An invoice was cancelled'),
  'invoice.credited': t('A credit note was issued'),
  'payment.failed': t('A payment failed'),
  'payment.unapplied': t('A payment came that no invoice takes'),
  'payment.refund.updated': t('A refund moved on'),
  'payment.dispute.updated': t('A dispute moved on'),
  'webhook.endpoint.disabled': t('Another endpoint was switched off'),
  'webhook.test': t('Test'),
}

export type EventGroup = { readonly label: string; readonly types: readonly EventType[] }

/** All but the test, which is sent to the endpoint that it was asked for whatever was chosen. */
export const eventGroups: readonly EventGroup[] = [
  { label: t('Vehicles'), types: ['vehicle.health.changed', 'prediction.created', 'maintenance.completed'] },
  {
    label: t('Incidents and alerts'),
    types: ['incident.opened', 'incident.updated', 'incident.resolved', 'alert.created', 'alert.updated', 'alert.resolved'],
  },
  { label: t('Devices'), types: ['device.online', 'device.offline', 'device.decommissioned'] },
  { label: t('SIMs'), types: ['sim.state.changed', 'sim.action.failed', 'sim.anomaly'] },
  {
    label: t('Usage and invoices'),
    types: ['usage.threshold', 'invoice.opened', 'invoice.paid', 'invoice.overdue', 'invoice.voided', 'invoice.credited'],
  },
  { label: t('Payments'), types: ['payment.failed', 'payment.unapplied', 'payment.refund.updated', 'payment.dispute.updated'] },
  { label: t('Webhooks'), types: ['webhook.endpoint.disabled'] },
]

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(eventWords, value)
}

/** For the list of endpoints: `All events`, `An alert was opened and 2 others`. */
export function chosenEventsText(types: readonly EventType[] | null): string {
  if (types === null) return t('All events')
  const [first] = types
  if (first === undefined) return t('None')
  if (types.length === 1) return eventWords[first]
  return t('{first} and {count, plural, one {# other} other {# others}}', { first: eventWords[first], count: types.length - 1 })
}
