import { type EventType, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Caller } from '../keys/caller.ts'
import { missingScope } from '../keys/missing-scope.ts'
import { grants, type Scope } from '../keys/scopes.ts'

/** Spec gap §6: an event may be read with the scope that reads what it reports. */
const scopeOfEvent: Readonly<Record<EventType, Scope>> = {
  'vehicle.health.changed': 'vehicles:read',
  'alert.created': 'predict',
  'alert.updated': 'predict',
  'alert.resolved': 'predict',
  'incident.opened': 'predict',
  'incident.updated': 'predict',
  'incident.resolved': 'predict',
  'prediction.created': 'predict',
  'maintenance.completed': 'vehicles:read',
  'device.online': 'devices:read',
  'device.offline': 'devices:read',
  'device.decommissioned': 'devices:read',
  'sim.state.changed': 'billing:read',
  'sim.action.failed': 'billing:read',
  'sim.anomaly': 'billing:read',
  'usage.threshold': 'billing:read',
  'invoice.opened': 'billing:read',
  'invoice.paid': 'billing:read',
  'invoice.overdue': 'billing:read',
  'invoice.voided': 'billing:read',
  'invoice.credited': 'billing:read',
  'payment.failed': 'billing:read',
  'payment.unapplied': 'billing:read',
  'payment.refund.updated': 'billing:read',
  'payment.dispute.updated': 'billing:read',
  'webhook.endpoint.disabled': 'webhooks:manage',
  'webhook.test': 'webhooks:manage',
}

/** Scopes of which any one shows some of the log. */
export const eventScopes: readonly Scope[] = [...new Set(Object.values(scopeOfEvent))]

/** The types that were asked for, or else all that the caller may read. Throws for one that does not exist or that the caller may not read. */
export function readableTypes(caller: Caller, asked: string | undefined): readonly EventType[] {
  if (asked === undefined) return eventTypes.filter((type) => grants(caller.scopes, scopeOfEvent[type]))
  return asked.split(',').map((text) => {
    const type = eventTypes.find((each) => each === text.trim())
    if (type === undefined) {
      throw new Problem('invalid_request', `"type" names ${JSON.stringify(text)}, which is no type of event: ${eventTypes.join(', ')}.`, {
        details: { in: 'querystring', field: 'type', allowed: eventTypes },
      })
    }
    requireReadable(caller, [type])
    return type
  })
}

export function unreadableTypes({ scopes }: Caller): readonly EventType[] {
  return eventTypes.filter((type) => !grants(scopes, scopeOfEvent[type]))
}

/** Throws unless the caller may read all of these types. */
export function requireReadable({ scopes }: Caller, types: readonly EventType[]): void {
  for (const type of types) if (!grants(scopes, scopeOfEvent[type])) throw missingScope(scopeOfEvent[type])
}
