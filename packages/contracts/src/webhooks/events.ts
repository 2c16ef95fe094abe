// What happened, reported the same way by webhooks and by the log of events (spec §6.1). Added to the spec's four: what befalls devices,
// usage and the webhook endpoints themselves.

import { healthStatuses } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, type TObject, Type } from 'typebox'
import { Flapping, Resolution } from '../platform-v1/incidents.ts'
import { Prediction } from '../platform-v1/predictions.ts'
import { anomalyTypes } from '../sim-billing/sim-anomalies.ts'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'

const vehicleId = Type.String()
const deviceId = Type.String()
const healthStatus = (description: string) => Type.Enum(healthStatuses, { type: 'string', description })
const score = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const HealthChanged = Type.Object(
  {
    vehicleId,
    previousScore: score('As last published.'),
    healthScore: score('Now.'),
    previousStatus: healthStatus('As last published.'),
    healthStatus: healthStatus('Now.'),
    components: Type.Record(Type.String(), Type.Number(), { title: 'ComponentScores', description: 'Health of each component now.' }),
  },
  { description: 'The health of a vehicle changed its status, or moved by 5 points, since it was last published.' },
)

const alert = {
  vehicleId: nullable(Type.String({ description: 'Null of an alert that a device raised while it was in no vehicle that is known.' })),
  deviceId: nullable(Type.String({ description: 'The device that raised it, where one did.' })),
  severity: Type.Enum(severities, { type: 'string' }),
  message: Type.String({ description: 'One sentence that names the reading and the threshold.' }),
  id: Type.String({ description: 'Of the alert.' }),
  type: Type.String(),
  component: Type.String(),
  description: Type.String(),
  urgency: Type.String(),
  code: nullable(Type.String({ description: 'The fault code, for an alert that comes from one.' })),
}

const AlertCreated = Type.Object(alert, { description: 'An alert was opened.' })

const AlertUpdated = Type.Object(
  {
    ...alert,
    previousSeverity: Type.Enum(severities, { type: 'string', description: 'Before it changed.' }),
    status: Type.Enum(['open', 'acknowledged'], { type: 'string' }),
  },
  { description: 'The severity of an alert that stands has changed.' },
)

const AlertResolved = Type.Object(
  {
    ...alert,
    resolvedBy: Type.Enum(['engine', 'user', 'maintenance'], {
      type: 'string',
      description: '`engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more.',
    }),
    resolvedAt: timestamp('When it was resolved.'),
    openedAt: timestamp('When it was opened.'),
  },
  { description: 'An alert has ended.' },
)

const incident = {
  id: Type.String({ description: 'Of the incident.' }),
  vehicleId: alert.vehicleId,
  deviceId: alert.deviceId,
  component: Type.String({ description: 'The part it is about.' }),
  severity: Type.Enum(severities, { type: 'string' }),
  status: Type.Enum(['open', 'acknowledged', 'snoozed', 'resolved'], { type: 'string' }),
  title: Type.String({ description: 'A few words. They mark one that comes and goes.' }),
  recommendation: Type.String({ description: 'What to do.' }),
  alertIds: Type.Array(Type.String(), { description: 'Its alerts that are not resolved, 50 at most.' }),
  occurrences: Type.Integer({ minimum: 1, description: 'How often it opened.' }),
  flapping: Type.Union([Flapping, Type.Null()], { description: 'Of one that came back within an hour three times or more.' }),
  assignee: nullable(Type.String({ description: 'The user who is at it.' })),
  openedAt: timestamp('When it was opened.'),
}

const IncidentOpened = Type.Object(incident, {
  description: 'Findings with one cause were found. Not published when it comes back within an hour.',
})

const IncidentUpdated = Type.Object(
  {
    ...incident,
    previousSeverity: Type.Enum(severities, { type: 'string', description: 'As last published.' }),
    previousStatus: Type.Enum(['open', 'acknowledged', 'snoozed', 'resolved'], { type: 'string', description: 'Before it changed.' }),
  },
  {
    description:
      'Its status, severity, alerts or assignee changed, or it came back. What changes by itself is published once an hour at most, unless it gets graver.',
  },
)

const IncidentResolved = Type.Object(
  {
    ...incident,
    resolvedBy: Type.Enum(['engine', 'user', 'maintenance'], { type: 'string', description: '`engine`: nothing of it is found any more.' }),
    resolvedAt: timestamp('When it was resolved.'),
    resolution: Resolution,
  },
  { description: 'An incident has ended.' },
)

const PredictionCreated = Type.Object(Prediction.properties, {
  description: 'A component is predicted for the first time, or its remaining life moved by more than 20 % since it was last published.',
})

const MaintenanceCompleted = Type.Object(
  {
    vehicleId,
    component: Type.String(),
    maintenanceId: Type.String(),
    completedAt: timestamp('When the work was done.'),
    odometer_km: nullable(Type.Number({ minimum: 0 })),
    notes: nullable(Type.String()),
    predictionId: nullable(Type.String({ description: 'The prediction that stood for this component when the work was done.' })),
  },
  { description: 'Maintenance was marked complete.' },
)

const presence = {
  deviceId,
  imei: nullable(Type.String()),
  name: nullable(Type.String()),
  vehicleId: nullable(vehicleId),
}
const lastSeenAt = nullable(timestamp('When its newest reading was received, whatever time that reports.'))

const DeviceOnline = Type.Object(
  {
    ...presence,
    online: Type.Literal(true),
    reason: Type.Enum(['connected', 'data'], {
      type: 'string',
      description: 'What came first: it connected, or a reading of it was received.',
    }),
    lastSeenAt,
    connectedAt: nullable(timestamp('Since when it is connected, while it is.')),
  },
  { description: 'A device that was offline, or never there, connected or sent a reading.' },
)

const DeviceOffline = Type.Object(
  {
    ...presence,
    online: Type.Literal(false),
    reason: Type.Enum(['disconnected', 'silent'], {
      type: 'string',
      description: 'What came last: its connection ended and did not come back, or its time to send a reading was over.',
    }),
    lastSeenAt,
    disconnectedAt: nullable(timestamp('When its last connection ended, if it ever had one.')),
  },
  { description: 'A device neither is connected nor has sent a reading for a while.' },
)

const DeviceDecommissioned = Type.Object(
  { deviceId, vehicleId: nullable(vehicleId), decommissionedAt: timestamp('When its credentials were revoked.') },
  { description: 'A device was decommissioned.' },
)

const UsageThreshold = Type.Object(
  {
    meter: Type.String({ description: 'What is counted.' }),
    period: Type.String({ description: 'The month, `YYYY-MM`.' }),
    thresholdPercent: Type.Integer({ description: '80 or 100.' }),
    used: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 1 }),
  },
  { description: 'Usage reached a part of its limit: of the reseller, or of the sub-client that `sub_client_id` names.' },
)

const invoice = {
  invoiceId: Type.String(),
  number: nullable(Type.String({ description: 'As on the document. Null of a draft.' })),
  period: Type.String({ description: 'The month, `YYYY-MM`.' }),
  issuer: Type.Enum(['reseller', 'operator'], {
    type: 'string',
    description:
      '`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation.',
  }),
  status: Type.Enum(['draft', 'open', 'paid', 'overdue', 'void'], { type: 'string' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  totalMinor: Type.Integer({ minimum: 0, description: 'In minor units of the currency.' }),
  amountDueMinor: Type.Integer({ minimum: 0, description: 'What is still to be paid.' }),
  dueAt: nullable(timestamp('The start of the day on which it is due, in the time zone of the invoice.')),
}
const InvoiceOpened = Type.Object(invoice, { description: 'An invoice was issued: it has its number and can be paid.' })
const InvoicePaid = Type.Object(invoice, { description: 'Nothing of an invoice is left to be paid.' })
const InvoiceOverdue = Type.Object(invoice, { description: 'The due date of an invoice has passed and it is not paid.' })
const InvoiceVoided = Type.Object(invoice, { description: 'An invoice that was issued is cancelled by a credit note.' })
const InvoiceCredited = Type.Object(
  {
    creditNoteId: Type.String({ description: 'Read it as an invoice.' }),
    creditNoteNumber: Type.String({ description: 'As on the document.' }),
    invoiceId: Type.String({ description: 'Of the invoice that it corrects.' }),
    invoiceNumber: Type.String({ description: 'As on the document.' }),
    period: invoice.period,
    issuer: invoice.issuer,
    currency: invoice.currency,
    subtotalMinor: Type.Integer({ minimum: 0, description: 'Credited without taxes, in minor units of the currency.' }),
    taxMinor: Type.Integer({ minimum: 0, description: 'Credited taxes.' }),
    totalMinor: Type.Integer({ minimum: 0, description: 'Credited with taxes.' }),
    unappliedMinor: Type.Integer({ minimum: 0, description: 'Of it, what had been paid: it is refunded.' }),
    amountDueMinor: Type.Integer({ minimum: 0, description: 'What is still to be paid of the invoice.' }),
  },
  { description: 'An invoice is corrected by a credit note, whole or in part, or cancelled by one.' },
)

const payment = {
  paymentId: Type.String({ description: 'Of the attempt to pay.' }),
  invoiceId: Type.String(),
  gateway: Type.Enum(['stripe', 'razorpay'], { type: 'string' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  amountMinor: Type.Integer({ minimum: 0, description: 'In minor units of the currency.' }),
}
const PaymentFailed = Type.Object(
  {
    ...payment,
    cause: Type.Enum(['declined', 'gateway', 'mismatch', 'abandoned'], {
      type: 'string',
      description:
        '`declined`: an attempt failed, and the customer may try again. `gateway`: the payment is over. `mismatch`: the gateway reported another amount, ' +
        'currency or checkout than was asked, and nothing was booked by it; look at the gateway’s dashboard. `abandoned`: the issuer of the invoice ' +
        'gave it up, because the gateway gave no answer.',
    }),
    reason: Type.String({ description: 'For people.' }),
    isFinal: Type.Boolean({ description: 'Whether this attempt is over.' }),
  },
  { description: 'An attempt to pay an invoice failed.' },
)
const PaymentUnapplied = Type.Object(
  { ...payment, refundId: Type.String({ description: 'By which it is given back.' }) },
  {
    description:
      'Money came in that the invoice does not take: it was paid or cancelled, or more was paid than was due. It is being refunded.',
  },
)
const RefundUpdated = Type.Object(
  {
    ...payment,
    refundId: nullable(Type.String({ description: 'Null of one that was made at the gateway’s own page.' })),
    reason: Type.String(),
    status: Type.Enum(['created', 'pending', 'succeeded', 'failed', 'canceled'], {
      type: 'string',
      description: 'Of one that failed the customer has to get the money in another way.',
    }),
    failure: nullable(Type.String({ description: 'In the gateway’s words.' })),
  },
  { description: 'A refund moved on.' },
)
const DisputeUpdated = Type.Object(
  {
    ...payment,
    disputeId: Type.String({ description: 'As the gateway calls it.' }),
    reason: Type.String({ description: 'In the gateway’s words.' }),
    status: Type.Enum(['open', 'under_review', 'won', 'lost', 'closed'], { type: 'string' }),
    respondBy: nullable(timestamp('Until when the gateway takes evidence.')),
  },
  { description: 'The bank of a customer disputes a payment, or that went on. Answer it at the gateway.' },
)

const WebhookEndpointDisabled = Type.Object(
  {
    endpointId: Type.String(),
    url: Type.String(),
    reason: Type.String({ description: '`failing` for too long, or `gone` (it answered 410).' }),
  },
  { description: 'A webhook endpoint is sent nothing any more.' },
)

const WebhookTest = Type.Object(
  { endpointId: Type.String(), message: Type.String() },
  { description: 'Asked for by a person, and sent to that endpoint only.' },
)

const simStatuses = ['inventory', 'test', 'active', 'suspended', 'safe_custody', 'terminating', 'terminated'] as const
const sim = {
  simId: Type.String(),
  iccid: Type.String({ description: 'As the operator gives it.' }),
  msisdn: nullable(Type.String({ description: 'Its number.' })),
  deviceId: nullable(Type.String({ description: 'The device it is in.' })),
}
const simStatus = (description: string) => Type.Enum([...simStatuses], { type: 'string', description })

const SimStateChanged = Type.Object(
  {
    ...sim,
    previousStatus: simStatus('Before.'),
    status: simStatus('Now.'),
    source: Type.Enum(['request', 'system', 'operator'], {
      type: 'string',
      description: '`request`: an action that was asked for is done. `system`: a date came. `operator`: it was found to be so there.',
    }),
    reason: nullable(Type.String({ description: 'As it was given.' })),
    actionId: nullable(Type.String({ description: 'The action that brought it.' })),
    custodyUntil: nullable(timestamp('When safe custody ends by itself.')),
    terminatesAt: nullable(timestamp('Until when a termination can be taken back.')),
  },
  { description: 'A SIM is in another state.' },
)

const SimActionFailed = Type.Object(
  {
    ...sim,
    actionId: Type.String(),
    action: Type.String({ description: 'What was asked for.' }),
    status: simStatus('That the SIM is in, as before.'),
    code: Type.String({ description: '`rejected`, `auth`, `not_found`, `timed_out` or `outcome_unknown`' }),
    message: Type.String({ description: 'In the operator’s words where it gave some.' }),
  },
  { description: 'What the operator was asked for will not be done. The SIM keeps its state.' },
)

const SimAnomaly = Type.Object(
  {
    ...sim,
    type: Type.Enum([...anomalyTypes], { type: 'string' }),
    message: Type.String({ description: 'One sentence that names what was seen and what was expected.' }),
    evidence: Type.Record(Type.String(), Type.Unknown(), { title: 'AnomalyEvidence', description: 'Amounts in bytes, IMEIs.' }),
  },
  { description: 'A SIM does what it should not.' },
)

/** Every type of event, with the shape of its `data`. */
export const eventPayloads = {
  'vehicle.health.changed': HealthChanged,
  'alert.created': AlertCreated,
  'alert.updated': AlertUpdated,
  'alert.resolved': AlertResolved,
  'incident.opened': IncidentOpened,
  'incident.updated': IncidentUpdated,
  'incident.resolved': IncidentResolved,
  'prediction.created': PredictionCreated,
  'maintenance.completed': MaintenanceCompleted,
  'device.online': DeviceOnline,
  'device.offline': DeviceOffline,
  'device.decommissioned': DeviceDecommissioned,
  'sim.state.changed': SimStateChanged,
  'sim.action.failed': SimActionFailed,
  'sim.anomaly': SimAnomaly,
  'usage.threshold': UsageThreshold,
  'invoice.opened': InvoiceOpened,
  'invoice.paid': InvoicePaid,
  'invoice.overdue': InvoiceOverdue,
  'invoice.voided': InvoiceVoided,
  'invoice.credited': InvoiceCredited,
  'payment.failed': PaymentFailed,
  'payment.unapplied': PaymentUnapplied,
  'payment.refund.updated': RefundUpdated,
  'payment.dispute.updated': DisputeUpdated,
  'webhook.endpoint.disabled': WebhookEndpointDisabled,
  'webhook.test': WebhookTest,
} as const satisfies Record<string, TObject>

export type EventType = keyof typeof eventPayloads
export type EventPayload<T extends EventType> = Static<(typeof eventPayloads)[T]>
export const eventTypes = Object.keys(eventPayloads) as EventType[]

/** The body of a webhook, and an entry of the log. Spec gap §6.1: `id` and `sub_client_id` beside the spec's three fields. */
export const Event = Type.Object(
  {
    id: Type.String({ description: 'The same in every attempt to deliver it, and in the log.' }),
    event: Type.Enum(eventTypes, { type: 'string', description: 'What happened.' }),
    timestamp: timestamp('When it happened.'),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'By the type of event: that of `WebhookEvent`.' }),
    sub_client_id: nullable(Type.String({ description: 'Owner of the vehicle or device it is about, at that time.' })),
    test: Type.Optional(
      Type.Literal(true, { description: 'Only of a sample that somebody asked for: nothing happened. Never in the log.' }),
    ),
  },
  {
    title: 'LoggedEvent',
    examples: [
      {
        id: 'evt-5d8g1j4m7q0t3w6z9c2f',
        event: 'alert.created',
        timestamp: timestampExample,
        data: {
          vehicleId: 'veh-7h3d9s2k5f8j1l4a6g0q',
          deviceId: null,
          severity: 'critical',
          message: 'Coolant has been at 116 °C, above 114 °C, for 40 s',
          id: 'alr-2m6v1x9c4b7n0k3j5h8g',
          type: 'coolant_high',
          component: 'cooling',
          description: 'Coolant overheating',
          urgency: 'immediate',
          code: null,
        },
        sub_client_id: 'acme-logistics',
      },
    ],
  },
)
export type Event = Static<typeof Event>
