// Written by `npm run openapi` from the contracts: what no OpenAPI document describes.

import type { TelemetryRecord } from './external-types.ts'

export type Position = {
  deviceId: string
  imei: string | null
  /** Of the device. */
  name: string | null
  subClientId: string | null
  vehicleId: string | null
  latitude: number
  longitude: number
  /** km/h */
  speed: number | null
  /** Degrees clockwise from north. */
  heading: number | null
  ignition: boolean | null
  /** When the device was there. */
  timestamp: string
  /** When the service received it; of one that came in while the answer was being read, when that began. */
  receivedAt: string
  /** As of the device. */
  online: boolean
}

/** What changes of a vehicle while it drives, with the names that it has in `Vehicle`. */
export type VehicleChange = {
  id: string
  /** Null until the vehicle first reported and was scored. */
  healthScore: number | null
  /** At least 70, at least 40, below 40. */
  healthStatus: 'healthy' | 'warning' | 'critical' | null
  /** By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  riskLevel: 'none' | 'low' | 'medium' | 'high' | null
  /** When the vehicle was last scored. */
  scoredAt: string | null
  /** When the newest reading was recorded. */
  lastReadingAt: string | null
  /** Alerts that are not resolved. */
  openAlerts: number
  /** Whether anything was heard of it within the last minutes (a setting, 5 by default), by a device that is not suspended. */
  online: boolean
  /** Where it was last. Null until it reported a position. */
  location: {
    latitude: number
    longitude: number
    /** Degrees clockwise from north. */
    heading: number | null
    /** km/h */
    speed: number | null
    /** Whether it is on, as of the position or the newest reported. */
    ignition: boolean | null
    /** Volts, as of the position or the newest reported. */
    batteryVoltage: number | null
    /** When the vehicle was there. */
    timestamp: string
  } | null
}

/** What a device sends over MQTT: which device it is, its topic says. */
export type MqttRecord = Partial<TelemetryRecord>

/** What a device is sent on its `…/errors` topic. */
export type MqttErrorReport = {
  /** Packet identifier of the PUBLISH, when it had one (QoS 1). */
  message_id?: number | undefined
  /** Records of the same message that are stored, duplicates included. */
  records_stored: number
  records_rejected: number
  errors: {
    /** Place of the record in the message; absent when the message could not be read at all. */
    index?: number | undefined
    code: string
    message: string
  }[]
  /** Fields that were stored and are not used. Each is reported to a device once an hour. */
  warnings?: {
    /** Place of the record in the message. */
    index: number
    /** The key as it was sent. */
    field: string
    /** `implausible`, or `unknown, kept in extra` with the closest known name. */
    reason: string
  }[] | undefined
}

/** `data` of an event, by its type. */
export interface EventPayloads {
  /** The health of a vehicle changed its status, or moved by 5 points, since it was last published. */
  'vehicle.health.changed': {
    vehicleId: string
    /** As last published. */
    previousScore: number
    /** Now. */
    healthScore: number
    /** As last published. */
    previousStatus: 'healthy' | 'warning' | 'critical'
    /** Now. */
    healthStatus: 'healthy' | 'warning' | 'critical'
    /** Health of each component now. */
    components: Record<string, number>
  }
  /** An alert was opened. */
  'alert.created': {
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    /** One sentence that names the reading and the threshold. */
    message: string
    /** Of the alert. */
    id: string
    type: string
    component: string
    description: string
    urgency: string
    /** The fault code, for an alert that comes from one. */
    code: string | null
  }
  /** The severity of an alert that stands has changed. */
  'alert.updated': {
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    /** One sentence that names the reading and the threshold. */
    message: string
    /** Of the alert. */
    id: string
    type: string
    component: string
    description: string
    urgency: string
    /** The fault code, for an alert that comes from one. */
    code: string | null
    /** Before it changed. */
    previousSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    status: 'open' | 'acknowledged'
  }
  /** An alert has ended. */
  'alert.resolved': {
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    /** One sentence that names the reading and the threshold. */
    message: string
    /** Of the alert. */
    id: string
    type: string
    component: string
    description: string
    urgency: string
    /** The fault code, for an alert that comes from one. */
    code: string | null
    /** `engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more. */
    resolvedBy: 'engine' | 'user' | 'maintenance'
    /** When it was resolved. */
    resolvedAt: string
    /** When it was opened. */
    openedAt: string
  }
  /** Findings with one cause were found. Not published when it comes back within an hour. */
  'incident.opened': {
    /** Of the incident. */
    id: string
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    /** The part it is about. */
    component: string
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    status: 'open' | 'acknowledged' | 'snoozed' | 'resolved'
    /** A few words. They mark one that comes and goes. */
    title: string
    /** What to do. */
    recommendation: string
    /** Its alerts that are not resolved, 50 at most. */
    alertIds: string[]
    /** How often it opened. */
    occurrences: number
    /** Of one that came back within an hour three times or more. */
    flapping: {
      /** How often it came back within an hour after it had ended by itself. */
      count: number
      /** When it first did. */
      since: string
    } | null
    /** The user who is at it. */
    assignee: string | null
    /** When it was opened. */
    openedAt: string
  }
  /** Its status, severity, alerts or assignee changed, or it came back. What changes by itself is published once an hour at most, unless it gets graver. */
  'incident.updated': {
    /** Of the incident. */
    id: string
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    /** The part it is about. */
    component: string
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    status: 'open' | 'acknowledged' | 'snoozed' | 'resolved'
    /** A few words. They mark one that comes and goes. */
    title: string
    /** What to do. */
    recommendation: string
    /** Its alerts that are not resolved, 50 at most. */
    alertIds: string[]
    /** How often it opened. */
    occurrences: number
    /** Of one that came back within an hour three times or more. */
    flapping: {
      /** How often it came back within an hour after it had ended by itself. */
      count: number
      /** When it first did. */
      since: string
    } | null
    /** The user who is at it. */
    assignee: string | null
    /** When it was opened. */
    openedAt: string
    /** As last published. */
    previousSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    /** Before it changed. */
    previousStatus: 'open' | 'acknowledged' | 'snoozed' | 'resolved'
  }
  /** An incident has ended. */
  'incident.resolved': {
    /** Of the incident. */
    id: string
    /** Null of an alert that a device raised while it was in no vehicle that is known. */
    vehicleId: string | null
    /** The device that raised it, where one did. */
    deviceId: string | null
    /** The part it is about. */
    component: string
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    status: 'open' | 'acknowledged' | 'snoozed' | 'resolved'
    /** A few words. They mark one that comes and goes. */
    title: string
    /** What to do. */
    recommendation: string
    /** Its alerts that are not resolved, 50 at most. */
    alertIds: string[]
    /** How often it opened. */
    occurrences: number
    /** Of one that came back within an hour three times or more. */
    flapping: {
      /** How often it came back within an hour after it had ended by itself. */
      count: number
      /** When it first did. */
      since: string
    } | null
    /** The user who is at it. */
    assignee: string | null
    /** When it was opened. */
    openedAt: string
    /** `engine`: nothing of it is found any more. */
    resolvedBy: 'engine' | 'user' | 'maintenance'
    /** When it was resolved. */
    resolvedAt: string
    resolution: {
      /** `work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason. */
      reason: 'work_done' | 'false_alarm' | 'other'
      /** What the person wrote, or why it ended by itself. */
      note: string | null
      /** The work that ended it, where it was named. */
      maintenanceId: string | null
    }
  }
  /** A component is predicted for the first time, or its remaining life moved by more than 20 % since it was last published. */
  'prediction.created': {
    id: string
    vehicleId: string
    /** The part it is about. */
    component: string
    /** A few words: what is expected to need work. */
    issue: string
    /** Remaining useful life in days, median. */
    rul_days: number
    /** `[p10, p90]` in days: in 8 of 10 cases the part lasts between the two. */
    interval: [number, number]
    /** How much there was to judge this component by. */
    confidence: number
    /** By remaining life (`high` up to 7 days, `medium` up to 30), or what the part shows now, whichever is worse. */
    severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
    /** Of the vehicle. */
    healthScore: number | null
    /** Owner of the vehicle. */
    subClientId: string | null
    /** When this component was first predicted. */
    createdAt: string
    /** When the prediction last changed. */
    updatedAt: string
  }
  /** Maintenance was marked complete. */
  'maintenance.completed': {
    vehicleId: string
    component: string
    maintenanceId: string
    /** When the work was done. */
    completedAt: string
    odometer_km: number | null
    notes: string | null
    /** The prediction that stood for this component when the work was done. */
    predictionId: string | null
  }
  /** A device that was offline, or never there, connected or sent a reading. */
  'device.online': {
    deviceId: string
    imei: string | null
    name: string | null
    vehicleId: string | null
    online: true
    /** What came first: it connected, or a reading of it was received. */
    reason: 'connected' | 'data'
    /** When its newest reading was received, whatever time that reports. */
    lastSeenAt: string | null
    /** Since when it is connected, while it is. */
    connectedAt: string | null
  }
  /** A device neither is connected nor has sent a reading for a while. */
  'device.offline': {
    deviceId: string
    imei: string | null
    name: string | null
    vehicleId: string | null
    online: false
    /** What came last: its connection ended and did not come back, or its time to send a reading was over. */
    reason: 'disconnected' | 'silent'
    /** When its newest reading was received, whatever time that reports. */
    lastSeenAt: string | null
    /** When its last connection ended, if it ever had one. */
    disconnectedAt: string | null
  }
  /** A device was decommissioned. */
  'device.decommissioned': {
    deviceId: string
    vehicleId: string | null
    /** When its credentials were revoked. */
    decommissionedAt: string
  }
  /** A SIM is in another state. */
  'sim.state.changed': {
    simId: string
    /** As the operator gives it. */
    iccid: string
    /** Its number. */
    msisdn: string | null
    /** The device it is in. */
    deviceId: string | null
    /** Before. */
    previousStatus: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
    /** Now. */
    status: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
    /** `request`: an action that was asked for is done. `system`: a date came. `operator`: it was found to be so there. */
    source: 'request' | 'system' | 'operator'
    /** As it was given. */
    reason: string | null
    /** The action that brought it. */
    actionId: string | null
    /** When safe custody ends by itself. */
    custodyUntil: string | null
    /** Until when a termination can be taken back. */
    terminatesAt: string | null
  }
  /** What the operator was asked for will not be done. The SIM keeps its state. */
  'sim.action.failed': {
    simId: string
    /** As the operator gives it. */
    iccid: string
    /** Its number. */
    msisdn: string | null
    /** The device it is in. */
    deviceId: string | null
    actionId: string
    /** What was asked for. */
    action: string
    /** That the SIM is in, as before. */
    status: 'inventory' | 'test' | 'active' | 'suspended' | 'safe_custody' | 'terminating' | 'terminated'
    /** `rejected`, `auth`, `not_found`, `timed_out` or `outcome_unknown` */
    code: string
    /** In the operator’s words where it gave some. */
    message: string
  }
  /** A SIM does what it should not. */
  'sim.anomaly': {
    simId: string
    /** As the operator gives it. */
    iccid: string
    /** Its number. */
    msisdn: string | null
    /** The device it is in. */
    deviceId: string | null
    type: 'wrong_device' | 'usage_above_habit' | 'traffic_in_custody'
    /** One sentence that names what was seen and what was expected. */
    message: string
    /** Amounts in bytes, IMEIs. */
    evidence: Record<string, unknown>
  }
  /** Usage reached a part of its limit: of the reseller, or of the sub-client that `sub_client_id` names. */
  'usage.threshold': {
    /** What is counted. */
    meter: string
    /** The month, `YYYY-MM`. */
    period: string
    /** 80 or 100. */
    thresholdPercent: number
    used: number
    limit: number
  }
  /** An invoice was issued: it has its number and can be paid. */
  'invoice.opened': {
    invoiceId: string
    /** As on the document. Null of a draft. */
    number: string | null
    /** The month, `YYYY-MM`. */
    period: string
    /** `reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation. */
    issuer: 'reseller' | 'operator'
    status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    totalMinor: number
    /** What is still to be paid. */
    amountDueMinor: number
    /** The start of the day on which it is due, in the time zone of the invoice. */
    dueAt: string | null
  }
  /** Nothing of an invoice is left to be paid. */
  'invoice.paid': {
    invoiceId: string
    /** As on the document. Null of a draft. */
    number: string | null
    /** The month, `YYYY-MM`. */
    period: string
    /** `reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation. */
    issuer: 'reseller' | 'operator'
    status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    totalMinor: number
    /** What is still to be paid. */
    amountDueMinor: number
    /** The start of the day on which it is due, in the time zone of the invoice. */
    dueAt: string | null
  }
  /** The due date of an invoice has passed and it is not paid. */
  'invoice.overdue': {
    invoiceId: string
    /** As on the document. Null of a draft. */
    number: string | null
    /** The month, `YYYY-MM`. */
    period: string
    /** `reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation. */
    issuer: 'reseller' | 'operator'
    status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    totalMinor: number
    /** What is still to be paid. */
    amountDueMinor: number
    /** The start of the day on which it is due, in the time zone of the invoice. */
    dueAt: string | null
  }
  /** An invoice that was issued is cancelled by a credit note. */
  'invoice.voided': {
    invoiceId: string
    /** As on the document. Null of a draft. */
    number: string | null
    /** The month, `YYYY-MM`. */
    period: string
    /** `reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation. */
    issuer: 'reseller' | 'operator'
    status: 'draft' | 'open' | 'paid' | 'overdue' | 'void'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    totalMinor: number
    /** What is still to be paid. */
    amountDueMinor: number
    /** The start of the day on which it is due, in the time zone of the invoice. */
    dueAt: string | null
  }
  /** An invoice is corrected by a credit note, whole or in part, or cancelled by one. */
  'invoice.credited': {
    /** Read it as an invoice. */
    creditNoteId: string
    /** As on the document. */
    creditNoteNumber: string
    /** Of the invoice that it corrects. */
    invoiceId: string
    /** As on the document. */
    invoiceNumber: string
    /** The month, `YYYY-MM`. */
    period: string
    /** `reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation. */
    issuer: 'reseller' | 'operator'
    /** ISO 4217. */
    currency: string
    /** Credited without taxes, in minor units of the currency. */
    subtotalMinor: number
    /** Credited taxes. */
    taxMinor: number
    /** Credited with taxes. */
    totalMinor: number
    /** Of it, what had been paid: it is refunded. */
    unappliedMinor: number
    /** What is still to be paid of the invoice. */
    amountDueMinor: number
  }
  /** An attempt to pay an invoice failed. */
  'payment.failed': {
    /** Of the attempt to pay. */
    paymentId: string
    invoiceId: string
    gateway: 'stripe' | 'razorpay'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    amountMinor: number
    /** `declined`: an attempt failed, and the customer may try again. `gateway`: the payment is over. `mismatch`: the gateway reported another amount, currency or checkout than was asked, and nothing was booked by it; look at the gateway’s dashboard. `abandoned`: the issuer of the invoice gave it up, because the gateway gave no answer. */
    cause: 'declined' | 'gateway' | 'mismatch' | 'abandoned'
    /** For people. */
    reason: string
    /** Whether this attempt is over. */
    isFinal: boolean
  }
  /** Money came in that the invoice does not take: it was paid or cancelled, or more was paid than was due. It is being refunded. */
  'payment.unapplied': {
    /** Of the attempt to pay. */
    paymentId: string
    invoiceId: string
    gateway: 'stripe' | 'razorpay'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    amountMinor: number
    /** By which it is given back. */
    refundId: string
  }
  /** A refund moved on. */
  'payment.refund.updated': {
    /** Of the attempt to pay. */
    paymentId: string
    invoiceId: string
    gateway: 'stripe' | 'razorpay'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    amountMinor: number
    /** Null of one that was made at the gateway’s own page. */
    refundId: string | null
    reason: string
    /** Of one that failed the customer has to get the money in another way. */
    status: 'created' | 'pending' | 'succeeded' | 'failed' | 'canceled'
    /** In the gateway’s words. */
    failure: string | null
  }
  /** The bank of a customer disputes a payment, or that went on. Answer it at the gateway. */
  'payment.dispute.updated': {
    /** Of the attempt to pay. */
    paymentId: string
    invoiceId: string
    gateway: 'stripe' | 'razorpay'
    /** ISO 4217. */
    currency: string
    /** In minor units of the currency. */
    amountMinor: number
    /** As the gateway calls it. */
    disputeId: string
    /** In the gateway’s words. */
    reason: string
    status: 'open' | 'under_review' | 'won' | 'lost' | 'closed'
    /** Until when the gateway takes evidence. */
    respondBy: string | null
  }
  /** A webhook endpoint is sent nothing any more. */
  'webhook.endpoint.disabled': {
    endpointId: string
    url: string
    /** `failing` for too long, or `gone` (it answered 410). */
    reason: string
  }
  /** Asked for by a person, and sent to that endpoint only. */
  'webhook.test': {
    endpointId: string
    message: string
  }
}

export type EventType = keyof EventPayloads

/** What every event has. */
export type EventEnvelope = {
  /** The same in every attempt to deliver it, and in the log. */
  id: string
  /** When it happened. */
  timestamp: string
  /** Owner of the vehicle or device it is about, at that time. */
  sub_client_id: string | null
  /** Only of a sample that somebody asked for: nothing happened. Never in the log. */
  test?: true | undefined
}

/** A webhook, or an entry of the log: `event` decides what `data` is. Types may be added; ignore what you do not know. */
export type FleetEvent = { [Type in EventType]: EventEnvelope & { event: Type; data: EventPayloads[Type] } }[EventType]

/** A message of `GET /api/v1/stream`. `id` is where to go on after a cut. */
export type StreamMessage =
  | { type: 'ready'; id: string; data: { watched: number } }
  | { type: 'event'; id: string; data: FleetEvent }
  | { type: 'vehicles'; id: string; data: { vehicles: VehicleChange[] } }
  | { type: 'reset'; id: string; data: unknown }
