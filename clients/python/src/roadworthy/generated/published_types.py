# Written by `npm run openapi` from the contracts: what no OpenAPI document describes. Changes belong there.
from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict


class Position(TypedDict):
    deviceId: str
    imei: str | None
    name: str | None
    """Of the device."""
    subClientId: str | None
    vehicleId: str | None
    latitude: float
    longitude: float
    speed: float | None
    """km/h"""
    heading: float | None
    """Degrees clockwise from north."""
    ignition: bool | None
    timestamp: str
    """When the device was there."""
    receivedAt: str
    """When the service received it; of one that came in while the answer was being read, when that began."""
    online: bool
    """As of the device."""


class VehicleChange(TypedDict):
    """What changes of a vehicle while it drives, with the names that it has in `Vehicle`."""
    id: str
    healthScore: float | None
    """Null until the vehicle first reported and was scored."""
    healthStatus: Literal["healthy", "warning", "critical"] | None
    """At least 70, at least 40, below 40."""
    riskLevel: Literal["none", "low", "medium", "high"] | None
    """By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    scoredAt: str | None
    """When the vehicle was last scored."""
    lastReadingAt: str | None
    """When the newest reading was recorded."""
    openAlerts: int
    """Alerts that are not resolved."""
    online: bool
    """Whether anything was heard of it within the last minutes (a setting, 5 by default), by a device that is not suspended."""
    location: VehicleChangeLocation | None
    """Where it was last. Null until it reported a position."""


class VehicleChangeLocation(TypedDict):
    latitude: float
    longitude: float
    heading: float | None
    """Degrees clockwise from north."""
    speed: float | None
    """km/h"""
    ignition: bool | None
    """Whether it is on, as of the position or the newest reported."""
    batteryVoltage: float | None
    """Volts, as of the position or the newest reported."""
    timestamp: str
    """When the vehicle was there."""


class _MqttErrorReportRequired(TypedDict):
    records_stored: int
    """Records of the same message that are stored, duplicates included."""
    records_rejected: int
    errors: list[MqttErrorReportErrorsItem]


class MqttErrorReport(_MqttErrorReportRequired, total=False):
    message_id: int
    """Packet identifier of the PUBLISH, when it had one (QoS 1)."""
    warnings: list[MqttErrorReportWarningsItem]
    """Fields that were stored and are not used. Each is reported to a device once an hour."""


class _MqttErrorReportErrorsItemRequired(TypedDict):
    code: str
    message: str


class MqttErrorReportErrorsItem(_MqttErrorReportErrorsItemRequired, total=False):
    index: int
    """Place of the record in the message; absent when the message could not be read at all."""


class MqttErrorReportWarningsItem(TypedDict):
    index: int
    """Place of the record in the message."""
    field: str
    """The key as it was sent."""
    reason: str
    """`implausible`, or `unknown, kept in extra` with the closest known name."""


class _EventEnvelopeRequired(TypedDict):
    id: str
    """The same in every attempt to deliver it, and in the log."""
    timestamp: str
    """When it happened."""
    sub_client_id: str | None
    """Owner of the vehicle or device it is about, at that time."""


class EventEnvelope(_EventEnvelopeRequired, total=False):
    test: Literal[True]
    """Only of a sample that somebody asked for: nothing happened. Never in the log."""


class VehicleHealthChangedData(TypedDict):
    """The health of a vehicle changed its status, or moved by 5 points, since it was last published."""
    vehicleId: str
    previousScore: float
    """As last published."""
    healthScore: float
    """Now."""
    previousStatus: Literal["healthy", "warning", "critical"]
    """As last published."""
    healthStatus: Literal["healthy", "warning", "critical"]
    """Now."""
    components: dict[str, float]
    """Health of each component now."""


class AlertCreatedData(TypedDict):
    """An alert was opened."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    message: str
    """One sentence that names the reading and the threshold."""
    id: str
    """Of the alert."""
    type: str
    component: str
    description: str
    urgency: str
    code: str | None
    """The fault code, for an alert that comes from one."""


class AlertUpdatedData(TypedDict):
    """The severity of an alert that stands has changed."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    message: str
    """One sentence that names the reading and the threshold."""
    id: str
    """Of the alert."""
    type: str
    component: str
    description: str
    urgency: str
    code: str | None
    """The fault code, for an alert that comes from one."""
    previousSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Before it changed."""
    status: Literal["open", "acknowledged"]


class AlertResolvedData(TypedDict):
    """An alert has ended."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    message: str
    """One sentence that names the reading and the threshold."""
    id: str
    """Of the alert."""
    type: str
    component: str
    description: str
    urgency: str
    code: str | None
    """The fault code, for an alert that comes from one."""
    resolvedBy: Literal["engine", "user", "maintenance"]
    """`engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more."""
    resolvedAt: str
    """When it was resolved."""
    openedAt: str
    """When it was opened."""


class IncidentOpenedData(TypedDict):
    """Findings with one cause were found. Not published when it comes back within an hour."""
    id: str
    """Of the incident."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    component: str
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    status: Literal["open", "acknowledged", "snoozed", "resolved"]
    title: str
    """A few words. They mark one that comes and goes."""
    recommendation: str
    """What to do."""
    alertIds: list[str]
    """Its alerts that are not resolved, 50 at most."""
    occurrences: int
    """How often it opened."""
    flapping: IncidentOpenedDataFlapping | None
    """Of one that came back within an hour three times or more."""
    assignee: str | None
    """The user who is at it."""
    openedAt: str
    """When it was opened."""


class IncidentOpenedDataFlapping(TypedDict):
    count: int
    """How often it came back within an hour after it had ended by itself."""
    since: str
    """When it first did."""


class IncidentUpdatedData(TypedDict):
    """Its status, severity, alerts or assignee changed, or it came back. What changes by itself is published once an hour at most, unless it gets graver."""
    id: str
    """Of the incident."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    component: str
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    status: Literal["open", "acknowledged", "snoozed", "resolved"]
    title: str
    """A few words. They mark one that comes and goes."""
    recommendation: str
    """What to do."""
    alertIds: list[str]
    """Its alerts that are not resolved, 50 at most."""
    occurrences: int
    """How often it opened."""
    flapping: IncidentUpdatedDataFlapping | None
    """Of one that came back within an hour three times or more."""
    assignee: str | None
    """The user who is at it."""
    openedAt: str
    """When it was opened."""
    previousSeverity: Literal["info", "low", "medium", "high", "critical"]
    """As last published."""
    previousStatus: Literal["open", "acknowledged", "snoozed", "resolved"]
    """Before it changed."""


class IncidentUpdatedDataFlapping(TypedDict):
    count: int
    """How often it came back within an hour after it had ended by itself."""
    since: str
    """When it first did."""


class IncidentResolvedData(TypedDict):
    """An incident has ended."""
    id: str
    """Of the incident."""
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    component: str
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    status: Literal["open", "acknowledged", "snoozed", "resolved"]
    title: str
    """A few words. They mark one that comes and goes."""
    recommendation: str
    """What to do."""
    alertIds: list[str]
    """Its alerts that are not resolved, 50 at most."""
    occurrences: int
    """How often it opened."""
    flapping: IncidentResolvedDataFlapping | None
    """Of one that came back within an hour three times or more."""
    assignee: str | None
    """The user who is at it."""
    openedAt: str
    """When it was opened."""
    resolvedBy: Literal["engine", "user", "maintenance"]
    """`engine`: nothing of it is found any more."""
    resolvedAt: str
    """When it was resolved."""
    resolution: IncidentResolvedDataResolution


class IncidentResolvedDataFlapping(TypedDict):
    count: int
    """How often it came back within an hour after it had ended by itself."""
    since: str
    """When it first did."""


class IncidentResolvedDataResolution(TypedDict):
    reason: Literal["work_done", "false_alarm", "other"]
    """`work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason."""
    note: str | None
    """What the person wrote, or why it ended by itself."""
    maintenanceId: str | None
    """The work that ended it, where it was named."""


class PredictionCreatedData(TypedDict):
    """A component is predicted for the first time, or its remaining life moved by more than 20 % since it was last published."""
    id: str
    vehicleId: str
    component: str
    """The part it is about."""
    issue: str
    """A few words: what is expected to need work."""
    rul_days: int
    """Remaining useful life in days, median."""
    interval: list[float]
    """`[p10, p90]` in days: in 8 of 10 cases the part lasts between the two."""
    confidence: float
    """How much there was to judge this component by."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """By remaining life (`high` up to 7 days, `medium` up to 30), or what the part shows now, whichever is worse."""
    healthScore: float | None
    """Of the vehicle."""
    subClientId: str | None
    """Owner of the vehicle."""
    createdAt: str
    """When this component was first predicted."""
    updatedAt: str
    """When the prediction last changed."""


class MaintenanceCompletedData(TypedDict):
    """Maintenance was marked complete."""
    vehicleId: str
    component: str
    maintenanceId: str
    completedAt: str
    """When the work was done."""
    odometer_km: float | None
    notes: str | None
    predictionId: str | None
    """The prediction that stood for this component when the work was done."""


class DeviceOnlineData(TypedDict):
    """A device that was offline, or never there, connected or sent a reading."""
    deviceId: str
    imei: str | None
    name: str | None
    vehicleId: str | None
    online: Literal[True]
    reason: Literal["connected", "data"]
    """What came first: it connected, or a reading of it was received."""
    lastSeenAt: str | None
    """When its newest reading was received, whatever time that reports."""
    connectedAt: str | None
    """Since when it is connected, while it is."""


class DeviceOfflineData(TypedDict):
    """A device neither is connected nor has sent a reading for a while."""
    deviceId: str
    imei: str | None
    name: str | None
    vehicleId: str | None
    online: Literal[False]
    reason: Literal["disconnected", "silent"]
    """What came last: its connection ended and did not come back, or its time to send a reading was over."""
    lastSeenAt: str | None
    """When its newest reading was received, whatever time that reports."""
    disconnectedAt: str | None
    """When its last connection ended, if it ever had one."""


class DeviceDecommissionedData(TypedDict):
    """A device was decommissioned."""
    deviceId: str
    vehicleId: str | None
    decommissionedAt: str
    """When its credentials were revoked."""


class SimStateChangedData(TypedDict):
    """A SIM is in another state."""
    simId: str
    iccid: str
    """As the operator gives it."""
    msisdn: str | None
    """Its number."""
    deviceId: str | None
    """The device it is in."""
    previousStatus: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """Before."""
    status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """Now."""
    source: Literal["request", "system", "operator"]
    """`request`: an action that was asked for is done. `system`: a date came. `operator`: it was found to be so there."""
    reason: str | None
    """As it was given."""
    actionId: str | None
    """The action that brought it."""
    custodyUntil: str | None
    """When safe custody ends by itself."""
    terminatesAt: str | None
    """Until when a termination can be taken back."""


class SimActionFailedData(TypedDict):
    """What the operator was asked for will not be done. The SIM keeps its state."""
    simId: str
    iccid: str
    """As the operator gives it."""
    msisdn: str | None
    """Its number."""
    deviceId: str | None
    """The device it is in."""
    actionId: str
    action: str
    """What was asked for."""
    status: Literal["inventory", "test", "active", "suspended", "safe_custody", "terminating", "terminated"]
    """That the SIM is in, as before."""
    code: str
    """`rejected`, `auth`, `not_found`, `timed_out` or `outcome_unknown`"""
    message: str
    """In the operator’s words where it gave some."""


class SimAnomalyData(TypedDict):
    """A SIM does what it should not."""
    simId: str
    iccid: str
    """As the operator gives it."""
    msisdn: str | None
    """Its number."""
    deviceId: str | None
    """The device it is in."""
    type: Literal["wrong_device", "usage_above_habit", "traffic_in_custody"]
    message: str
    """One sentence that names what was seen and what was expected."""
    evidence: dict[str, Any]
    """Amounts in bytes, IMEIs."""


class UsageThresholdData(TypedDict):
    """Usage reached a part of its limit: of the reseller, or of the sub-client that `sub_client_id` names."""
    meter: str
    """What is counted."""
    period: str
    """The month, `YYYY-MM`."""
    thresholdPercent: int
    """80 or 100."""
    used: int
    limit: int


class InvoiceOpenedData(TypedDict):
    """An invoice was issued: it has its number and can be paid."""
    invoiceId: str
    number: str | None
    """As on the document. Null of a draft."""
    period: str
    """The month, `YYYY-MM`."""
    issuer: Literal["reseller", "operator"]
    """`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation."""
    status: Literal["draft", "open", "paid", "overdue", "void"]
    currency: str
    """ISO 4217."""
    totalMinor: int
    """In minor units of the currency."""
    amountDueMinor: int
    """What is still to be paid."""
    dueAt: str | None
    """The start of the day on which it is due, in the time zone of the invoice."""


class InvoicePaidData(TypedDict):
    """Nothing of an invoice is left to be paid."""
    invoiceId: str
    number: str | None
    """As on the document. Null of a draft."""
    period: str
    """The month, `YYYY-MM`."""
    issuer: Literal["reseller", "operator"]
    """`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation."""
    status: Literal["draft", "open", "paid", "overdue", "void"]
    currency: str
    """ISO 4217."""
    totalMinor: int
    """In minor units of the currency."""
    amountDueMinor: int
    """What is still to be paid."""
    dueAt: str | None
    """The start of the day on which it is due, in the time zone of the invoice."""


class InvoiceOverdueData(TypedDict):
    """The due date of an invoice has passed and it is not paid."""
    invoiceId: str
    number: str | None
    """As on the document. Null of a draft."""
    period: str
    """The month, `YYYY-MM`."""
    issuer: Literal["reseller", "operator"]
    """`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation."""
    status: Literal["draft", "open", "paid", "overdue", "void"]
    currency: str
    """ISO 4217."""
    totalMinor: int
    """In minor units of the currency."""
    amountDueMinor: int
    """What is still to be paid."""
    dueAt: str | None
    """The start of the day on which it is due, in the time zone of the invoice."""


class InvoiceVoidedData(TypedDict):
    """An invoice that was issued is cancelled by a credit note."""
    invoiceId: str
    number: str | None
    """As on the document. Null of a draft."""
    period: str
    """The month, `YYYY-MM`."""
    issuer: Literal["reseller", "operator"]
    """`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation."""
    status: Literal["draft", "open", "paid", "overdue", "void"]
    currency: str
    """ISO 4217."""
    totalMinor: int
    """In minor units of the currency."""
    amountDueMinor: int
    """What is still to be paid."""
    dueAt: str | None
    """The start of the day on which it is due, in the time zone of the invoice."""


class InvoiceCreditedData(TypedDict):
    """An invoice is corrected by a credit note, whole or in part, or cancelled by one."""
    creditNoteId: str
    """Read it as an invoice."""
    creditNoteNumber: str
    """As on the document."""
    invoiceId: str
    """Of the invoice that it corrects."""
    invoiceNumber: str
    """As on the document."""
    period: str
    """The month, `YYYY-MM`."""
    issuer: Literal["reseller", "operator"]
    """`reseller`: to the sub-client that `sub_client_id` names. `operator`: to the reseller, by the operator of the installation."""
    currency: str
    """ISO 4217."""
    subtotalMinor: int
    """Credited without taxes, in minor units of the currency."""
    taxMinor: int
    """Credited taxes."""
    totalMinor: int
    """Credited with taxes."""
    unappliedMinor: int
    """Of it, what had been paid: it is refunded."""
    amountDueMinor: int
    """What is still to be paid of the invoice."""


class PaymentFailedData(TypedDict):
    """An attempt to pay an invoice failed."""
    paymentId: str
    """Of the attempt to pay."""
    invoiceId: str
    gateway: Literal["stripe", "razorpay"]
    currency: str
    """ISO 4217."""
    amountMinor: int
    """In minor units of the currency."""
    cause: Literal["declined", "gateway", "mismatch", "abandoned"]
    """`declined`: an attempt failed, and the customer may try again. `gateway`: the payment is over. `mismatch`: the gateway reported another amount, currency or checkout than was asked, and nothing was booked by it; look at the gateway’s dashboard. `abandoned`: the issuer of the invoice gave it up, because the gateway gave no answer."""
    reason: str
    """For people."""
    isFinal: bool
    """Whether this attempt is over."""


class PaymentUnappliedData(TypedDict):
    """Money came in that the invoice does not take: it was paid or cancelled, or more was paid than was due. It is being refunded."""
    paymentId: str
    """Of the attempt to pay."""
    invoiceId: str
    gateway: Literal["stripe", "razorpay"]
    currency: str
    """ISO 4217."""
    amountMinor: int
    """In minor units of the currency."""
    refundId: str
    """By which it is given back."""


class PaymentRefundUpdatedData(TypedDict):
    """A refund moved on."""
    paymentId: str
    """Of the attempt to pay."""
    invoiceId: str
    gateway: Literal["stripe", "razorpay"]
    currency: str
    """ISO 4217."""
    amountMinor: int
    """In minor units of the currency."""
    refundId: str | None
    """Null of one that was made at the gateway’s own page."""
    reason: str
    status: Literal["created", "pending", "succeeded", "failed", "canceled"]
    """Of one that failed the customer has to get the money in another way."""
    failure: str | None
    """In the gateway’s words."""


class PaymentDisputeUpdatedData(TypedDict):
    """The bank of a customer disputes a payment, or that went on. Answer it at the gateway."""
    paymentId: str
    """Of the attempt to pay."""
    invoiceId: str
    gateway: Literal["stripe", "razorpay"]
    currency: str
    """ISO 4217."""
    amountMinor: int
    """In minor units of the currency."""
    disputeId: str
    """As the gateway calls it."""
    reason: str
    """In the gateway’s words."""
    status: Literal["open", "under_review", "won", "lost", "closed"]
    respondBy: str | None
    """Until when the gateway takes evidence."""


class WebhookEndpointDisabledData(TypedDict):
    """A webhook endpoint is sent nothing any more."""
    endpointId: str
    url: str
    reason: str
    """`failing` for too long, or `gone` (it answered 410)."""


class WebhookTestData(TypedDict):
    """Asked for by a person, and sent to that endpoint only."""
    endpointId: str
    message: str


class VehicleHealthChangedEvent(EventEnvelope):
    event: Literal["vehicle.health.changed"]
    data: VehicleHealthChangedData


class AlertCreatedEvent(EventEnvelope):
    event: Literal["alert.created"]
    data: AlertCreatedData


class AlertUpdatedEvent(EventEnvelope):
    event: Literal["alert.updated"]
    data: AlertUpdatedData


class AlertResolvedEvent(EventEnvelope):
    event: Literal["alert.resolved"]
    data: AlertResolvedData


class IncidentOpenedEvent(EventEnvelope):
    event: Literal["incident.opened"]
    data: IncidentOpenedData


class IncidentUpdatedEvent(EventEnvelope):
    event: Literal["incident.updated"]
    data: IncidentUpdatedData


class IncidentResolvedEvent(EventEnvelope):
    event: Literal["incident.resolved"]
    data: IncidentResolvedData


class PredictionCreatedEvent(EventEnvelope):
    event: Literal["prediction.created"]
    data: PredictionCreatedData


class MaintenanceCompletedEvent(EventEnvelope):
    event: Literal["maintenance.completed"]
    data: MaintenanceCompletedData


class DeviceOnlineEvent(EventEnvelope):
    event: Literal["device.online"]
    data: DeviceOnlineData


class DeviceOfflineEvent(EventEnvelope):
    event: Literal["device.offline"]
    data: DeviceOfflineData


class DeviceDecommissionedEvent(EventEnvelope):
    event: Literal["device.decommissioned"]
    data: DeviceDecommissionedData


class SimStateChangedEvent(EventEnvelope):
    event: Literal["sim.state.changed"]
    data: SimStateChangedData


class SimActionFailedEvent(EventEnvelope):
    event: Literal["sim.action.failed"]
    data: SimActionFailedData


class SimAnomalyEvent(EventEnvelope):
    event: Literal["sim.anomaly"]
    data: SimAnomalyData


class UsageThresholdEvent(EventEnvelope):
    event: Literal["usage.threshold"]
    data: UsageThresholdData


class InvoiceOpenedEvent(EventEnvelope):
    event: Literal["invoice.opened"]
    data: InvoiceOpenedData


class InvoicePaidEvent(EventEnvelope):
    event: Literal["invoice.paid"]
    data: InvoicePaidData


class InvoiceOverdueEvent(EventEnvelope):
    event: Literal["invoice.overdue"]
    data: InvoiceOverdueData


class InvoiceVoidedEvent(EventEnvelope):
    event: Literal["invoice.voided"]
    data: InvoiceVoidedData


class InvoiceCreditedEvent(EventEnvelope):
    event: Literal["invoice.credited"]
    data: InvoiceCreditedData


class PaymentFailedEvent(EventEnvelope):
    event: Literal["payment.failed"]
    data: PaymentFailedData


class PaymentUnappliedEvent(EventEnvelope):
    event: Literal["payment.unapplied"]
    data: PaymentUnappliedData


class PaymentRefundUpdatedEvent(EventEnvelope):
    event: Literal["payment.refund.updated"]
    data: PaymentRefundUpdatedData


class PaymentDisputeUpdatedEvent(EventEnvelope):
    event: Literal["payment.dispute.updated"]
    data: PaymentDisputeUpdatedData


class WebhookEndpointDisabledEvent(EventEnvelope):
    event: Literal["webhook.endpoint.disabled"]
    data: WebhookEndpointDisabledData


class WebhookTestEvent(EventEnvelope):
    event: Literal["webhook.test"]
    data: WebhookTestData


FleetEvent: TypeAlias = "VehicleHealthChangedEvent | AlertCreatedEvent | AlertUpdatedEvent | AlertResolvedEvent | IncidentOpenedEvent | IncidentUpdatedEvent | IncidentResolvedEvent | PredictionCreatedEvent | MaintenanceCompletedEvent | DeviceOnlineEvent | DeviceOfflineEvent | DeviceDecommissionedEvent | SimStateChangedEvent | SimActionFailedEvent | SimAnomalyEvent | UsageThresholdEvent | InvoiceOpenedEvent | InvoicePaidEvent | InvoiceOverdueEvent | InvoiceVoidedEvent | InvoiceCreditedEvent | PaymentFailedEvent | PaymentUnappliedEvent | PaymentRefundUpdatedEvent | PaymentDisputeUpdatedEvent | WebhookEndpointDisabledEvent | WebhookTestEvent"
"""A webhook, or an entry of the log: `event` decides what `data` is. Types may be added; ignore what you do not know."""


class ReadyMessage(TypedDict):
    type: Literal["ready"]
    id: str
    data: dict[str, Any]


class EventMessage(TypedDict):
    type: Literal["event"]
    id: str
    data: FleetEvent


class VehiclesMessage(TypedDict):
    type: Literal["vehicles"]
    id: str
    data: dict[Literal["vehicles"], list[VehicleChange]]


class ResetMessage(TypedDict):
    type: Literal["reset"]
    id: str
    data: Any


StreamMessage: TypeAlias = "ReadyMessage | EventMessage | VehiclesMessage | ResetMessage"
"""A message of `GET /api/v1/stream`. `id` is where to go on after a cut."""
