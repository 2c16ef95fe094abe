# Written by `npm run openapi` from docs/openapi/platform-v1.json. Changes belong there.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class _AdviceRequired(TypedDict):
    act: Literal["stop", "now", "plan", "next_service", "run_on"]
    """`stop` driving, go to a workshop `now`, `plan` the work, have it done at the `next_service`, `run_on`."""
    what: str
    """What to do."""
    why: str
    """What it rests on."""
    risk: str
    """What waiting risks."""


class Advice(_AdviceRequired, total=False):
    by: str
    """By which day (UTC): the early end of the interval, counted from the reading that was judged, less the lead time of the reseller, and never before that reading. Today for `stop` and `now`, none for `run_on`."""
    byOdometerKm: int
    """The odometer by then, where odometer and daily use are known; the present one for `stop` and `now`."""
    interval: list[float]
    """The `[p10, p90]` in days that it rests on, where it rests on one."""


class Alert(TypedDict):
    """An alert as it is now."""
    id: str
    vehicleId: str | None
    """Null of an alert that a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did (`source` is `device`)."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Mildest first. The worst the alert has been."""
    message: str
    """One sentence that names the reading and the threshold."""
    timestamp: str
    """When the alert was opened."""
    status: Literal["open", "acknowledged", "resolved"]
    """Resolved by itself when the condition is gone, or by a person."""
    type: str
    """What kind of condition, for example `coolant_high`."""
    component: str
    """The part it is about."""
    description: str
    """A few words: what is wrong."""
    urgency: str
    """How soon to act: `monitor`, `routine`, `soon`, `urgent` or `immediate`."""
    code: str | None
    """The fault code, for an alert that comes from one."""
    evidence: dict[str, Any]
    """What drove it, such as `signal` (a field of telemetry), `value`, `threshold` and `unit`."""
    occurrences: int
    """How often the condition was found while the alert stood."""
    lastSeenAt: str
    """When the condition was last found."""
    acknowledgedAt: str | None
    """When a person acknowledged it."""
    resolvedAt: str | None
    """When it was resolved."""
    resolvedBy: Literal["engine", "user", "maintenance"] | None
    """`engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more."""
    source: Literal["engine", "maintenance", "device"]
    """`engine`: readings show it. `maintenance`: a schedule raised it (`maintenance_due_soon`, `maintenance_overdue`). `device`: a device raised it by the `event` of a reading, which is its type; it ends when a person resolves it."""
    scheduleId: str | None
    """The maintenance schedule, where one is the source."""
    incidentId: str | None
    """The incident it belongs to; null of one that ended before there were incidents."""
    updatedAt: str
    """When its status, severity or message last changed."""


class AlertChange(TypedDict):
    status: Literal["acknowledged", "resolved"]
    """From `open` to either, from `acknowledged` to `resolved`. Repeating the last move is fine; any other is 409."""


class AlertList(TypedDict):
    """A page of alerts."""
    alerts: list[Alert]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class ApiKey(TypedDict):
    id: str
    name: str
    prefix: str
    """How the key begins."""
    last4: str
    """How the key ends."""
    scopes: list[str]
    """What the key may do. `*` is everything."""
    subClientId: str | None
    """The only sub-client that the key sees and touches."""
    perMinute: int | None
    """Requests in any 60 seconds. 0: unlimited; absent: the default of the plan."""
    perDay: int | None
    """Requests in a UTC day. 0: unlimited; absent: the default of the plan."""
    expiresAt: str | None
    """When the key stops working."""
    revokedAt: str | None
    """When the key was revoked."""
    lastUsedAt: str | None
    """Of the last request with this key, to the minute."""
    createdAt: str
    """When the key was made."""


class ApiKeyList(TypedDict):
    """A page of keys, revoked ones included."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    apiKeys: list[ApiKey]
    pagination: Pagination


class AppIcon(TypedDict):
    src: str
    sizes: str
    type: str
    purpose: str


class AppManifest(TypedDict):
    """How the dashboard is installed."""
    name: str
    short_name: str
    id: str
    start_url: str
    scope: str
    display: Literal["standalone"]
    background_color: str
    theme_color: str
    icons: list[AppIcon]


class Assignee(TypedDict):
    id: str
    """The user, as `assignee` takes it."""
    email: str
    subClientId: str | None
    """The only sub-client whose incidents the person sees. Null: all of them."""


class AssigneeList(TypedDict):
    """A page of people, oldest first."""
    assignees: list[Assignee]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class AuditActor(TypedDict):
    type: Literal["key", "user", "cli", "system", "anonymous"]
    """An API key, a person who is signed in, the operator on the command line, the service itself, or somebody who did not sign in."""
    id: str
    """Of the key or user; for `cli` the account of the operating system."""
    name: str | None
    """What the key was called, or the address of the person, at that time."""


class AuditEntry(TypedDict):
    id: str
    at: str
    """When it happened."""
    actor: AuditActor
    action: str
    """The kind of object, a dot, and what became of it."""
    objectId: str
    """The device, vehicle, key, user, … that it was done to."""
    subClientId: str | None
    """Whose the object is, or was."""
    requestId: str | None
    """`X-Request-Id` of the request."""
    address: str | None
    """IP address that the request came from."""
    changes: dict[str, FieldChange]
    """The fields that changed, each with what it was and is. A long value is cut; of a secret neither is kept."""


class AuditList(TypedDict):
    """A page of the log, newest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    entries: list[AuditEntry]
    names: dict[str, str]
    """What the devices, vehicles, incidents, SIMs and webhooks that these entries are about, or name in their changes, are called now, by their ids: an incident by its title, a SIM by its ICCID, a webhook by its address. One that has no name is left out."""
    pagination: Pagination


class Bounds(TypedDict):
    west: float
    south: float
    east: float
    north: float


class Brand(TypedDict):
    name: str | None
    """What the dashboard calls itself."""
    colour: str | None
    """Of buttons and links: `#rrggbb`."""
    logoUrl: str | None
    """Path of the image. Another image has another path, so it may be kept for ever."""
    supportEmail: str | None
    """Whom people write to for help."""
    supportUrl: str | None
    """Page for help, `https://` or `http://`."""
    hosts: list[str]
    """Host names as they are listed. Links in mails begin with the first that is proved."""
    hostProofs: list[HostProof]
    """Of each host, whether it is proved whose it is, and how to prove it."""


class BrandAnswer(TypedDict):
    """The brand. What is null is, for a sub-client, as in the reseller's, and there as in the service's own."""
    brand: Brand


class CalendarLink(TypedDict):
    """The link; this is the one time it is shown."""
    vehicleId: str
    url: str
    """For a calendar program, which needs no key. It is shown this once only; anybody who has it can read the calendar."""
    createdAt: str
    """When the link was made."""


_CalendarMonthNamed = TypedDict("_CalendarMonthNamed", {"from": "str", "until": "str"})


class CalendarMonth(_CalendarMonthNamed):
    pass


class ChangeBrandRequest(TypedDict, total=False):
    name: str | None
    """What the dashboard calls itself."""
    colour: str | None
    """Of buttons and links: `#rrggbb`."""
    supportEmail: str | None
    """Whom people write to for help."""
    supportUrl: str | None
    """Page for help, `https://` or `http://`."""
    hosts: Sequence[str]
    """Host names that lead to this service, without scheme and port. Each is shown after it is proved: see `hostProofs`."""


class ChangeDemoFleetRequest(TypedDict):
    running: bool
    """Whether its vehicles drive from now on."""


class ChangeMaintenanceRequest(TypedDict, total=False):
    """What is left out stays. `condition_found` too is of completed work only."""
    dueAt: str | None
    """Of planned work only. Null takes it away."""
    cost: Cost | None
    notes: str | None
    """For people."""
    condition_found: Literal["sound", "worn", "failed"] | None
    """How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long."""
    odometer_km: float | None
    """Of completed work only."""
    engine_hours: float | None
    """Of completed work only."""
    renewed: bool
    """Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age."""


class ChangePasswordRequest(TypedDict):
    current: str
    next: str
    """10 to 200 characters; not the e-mail address and none of the commonest passwords."""


class ChangeScheduleRequest(TypedDict, total=False):
    """What is left out stays. `every`, `remind` and `last` are replaced as a whole."""
    component: str
    """In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called."""
    title: str
    """What is to be done."""
    every: ServiceIntervalRequest
    remind: ServiceReminderRequest
    last: LastServiceRequest


class ChangeUserRequest(TypedDict, total=False):
    role: Literal["owner", "member", "viewer", "sub_client_viewer"]
    """An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client."""
    subClientId: str | None
    """The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else."""
    status: Literal["active", "deactivated"]


class ChangedIncident(TypedDict):
    id: str
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    vehicle: VehicleReference | None
    at: str
    """When it was opened or resolved."""


class ChangesSince(TypedDict):
    since: str
    """As it was given."""
    incidentsOpened: IncidentsOpened | None
    incidentsResolved: IncidentsResolved | None
    vehiclesWorsened: VehiclesWorsened
    workDone: WorkPutOnRecord
    devicesSilent: DevicesSilent | None


_ClosedIncidentsNamed = TypedDict("_ClosedIncidentsNamed", {"from": "str", "to": "str", "closed": "int", "falseAlarms": "int"})


class ClosedIncidents(_ClosedIncidentsNamed):
    pass


class CompleteMaintenanceRequest(TypedDict, total=False):
    completedAt: str
    """When the work was done, not in the future. Now, when left out."""
    odometer_km: float
    """At the work. What the vehicle reported then, when left out."""
    engine_hours: float
    """At the work. What the vehicle reported then, when left out."""
    cost: Cost
    notes: str
    """For people."""
    condition_found: Literal["sound", "worn", "failed"]
    """How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long."""
    renewed: bool
    """Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age."""


class ComponentAccuracy(TypedDict):
    component: str
    failures: int
    """Predictions of parts that then failed: what the figures below are made of."""
    inside: int
    """Of those, how many failed within the interval."""
    coverage: float | None
    """`inside` of `failures`; to be compared with `expectedCoverage`."""
    coverage95: list[float] | None
    """Between these the true coverage lies with 95 % confidence (Wilson). With few failures they are far apart."""
    meanError_days: float | None
    """Days to failure less days predicted: below 0 means that parts failed earlier than predicted."""
    meanAbsoluteError_days: float | None
    censored: int
    """Parts that were replaced before they failed. They are in no figure above."""
    censoredLater: int
    """Of those, how many had outlasted the interval already."""
    unknown: int
    """Parts of which nobody reported how they were found. They are in no figure above."""


class ConnectionCounts(TypedDict):
    online: int
    """Heard of within the last minutes (a setting, 5 by default)."""
    offline: int
    """Heard of before that."""
    never: int
    """Never heard of."""


class _CorrectOdometerRequestRequired(TypedDict):
    reason: str
    """Why, for the log."""


class CorrectOdometerRequest(_CorrectOdometerRequestRequired, total=False):
    """One of the two, or both. What the vehicle reports from then on counts on from here."""
    odometer_km: float
    """What it ought to show now."""
    engine_hours: float
    """What it ought to show now."""


class Cost(TypedDict):
    """What the work cost."""
    amount_minor: int
    """In the smallest unit of the currency: paise, cents."""
    currency: str
    """ISO 4217."""


class _CreateApiKeyRequestRequired(TypedDict):
    name: str
    scopes: Sequence[str]
    """What the key may do. `*` is everything."""


class CreateApiKeyRequest(_CreateApiKeyRequestRequired, total=False):
    subClientId: str | None
    """The only sub-client that the key sees and touches."""
    perMinute: int | None
    """Requests in any 60 seconds. 0: unlimited; absent: the default of the plan."""
    perDay: int | None
    """Requests in a UTC day. 0: unlimited; absent: the default of the plan."""
    expiresAt: str | None
    """When the key stops working. Absent: never, or when the key that makes it does."""


class _CreateMaintenanceRequestRequired(TypedDict):
    vehicleId: str
    """Our id, or the caller's own reference."""
    component: str
    """In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called."""
    status: Literal["planned", "completed"]
    """`completed` is the same as planning it and completing it at once."""


class CreateMaintenanceRequest(_CreateMaintenanceRequestRequired, total=False):
    """Of planned work `completedAt`, `odometer_km`, `engine_hours` and `condition_found` are not known yet and refused."""
    scheduleId: str
    """The schedule that the work is for."""
    dueAt: str
    """When planned work is to be done."""
    predictionId: str
    """The prediction that led to it."""
    completedAt: str
    """When the work was done, not in the future. Now, when left out."""
    odometer_km: float
    """At the work. What the vehicle reported then, when left out."""
    engine_hours: float
    """At the work. What the vehicle reported then, when left out."""
    cost: Cost
    notes: str
    """For people."""
    condition_found: Literal["sound", "worn", "failed"]
    """How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long."""
    renewed: bool
    """Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age."""


class _CreateNotificationChannelRequired(TypedDict):
    name: str
    """For people."""
    kind: Literal["slack", "teams", "telegram", "ntfy", "webhook"]
    """`slack`: an incoming webhook of Slack, or of what takes the same form. `teams`: a webhook of the Workflows app of Microsoft Teams. `telegram`: a bot. `ntfy`: a topic. `webhook`: a program, signed by Standard Webhooks."""


class CreateNotificationChannel(_CreateNotificationChannelRequired, total=False):
    """With the fields of its kind, and no others."""
    subClientId: str | None
    """Only for rules of this sub-client. It stays. Null: for all."""
    language: Literal["en", "de", "es"]
    """Of its messages. Left out: `en`. A `webhook` is for programs, and English."""
    units: Literal["metric", "imperial"]
    """Of its messages. Left out: `metric`. A `webhook` is metric. `imperial`: °F, miles, mph, psi, US mpg."""
    url: str
    """Of `slack`, `teams`, `webhook`: https, and a public address. It is a secret: who has it can write there."""
    serverUrl: str
    """Of `telegram` and `ntfy`, where the server is one of your own. Left out: the public one."""
    botToken: str
    """Of `telegram`, as @BotFather gives it: `123456:ABC…`."""
    chatId: str
    """Of `telegram`: the number of the chat, or `@channelname`."""
    topic: str
    """Of `ntfy`."""
    token: str | None
    """Of `ntfy`: an access token, where the topic wants one."""


class _CreateNotificationRuleRequired(TypedDict):
    name: str
    """For people; it is in the messages."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""
    recipients: Sequence[str]
    """Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`)."""


class CreateNotificationRule(_CreateNotificationRuleRequired, total=False):
    """Left out: enabled, any component and vehicle, any hour, sent once."""
    subClientId: str | None
    """Only incidents of this sub-client. It stays. Null: of the whole fleet."""
    enabled: bool
    """False: nothing is sent by it."""
    components: Sequence[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: Sequence[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: Sequence[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None
    escalation: Escalation | None


class _CreatePersonalNotificationRuleRequired(TypedDict):
    name: str
    """For people; it is in the messages."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""


class CreatePersonalNotificationRule(_CreatePersonalNotificationRuleRequired, total=False):
    """Left out: enabled, any component and vehicle that the person sees, any hour, sent once."""
    enabled: bool
    """False: nothing is sent by it."""
    components: Sequence[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: Sequence[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: Sequence[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None


class CreatePushSubscription(TypedDict):
    """What the browser answers when it is subscribed."""
    endpoint: str
    """Of the push service: https, and a public address."""
    keys: PushKeys
    name: str
    """Of the browser, for the person."""


class _CreateScheduleRequestRequired(TypedDict):
    vehicleId: str
    """Our id, or the caller's own reference."""
    component: str
    """In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called."""
    title: str
    """What is to be done."""
    every: ServiceIntervalRequest


class CreateScheduleRequest(_CreateScheduleRequestRequired, total=False):
    remind: ServiceReminderRequest
    last: LastServiceRequest


class _CreateVehicleGroupRequired(TypedDict):
    name: str
    """For people. No two groups of the same owner have the same name."""


class CreateVehicleGroup(_CreateVehicleGroupRequired, total=False):
    subClientId: str | None
    """Only vehicles of this sub-client. It stays. Null: of the whole fleet."""
    vehicleIds: Sequence[str]
    """Its vehicles, by our id or yours."""


class _CreateWebhookRequestRequired(TypedDict):
    url: str
    """Where events are sent. https, and a public address."""


class CreateWebhookRequest(_CreateWebhookRequestRequired, total=False):
    description: str
    """For people."""
    eventTypes: Sequence[Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]] | None
    """The types of events it is sent. Null: all, also those that are added one day."""
    subClientId: str | None
    """It is sent events of this sub-client only."""
    headers: Mapping[str, str]
    """Sent along with every event, 10 at most, for example to sign in with a gateway. Never shown again."""


class CreatedApiKey(TypedDict):
    """The key; this is the one time its secret is shown."""
    secret: str
    """The key itself, for `X-API-Key` or `Authorization: Bearer`. It is shown this once only."""
    apiKey: ApiKey


class CreatedNotificationChannel(TypedDict):
    """The channel, and the secret of its signatures, shown once."""
    channel: NotificationChannel
    secret: str | None
    """Of a `webhook`: by it the receiver checks signatures. It cannot be had again."""


class CredentialsRotate(TypedDict, total=False):
    graceSeconds: int
    """How long the password before stays good. Preset: `0`."""


class CredentialsRotated(TypedDict):
    """The new credentials; this is the one time the password is shown."""
    id: str
    mqttBroker: str
    """`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5."""
    mqttUsername: str
    """`<reseller_slug>/<device_id>`"""
    mqttPassword: str
    """Shown in this answer only."""
    mqttPasswordHash: str
    """PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`."""
    mqttTopic: str
    """`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`"""
    previousValidUntil: str | None
    """Until when the password before is good; null: no longer."""


class DailyDigest(TypedDict):
    """One message a day instead of one for each incident: what opened, is still open and was resolved since the last, and which maintenance is due. Nothing on a day without any. Not together with hours, repetition or escalation. Null: single messages."""
    at: str
    """When it is sent, every day. A quarter of an hour."""
    timeZone: str
    """By the clocks of this zone (IANA)."""


class DailyUse(TypedDict):
    """Daily use, parked days included."""
    km_per_day: float | None
    engine_hours_per_day: float | None
    days: int
    """Over how many days, 60 at most. Under 7 nothing is projected."""


class DeletedNotificationChannel(TypedDict):
    """What was sent by it stays in the log."""
    id: str
    deleted: Literal[True]


class DeletedNotificationRule(TypedDict):
    """Nothing more is sent by it."""
    id: str
    deleted: Literal[True]


class DeletedPushSubscription(TypedDict):
    """The browser is shown nothing more."""
    id: str
    deleted: Literal[True]


class DeletedStreamConnection(TypedDict):
    """It is forgotten."""
    deleted: Literal[True]


class DeletedVehicleGroup(TypedDict):
    """Its vehicles stay as they are."""
    id: str
    deleted: Literal[True]


class DeletedWebhook(TypedDict):
    """It is sent nothing more."""
    id: str
    deleted: Literal[True]


class DemoFleet(TypedDict):
    """The demo fleet, and whether it drives."""
    state: Literal["unavailable", "off", "running", "always"]
    """`off`: it can be started. `running`: it was started here and can be stopped. `always`: it runs with the service, by the setting DEMO. `unavailable`: this service has none to start, or not for this reseller."""
    vehicles: int
    """How many vehicles drive in it."""


class Device(TypedDict):
    """The device as it is now."""
    id: str
    name: str | None
    imei: str | None
    deviceType: str
    connectionMethod: str
    simNumber: str | None
    status: Literal["pending", "active", "suspended", "decommissioned"]
    online: bool
    """Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended."""
    lastSeenAt: str | None
    """When its newest message was received."""
    battery: DeviceBattery | None
    """Null of a device that reports none."""
    subClientId: str | None
    vehicleId: str | None
    vehicle: DeviceVehicle | None
    """Null without a vehicle, and where the caller may not see it."""
    mqttUsername: str
    mqttTopic: str
    createdAt: str
    """When it was registered."""
    updatedAt: str
    """When it was last changed."""


class DeviceBattery(TypedDict):
    """Of the phone or tracker itself. Nothing judges a vehicle by it."""
    percent: float | None
    """How full it is, 0 to 100."""
    voltageV: float | None
    """Volts."""
    recordedAt: str
    """When the newer of the two was recorded."""


class DeviceChange(TypedDict, total=False):
    """What is left out stays."""
    name: str | None
    """Null removes it."""
    subClientId: str | None
    """Reassigns the device; null unassigns it."""
    deviceType: Literal["obd_dongle", "gps_tracker", "can_gateway", "dashcam", "mobile_app", "asset_tracker", "other"]
    connectionMethod: Literal["mqtt", "http", "stream", "osmand", "traccar", "tcp"]
    simNumber: str | None
    """Null removes it."""
    vehicleId: str | None
    """Links the vehicle; null unlinks."""
    status: Literal["pending", "active", "suspended"]


class DeviceDecommissioned(TypedDict):
    """The device is decommissioned and its credentials no longer work."""
    id: str
    status: Literal["decommissioned"]
    decommissionedAt: str
    """When it was first decommissioned."""


class _DeviceImportRequired(TypedDict):
    devices: Sequence[ImportedDevice]


class DeviceImport(_DeviceImportRequired, total=False):
    dryRun: bool
    """True: every row is checked as if it were registered, and nothing is kept. Preset: `false`."""
    skipInvalid: bool
    """True: rows that can be registered are, and the others are reported. False: all or none. Preset: `false`."""
    format: Literal["json", "csv"]
    """Of the answer. `csv`: a file with a line for each row, its credentials or why it was refused. Preset: `json`."""


class DeviceImportError(TypedDict):
    code: str
    message: str
    field: str | None
    """The field of the row that is to blame."""


class DeviceImportRow(TypedDict):
    row: int
    """Place in `devices`, from 1."""
    status: Literal["valid", "registered", "repeated", "refused"]
    """`valid`: would be registered. `repeated`: was registered with the same fields within 24 hours, and shows the same credentials again."""
    device: DeviceRegistered | None
    """The device with its credentials. Null in a dry run, and where it was refused."""
    error: DeviceImportError | None


class DeviceImported(TypedDict):
    """What became of each row. This is the one time that passwords are shown."""
    dryRun: bool
    registeredCount: int
    """Rows that were registered, repeated ones included; in a dry run those that would be."""
    refusedCount: int
    rows: list[DeviceImportRow]
    """One for each device, in the same order."""


class DeviceList(TypedDict):
    """A page of devices."""
    devices: list[Device]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class DeviceMessage(TypedDict):
    id: str
    receivedAt: str
    """When it was received."""
    recordedAt: str | None
    """The time of the reading, by the clock of the device. Null where it was refused."""
    receiver: Literal["rest", "mqtt", "stream", "osmand", "traccar", "flespi", "torque", "freematics"] | None
    """How it came; the last five are formats of phones and trackers over HTTP. Null where messages were not recorded at that time."""
    status: Literal["stored", "duplicate", "refused"]
    readingId: str | None
    """Of the reading that was made of it."""
    understood: list[UnderstoodValue]
    """The content of the reading."""
    keptUnread: dict[str, Any]
    """Fields with an unknown name, kept with the reading in `extra`. Shown without what looks like a credential."""
    warnings: list[FieldWarning]
    error: MessageError | None
    """Why it was refused. Over MQTT the device was sent the same on `errorsTopic`."""
    body: str | None
    """As it was sent, without what looks like a credential, up to 4,096 characters. Null where it was not recorded."""
    bodyBytes: int | None
    isBodyCut: bool


class DeviceMessages(TypedDict):
    """The last messages of a device, newest first."""
    deviceId: str
    recordingUntil: str | None
    """Until when every message is recorded as it was sent. Null: only refused ones are."""
    errorsTopic: str
    """Where the device is sent refusals and warnings over MQTT."""
    messages: list[DeviceMessage]
    """Up to 50, newest first."""


class DeviceRegister(TypedDict, total=False):
    """A name or an IMEI is needed. The same body for the same IMEI within 24 hours gets the first answer again."""
    name: str | None
    """Display name."""
    imei: str | None
    """14 to 16 digits; unique among living devices."""
    deviceType: Literal["obd_dongle", "gps_tracker", "can_gateway", "dashcam", "mobile_app", "asset_tracker", "other"]
    """Preset: `other`."""
    connectionMethod: Literal["mqtt", "http", "stream", "osmand", "traccar", "tcp"]
    """Preset: `mqtt`."""
    simNumber: str | None
    """SIM number."""
    subClientId: str | None
    """Sub-client that receives the device."""
    status: Literal["active", "pending"]
    """`pending` provisions the device beforehand: it becomes active with its first message. Preset: `active`."""
    vehicle: InlineVehicle | None


class _DeviceRegisteredRequired(TypedDict):
    id: str
    status: Literal["active", "pending"]
    mqttBroker: str
    """`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5."""
    mqttUsername: str
    """`<reseller_slug>/<device_id>`"""
    mqttPassword: str
    """Shown in this answer only."""
    mqttPasswordHash: str
    """PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`."""
    mqttTopic: str
    """`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`"""
    vehicleId: str | None
    """The vehicle created or linked."""
    subClientId: str | None


class DeviceRegistered(_DeviceRegisteredRequired, total=False):
    """The device is registered; this is the one time its password is shown."""
    trackerToken: str
    """With the connection method `osmand` or `http`: what the device sends with over HTTP (`/api/external/ingest/…`). Shown in this answer only."""


class DeviceVehicle(TypedDict):
    """The vehicle, by all its names."""
    id: str
    name: str | None
    licensePlate: str | None
    externalRef: str | None
    vin: str | None


class DevicesSilent(TypedDict):
    """Devices that went offline and have not come back."""
    total: int
    """All of them."""
    items: list[SilentDevice]
    """The newest, 5 at most."""


class DnsRecord(TypedDict):
    """The DNS record that proves it. It is looked for soon after the host is listed, and daily from then on: leave it there."""
    type: Literal["TXT"]
    name: str
    value: str


class DueWork(TypedDict):
    kind: Literal["schedule", "planned"]
    """By a schedule, or planned for a day."""
    id: str
    """Of the schedule or of the planned work."""
    vehicle: VehicleReference
    component: str
    title: str | None
    """Of the schedule, or the notes of the planned work."""
    dueAt: str | None
    """When it was or will be due, as far as that is known."""
    overdue: bool


class Escalation(TypedDict):
    """Who is sent a message when the incident is open for so long: neither acknowledged, snoozed nor resolved. Null: nobody."""
    afterMinutes: int
    """After the first message."""
    recipients: Sequence[str]
    """Users and channels that get a message then."""


class EventList(TypedDict):
    """A page of the log."""
    events: list[LoggedEvent]
    """In the order of the log, which never changes."""
    pagination: EventPagination


class EventPagination(TypedDict):
    endCursor: str | None
    """Give it as `after`, now or later, to get what comes next. Null while the log is empty."""
    hasNextPage: bool


class FaultCode(TypedDict):
    code: str
    """As the vehicle reports it."""
    title: str | None
    """What it means, in plain words. Null until it was judged, and of a retired vehicle."""
    drivingOn: str | None
    """What it means for driving on."""
    component: str | None
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"] | None
    """Of the alert that names it."""
    incidentId: str | None
    """The incident that it belongs, or belonged, to."""
    active: bool
    """Whether the newest list of codes has it."""
    firstSeenAt: str
    """When it was first reported within the range."""
    lastSeenAt: str
    """When it was last reported."""
    readingCount: int
    """How many readings of the range report it."""


_FaultCodeListNamed = TypedDict("_FaultCodeListNamed", {"vehicleId": "str", "from": "str", "to": "str", "reportedAt": "str | None", "faultCodes": "list[FaultCode]"})


class FaultCodeList(_FaultCodeListNamed):
    """The fault codes of a vehicle."""


_FieldChangeNamed = TypedDict("_FieldChangeNamed", {"from": "Any", "to": "Any"}, total=False)


class FieldChange(_FieldChangeNamed):
    pass


class FieldMeaning(TypedDict):
    field: str
    """The key as it was sent, cut after 128 characters."""
    kind: Literal["signal", "lamp", "fault codes", "other", "unknown"]
    """`other`: known and not judged, such as a position. `unknown`: it means nothing."""
    signal: str | None
    """What it is, in words."""
    sentUnit: str | None
    """The unit in which this key is read."""
    value: float | None
    """As it is judged, in `unit`."""
    unit: str | None
    warning: str | None
    """Why it is not used, with the closest known key where there is one."""


class FieldWarning(TypedDict):
    field: str
    """The key as it was sent; `*` stands for those that are not named."""
    reason: str
    """`implausible`, or `unknown, kept in extra` with the closest known name."""


class FirstSteps(TypedDict):
    apiKey: bool
    """There is an API key that has not been revoked."""
    device: bool
    """A device is registered."""
    reading: bool
    """A reading has come in."""
    prediction: bool
    """A prediction has been made."""
    webhook: bool
    """There is a webhook endpoint."""


class Flapping(TypedDict):
    count: int
    """How often it came back within an hour after it had ended by itself."""
    since: str
    """When it first did."""


class FleetCounts(TypedDict):
    total: int
    """Vehicles that are not retired."""
    health: HealthCounts
    connection: ConnectionCounts


class FleetMap(TypedDict):
    """The chosen vehicles of a part of the map."""
    total: int
    """Vehicles in the box that are chosen and have a position."""
    bounds: Bounds | None
    """Around them; across the antimeridian, where that is narrower, west is greater than east. Null where there is none."""
    points: list[MapPoint]
    """Each of them, up to 500; else those that lie alone."""
    clusters: list[MapCluster]
    """The others, where there are more than 500."""


class Health(TypedDict):
    """The health of the vehicle and what drives it."""
    vehicleId: str
    healthScore: float
    components: dict[str, float]
    """Health of each component."""
    advice: dict[str, Advice]
    """Only of components that need advice; the others run on."""
    alerts: list[Alert]
    """Alerts of the vehicle that are not resolved, newest first."""
    healthStatus: Literal["healthy", "warning", "critical"]
    """At least 70, at least 40, below 40."""
    riskLevel: Literal["none", "low", "medium", "high"]
    """By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    maintenanceNeeded: bool
    maintenanceProbability: float
    """That some component needs work within 30 days. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    anomalyScore: float
    """How unlike the normal the newest readings are."""
    anomalyDetected: bool
    anomalyBasis: list[str] | None
    """Fields of the engine that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing. Null from an engine that does not report them."""
    confidence: float
    """How much was reported, not how likely this is right. Near 0 for a vehicle that has not reported."""
    componentConfidence: dict[str, float]
    """How well the remaining life of each component is known. Empty from an engine that does not report it."""
    insights: list[str]
    """What was found and not found, with readings and thresholds."""
    recommendations: list[str]
    scoredAt: str | None
    """When the vehicle was scored. Null before its first score: then the engine was asked for this answer, with what is known."""


class HealthCounts(TypedDict):
    critical: int
    """Health below 40."""
    warning: int
    """Health below 70."""
    healthy: int
    """Health of 70 and more."""
    unknown: int
    """Not scored yet."""


_HealthHistoryNamed = TypedDict("_HealthHistoryNamed", {"vehicleId": "str", "from": "str", "to": "str", "history": "list[HealthPoint]", "total": "int", "pagination": "Pagination"})


class HealthHistory(_HealthHistoryNamed):
    """A page of the health of the vehicle over time."""


class HealthPoint(TypedDict):
    scoredAt: str
    """From here on."""
    healthScore: float
    healthStatus: Literal["healthy", "warning", "critical"]
    """At least 70, at least 40, below 40."""
    components: dict[str, float] | None
    """Health of each component. Null of a point that was stored before they were kept."""


class HostProof(TypedDict):
    host: str
    status: Literal["pending", "proved"]
    """`pending`: nothing is shown there yet, and no link leads there."""
    provedBy: Literal["dns", "operator"] | None
    """`operator`: confirmed by hand; not looked at again."""
    record: DnsRecord
    provedAt: str | None
    """Since when it is proved."""
    checkedAt: str | None
    """When the record was last looked for."""
    problem: Literal["missing", "unreachable", "taken"] | None
    """`missing`: there is no such record. `unreachable`: DNS did not answer. `taken`: it is there, but another brand has proved the name."""


class ImportedDevice(TypedDict, total=False):
    """As for one registration, but `pending` unless it states otherwise."""
    name: str | None
    """Display name."""
    imei: str | None
    """14 to 16 digits; unique among living devices."""
    deviceType: Literal["obd_dongle", "gps_tracker", "can_gateway", "dashcam", "mobile_app", "asset_tracker", "other"]
    """Preset: `other`."""
    connectionMethod: Literal["mqtt", "http", "stream", "osmand", "traccar", "tcp"]
    """Preset: `mqtt`."""
    simNumber: str | None
    """SIM number."""
    subClientId: str | None
    """Sub-client that receives the device."""
    status: Literal["active", "pending"]
    """A `pending` device becomes active with its first message. Preset: `pending`."""
    vehicle: InlineVehicle | None


class Incident(TypedDict):
    """Findings with one cause, as they are now."""
    id: str
    vehicleId: str | None
    """Null of what a device raised while it was in no vehicle that is known."""
    deviceId: str | None
    """The device that raised it, where one did."""
    component: str
    """The part it is about."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Mildest first. Of its worst alert that is not resolved; of one that ended, what it had last."""
    status: Literal["open", "acknowledged", "snoozed", "resolved"]
    """A snooze ends by itself at `snoozedUntil`, and when the incident gets graver."""
    title: str
    """A few words. They mark one that comes and goes."""
    recommendation: str
    """What to do."""
    advice: Advice | None
    """Of its component, where there is any."""
    evidence: list[IncidentEvidence]
    """Its alerts that are not resolved, newest first; of one that ended, its newest. 50 at most."""
    alertIds: list[str]
    """Its alerts, those that are not resolved first, then the newest. 50 at most."""
    occurrences: int
    """How often it opened: once, and once more each time it came back within an hour."""
    flapping: Flapping | None
    """Of one that came back three times or more."""
    source: Literal["engine", "maintenance", "device"]
    """Who found it, as of alerts."""
    cause: str
    """What makes it the same from one score to the next."""
    actBy: str | None
    """By when to act. When it opened, where its severity is `critical` or the advice is to `stop` or go `now`; else the early end of the remaining life less the lead time; of `maintenance` the day on which it is due; where there is neither, 7 days after it opened for `high`, 30 for `medium`, 90 for `low`, 365 for `info`. Null of one that ended."""
    openedAt: str
    """When it was opened."""
    updatedAt: str
    """When its status, severity, words or alerts last changed."""
    acknowledgedAt: str | None
    """When a person acknowledged it."""
    acknowledgedBy: str | None
    """The user or the key."""
    assignee: str | None
    """The user who is at it."""
    snoozedUntil: str | None
    """While it is snoozed."""
    resolvedAt: str | None
    """When it was resolved."""
    resolvedBy: Literal["engine", "user", "maintenance"] | None
    """`engine`: nothing of it is found any more. `maintenance`: work was put on record, or is not due any more."""
    resolution: IncidentResolution | None


class IncidentChange(TypedDict, total=False):
    status: Literal["open", "acknowledged", "snoozed", "resolved"]
    """From `open`, `acknowledged` and `snoozed` to any of the others. `open` takes back an acknowledgement or a snooze. A repeat of the last move is fine; a move that is not possible is 409 `invalid_transition`."""
    snoozedUntil: str
    """With `snoozed`: until when, at most 90 days ahead."""
    resolution: IncidentResolutionRequest
    assignee: str | None
    """A user of the reseller who sees the incident. Null: nobody."""


class IncidentEvidence(TypedDict):
    alertId: str
    type: str
    """What kind of condition, for example `coolant_high`."""
    component: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    """The worst the alert has been."""
    message: str
    """One sentence that names the reading and the threshold."""
    code: str | None
    """The fault code, for an alert that comes from one."""
    evidence: dict[str, Any]
    """As of the alert."""


class IncidentHistory(TypedDict):
    """A page of what people did to an incident, newest first."""
    history: list[IncidentStep]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class IncidentList(TypedDict):
    """A page of incidents."""
    incidents: list[Incident]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class IncidentResolution(TypedDict):
    reason: Literal["work_done", "false_alarm", "other"]
    """`work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason."""
    note: str | None
    """What the person wrote, or why it ended by itself."""
    maintenanceId: str | None
    """The work that ended it, where it was named."""


class _IncidentResolutionRequestRequired(TypedDict):
    reason: Literal["work_done", "false_alarm", "other"]
    """`work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason."""


class IncidentResolutionRequest(_IncidentResolutionRequestRequired, total=False):
    """With `resolved`: why."""
    note: str
    maintenanceId: str
    """With `work_done`: the work, of the same vehicle."""


class _IncidentStepRequired(TypedDict):
    at: str
    """When it was done."""
    action: Literal["acknowledged", "snoozed", "reopened", "resolved", "assigned", "changed"]
    by: str
    """The user or the key; `roadworthy` where the service did it by itself."""


class IncidentStep(_IncidentStepRequired, total=False):
    assignee: str | None
    """Who is at it from here on, where that changed; null: nobody."""
    formerAssignee: str | None
    """Who was at it until then, where that changed."""
    snoozedUntil: str | None
    """Where that changed; null: it is snoozed no more."""
    reason: str | None
    """Why it was resolved."""
    note: str | None
    """What the person wrote about it; the beginning of a long text."""


class IncidentsOpened(TypedDict):
    """Incidents that were opened."""
    total: int
    """All of them."""
    items: list[ChangedIncident]
    """The newest, 5 at most."""


class IncidentsResolved(TypedDict):
    """Incidents that were resolved."""
    total: int
    """All of them."""
    items: list[ChangedIncident]
    """The newest, 5 at most."""


class InlineVehicle(TypedDict, total=False):
    mode: Literal["create", "link", "none"]
    """`create`: the known vehicle with this VIN, else with this plate within the sub-client, else a new one. `link`: a known one, by `vehicle_id` or `vin`. `none`: no vehicle. Preset: `create`."""
    vehicleId: str | None
    """With `link`: the vehicle."""
    make: str | None
    """Manufacturer."""
    model: str | None
    """Model."""
    year: int | None
    """Model year."""
    vin: str | None
    """Vehicle identification number; kept in upper case and unique within the reseller."""
    licensePlate: str | None
    """Registration plate."""
    name: str | None
    """Name for people."""
    vehicleClass: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"] | None
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it."""
    fuelType: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"] | None
    """What it runs on. An electric vehicle has no predictions of an engine."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"] | None
    """Which wheels are driven, as drive or axle configuration."""
    batteryNominalV: Literal[12, 24, 48] | None
    """Nominal voltage of the starter battery, in volts."""


class Invitation(TypedDict):
    url: str | None
    """The link that lets the person set a password, to be handed over. It is shown this once, and not at all where it was mailed: then only who reads the mailbox can use it."""
    mailed: bool
    """Whether a mail server took it."""
    expiresAt: str
    """Until when the link works."""


class _InviteUserRequestRequired(TypedDict):
    email: str
    """What the person signs in with. Kept in lower case."""
    role: Literal["owner", "member", "viewer", "sub_client_viewer"]
    """An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client."""


class InviteUserRequest(_InviteUserRequestRequired, total=False):
    subClientId: str | None
    """The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else."""
    language: Literal["en", "de", "es"]
    """Of the invitation, and of the person until they choose another. Left out: that of the person who invites; English of a program."""


class InvitedUser(TypedDict):
    """The person, and how the invitation reaches them."""
    user: User
    invitation: Invitation


class LastService(TypedDict):
    at: str
    """From when it counts."""
    odometer_km: float | None
    """Null until the vehicle reports its odometer."""
    engine_hours: float | None
    """Null until the vehicle reports its run time."""


class _LastServiceRequestRequired(TypedDict):
    at: str
    """When it was last done, not in the future."""


class LastServiceRequest(_LastServiceRequestRequired, total=False):
    """From where the schedule counts: when it was last done, or else from now."""
    odometer_km: float
    """What the odometer showed then. What the vehicle reported, when left out."""
    engine_hours: float
    """What the hour meter showed then. What the vehicle reported, when left out."""


class Life(TypedDict):
    vehicleId: str
    startedAt: str
    """When the part was put in."""
    endedAt: str
    """When it was replaced, or last looked at."""
    age: float
    """In the unit asked for."""
    failed: bool
    """False: it had not failed by then, and either still runs or was replaced before."""


class LifeList(TypedDict):
    """Lives of one component that began with a replacement that is on record. A part that was in the vehicle before has an unknown age."""
    component: str
    unit: Literal["km", "days", "engine_hours"]
    lives: list[Life]
    leftOut: int
    """Lives whose end nobody described, or whose age in this unit is not known."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class _LoggedEventRequired(TypedDict):
    id: str
    """The same in every attempt to deliver it, and in the log."""
    event: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, Any]
    """By the type of event: that of `WebhookEvent`."""
    sub_client_id: str | None
    """Owner of the vehicle or device it is about, at that time."""


class LoggedEvent(_LoggedEventRequired, total=False):
    test: Literal[True]
    """Only of a sample that somebody asked for: nothing happened. Never in the log."""


class LoggedProblem(TypedDict):
    code: str
    """As it was answered; see docs/errors.md."""
    message: str
    """The reason, as it was answered."""


class LoggedRequest(TypedDict):
    id: str
    """Of this entry."""
    at: str
    """When the request came."""
    keyId: str
    """The key it was made with, also one that is revoked or expired."""
    subClientId: str | None
    """The sub-client that the key belongs to, if to one."""
    surface: Literal["external", "platform-v1", "sim-billing"]
    """The API that answered."""
    method: str
    path: str
    """Without the query. What looks like a secret is shown as `***`."""
    query: str | None
    """As it was sent. Values of what is named like a secret, or looks like one, are shown as `***`."""
    status: int
    durationMs: int
    """From the request to the end of the answer."""
    requestId: str
    """`X-Request-Id` of the answer."""
    error: LoggedProblem | None
    """Why it was refused; null where it was not."""
    address: str
    """IP address that the request came from."""
    userAgent: str | None
    """What the program calls itself."""


class Maintenance(TypedDict):
    """Work on one component of one vehicle."""
    id: str
    vehicleId: str
    component: str
    status: Literal["planned", "completed"]
    scheduleId: str | None
    """The schedule that the work is for."""
    dueAt: str | None
    """When planned work is to be done."""
    completedAt: str | None
    """When the work was done."""
    odometer_km: float | None
    """At the work. What the vehicle reported then, where nobody gave it."""
    engine_hours: float | None
    """At the work. What the vehicle reported then, where nobody gave it."""
    cost: Cost | None
    notes: str | None
    """For people."""
    condition_found: Literal["sound", "worn", "failed"] | None
    """How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long."""
    renewed: bool
    """Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age."""
    predictionId: str | None
    """The prediction that led to the work, or else that stood when it was done."""
    prediction: PredictionOutcome | None
    """What the prediction that stood had predicted, beside what happened. Null where there was none."""
    createdAt: str
    """When the record was made."""
    updatedAt: str
    """When it was last changed."""


class MaintenanceList(TypedDict):
    """A page of records, newest first."""
    maintenance: list[Maintenance]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class MaintenanceSettings(TypedDict):
    """What holds for the whole fleet."""
    leadDays: int
    """How many days before the early end (P10) of a remaining life work on it is advised. 7 until it is set."""


class MapCluster(TypedDict):
    """Vehicles that lie close together, at the middle of where they are."""
    latitude: float
    longitude: float
    health: HealthCounts
    bounds: Bounds


class MapPoint(TypedDict):
    """A vehicle where it was last."""
    id: str
    label: str
    """What people know it by: plate, name or own reference, else the VIN or the id."""
    latitude: float
    longitude: float
    heading: float | None
    """Degrees clockwise from north."""
    healthStatus: Literal["healthy", "warning", "critical"] | None
    online: bool
    lastReadingAt: str | None


class MapSources(TypedDict):
    """Where the streets come from."""
    kind: Literal["built_in", "style", "pmtiles", "raster"]
    """`built_in`: coasts, borders and towns, without streets. `style`: a MapLibre style. `pmtiles`: a PMTiles file in the Protomaps schema. `raster`: images by `{z}`, `{x}` and `{y}`."""
    url: str | None
    """Of the style, the file or an image; a path is one of this service. Null for `built_in`."""
    darkUrl: str | None
    """Of the style for dark pages, where there is one."""
    attribution: str | None
    """Whose map it is, to be shown on it as text."""


class MessageError(TypedDict):
    code: str
    message: str
    field: str | None
    """To blame, as it was sent."""


class MessageRecording(TypedDict):
    """Whether messages are recorded, and until when."""
    deviceId: str
    recordingUntil: str | None
    """Null: messages are not recorded any more."""


class Model(TypedDict):
    name: str
    type: str
    """`rules` and `weibull` come from knowledge; learned models name their kind."""
    version: str
    status: str
    """`serving`; `kept`: a newer version was refused and this one goes on; `failed`: it does not answer."""
    reason: str | None
    """Why it was kept or failed."""
    description: str
    source: str
    """What it was made from: the data set, or the literature."""
    measuredAt: str | None
    """When its figures were measured."""
    metrics: dict[str, float]
    """Its figures, by the names that the engine gives them."""
    numbersByOrigin: dict[str, int] | None
    """Of what comes from knowledge: how many of its numbers are from data, literature, the benchmark, or are an assumption."""


class ModelDrift(TypedDict):
    """How well the models fit the fleet of the account, or of the sub-client."""
    judged: int
    """Active vehicles that were judged in the last 24 hours."""
    unusual: int
    """Of these, those whose newest readings are unlike normal."""
    unexplained: int
    """Of the unusual ones, those without an open alert of the readings that explains it: any of the engine but `unusual_reading` and `life_ending`."""
    unjudgeable: int
    """Of those that were judged, those of whose readings none could be."""
    confidence: float | None
    falseAlarms: list[ClosedIncidents]
    """The last 30 days, and the 30 days before."""


class ModelList(TypedDict):
    """The models that answer predictions, as the engine describes them."""
    models: list[Model]
    problem: str | None
    """Why the folder of models could not be read at the last look."""


class NextService(TypedDict):
    at: str | None
    """When its time is over."""
    odometer_km: float | None
    """At which it is due."""
    engine_hours: float | None
    """At which it is due."""
    expectedAt: str | None
    """The first of the three, as far as the vehicle's own use of the last 60 days shows."""


class Notification(TypedDict):
    """One message to one person or channel."""
    id: str
    """The local part of the `Message-ID` of the e-mail, and the `webhook-id` of a webhook."""
    ruleId: str | None
    """A rule of a person of their own is `nrp-…`. Null for a test of a channel or a browser."""
    incidentId: str | None
    """Null for a digest, or a test."""
    vehicleId: str | None
    """Of the incident. Null where it is about a device alone, and where there is none."""
    incidentTitle: str | None
    """Of the incident, as it is now."""
    subClientId: str | None
    """Whose the incident was, or what is tested."""
    step: str
    """`first`, `repeat.1` and on, `escalation`, `digest.2026-11-23`, `test`. One message for each rule, incident or day, step and recipient, or browser of one."""
    recipient: str
    """The user, or the channel."""
    browserId: str | None
    """Of the browser of the user in which it is shown (`psh-…`). Null: an e-mail, or to a channel."""
    status: Literal["pending", "sending", "sent", "failed", "uncertain", "cancelled"]
    """`pending`: an attempt is to come. `uncertain`: the process ended while it was sending, or a chat did not answer; the message may have arrived, and is not sent again. `cancelled`: the incident is no longer open, or the rule is gone or does not name the recipient any more, and no attempt is made."""
    attemptCount: int
    nextAttemptAt: str | None
    """When the next attempt is due; only while pending."""
    error: str | None
    """Why the last attempt failed, or why none was made."""
    createdAt: str
    """When it was decided."""
    sentAt: str | None
    """When the mail server, the channel or the push service took it."""
    acknowledgedAt: str | None
    """When its link acknowledged the incident."""


class NotificationChannel(TypedDict):
    """Where messages go that are for a team."""
    id: str
    """Rules name it among their `recipients`."""
    name: str
    """For people."""
    kind: Literal["slack", "teams", "telegram", "ntfy", "webhook"]
    """`slack`: an incoming webhook of Slack, or of what takes the same form. `teams`: a webhook of the Workflows app of Microsoft Teams. `telegram`: a bot. `ntfy`: a topic. `webhook`: a program, signed by Standard Webhooks."""
    subClientId: str | None
    """Of which sub-client it is. Null: of the reseller."""
    language: Literal["en", "de", "es"]
    """Of its messages."""
    units: Literal["metric", "imperial"]
    """Of its messages. `imperial`: °F, miles, mph, psi, US mpg."""
    target: str
    """Where it sends, without what is secret."""
    createdAt: str
    """When it was connected."""
    updatedAt: str
    """When it was last changed."""


class NotificationChannelChange(TypedDict, total=False):
    """What is left out stays as it is."""
    name: str
    """For people."""
    language: Literal["en", "de", "es"]
    """Of its messages. Left out: `en`. A `webhook` is for programs, and English."""
    units: Literal["metric", "imperial"]
    """Of its messages. Left out: `metric`. A `webhook` is metric. `imperial`: °F, miles, mph, psi, US mpg."""
    url: str
    """Of `slack`, `teams`, `webhook`: https, and a public address. It is a secret: who has it can write there."""
    serverUrl: str
    """Of `telegram` and `ntfy`, where the server is one of your own. Left out: the public one."""
    botToken: str
    """Of `telegram`, as @BotFather gives it: `123456:ABC…`."""
    chatId: str
    """Of `telegram`: the number of the chat, or `@channelname`."""
    topic: str
    """Of `ntfy`."""
    token: str | None
    """Of `ntfy`: an access token, where the topic wants one."""


class NotificationChannelList(TypedDict):
    """A page of channels, oldest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    notificationChannels: list[NotificationChannel]
    pagination: Pagination


class NotificationChannelTest(TypedDict):
    """What came of the test."""
    id: str
    notificationId: str
    """Of the message in the log."""
    status: Literal["sending", "sent", "failed", "uncertain"]
    """`sent`: the receiver took it. `uncertain`: it did not answer; the message may have arrived."""
    error: str | None
    """What the receiver answered, or why it could not be asked."""


class NotificationList(TypedDict):
    """A page of the log, newest first."""
    notifications: list[Notification]
    pagination: Pagination


class NotificationRule(TypedDict):
    """Who is sent a message about which incidents, and when."""
    id: str
    name: str
    """For people; it is in the messages."""
    subClientId: str | None
    """Only incidents of this sub-client. It stays. Null: of the whole fleet."""
    enabled: bool
    """False: nothing is sent by it."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""
    components: list[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: list[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: list[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None
    createdAt: str
    """When it was made. It is about incidents that open or change after that."""
    updatedAt: str
    """When it was last changed."""
    recipients: list[str]
    """Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`)."""
    escalation: Escalation | None


class NotificationRuleChange(TypedDict, total=False):
    """What is left out stays as it is."""
    name: str
    """For people; it is in the messages."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""
    recipients: Sequence[str]
    """Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`)."""
    enabled: bool
    """False: nothing is sent by it."""
    components: Sequence[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: Sequence[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: Sequence[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None
    escalation: Escalation | None


class NotificationRuleList(TypedDict):
    """A page of rules, oldest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    notificationRules: list[NotificationRule]
    pagination: Pagination


class NotificationTestSent(TypedDict):
    """It is on its way; the log shows what came of it."""
    id: str
    recipients: int
    """How many people are sent the test."""


class Odometer(TypedDict):
    """What the odometer and the hour meter of a vehicle stand at."""
    vehicleId: str
    odometer_km: float | None
    """Never runs backwards but by a correction."""
    odometerAt: str | None
    """When the vehicle, or a person, last reported it."""
    engine_hours: float | None
    """The hour meter, or what the engine ran since it was first heard."""
    engineHoursAt: str | None
    """When the vehicle, or a person, last reported it."""
    use: DailyUse


class OdometerCorrection(TypedDict):
    id: str
    vehicleId: str
    odometer_km: float | None
    """As corrected."""
    engine_hours: float | None
    """As corrected."""
    formerOdometer_km: float | None
    """As it stood before."""
    formerEngine_hours: float | None
    """As they stood before."""
    reason: str
    correctedBy: str
    """The API key, or the person."""
    correctedAt: str
    """When."""


class OdometerCorrectionList(TypedDict):
    """A page of corrections, newest first."""
    corrections: list[OdometerCorrection]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class OpenIncidents(TypedDict):
    open: int
    """Incidents that nobody has acknowledged, snoozed or resolved."""
    acknowledged: int
    """Incidents that somebody is at."""
    items: list[UrgentIncident]
    """Of the open ones, gravest first and then the longest open. 8 at most; what schedules raise is in `work`."""


class Overview(TypedDict):
    """What the first page of the dashboard shows."""
    vehicles: FleetCounts
    incidents: OpenIncidents | None
    """Null without the scope `predict`."""
    work: WorkAhead
    atRisk: list[VehicleAtRisk] | None
    """The ten vehicles with the shortest remaining life of a part. Null without the scope `predict`."""
    throughput: Throughput
    changes: ChangesSince | None
    """Null without `since`; what needs `predict` (incidents) or `devices:read` (devices) is null without it."""
    firstSteps: FirstSteps | None
    """What is set up. Null for who is bound to a sub-client."""


class Pagination(TypedDict):
    endCursor: str | None
    """Give it as `after` to get the next page."""
    hasNextPage: bool


class PasswordResetAnswer(TypedDict):
    """The same whether there is such an account or not."""
    message: str


class PasswordResetRequest(TypedDict):
    email: str


class PersonalNotificationRule(TypedDict):
    """When one person is sent messages about which incidents. Whom else a rule of the account names is not in it."""
    id: str
    name: str
    """For people; it is in the messages."""
    subClientId: str | None
    """Only incidents of this sub-client. It stays. Null: of the whole fleet."""
    enabled: bool
    """False: nothing is sent by it."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""
    components: list[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: list[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: list[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None
    createdAt: str
    """When it was made. It is about incidents that open or change after that."""
    updatedAt: str
    """When it was last changed."""
    own: bool
    """True: the person made it for themself, and can change it."""
    afterMinutes: int | None
    """The person gets the message when nobody acknowledged the incident for so long. Null: at first."""


class PersonalNotificationRuleChange(TypedDict, total=False):
    """What is left out stays as it is."""
    name: str
    """For people; it is in the messages."""
    minSeverity: Literal["info", "low", "medium", "high", "critical"]
    """Incidents at least this severe. Mildest first."""
    enabled: bool
    """False: nothing is sent by it."""
    components: Sequence[str] | None
    """Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any."""
    vehicleIds: Sequence[str] | None
    """Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`."""
    vehicleGroupIds: Sequence[str] | None
    """Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group."""
    workingHours: WorkingHours | None
    quietHours: QuietHours | None
    criticalAtAnyHour: bool
    """What is critical waits for no hour."""
    repeatMinutes: int | None
    """Sent again after so long, up to 50 times, while the incident is open. Null: once."""
    digest: DailyDigest | None


class PersonalNotificationRuleList(TypedDict):
    """Oldest first."""
    limit: int
    """So many rules of their own a person has at most."""
    notificationRules: list[PersonalNotificationRule]


class PlanOverview(TypedDict):
    """The plan of the account."""
    plan: Literal["starter", "professional", "enterprise"]
    subscription: Literal["trialing", "active", "past_due", "canceled"]
    month: CalendarMonth
    """The calendar month, in UTC, that quotas count by."""
    platformCalls: PlanQuota
    """Platform API calls."""
    predictions: PlanQuota
    """Predictions on demand."""
    keyPerMinute: int | None
    """Requests of one key in any 60 s on the External API and the SIM and billing API, unless the key has its own limit. Null: no limit."""
    keyPerDay: int | None
    """Requests of one key in a UTC day on these, unless the key has its own limit. Null: no limit."""
    kept: list[RetentionPeriod]
    """What is kept for how long. It is set for the whole service."""


class PlanQuota(TypedDict):
    limit: int | None
    """In a month. Null: no limit."""
    used: int
    """In this month, so far."""


class Prediction(TypedDict):
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


class PredictionAccuracy(TypedDict):
    """What had been predicted, compared with what was found when the work was done."""
    expectedCoverage: float
    """Of an interval from p10 to p90."""
    components: list[ComponentAccuracy]


class PredictionList(TypedDict):
    """A page of predictions."""
    predictions: list[Prediction]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class PredictionOutcome(TypedDict):
    id: str
    """Of the prediction."""
    toldAt: str
    """When it was last published: first, or after its remaining life had moved by more than 20 %."""
    rul_days: int
    """What it predicted then: median remaining life."""
    interval: list[float]
    """`[p10, p90]` in days, as published then."""
    actual_days: float
    """From then to the work."""
    outcome: Literal["inside", "earlier", "later", "censored", "unknown"]
    """`inside`: it failed within the interval; `earlier` and `later`: before and after it. `censored`: it was replaced before it failed, so nobody knows. `unknown`: nobody reported how the part was."""


class PreferencesRequest(TypedDict, total=False):
    language: Literal["en", "de", "es"]
    """Of the dashboard and of what is sent to the person."""
    units: Literal["metric", "imperial"]
    """Of the dashboard and of what is sent to the person. `imperial`: °F, miles, mph, psi, US mpg."""


class PushKeys(TypedDict):
    p256dh: str
    """The public key of the browser. Base64url."""
    auth: str
    """Its authentication secret. Base64url."""


class PushSubscription(TypedDict):
    """A browser in which the person is shown messages."""
    id: str
    name: str
    """Of the browser, for the person."""
    host: str
    """Of the push service of the browser."""
    endpointSha256: str
    """By it a page knows its own browser: SHA-256 of the endpoint, in hexadecimal."""
    createdAt: str
    """When it was allowed."""


class PushSubscriptionList(TypedDict):
    """Those of who is signed in, oldest first."""
    publicKey: str
    """What a browser subscribes with, as `applicationServerKey`: base64url."""
    limit: int
    """How many there can be."""
    pushSubscriptions: list[PushSubscription]


class PushSubscriptionTest(TypedDict):
    """What came of the test."""
    id: str
    notificationId: str
    """Of the message in the log."""
    status: Literal["sending", "sent", "failed", "uncertain"]
    """`sent`: the receiver took it. `uncertain`: it did not answer; the message may have arrived."""
    error: str | None
    """What the receiver answered, or why it could not be asked."""


class _PutStreamConnectionRequestRequired(TypedDict):
    brokers: Sequence[str]
    """Brokers to begin with, each `HOST:PORT`: public addresses, port 443 or from 1024 up."""
    topic: str
    """Topic of the telemetry. What cannot be taken goes to the topic of this name with `.dlq` behind it."""


class PutStreamConnectionRequest(_PutStreamConnectionRequestRequired, total=False):
    enabled: bool
    """Whether the topic is read. Preset: `true`."""
    groupId: str
    """Consumer group; left out: `roadworthy-` and the slug of the reseller. How far the topic is read is kept for each group: another one begins anew."""
    startAt: Literal["earliest", "latest"]
    """Where a group begins of which neither this service nor Kafka knows how far it came. Preset: `earliest`."""
    tls: StreamTlsRequest | None
    sasl: StreamSaslRequest | None


_QuietHoursNamed = TypedDict("_QuietHoursNamed", {"from": "str", "to": "str"})


class QuietHours(_QuietHoursNamed):
    """Messages wait until these hours are over, in the time zone of the reseller. Null: none."""


class Reading(TypedDict):
    id: str
    """As in the answer that acknowledged it."""
    recordedAt: str
    """By the clock of the device."""
    receivedAt: str
    """When it reached this service."""
    deviceId: str | None
    latitude: float | None
    longitude: float | None
    signals: dict[str, float]
    """By the field names and in the units of telemetry."""
    attributes: dict[str, Any]
    """`heading`, `altitude`, `satellites`, `device_battery`, `ignition`, `event`, the lamps, `dtc_codes`, and in `extra` what else was sent."""
    implausible: list[str]
    """Fields outside their documented range: kept, never used for scoring."""


class ReadingBucket(TypedDict):
    start: str
    """The bucket holds readings from here until `bucketSeconds` later; buckets are aligned to the epoch."""
    signals: dict[str, SignalSummary]


_ReadingListNamedRequired = TypedDict("_ReadingListNamedRequired", {"vehicleId": "str", "from": "str", "to": "str", "total": "int", "pagination": "Pagination"})
_ReadingListNamedOptional = TypedDict("_ReadingListNamedOptional", {"readings": "list[Reading]", "bucketSeconds": "int", "buckets": "list[ReadingBucket]"}, total=False)


class _ReadingListNamed(_ReadingListNamedRequired, _ReadingListNamedOptional):
    pass


class ReadingList(_ReadingListNamed):
    """A page of readings, or the buckets that were asked for."""


class ReadingsRetention(TypedDict):
    """For how long readings are kept, in the database or in files, and points of the health history. What is older is removed, up to a week later."""
    days: int | None
    """For how many days readings are kept that are of no sub-client below. Null: for ever."""
    isPreset: bool
    """Whether that is what the service keeps those of everybody for, because nothing else is set."""
    presetDays: int
    """For how many days the service keeps readings where nothing is set."""
    minDays: int
    """The least that can be set: readings of so long ago are still accepted."""
    subClients: list[SubClientRetention]
    """Sub-clients of whom it is another time."""


class ReadingsRetentionChange(TypedDict, total=False):
    days: int | None
    """For how many days readings are kept. Left out: as long as the service keeps those of everybody. Null: for ever."""
    subClients: Sequence[SubClientRetention]
    """Sub-clients of whom it is another time. Left out: none."""


class _RecoverRequestRequired(TypedDict):
    since: str
    """Events that happened from here on, at the earliest what is still in the log."""


class RecoverRequest(_RecoverRequestRequired, total=False):
    until: str | None
    """And before this. Absent: now."""


class RecoveredDeliveries(TypedDict):
    """What is sent from now on."""
    recovered: int
    """Deliveries that became due."""
    isComplete: bool
    """False: there is more than one request recovers. Send the same again."""


class RemovedMaintenance(TypedDict):
    """The record is gone."""
    id: str
    removed: Literal[True]


class RemovedSchedule(TypedDict):
    """The schedule is gone."""
    id: str
    removed: Literal[True]


class RemovedUser(TypedDict):
    """The person is gone; what they did stays in the audit log."""
    id: str


class RequestLogPage(TypedDict):
    """A page of the log, newest first."""
    requests: list[LoggedRequest]
    keptDays: int
    """Older calls are removed."""
    keptOfKey: int
    """Of each key so many calls that were refused are kept, and so many that were not."""
    pagination: Pagination


class RetentionPeriod(TypedDict):
    what: Literal["readings", "events", "webhook_deliveries", "request_log", "notifications", "audit"]
    days: int
    """What is older is removed, some of it up to a week later."""


class RevokedApiKey(TypedDict):
    """The key, which no longer works."""
    apiKey: ApiKey


class RevokedCalendarLink(TypedDict):
    """The vehicle has no link any more; `revoked` is false where it had none."""
    vehicleId: str
    revoked: bool


class RotateApiKeyRequest(TypedDict, total=False):
    overlapHours: int
    """How long the key before goes on working, so that programs can be given the new one. 0: it ends at once. Preset: `24`."""


class RotatedApiKey(TypedDict):
    """The new key; this is the one time its secret is shown. `previous` is the key before, with when it ends as `expiresAt`."""
    secret: str
    """The key itself, for `X-API-Key` or `Authorization: Bearer`. It is shown this once only."""
    apiKey: ApiKey
    previous: ApiKey


class Schedule(TypedDict):
    """Work that falls due, and when."""
    id: str
    vehicleId: str
    component: str
    title: str
    every: ServiceInterval
    remind: ServiceReminder
    last: LastService
    next: NextService
    status: Literal["unknown", "ok", "due_soon", "overdue"]
    """`unknown`: by distance or engine hours only, and the vehicle reports neither."""
    reviewedAt: str
    """As of when `status` and `next.expectedAt` are. Looked at every few minutes."""
    createdAt: str
    """When the schedule was made."""
    updatedAt: str
    """When a person last changed it, or the work was last done."""


class ScheduleList(TypedDict):
    """A page of schedules, oldest first."""
    schedules: list[Schedule]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class ServiceInterval(TypedDict):
    days: int | None
    km: float | None
    engine_hours: float | None


class ServiceIntervalRequest(TypedDict, total=False):
    """Whichever comes first."""
    days: int
    km: float
    engine_hours: float


class ServiceReminder(TypedDict):
    days: int
    """14 when left out; at most a fifth of `every.days`."""
    km: float
    """500 when left out; at most a fifth of `every.km`."""
    engine_hours: float
    """20 when left out; at most a fifth of `every.engine_hours`."""


class ServiceReminderRequest(TypedDict, total=False):
    """How long before. `days` also before the day on which a distance is expected to be driven."""
    days: int
    """14 when left out; at most a fifth of `every.days`."""
    km: float
    """500 when left out; at most a fifth of `every.km`."""
    engine_hours: float
    """20 when left out; at most a fifth of `every.engine_hours`."""


class Session(TypedDict):
    userId: str
    email: str
    role: Literal["owner", "member", "viewer", "sub_client_viewer"]
    """An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client."""
    subClientId: str | None
    """The only sub-client that the session sees; null: all of them."""
    viewAs: ViewAs | None
    language: Literal["en", "de", "es"] | None
    """What the person chose, also while they look as a sub-client. Null: nothing; the dashboard follows the browser."""
    units: Literal["metric", "imperial"] | None
    """What the person chose. Null: nothing. `imperial`: °F, miles, mph, psi, US mpg."""
    resellerSlug: str
    resellerName: str
    timeZone: str
    """IANA name of the zone of the reseller, in which its days and months begin."""
    expiresAt: str
    """When it ends unless it is used before."""


class SessionAnswer(TypedDict):
    """The session; null when nobody is signed in."""
    session: Session | None


class SetPasswordRequest(TypedDict):
    token: str
    """What stands behind the # of the link."""
    password: str
    """10 to 200 characters; not the e-mail address and none of the commonest passwords."""


class ShownBrand(TypedDict):
    """What the dashboard shows at this host name."""
    name: str
    """What the dashboard calls itself."""
    colour: str | None
    """Of buttons and links: `#rrggbb`."""
    logoUrl: str | None
    """Path of the image. Another image has another path, so it may be kept for ever."""
    supportEmail: str | None
    """Whom people write to for help."""
    supportUrl: str | None
    """Page for help, `https://` or `http://`."""


class SignInRequest(TypedDict):
    email: str
    password: str


class SignalSummary(TypedDict):
    min: float
    avg: float
    max: float
    count: int
    """Values in the bucket. Implausible ones are left out."""


class SilentDevice(TypedDict):
    deviceId: str
    name: str | None
    vehicle: VehicleReference | None
    at: str
    """When it was noticed."""


class StartRecording(TypedDict, total=False):
    minutes: int
    """Preset: `15`."""


class StatementKey(TypedDict):
    """What statements of this service are signed with."""
    algorithm: Literal["Ed25519"]
    publicKey: str
    """Base64 of its SPKI DER."""


class StreamConnection(TypedDict):
    """Where telemetry is read from, without secrets, and how that goes."""
    enabled: bool
    """Whether the topic is read."""
    brokers: list[str]
    """Brokers to begin with, each `HOST:PORT`: public addresses, port 443 or from 1024 up."""
    topic: str
    """Topic of the telemetry. What cannot be taken goes to the topic of this name with `.dlq` behind it."""
    deadLetterTopic: str
    """Where messages go that cannot be taken, with the reason."""
    groupId: str
    """Consumer group; left out: `roadworthy-` and the slug of the reseller. How far the topic is read is kept for each group: another one begins anew."""
    startAt: Literal["earliest", "latest"]
    """Where a group begins of which neither this service nor Kafka knows how far it came."""
    tls: StreamTls | None
    sasl: StreamSasl | None
    status: StreamStatus
    createdAt: str
    """When there was first a connection."""
    updatedAt: str
    """When it was last changed."""


class StreamConnectionList(TypedDict):
    """The stream connection of the reseller, if there is one."""
    connections: list[StreamConnection]
    """One, or none while there is no connection."""


class StreamConnectionTest(TypedDict):
    """What each step found."""
    success: bool
    """Whether no step failed."""
    steps: list[StreamTestStep]
    """In this order. After one that failed, the others are skipped."""


class StreamConsumer(TypedDict):
    id: str
    state: Literal["disabled", "connecting", "running", "waiting", "failed", "quarantined"]
    """waiting: connected, and held up by what stands in detail. failed: not connected; tried again. quarantined: what the brokers sent ended the reader again and again; left out for a day, or until the connection is changed. Of several processes, that of the one that is worst off."""
    detail: str | None
    """What is wrong and what would be right."""
    partitions: list[int]
    """That this process reads at the moment."""
    lagMessages: int | None
    """Messages that are in the topic and not settled yet. Null: not known."""
    storedRecords: int
    """Since it began, as are the two below."""
    duplicateRecords: int
    """That were known already, and counted once."""
    deadLetters: int
    """Messages that went to the topic of dead letters."""
    warnings: list[StreamWarning]
    """Fields that were stored and not used, the most frequent first; of more than 20, those that came last."""
    lastMessageAt: str | None
    """When the newest message that was settled here was written."""
    since: str
    """When this process began to read."""
    updatedAt: str
    """When it last reported its state, which it does every few seconds."""


class StreamSasl(TypedDict):
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
    username: str
    hasPassword: bool
    """Whether a password is stored."""


class _StreamSaslRequestRequired(TypedDict):
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
    username: str


class StreamSaslRequest(_StreamSaslRequestRequired, total=False):
    """Null: no sign-in."""
    password: str | None
    """Never shown again. Left out: the stored one stays, unless a broker was added or TLS was left; null: none."""


class StreamStatus(TypedDict):
    state: Literal["disabled", "connecting", "running", "waiting", "failed", "quarantined"]
    """waiting: connected, and held up by what stands in detail. failed: not connected; tried again. quarantined: what the brokers sent ended the reader again and again; left out for a day, or until the connection is changed. Of several processes, that of the one that is worst off."""
    detail: str | None
    """What is wrong and what would be right."""
    lagMessages: int | None
    """Messages that are in the topic and not settled yet. Null: not known."""
    consumers: list[StreamConsumer]
    """The processes that read it."""


class StreamTestStep(TypedDict):
    step: Literal["name", "tcp", "tls", "authentication", "topic", "sample"]
    status: Literal["ok", "failed", "skipped"]
    detail: str
    """What was found; of a failure, what is wrong and what would be right."""
    duration_ms: int


class StreamTls(TypedDict):
    ca: str | None
    """PEM. Certificates of the authorities that sign the brokers. Null: those that Node trusts."""
    certificate: str | None
    """PEM. Certificate of ours, where the brokers ask for one."""
    hasKey: bool
    """Whether a private key is stored."""


class StreamTlsRequest(TypedDict, total=False):
    """Null: plain text."""
    ca: str | None
    """PEM. Certificates of the authorities that sign the brokers. Null: those that Node trusts."""
    certificate: str | None
    """PEM. Certificate of ours, where the brokers ask for one."""
    key: str | None
    """PEM. Private key of that certificate, without a passphrase. Never shown again. Left out: the stored one stays; null: none."""


class StreamWarning(TypedDict):
    field: str
    """As it was sent."""
    reason: str
    count: int
    """Readings that had it, since the process began; of a field that was rare for long, since it came again."""
    lastAt: str
    """When it was last stored."""


class SubClient(TypedDict):
    """The sub-client as it is now."""
    id: str
    """URL-safe id; never changes."""
    name: str
    contactEmail: str | None
    contactPhone: str | None
    metadata: dict[str, Any]
    status: Literal["active", "suspended", "deactivated"]
    """`suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`)."""
    deviceCount: int
    """Devices of the sub-client that are not decommissioned."""
    vehicleCount: int
    """Its vehicles that are not retired."""
    limits: SubClientLimits
    createdAt: str
    """When it was created."""
    updatedAt: str
    """When it was last changed."""


class SubClientChange(TypedDict, total=False):
    """What is left out stays."""
    name: str
    """Display name."""
    status: Literal["active", "suspended", "deactivated"]
    """`suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`)."""
    contactEmail: str | None
    """Null removes it."""
    contactPhone: str | None
    """Null removes it."""
    metadata: Mapping[str, object] | None
    """Replaces the whole object; null empties it."""
    limits: SubClientLimitsChange


class _SubClientCreateRequired(TypedDict):
    name: str
    """Display name."""


class SubClientCreate(_SubClientCreateRequired, total=False):
    id: str | None
    """Made from the name when left out."""
    contactEmail: str | None
    """Contact e-mail."""
    contactPhone: str | None
    """Contact phone."""
    metadata: Mapping[str, object] | None
    """Free-form, at most 16 KiB of JSON."""


class SubClientDeactivated(TypedDict):
    """The sub-client as it is now, and what became of its devices."""
    subClient: SubClient
    devicesUnassigned: int
    """How many devices this call took from the sub-client."""


class SubClientDeactivation(TypedDict):
    """What deactivating the sub-client would do, as it stands now."""
    devices: int
    """Devices that leave it. They stay registered, work as before, and belong to no sub-client."""
    sims: int
    """SIMs that leave it, in the background."""
    vehicles: int
    """Vehicles that stay with it: they can be read, not changed."""
    people: int
    """People who see this sub-client only. They may go on reading."""


class SubClientLimits(TypedDict):
    """Beyond them: 403 `quota_exceeded`."""
    devices: int | None
    """Devices that are not decommissioned. Null: no limit."""
    readingsPerMonth: int | None
    """Readings stored in a calendar month (UTC). Null: no limit."""
    predictionsPerMonth: int | None
    """Predictions asked for in a calendar month (UTC). Null: no limit."""


class SubClientLimitsChange(TypedDict, total=False):
    """What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client."""
    devices: int | None
    """Devices that are not decommissioned. Null: no limit."""
    readingsPerMonth: int | None
    """Readings stored in a calendar month (UTC). Null: no limit."""
    predictionsPerMonth: int | None
    """Predictions asked for in a calendar month (UTC). Null: no limit."""


class SubClientList(TypedDict):
    """A page of sub-clients."""
    subClients: list[SubClient]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class SubClientQuota(TypedDict):
    limit: int | None
    """Null: no limit."""
    used: int
    """Of it, so far."""


class SubClientRetention(TypedDict):
    subClientId: str
    """A sub-client."""
    days: int | None
    """For how many days its readings are kept. Null: for ever."""


class _TelemetryAcceptedRequired(TypedDict):
    success: Literal[True]
    telemetryId: str
    vehicleId: str | None
    receivedAt: str
    """When it was received."""
    duplicate: bool
    """The same reading was stored before; this one counts nothing."""


class TelemetryAccepted(_TelemetryAcceptedRequired, total=False):
    """Sent after the reading is committed."""
    warnings: list[FieldWarning]
    """Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record."""


class _TelemetryInputRequired(TypedDict):
    vehicleId: str
    """Our id, or the caller's own reference; a reference not seen before makes the vehicle."""


class TelemetryInput(_TelemetryInputRequired, total=False):
    """The aliases of the ML engine are taken too. Unknown keys are kept."""
    timestamp: str
    """RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out."""
    engine_speed: float
    """Engine speed, RPM."""
    coolant: float
    """Coolant temperature, °C."""
    battery_voltage: float
    """Battery voltage, V."""
    fuel_level: float
    """Fuel level, %."""
    vehicleSpeed: float
    """Vehicle speed, km/h."""
    engineOilTemp: float
    """Engine oil temperature, °C."""
    engineFuelTemp: float
    """Fuel temperature, °C."""
    obdDistance: float
    """Odometer, km."""
    runTime: float
    """Run time since engine start, s."""
    current_gear: float
    """Current gear, gear."""
    fuel_consumption: float
    """Fuel consumption, L/100km."""
    ambient_air_temperature: float
    """Ambient air temperature, °C."""
    oil_pressure: float
    """Engine oil pressure, PSI."""
    throttle: float
    """Throttle position, %."""
    intake_air_temp: float
    """Intake air temperature, °C."""
    mil_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Malfunction indicator lamp"""
    red_stop_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Red stop lamp"""
    amber_warning_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Amber warning lamp"""
    protect_lamp: Literal["LAMP_ON", "LAMP_OFF"]
    """Protect lamp"""
    dtc_codes: Sequence[str]
    """Active fault codes."""
    latitude: float
    longitude: float


class Throughput(TypedDict):
    perMinute: float
    """Readings a minute, on average since the quarter-hour before this one began."""
    quarters: list[ThroughputQuarter]
    """The last six hours, oldest first. The last one is not over."""


_ThroughputQuarterNamed = TypedDict("_ThroughputQuarterNamed", {"from": "str", "readings": "int"})


class ThroughputQuarter(_ThroughputQuarterNamed):
    pass


_TrackNamed = TypedDict("_TrackNamed", {"vehicleId": "str", "from": "str", "to": "str", "points": "list[TrackPoint]", "stops": "list[TrackStop]", "gaps": "list[TrackGap]", "distanceKm": "float", "maxSpeed": "float | None", "everySeconds": "int", "toleranceM": "float | None"})


class Track(_TrackNamed):
    """Where the vehicle was."""


_TrackGapNamed = TypedDict("_TrackGapNamed", {"from": "str", "to": "str"})


class TrackGap(_TrackGapNamed):
    """Nothing was heard for longer than a vehicle may be silent and count as online (a setting, 5 minutes by default)."""


class TrackPoint(TypedDict):
    at: str
    """When the vehicle was there, by the clock of the device."""
    latitude: float
    longitude: float
    speed: float | None
    """km/h"""
    heading: float | None
    """Degrees clockwise from north."""
    ignition: bool | None


_TrackStopNamed = TypedDict("_TrackStopNamed", {"from": "str", "to": "str", "latitude": "float", "longitude": "float"})


class TrackStop(_TrackStopNamed):
    """The vehicle stayed within 100 m for five minutes or more."""


class TrackerTokenIssue(TypedDict, total=False):
    graceSeconds: int
    """How long the token before works on. Preset: `0`."""


class TrackerTokenIssued(TypedDict):
    """The new token; this is the one time it is shown."""
    id: str
    trackerToken: str
    """The identifier of the device in OsmAnd and Traccar Client, and a part of the address for others. Shown in this answer only."""
    previousValidUntil: str | None
    """Until when the token before is good; null: no longer, or there was none."""


class TrackerTokenRevoked(TypedDict):
    """The device has no token."""
    id: str
    revoked: bool
    """False where there was none."""


class TriedFinding(TypedDict):
    component: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    message: str


class TriedPrediction(TypedDict):
    healthScore: float
    healthStatus: Literal["healthy", "warning", "critical"]
    riskLevel: Literal["none", "low", "medium", "high"]
    """By the probability. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet."""
    confidence: float
    """How much there was to judge by."""
    components: dict[str, float]
    """Score of each part."""
    findings: list[TriedFinding]
    """What was found, worst first."""
    insights: list[str]
    """What was found and not found, with readings and thresholds."""
    recommendations: list[str]
    missingFields: list[str]
    """Keys that would raise confidence."""


class TryAnswer(TypedDict):
    """How the reading was understood, and what the engine answers to it as if it lasted."""
    fields: list[FieldMeaning]
    """Each key of the reading, in its order."""
    prediction: TriedPrediction


class TryRequest(TypedDict):
    reading: Mapping[str, object]
    """One reading, with the keys of the External API, of the ML engine or their aliases."""


class UnderstoodValue(TypedDict):
    key: str
    value: Any
    unit: str | None
    implausible: bool
    """Stored, and judged by nothing."""


class UrgentIncident(TypedDict):
    id: str
    vehicle: VehicleReference | None
    deviceId: str | None
    """The device that raised it, where one did."""
    component: str
    source: Literal["engine", "device"]
    """Who found it, as of incidents."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    title: str
    recommendation: str
    """What to do."""
    advice: Advice | None
    openedAt: str
    """When it was opened."""


class UsageLimit(TypedDict):
    id: str
    name: str
    usedPercent: int
    """Of the limit that is nearest to its end, rounded down; above 100 where a limit was set below what is used. 100 of a limit of 0."""
    devices: SubClientQuota
    """Devices that are not decommissioned."""
    readings: SubClientQuota
    """Readings in a month."""
    predictions: SubClientQuota
    """Predictions on demand in a month."""


class UsageLimits(TypedDict):
    """Limits of sub-clients, and what of them is used. Those of the plan are at `/plan`."""
    month: CalendarMonth
    """The calendar month, in UTC, that limits count by."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    subClients: list[UsageLimit]
    """Those that have a limit, oldest first."""
    pagination: Pagination


class UsagePeriod(TypedDict):
    period: str
    """`2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`."""
    totals: UsageTotals


class UsageProjection(TypedDict):
    """What this month comes to if it goes on as it has until now. Active devices are not projected."""
    period: str
    """The month it is."""
    used: UsageTotals
    totals: UsageTotals
    elapsedPercent: float
    """How much of the month is over."""


_UsageReportNamed = TypedDict("_UsageReportNamed", {"total": "int", "granularity": "str", "from": "str", "to": "str", "totals": "UsageTotals", "pagination": "Pagination", "timeZone": "str", "rows": "list[UsageRow]", "periods": "list[UsagePeriod]", "projected": "UsageProjection"})


class UsageReport(_UsageReportNamed):
    """What was used, by period, sub-client and meter. Calls of the last second may be missing."""


class UsageRow(TypedDict):
    period: str
    """`2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`."""
    meter: Literal["points_ingested", "api_calls", "predictions", "active_devices"]
    count: int
    """Never 0: what was not used has no row."""
    subClientId: str | None
    """Null: what belongs to no sub-client."""


_UsageStatementNamed = TypedDict("_UsageStatementNamed", {"statement": "Literal[\"roadworthy-usage-1\"]", "status": "Literal[\"draft\", \"final\"]", "resellerId": "str", "subClientId": "str | None", "month": "str", "timeZone": "str", "from": "str", "to": "str", "totals": "UsageTotals", "previousHash": "str | None", "lines": "list[UsageStatementLine]", "publicKey": "str", "signature": "str"})


class UsageStatement(_UsageStatementNamed):
    """`npx roadworthy verify-statement` checks it offline."""


class UsageStatementLine(TypedDict):
    seq: int
    """Place in the chain of the sub-client."""
    bucket: str
    """Start of the quarter-hour in which the service received it."""
    meter: Literal["points_ingested", "api_calls_external", "api_calls_platform", "predictions", "active_devices", "active_device_days"]
    count: int
    hash: str
    """SHA-256 over this line and the hash before it."""


class UsageTotals(TypedDict):
    points_ingested: int
    """Readings that were stored; one that was known already counts nothing."""
    api_calls: int
    """Requests of keys that were let in, to both APIs."""
    predictions: int
    """Predictions that were asked for."""
    active_devices: int
    """Devices of which a reading was stored, once in each period."""


class User(TypedDict):
    id: str
    email: str
    """What the person signs in with. Kept in lower case."""
    role: Literal["owner", "member", "viewer", "sub_client_viewer"]
    """An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client."""
    subClientId: str | None
    """The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else."""
    status: Literal["invited", "active", "deactivated"]
    """`invited` until the person has set a password. A `deactivated` person cannot sign in."""
    language: Literal["en", "de", "es"] | None
    """In which the person reads the dashboard and is written to. Null: never chosen; mails are English."""
    units: Literal["metric", "imperial"] | None
    """Of the person. Null: never chosen; mails are metric. `imperial`: °F, miles, mph, psi, US mpg."""
    createdAt: str
    """When the person was invited or made."""


class UserAnswer(TypedDict):
    """The person."""
    user: User


class UserList(TypedDict):
    """A page of people, oldest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    users: list[User]
    pagination: Pagination


class Vehicle(TypedDict):
    """A vehicle and how it is."""
    id: str
    vin: str | None
    make: str | None
    model: str | None
    healthScore: float | None
    """Null until the vehicle first reported and was scored."""
    year: int | None
    licensePlate: str | None
    name: str | None
    """Its name; of a vehicle without name and plate, its device's."""
    vehicleClass: str | None
    """Such as `heavy_truck`."""
    fuelType: str | None
    """Such as `diesel`."""
    drivetrain: str | None
    """Such as `rwd`."""
    batteryNominalV: int | None
    """Nominal voltage of the starter battery, in volts."""
    status: Literal["active", "retired"]
    """A retired vehicle is not scored."""
    externalRef: str | None
    """The caller's own name for the vehicle."""
    subClientId: str | None
    """Owner."""
    registered: bool
    """False for a vehicle that was made by a reading which named it."""
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
    location: VehicleLocation | None
    """Where it was last. Null until it reported a position."""
    createdAt: str
    """When the vehicle was created."""
    updatedAt: str
    """When it was last changed."""


class VehicleAtRisk(TypedDict):
    vehicle: VehicleReference
    component: str
    """The part of it that is expected to last the shortest."""
    issue: str
    rul_days: int
    """Remaining useful life in days, median."""
    interval: list[float]
    """`[p10, p90]` in days: in 8 of 10 cases the part lasts between the two."""
    confidence: float
    """How much there was to judge this component by."""
    severity: Literal["info", "low", "medium", "high", "critical"]
    healthStatus: Literal["healthy", "warning", "critical"] | None


class VehicleChange(TypedDict, total=False):
    """What is left out stays; null clears."""
    make: str | None
    """Manufacturer."""
    model: str | None
    """Model."""
    year: int | None
    """Model year."""
    vin: str | None
    """Vehicle identification number; kept in upper case and unique within the reseller."""
    name: str | None
    """Name for people."""
    drivetrain: Literal["fwd", "rwd", "awd", "4x2", "4x4", "6x2", "6x4", "6x6", "8x4", "8x8", "other"] | None
    """Which wheels are driven, as drive or axle configuration."""
    licensePlate: str | None
    """Registration plate."""
    vehicleClass: Literal["passenger", "van", "light_truck", "medium_truck", "heavy_truck", "bus", "motorcycle", "off_highway", "trailer", "other"] | None
    """Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it."""
    fuelType: Literal["petrol", "diesel", "cng", "lng", "lpg", "hybrid", "plug_in_hybrid", "electric", "hydrogen", "other"] | None
    """What it runs on. An electric vehicle has no predictions of an engine."""
    batteryNominalV: Literal[12, 24, 48] | None
    """Nominal voltage of the starter battery, in volts."""
    externalRef: str | None
    """The caller's own name for the vehicle, unique within the reseller; without the blanks around it."""
    subClientId: str | None
    """Moves the vehicle; null takes it out of its sub-client."""
    status: Literal["active", "retired"]
    """`retired` takes it out of service, `active` brings it back."""


class VehicleCounts(TypedDict):
    """How many of the chosen vehicles are in which state."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    health: HealthCounts
    online: int
    """Heard of within the last minutes (a setting, 5 by default)."""
    offline: int
    """The others."""


class VehicleGroup(TypedDict):
    """Vehicles under a name. A vehicle can be in several; `GET /vehicles?groupId=…` lists those of one."""
    id: str
    name: str
    """For people. No two groups of the same owner have the same name."""
    subClientId: str | None
    """Only vehicles of this sub-client. It stays. Null: of the whole fleet."""
    vehicleCount: int
    """Its vehicles that are in service."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When its name or its vehicles were last changed."""


class VehicleGroupChange(TypedDict, total=False):
    """What is left out stays as it is."""
    name: str
    """For people. No two groups of the same owner have the same name."""
    addVehicleIds: Sequence[str]
    """Vehicles that come into it, by our id or yours. One that is in it already stays."""
    removeVehicleIds: Sequence[str]
    """Vehicles that leave it. One that is not in it is passed over."""


class VehicleGroupList(TypedDict):
    """A page of groups, oldest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    vehicleGroups: list[VehicleGroup]
    pagination: Pagination


class VehicleList(TypedDict):
    """A page of vehicles."""
    vehicles: list[Vehicle]
    total: int
    """How many there are on all pages, with the filters of this request."""
    pagination: Pagination


class VehicleLocation(TypedDict):
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


class VehicleReference(TypedDict):
    """What people know the vehicle by."""
    id: str
    name: str | None
    """Its name; of a vehicle without name and plate, its device's."""
    licensePlate: str | None
    externalRef: str | None
    vin: str | None


class VehiclesWorsened(TypedDict):
    """Vehicles whose health is in a worse band than it was then."""
    total: int
    """All of them."""
    items: list[WorsenedVehicle]
    """The newest, 5 at most."""


class ViewAs(TypedDict):
    """Set while a person of the reseller looks as a sub-client. `role` and `subClientId` are then those of a viewer of it; null: they are the person’s own."""
    subClientId: str
    subClientName: str
    ownRole: Literal["owner", "member", "viewer", "sub_client_viewer"]
    """What the person is again after `DELETE /session/view-as`."""


class ViewAsRequest(TypedDict):
    subClientId: str
    """Any sub-client of the reseller, also one that is deactivated."""


class Webhook(TypedDict):
    """An endpoint that events are sent to."""
    id: str
    url: str
    """Where events are sent. https, and a public address."""
    description: str
    """For people."""
    eventTypes: list[Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]] | None
    """The types of events it is sent. Null: all, also those that are added one day."""
    subClientId: str | None
    """It is sent events of this sub-client only."""
    headerNames: list[str]
    """Names of the headers that are sent along."""
    status: Literal["enabled", "paused", "disabled"]
    """`paused`: by a person; events are kept and sent when it is resumed. `disabled`: by us; see `disabledReason`."""
    disabledReason: Literal["failing", "gone"] | None
    """`failing`: for five days. `gone`: it answered 410."""
    failingSince: str | None
    """Of the first attempt that failed since one succeeded."""
    failureCount: int
    """Attempts that failed since one succeeded."""
    warnedAt: str | None
    """When it had been failing for a day. Four days later it is disabled."""
    lastSuccessAt: str | None
    """Of the last attempt that succeeded, to the minute."""
    previousSecretExpiresAt: str | None
    """Until when messages are signed with the secret before the last rotation as well."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was last changed, by anybody."""


class WebhookAttempt(TypedDict):
    id: str
    attemptedAt: str
    """When it began."""
    url: str
    """Where events are sent. https, and a public address."""
    requestHeaders: dict[str, str]
    """Values of added headers are not shown."""
    outcome: Literal["delivered", "refused", "timeout", "unreachable", "forbidden"]
    """`delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent."""
    answerStatus: int | None
    """The HTTP status that was answered."""
    answerHeaders: dict[str, str] | None
    """The first 40, 500 characters of each."""
    answerBody: str | None
    """Its first 4 kB."""
    error: str | None
    """Why it was not delivered."""
    durationMs: int


class WebhookChange(TypedDict, total=False):
    """What is left out stays as it is. `headers` replaces all of them. A `url` with another scheme, host or port needs them again, or `{}` for none."""
    url: str
    """Where events are sent. https, and a public address."""
    description: str
    """For people."""
    eventTypes: Sequence[Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]] | None
    """The types of events it is sent. Null: all, also those that are added one day."""
    headers: Mapping[str, str]
    """Sent along with every event, 10 at most, for example to sign in with a gateway. Never shown again."""


class WebhookDelivery(TypedDict):
    """One event for one endpoint."""
    id: str
    webhookId: str
    eventId: str
    """What the receiver gets as `webhook-id`, the same in every attempt."""
    eventType: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    """`pending`: an attempt is still to come. `failed`: all ten were made."""
    attemptCount: int
    nextAttemptAt: str | None
    """When the next attempt is due, or was; only while pending."""
    lastAttemptAt: str | None
    """When the last attempt was made."""
    lastOutcome: Literal["delivered", "refused", "timeout", "unreachable", "forbidden"] | None
    """`delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent."""
    lastAnswerStatus: int | None
    """The HTTP status that was answered."""
    deliveredAt: str | None
    """When it was first answered 2xx."""
    createdAt: str
    """When it was decided that this endpoint is sent it."""


class WebhookDeliveryDetail(TypedDict):
    """A delivery with what was sent and what was answered."""
    id: str
    webhookId: str
    eventId: str
    """What the receiver gets as `webhook-id`, the same in every attempt."""
    eventType: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    """`pending`: an attempt is still to come. `failed`: all ten were made."""
    attemptCount: int
    nextAttemptAt: str | None
    """When the next attempt is due, or was; only while pending."""
    lastAttemptAt: str | None
    """When the last attempt was made."""
    lastOutcome: Literal["delivered", "refused", "timeout", "unreachable", "forbidden"] | None
    """`delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent."""
    lastAnswerStatus: int | None
    """The HTTP status that was answered."""
    deliveredAt: str | None
    """When it was first answered 2xx."""
    createdAt: str
    """When it was decided that this endpoint is sent it."""
    body: str
    """The bytes that are signed and sent."""
    attempts: list[WebhookAttempt]
    """Newest first, 50 at most; each is kept for 30 days."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries, newest first."""
    deliveries: list[WebhookDelivery]
    pagination: Pagination


class WebhookList(TypedDict):
    """A page of endpoints, oldest first."""
    total: int
    """How many there are on all pages, with the filters of this request."""
    webhooks: list[Webhook]
    pagination: Pagination


class WebhookStatistics(TypedDict):
    """How the last day went."""
    since: str
    """What was decided to be sent from here on is counted: a day."""
    delivered: int
    """Answered 2xx, at whichever attempt."""
    failing: int
    """Not delivered so far, with an attempt that failed; another may still come."""
    waiting: int
    """Not attempted yet."""
    isComplete: bool
    """False: there were more; the newest 10,000 are counted."""


class WebhookTestRequest(TypedDict, total=False):
    eventType: Literal["vehicle.health.changed", "alert.created", "alert.updated", "alert.resolved", "incident.opened", "incident.updated", "incident.resolved", "prediction.created", "maintenance.completed", "device.online", "device.offline", "device.decommissioned", "sim.state.changed", "sim.action.failed", "sim.anomaly", "usage.threshold", "invoice.opened", "invoice.paid", "invoice.overdue", "invoice.voided", "invoice.credited", "payment.failed", "payment.unapplied", "payment.refund.updated", "payment.dispute.updated", "webhook.endpoint.disabled", "webhook.test"] | None
    """The type that the event has. Absent: `webhook.test`."""


class WebhookTestSent(TypedDict):
    """The event is on its way."""
    eventId: str
    """Of the event that is sent; deliveries can be filtered by it."""


class WebhookWithSecret(TypedDict):
    """The endpoint; this is the one time its new secret is shown."""
    secret: str
    """By which the receiver verifies signatures (Standard Webhooks). It is shown this once only."""
    webhook: Webhook


class WorkAhead(TypedDict):
    """Work that is planned for a schedule which is due counts once."""
    overdue: int
    """Schedules that are overdue, and planned work whose day is over in the time zone of the reseller."""
    dueSoon: int
    """Schedules that are due soon, and work planned for the next 7 days."""
    items: list[DueWork]
    """Overdue first, then by when it is due. 8 at most."""


class WorkDone(TypedDict):
    id: str
    vehicle: VehicleReference
    component: str
    at: str
    """When it was done."""


class WorkPutOnRecord(TypedDict):
    """Work that was done, or put on record, since."""
    total: int
    """All of them."""
    items: list[WorkDone]
    """The newest, 5 at most."""


_WorkingHoursNamed = TypedDict("_WorkingHoursNamed", {"days": "Sequence[int]", "from": "str", "to": "str"})


class WorkingHours(_WorkingHoursNamed):
    """Messages are sent within these hours only, in the time zone of the reseller; others wait for them. Null: always."""


class WorsenedVehicle(TypedDict):
    """`before` is null of a vehicle that was not scored by then."""
    vehicle: VehicleReference
    healthStatus: Literal["healthy", "warning", "critical"]
    before: Literal["healthy", "warning", "critical"] | None
