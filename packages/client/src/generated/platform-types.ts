// Written by `npm run openapi` from docs/openapi/platform-v1.json and the table of methods. Changes belong there.

import type { BinaryBody, RequestOptions, WriteOptions } from '../request-options.ts'
import type { Position, StreamMessage } from './published-types.ts'

export type Advice = {
  /** `stop` driving, go to a workshop `now`, `plan` the work, have it done at the `next_service`, `run_on`. */
  act: 'stop' | 'now' | 'plan' | 'next_service' | 'run_on'
  /** By which day (UTC): the early end of the interval, counted from the reading that was judged, less the lead time of the reseller, and never before that reading. Today for `stop` and `now`, none for `run_on`. */
  by?: string | undefined
  /** The odometer by then, where odometer and daily use are known; the present one for `stop` and `now`. */
  byOdometerKm?: number | undefined
  /** The `[p10, p90]` in days that it rests on, where it rests on one. */
  interval?: [number, number] | undefined
  /** What to do. */
  what: string
  /** What it rests on. */
  why: string
  /** What waiting risks. */
  risk: string
}

/** An alert as it is now. */
export type Alert = {
  id: string
  /** Null of an alert that a device raised while it was in no vehicle that is known. */
  vehicleId: string | null
  /** The device that raised it, where one did (`source` is `device`). */
  deviceId: string | null
  /** Mildest first. The worst the alert has been. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** One sentence that names the reading and the threshold. */
  message: string
  /** When the alert was opened. */
  timestamp: string
  /** Resolved by itself when the condition is gone, or by a person. */
  status: 'open' | 'acknowledged' | 'resolved'
  /** What kind of condition, for example `coolant_high`. */
  type: string
  /** The part it is about. */
  component: string
  /** A few words: what is wrong. */
  description: string
  /** How soon to act: `monitor`, `routine`, `soon`, `urgent` or `immediate`. */
  urgency: string
  /** The fault code, for an alert that comes from one. */
  code: string | null
  /** What drove it, such as `signal` (a field of telemetry), `value`, `threshold` and `unit`. */
  evidence: Record<string, unknown>
  /** How often the condition was found while the alert stood. */
  occurrences: number
  /** When the condition was last found. */
  lastSeenAt: string
  /** When a person acknowledged it. */
  acknowledgedAt: string | null
  /** When it was resolved. */
  resolvedAt: string | null
  /** `engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more. */
  resolvedBy: 'engine' | 'user' | 'maintenance' | null
  /** `engine`: readings show it. `maintenance`: a schedule raised it (`maintenance_due_soon`, `maintenance_overdue`). `device`: a device raised it by the `event` of a reading, which is its type; it ends when a person resolves it. */
  source: 'engine' | 'maintenance' | 'device'
  /** The maintenance schedule, where one is the source. */
  scheduleId: string | null
  /** The incident it belongs to; null of one that ended before there were incidents. */
  incidentId: string | null
  /** When its status, severity or message last changed. */
  updatedAt: string
}

export type AlertChange = {
  /** From `open` to either, from `acknowledged` to `resolved`. Repeating the last move is fine; any other is 409. */
  status: 'acknowledged' | 'resolved'
}

/** A page of alerts. */
export type AlertList = {
  alerts: Alert[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type ApiKey = {
  id: string
  name: string
  /** How the key begins. */
  prefix: string
  /** How the key ends. */
  last4: string
  /** What the key may do. `*` is everything. */
  scopes: string[]
  /** The only sub-client that the key sees and touches. */
  subClientId: string | null
  /** Requests in any 60 seconds. 0: unlimited; absent: the default of the plan. */
  perMinute: number | null
  /** Requests in a UTC day. 0: unlimited; absent: the default of the plan. */
  perDay: number | null
  /** When the key stops working. */
  expiresAt: string | null
  /** When the key was revoked. */
  revokedAt: string | null
  /** Of the last request with this key, to the minute. */
  lastUsedAt: string | null
  /** When the key was made. */
  createdAt: string
}

/** A page of keys, revoked ones included. */
export type ApiKeyList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  apiKeys: ApiKey[]
  pagination: Pagination
}

export type AppIcon = {
  src: string
  sizes: string
  type: string
  purpose: string
}

/** How the dashboard is installed. */
export type AppManifest = {
  name: string
  short_name: string
  id: string
  start_url: string
  scope: string
  display: 'standalone'
  background_color: string
  theme_color: string
  icons: AppIcon[]
}

export type Assignee = {
  /** The user, as `assignee` takes it. */
  id: string
  email: string
  /** The only sub-client whose incidents the person sees. Null: all of them. */
  subClientId: string | null
}

/** A page of people, oldest first. */
export type AssigneeList = {
  assignees: Assignee[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type AuditActor = {
  /** An API key, a person who is signed in, the operator on the command line, the service itself, or somebody who did not sign in. */
  type: 'key' | 'user' | 'cli' | 'system' | 'anonymous'
  /** Of the key or user; for `cli` the account of the operating system. */
  id: string
  /** What the key was called, or the address of the person, at that time. */
  name: string | null
}

export type AuditEntry = {
  id: string
  /** When it happened. */
  at: string
  actor: AuditActor
  /** The kind of object, a dot, and what became of it. */
  action: string
  /** The device, vehicle, key, user, … that it was done to. */
  objectId: string
  /** Whose the object is, or was. */
  subClientId: string | null
  /** `X-Request-Id` of the request. */
  requestId: string | null
  /** IP address that the request came from. */
  address: string | null
  /** The fields that changed, each with what it was and is. A long value is cut; of a secret neither is kept. */
  changes: Record<string, FieldChange>
}

/** A page of the log, newest first. */
export type AuditList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  entries: AuditEntry[]
  /** What the devices, vehicles, incidents, SIMs and webhooks that these entries are about, or name in their changes, are called now, by their ids: an incident by its title, a SIM by its ICCID, a webhook by its address. One that has no name is left out. */
  names: Record<string, string>
  pagination: Pagination
}

export type Bounds = {
  west: number
  south: number
  east: number
  north: number
}

export type Brand = {
  /** What the dashboard calls itself. */
  name: string | null
  /** Of buttons and links: `#rrggbb`. */
  colour: string | null
  /** Path of the image. Another image has another path, so it may be kept for ever. */
  logoUrl: string | null
  /** Whom people write to for help. */
  supportEmail: string | null
  /** Page for help, `https://` or `http://`. */
  supportUrl: string | null
  /** Host names as they are listed. Links in mails begin with the first that is proved. */
  hosts: string[]
  /** Of each host, whether it is proved whose it is, and how to prove it. */
  hostProofs: HostProof[]
}

/** The brand. What is null is, for a sub-client, as in the reseller's, and there as in the service's own. */
export type BrandAnswer = {
  brand: Brand
}

/** The link; this is the one time it is shown. */
export type CalendarLink = {
  vehicleId: string
  /** For a calendar program, which needs no key. It is shown this once only; anybody who has it can read the calendar. */
  url: string
  /** When the link was made. */
  createdAt: string
}

export type CalendarMonth = {
  /** Its first moment. */
  from: string
  /** The first moment of the next. */
  until: string
}

export type ChangeBrandRequest = {
  /** What the dashboard calls itself. */
  name?: string | null | undefined
  /** Of buttons and links: `#rrggbb`. */
  colour?: string | null | undefined
  /** Whom people write to for help. */
  supportEmail?: string | null | undefined
  /** Page for help, `https://` or `http://`. */
  supportUrl?: string | null | undefined
  /** Host names that lead to this service, without scheme and port. Each is shown after it is proved: see `hostProofs`. */
  hosts?: readonly string[] | undefined
}

export type ChangeDemoFleetRequest = {
  /** Whether its vehicles drive from now on. */
  running: boolean
}

/** What is left out stays. `condition_found` too is of completed work only. */
export type ChangeMaintenanceRequest = {
  /** Of planned work only. Null takes it away. */
  dueAt?: string | null | undefined
  cost?: Cost | null | undefined
  /** For people. */
  notes?: string | null | undefined
  /** How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long. */
  condition_found?: 'sound' | 'worn' | 'failed' | null | undefined
  /** Of completed work only. */
  odometer_km?: number | null | undefined
  /** Of completed work only. */
  engine_hours?: number | null | undefined
  /** Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age. */
  renewed?: boolean | undefined
}

export type ChangePasswordRequest = {
  current: string
  /** 10 to 200 characters; not the e-mail address and none of the commonest passwords. */
  next: string
}

/** What is left out stays. `every`, `remind` and `last` are replaced as a whole. */
export type ChangeScheduleRequest = {
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component?: string | undefined
  /** What is to be done. */
  title?: string | undefined
  every?: ServiceIntervalRequest | undefined
  remind?: ServiceReminderRequest | undefined
  last?: LastServiceRequest | undefined
}

export type ChangeUserRequest = {
  /** An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client. */
  role?: 'owner' | 'member' | 'viewer' | 'sub_client_viewer' | undefined
  /** The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else. */
  subClientId?: string | null | undefined
  status?: 'active' | 'deactivated' | undefined
}

export type ChangedIncident = {
  id: string
  title: string
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  vehicle: VehicleReference | null
  /** When it was opened or resolved. */
  at: string
}

export type ChangesSince = {
  /** As it was given. */
  since: string
  incidentsOpened: IncidentsOpened | null
  incidentsResolved: IncidentsResolved | null
  vehiclesWorsened: VehiclesWorsened
  workDone: WorkPutOnRecord
  devicesSilent: DevicesSilent | null
}

export type ClosedIncidents = {
  /** Start, included. */
  from: string
  /** End, not included. */
  to: string
  /** Incidents of readings that people closed in this time; those that ended by themselves are not counted. */
  closed: number
  /** Of these, closed as false alarms. */
  falseAlarms: number
}

export type CompleteMaintenanceRequest = {
  /** When the work was done, not in the future. Now, when left out. */
  completedAt?: string | undefined
  /** At the work. What the vehicle reported then, when left out. */
  odometer_km?: number | undefined
  /** At the work. What the vehicle reported then, when left out. */
  engine_hours?: number | undefined
  cost?: Cost | undefined
  /** For people. */
  notes?: string | undefined
  /** How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long. */
  condition_found?: 'sound' | 'worn' | 'failed' | undefined
  /** Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age. */
  renewed?: boolean | undefined
}

export type ComponentAccuracy = {
  component: string
  /** Predictions of parts that then failed: what the figures below are made of. */
  failures: number
  /** Of those, how many failed within the interval. */
  inside: number
  /** `inside` of `failures`; to be compared with `expectedCoverage`. */
  coverage: number | null
  /** Between these the true coverage lies with 95 % confidence (Wilson). With few failures they are far apart. */
  coverage95: [number, number] | null
  /** Days to failure less days predicted: below 0 means that parts failed earlier than predicted. */
  meanError_days: number | null
  meanAbsoluteError_days: number | null
  /** Parts that were replaced before they failed. They are in no figure above. */
  censored: number
  /** Of those, how many had outlasted the interval already. */
  censoredLater: number
  /** Parts of which nobody reported how they were found. They are in no figure above. */
  unknown: number
}

export type ConnectionCounts = {
  /** Heard of within the last minutes (a setting, 5 by default). */
  online: number
  /** Heard of before that. */
  offline: number
  /** Never heard of. */
  never: number
}

/** One of the two, or both. What the vehicle reports from then on counts on from here. */
export type CorrectOdometerRequest = {
  /** What it ought to show now. */
  odometer_km?: number | undefined
  /** What it ought to show now. */
  engine_hours?: number | undefined
  /** Why, for the log. */
  reason: string
}

/** What the work cost. */
export type Cost = {
  /** In the smallest unit of the currency: paise, cents. */
  amount_minor: number
  /** ISO 4217. */
  currency: string
}

export type CreateApiKeyRequest = {
  name: string
  /** What the key may do. `*` is everything. */
  scopes: readonly string[]
  /** The only sub-client that the key sees and touches. */
  subClientId?: string | null | undefined
  /** Requests in any 60 seconds. 0: unlimited; absent: the default of the plan. */
  perMinute?: number | null | undefined
  /** Requests in a UTC day. 0: unlimited; absent: the default of the plan. */
  perDay?: number | null | undefined
  /** When the key stops working. Absent: never, or when the key that makes it does. */
  expiresAt?: string | null | undefined
}

/** Of planned work `completedAt`, `odometer_km`, `engine_hours` and `condition_found` are not known yet and refused. */
export type CreateMaintenanceRequest = {
  /** Our id, or the caller's own reference. */
  vehicleId: string
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component: string
  /** `completed` is the same as planning it and completing it at once. */
  status: 'planned' | 'completed'
  /** The schedule that the work is for. */
  scheduleId?: string | undefined
  /** When planned work is to be done. */
  dueAt?: string | undefined
  /** The prediction that led to it. */
  predictionId?: string | undefined
  /** When the work was done, not in the future. Now, when left out. */
  completedAt?: string | undefined
  /** At the work. What the vehicle reported then, when left out. */
  odometer_km?: number | undefined
  /** At the work. What the vehicle reported then, when left out. */
  engine_hours?: number | undefined
  cost?: Cost | undefined
  /** For people. */
  notes?: string | undefined
  /** How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long. */
  condition_found?: 'sound' | 'worn' | 'failed' | undefined
  /** Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age. */
  renewed?: boolean | undefined
}

/** With the fields of its kind, and no others. */
export type CreateNotificationChannel = {
  /** For people. */
  name: string
  /** `slack`: an incoming webhook of Slack, or of what takes the same form. `teams`: a webhook of the Workflows app of Microsoft Teams. `telegram`: a bot. `ntfy`: a topic. `webhook`: a program, signed by Standard Webhooks. */
  kind: 'slack' | 'teams' | 'telegram' | 'ntfy' | 'webhook'
  /** Only for rules of this sub-client. It stays. Null: for all. */
  subClientId?: string | null | undefined
  /** Of its messages. Left out: `en`. A `webhook` is for programs, and English. */
  language?: 'en' | 'de' | 'es' | undefined
  /** Of its messages. Left out: `metric`. A `webhook` is metric. `imperial`: °F, miles, mph, psi, US mpg. */
  units?: 'metric' | 'imperial' | undefined
  /** Of `slack`, `teams`, `webhook`: https, and a public address. It is a secret: who has it can write there. */
  url?: string | undefined
  /** Of `telegram` and `ntfy`, where the server is one of your own. Left out: the public one. */
  serverUrl?: string | undefined
  /** Of `telegram`, as @BotFather gives it: `123456:ABC…`. */
  botToken?: string | undefined
  /** Of `telegram`: the number of the chat, or `@channelname`. */
  chatId?: string | undefined
  /** Of `ntfy`. */
  topic?: string | undefined
  /** Of `ntfy`: an access token, where the topic wants one. */
  token?: string | null | undefined
}

/** Left out: enabled, any component and vehicle, any hour, sent once. */
export type CreateNotificationRule = {
  /** For people; it is in the messages. */
  name: string
  /** Incidents at least this severe. Mildest first. */
  minSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`). */
  recipients: readonly string[]
  /** Only incidents of this sub-client. It stays. Null: of the whole fleet. */
  subClientId?: string | null | undefined
  /** False: nothing is sent by it. */
  enabled?: boolean | undefined
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components?: readonly string[] | null | undefined
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds?: readonly string[] | null | undefined
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds?: readonly string[] | null | undefined
  workingHours?: WorkingHours | null | undefined
  quietHours?: QuietHours | null | undefined
  /** What is critical waits for no hour. */
  criticalAtAnyHour?: boolean | undefined
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes?: number | null | undefined
  digest?: DailyDigest | null | undefined
  escalation?: Escalation | null | undefined
}

/** Left out: enabled, any component and vehicle that the person sees, any hour, sent once. */
export type CreatePersonalNotificationRule = {
  /** For people; it is in the messages. */
  name: string
  /** Incidents at least this severe. Mildest first. */
  minSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** False: nothing is sent by it. */
  enabled?: boolean | undefined
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components?: readonly string[] | null | undefined
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds?: readonly string[] | null | undefined
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds?: readonly string[] | null | undefined
  workingHours?: WorkingHours | null | undefined
  quietHours?: QuietHours | null | undefined
  /** What is critical waits for no hour. */
  criticalAtAnyHour?: boolean | undefined
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes?: number | null | undefined
  digest?: DailyDigest | null | undefined
}

/** What the browser answers when it is subscribed. */
export type CreatePushSubscription = {
  /** Of the push service: https, and a public address. */
  endpoint: string
  keys: PushKeys
  /** Of the browser, for the person. */
  name: string
}

export type CreateScheduleRequest = {
  /** Our id, or the caller's own reference. */
  vehicleId: string
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component: string
  /** What is to be done. */
  title: string
  every: ServiceIntervalRequest
  remind?: ServiceReminderRequest | undefined
  last?: LastServiceRequest | undefined
}

export type CreateVehicleGroup = {
  /** For people. No two groups of the same owner have the same name. */
  name: string
  /** Only vehicles of this sub-client. It stays. Null: of the whole fleet. */
  subClientId?: string | null | undefined
  /** Its vehicles, by our id or yours. */
  vehicleIds?: readonly string[] | undefined
}

export type CreateWebhookRequest = {
  /** Where events are sent. https, and a public address. */
  url: string
  /** For people. */
  description?: string | undefined
  /** The types of events it is sent. Null: all, also those that are added one day. */
  eventTypes?: readonly ('vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test')[] | null | undefined
  /** It is sent events of this sub-client only. */
  subClientId?: string | null | undefined
  /** Sent along with every event, 10 at most, for example to sign in with a gateway. Never shown again. */
  headers?: Record<string, string> | undefined
}

/** The key; this is the one time its secret is shown. */
export type CreatedApiKey = {
  /** The key itself, for `X-API-Key` or `Authorization: Bearer`. It is shown this once only. */
  secret: string
  apiKey: ApiKey
}

/** The channel, and the secret of its signatures, shown once. */
export type CreatedNotificationChannel = {
  channel: NotificationChannel
  /** Of a `webhook`: by it the receiver checks signatures. It cannot be had again. */
  secret: string | null
}

export type CredentialsRotate = {
  /** How long the password before stays good. Preset: `0`. */
  graceSeconds?: number | undefined
}

/** The new credentials; this is the one time the password is shown. */
export type CredentialsRotated = {
  id: string
  /** `<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5. */
  mqttBroker: string
  /** `<reseller_slug>/<device_id>` */
  mqttUsername: string
  /** Shown in this answer only. */
  mqttPassword: string
  /** PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`. */
  mqttPasswordHash: string
  /** `<prefix>/<reseller_slug>/devices/<device_id>/telemetry` */
  mqttTopic: string
  /** Until when the password before is good; null: no longer. */
  previousValidUntil: string | null
}

/** One message a day instead of one for each incident: what opened, is still open and was resolved since the last, and which maintenance is due. Nothing on a day without any. Not together with hours, repetition or escalation. Null: single messages. */
export type DailyDigest = {
  /** When it is sent, every day. A quarter of an hour. */
  at: string
  /** By the clocks of this zone (IANA). */
  timeZone: string
}

/** Daily use, parked days included. */
export type DailyUse = {
  km_per_day: number | null
  engine_hours_per_day: number | null
  /** Over how many days, 60 at most. Under 7 nothing is projected. */
  days: number
}

/** What was sent by it stays in the log. */
export type DeletedNotificationChannel = {
  id: string
  deleted: true
}

/** Nothing more is sent by it. */
export type DeletedNotificationRule = {
  id: string
  deleted: true
}

/** The browser is shown nothing more. */
export type DeletedPushSubscription = {
  id: string
  deleted: true
}

/** It is forgotten. */
export type DeletedStreamConnection = {
  deleted: true
}

/** Its vehicles stay as they are. */
export type DeletedVehicleGroup = {
  id: string
  deleted: true
}

/** It is sent nothing more. */
export type DeletedWebhook = {
  id: string
  deleted: true
}

/** The demo fleet, and whether it drives. */
export type DemoFleet = {
  /** `off`: it can be started. `running`: it was started here and can be stopped. `always`: it runs with the service, by the setting DEMO. `unavailable`: this service has none to start, or not for this reseller. */
  state: 'unavailable' | 'off' | 'running' | 'always'
  /** How many vehicles drive in it. */
  vehicles: number
}

/** The device as it is now. */
export type Device = {
  id: string
  name: string | null
  imei: string | null
  deviceType: string
  connectionMethod: string
  simNumber: string | null
  status: 'pending' | 'active' | 'suspended' | 'decommissioned'
  /** Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended. */
  online: boolean
  /** When its newest message was received. */
  lastSeenAt: string | null
  /** Null of a device that reports none. */
  battery: DeviceBattery | null
  subClientId: string | null
  vehicleId: string | null
  /** Null without a vehicle, and where the caller may not see it. */
  vehicle: DeviceVehicle | null
  mqttUsername: string
  mqttTopic: string
  /** When it was registered. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** Of the phone or tracker itself. Nothing judges a vehicle by it. */
export type DeviceBattery = {
  /** How full it is, 0 to 100. */
  percent: number | null
  /** Volts. */
  voltageV: number | null
  /** When the newer of the two was recorded. */
  recordedAt: string
}

/** What is left out stays. */
export type DeviceChange = {
  /** Null removes it. */
  name?: string | null | undefined
  /** Reassigns the device; null unassigns it. */
  subClientId?: string | null | undefined
  deviceType?: 'obd_dongle' | 'gps_tracker' | 'can_gateway' | 'dashcam' | 'mobile_app' | 'asset_tracker' | 'other' | undefined
  connectionMethod?: 'mqtt' | 'http' | 'stream' | 'osmand' | 'traccar' | 'tcp' | undefined
  /** Null removes it. */
  simNumber?: string | null | undefined
  /** Links the vehicle; null unlinks. */
  vehicleId?: string | null | undefined
  status?: 'pending' | 'active' | 'suspended' | undefined
}

/** The device is decommissioned and its credentials no longer work. */
export type DeviceDecommissioned = {
  id: string
  status: 'decommissioned'
  /** When it was first decommissioned. */
  decommissionedAt: string
}

export type DeviceImport = {
  devices: readonly ImportedDevice[]
  /** True: every row is checked as if it were registered, and nothing is kept. Preset: `false`. */
  dryRun?: boolean | undefined
  /** True: rows that can be registered are, and the others are reported. False: all or none. Preset: `false`. */
  skipInvalid?: boolean | undefined
  /** Of the answer. `csv`: a file with a line for each row, its credentials or why it was refused. Preset: `json`. */
  format?: 'json' | 'csv' | undefined
}

export type DeviceImportError = {
  code: string
  message: string
  /** The field of the row that is to blame. */
  field: string | null
}

export type DeviceImportRow = {
  /** Place in `devices`, from 1. */
  row: number
  /** `valid`: would be registered. `repeated`: was registered with the same fields within 24 hours, and shows the same credentials again. */
  status: 'valid' | 'registered' | 'repeated' | 'refused'
  /** The device with its credentials. Null in a dry run, and where it was refused. */
  device: DeviceRegistered | null
  error: DeviceImportError | null
}

/** What became of each row. This is the one time that passwords are shown. */
export type DeviceImported = {
  dryRun: boolean
  /** Rows that were registered, repeated ones included; in a dry run those that would be. */
  registeredCount: number
  refusedCount: number
  /** One for each device, in the same order. */
  rows: DeviceImportRow[]
}

/** A page of devices. */
export type DeviceList = {
  devices: Device[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type DeviceMessage = {
  id: string
  /** When it was received. */
  receivedAt: string
  /** The time of the reading, by the clock of the device. Null where it was refused. */
  recordedAt: string | null
  /** How it came; the last five are formats of phones and trackers over HTTP. Null where messages were not recorded at that time. */
  receiver: 'rest' | 'mqtt' | 'stream' | 'osmand' | 'traccar' | 'flespi' | 'torque' | 'freematics' | null
  status: 'stored' | 'duplicate' | 'refused'
  /** Of the reading that was made of it. */
  readingId: string | null
  /** The content of the reading. */
  understood: UnderstoodValue[]
  /** Fields with an unknown name, kept with the reading in `extra`. Shown without what looks like a credential. */
  keptUnread: Record<string, unknown>
  warnings: FieldWarning[]
  /** Why it was refused. Over MQTT the device was sent the same on `errorsTopic`. */
  error: MessageError | null
  /** As it was sent, without what looks like a credential, up to 4,096 characters. Null where it was not recorded. */
  body: string | null
  bodyBytes: number | null
  isBodyCut: boolean
}

/** The last messages of a device, newest first. */
export type DeviceMessages = {
  deviceId: string
  /** Until when every message is recorded as it was sent. Null: only refused ones are. */
  recordingUntil: string | null
  /** Where the device is sent refusals and warnings over MQTT. */
  errorsTopic: string
  /** Up to 50, newest first. */
  messages: DeviceMessage[]
}

/** A name or an IMEI is needed. The same body for the same IMEI within 24 hours gets the first answer again. */
export type DeviceRegister = {
  /** Display name. */
  name?: string | null | undefined
  /** 14 to 16 digits; unique among living devices. */
  imei?: string | null | undefined
  /** Preset: `other`. */
  deviceType?: 'obd_dongle' | 'gps_tracker' | 'can_gateway' | 'dashcam' | 'mobile_app' | 'asset_tracker' | 'other' | undefined
  /** Preset: `mqtt`. */
  connectionMethod?: 'mqtt' | 'http' | 'stream' | 'osmand' | 'traccar' | 'tcp' | undefined
  /** SIM number. */
  simNumber?: string | null | undefined
  /** Sub-client that receives the device. */
  subClientId?: string | null | undefined
  /** `pending` provisions the device beforehand: it becomes active with its first message. Preset: `active`. */
  status?: 'active' | 'pending' | undefined
  vehicle?: InlineVehicle | null | undefined
}

/** The device is registered; this is the one time its password is shown. */
export type DeviceRegistered = {
  id: string
  status: 'active' | 'pending'
  /** `<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5. */
  mqttBroker: string
  /** `<reseller_slug>/<device_id>` */
  mqttUsername: string
  /** Shown in this answer only. */
  mqttPassword: string
  /** PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`. */
  mqttPasswordHash: string
  /** `<prefix>/<reseller_slug>/devices/<device_id>/telemetry` */
  mqttTopic: string
  /** With the connection method `osmand` or `http`: what the device sends with over HTTP (`/api/external/ingest/…`). Shown in this answer only. */
  trackerToken?: string | undefined
  /** The vehicle created or linked. */
  vehicleId: string | null
  subClientId: string | null
}

/** The vehicle, by all its names. */
export type DeviceVehicle = {
  id: string
  name: string | null
  licensePlate: string | null
  externalRef: string | null
  vin: string | null
}

/** Devices that went offline and have not come back. */
export type DevicesSilent = {
  /** All of them. */
  total: number
  /** The newest, 5 at most. */
  items: SilentDevice[]
}

/** The DNS record that proves it. It is looked for soon after the host is listed, and daily from then on: leave it there. */
export type DnsRecord = {
  type: 'TXT'
  name: string
  value: string
}

export type DueWork = {
  /** By a schedule, or planned for a day. */
  kind: 'schedule' | 'planned'
  /** Of the schedule or of the planned work. */
  id: string
  vehicle: VehicleReference
  component: string
  /** Of the schedule, or the notes of the planned work. */
  title: string | null
  /** When it was or will be due, as far as that is known. */
  dueAt: string | null
  overdue: boolean
}

/** Who is sent a message when the incident is open for so long: neither acknowledged, snoozed nor resolved. Null: nobody. */
export type Escalation = {
  /** After the first message. */
  afterMinutes: number
  /** Users and channels that get a message then. */
  recipients: readonly string[]
}

/** A page of the log. */
export type EventList = {
  /** In the order of the log, which never changes. */
  events: LoggedEvent[]
  pagination: EventPagination
}

export type EventPagination = {
  /** Give it as `after`, now or later, to get what comes next. Null while the log is empty. */
  endCursor: string | null
  hasNextPage: boolean
}

export type FaultCode = {
  /** As the vehicle reports it. */
  code: string
  /** What it means, in plain words. Null until it was judged, and of a retired vehicle. */
  title: string | null
  /** What it means for driving on. */
  drivingOn: string | null
  /** The part it is about. */
  component: string | null
  /** Of the alert that names it. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical' | null
  /** The incident that it belongs, or belonged, to. */
  incidentId: string | null
  /** Whether the newest list of codes has it. */
  active: boolean
  /** When it was first reported within the range. */
  firstSeenAt: string
  /** When it was last reported. */
  lastSeenAt: string
  /** How many readings of the range report it. */
  readingCount: number
}

/** The fault codes of a vehicle. */
export type FaultCodeList = {
  vehicleId: string
  /** Start of the range, included. */
  from: string
  /** End of the range, not included. */
  to: string
  /** When the vehicle last reported a list of codes, empty or not. Null: it never did. */
  reportedAt: string | null
  /** Active ones first, then by when they were last reported. 200 at most. */
  faultCodes: FaultCode[]
}

export type FieldChange = {
  from?: unknown
  to?: unknown
}

export type FieldMeaning = {
  /** The key as it was sent, cut after 128 characters. */
  field: string
  /** `other`: known and not judged, such as a position. `unknown`: it means nothing. */
  kind: 'signal' | 'lamp' | 'fault codes' | 'other' | 'unknown'
  /** What it is, in words. */
  signal: string | null
  /** The unit in which this key is read. */
  sentUnit: string | null
  /** As it is judged, in `unit`. */
  value: number | null
  unit: string | null
  /** Why it is not used, with the closest known key where there is one. */
  warning: string | null
}

export type FieldWarning = {
  /** The key as it was sent; `*` stands for those that are not named. */
  field: string
  /** `implausible`, or `unknown, kept in extra` with the closest known name. */
  reason: string
}

export type FirstSteps = {
  /** There is an API key that has not been revoked. */
  apiKey: boolean
  /** A device is registered. */
  device: boolean
  /** A reading has come in. */
  reading: boolean
  /** A prediction has been made. */
  prediction: boolean
  /** There is a webhook endpoint. */
  webhook: boolean
}

export type Flapping = {
  /** How often it came back within an hour after it had ended by itself. */
  count: number
  /** When it first did. */
  since: string
}

export type FleetCounts = {
  /** Vehicles that are not retired. */
  total: number
  health: HealthCounts
  connection: ConnectionCounts
}

/** The chosen vehicles of a part of the map. */
export type FleetMap = {
  /** Vehicles in the box that are chosen and have a position. */
  total: number
  /** Around them; across the antimeridian, where that is narrower, west is greater than east. Null where there is none. */
  bounds: Bounds | null
  /** Each of them, up to 500; else those that lie alone. */
  points: MapPoint[]
  /** The others, where there are more than 500. */
  clusters: MapCluster[]
}

/** The health of the vehicle and what drives it. */
export type Health = {
  vehicleId: string
  healthScore: number
  /** Health of each component. */
  components: Record<string, number>
  /** Only of components that need advice; the others run on. */
  advice: Record<string, Advice>
  /** Alerts of the vehicle that are not resolved, newest first. */
  alerts: Alert[]
  /** At least 70, at least 40, below 40. */
  healthStatus: 'healthy' | 'warning' | 'critical'
  /** By `maintenanceProbability`. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  riskLevel: 'none' | 'low' | 'medium' | 'high'
  maintenanceNeeded: boolean
  /** That some component needs work within 30 days. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  maintenanceProbability: number
  /** How unlike the normal the newest readings are. */
  anomalyScore: number
  anomalyDetected: boolean
  /** Fields of the engine that `anomalyScore` was judged by. Empty where none could be judged: a score of 0 then means nothing. Null from an engine that does not report them. */
  anomalyBasis: string[] | null
  /** How much was reported, not how likely this is right. Near 0 for a vehicle that has not reported. */
  confidence: number
  /** How well the remaining life of each component is known. Empty from an engine that does not report it. */
  componentConfidence: Record<string, number>
  /** What was found and not found, with readings and thresholds. */
  insights: string[]
  recommendations: string[]
  /** When the vehicle was scored. Null before its first score: then the engine was asked for this answer, with what is known. */
  scoredAt: string | null
}

export type HealthCounts = {
  /** Health below 40. */
  critical: number
  /** Health below 70. */
  warning: number
  /** Health of 70 and more. */
  healthy: number
  /** Not scored yet. */
  unknown: number
}

/** A page of the health of the vehicle over time. */
export type HealthHistory = {
  vehicleId: string
  /** Start of the range, included. */
  from: string
  /** End of the range, not included. */
  to: string
  /** Oldest first: a point for each change of a point or of status, and at least one an hour while the vehicle reports. */
  history: HealthPoint[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type HealthPoint = {
  /** From here on. */
  scoredAt: string
  healthScore: number
  /** At least 70, at least 40, below 40. */
  healthStatus: 'healthy' | 'warning' | 'critical'
  /** Health of each component. Null of a point that was stored before they were kept. */
  components: Record<string, number> | null
}

export type HostProof = {
  host: string
  /** `pending`: nothing is shown there yet, and no link leads there. */
  status: 'pending' | 'proved'
  /** `operator`: confirmed by hand; not looked at again. */
  provedBy: 'dns' | 'operator' | null
  record: DnsRecord
  /** Since when it is proved. */
  provedAt: string | null
  /** When the record was last looked for. */
  checkedAt: string | null
  /** `missing`: there is no such record. `unreachable`: DNS did not answer. `taken`: it is there, but another brand has proved the name. */
  problem: 'missing' | 'unreachable' | 'taken' | null
}

/** As for one registration, but `pending` unless it states otherwise. */
export type ImportedDevice = {
  /** Display name. */
  name?: string | null | undefined
  /** 14 to 16 digits; unique among living devices. */
  imei?: string | null | undefined
  /** Preset: `other`. */
  deviceType?: 'obd_dongle' | 'gps_tracker' | 'can_gateway' | 'dashcam' | 'mobile_app' | 'asset_tracker' | 'other' | undefined
  /** Preset: `mqtt`. */
  connectionMethod?: 'mqtt' | 'http' | 'stream' | 'osmand' | 'traccar' | 'tcp' | undefined
  /** SIM number. */
  simNumber?: string | null | undefined
  /** Sub-client that receives the device. */
  subClientId?: string | null | undefined
  /** A `pending` device becomes active with its first message. Preset: `pending`. */
  status?: 'active' | 'pending' | undefined
  vehicle?: InlineVehicle | null | undefined
}

/** Findings with one cause, as they are now. */
export type Incident = {
  id: string
  /** Null of what a device raised while it was in no vehicle that is known. */
  vehicleId: string | null
  /** The device that raised it, where one did. */
  deviceId: string | null
  /** The part it is about. */
  component: string
  /** Mildest first. Of its worst alert that is not resolved; of one that ended, what it had last. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** A snooze ends by itself at `snoozedUntil`, and when the incident gets graver. */
  status: 'open' | 'acknowledged' | 'snoozed' | 'resolved'
  /** A few words. They mark one that comes and goes. */
  title: string
  /** What to do. */
  recommendation: string
  /** Of its component, where there is any. */
  advice: Advice | null
  /** Its alerts that are not resolved, newest first; of one that ended, its newest. 50 at most. */
  evidence: IncidentEvidence[]
  /** Its alerts, those that are not resolved first, then the newest. 50 at most. */
  alertIds: string[]
  /** How often it opened: once, and once more each time it came back within an hour. */
  occurrences: number
  /** Of one that came back three times or more. */
  flapping: Flapping | null
  /** Who found it, as of alerts. */
  source: 'engine' | 'maintenance' | 'device'
  /** What makes it the same from one score to the next. */
  cause: string
  /** By when to act. When it opened, where its severity is `critical` or the advice is to `stop` or go `now`; else the early end of the remaining life less the lead time; of `maintenance` the day on which it is due; where there is neither, 7 days after it opened for `high`, 30 for `medium`, 90 for `low`, 365 for `info`. Null of one that ended. */
  actBy: string | null
  /** When it was opened. */
  openedAt: string
  /** When its status, severity, words or alerts last changed. */
  updatedAt: string
  /** When a person acknowledged it. */
  acknowledgedAt: string | null
  /** The user or the key. */
  acknowledgedBy: string | null
  /** The user who is at it. */
  assignee: string | null
  /** While it is snoozed. */
  snoozedUntil: string | null
  /** When it was resolved. */
  resolvedAt: string | null
  /** `engine`: nothing of it is found any more. `maintenance`: work was put on record, or is not due any more. */
  resolvedBy: 'engine' | 'user' | 'maintenance' | null
  resolution: IncidentResolution | null
}

export type IncidentChange = {
  /** From `open`, `acknowledged` and `snoozed` to any of the others. `open` takes back an acknowledgement or a snooze. A repeat of the last move is fine; a move that is not possible is 409 `invalid_transition`. */
  status?: 'open' | 'acknowledged' | 'snoozed' | 'resolved' | undefined
  /** With `snoozed`: until when, at most 90 days ahead. */
  snoozedUntil?: string | undefined
  resolution?: IncidentResolutionRequest | undefined
  /** A user of the reseller who sees the incident. Null: nobody. */
  assignee?: string | null | undefined
}

export type IncidentEvidence = {
  alertId: string
  /** What kind of condition, for example `coolant_high`. */
  type: string
  component: string
  /** The worst the alert has been. */
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** One sentence that names the reading and the threshold. */
  message: string
  /** The fault code, for an alert that comes from one. */
  code: string | null
  /** As of the alert. */
  evidence: Record<string, unknown>
}

/** A page of what people did to an incident, newest first. */
export type IncidentHistory = {
  history: IncidentStep[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

/** A page of incidents. */
export type IncidentList = {
  incidents: Incident[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type IncidentResolution = {
  /** `work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason. */
  reason: 'work_done' | 'false_alarm' | 'other'
  /** What the person wrote, or why it ended by itself. */
  note: string | null
  /** The work that ended it, where it was named. */
  maintenanceId: string | null
}

/** With `resolved`: why. */
export type IncidentResolutionRequest = {
  /** `work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason. */
  reason: 'work_done' | 'false_alarm' | 'other'
  note?: string | undefined
  /** With `work_done`: the work, of the same vehicle. */
  maintenanceId?: string | undefined
}

export type IncidentStep = {
  /** When it was done. */
  at: string
  action: 'acknowledged' | 'snoozed' | 'reopened' | 'resolved' | 'assigned' | 'changed'
  /** The user or the key; `roadworthy` where the service did it by itself. */
  by: string
  /** Who is at it from here on, where that changed; null: nobody. */
  assignee?: string | null | undefined
  /** Who was at it until then, where that changed. */
  formerAssignee?: string | null | undefined
  /** Where that changed; null: it is snoozed no more. */
  snoozedUntil?: string | null | undefined
  /** Why it was resolved. */
  reason?: string | null | undefined
  /** What the person wrote about it; the beginning of a long text. */
  note?: string | null | undefined
}

/** Incidents that were opened. */
export type IncidentsOpened = {
  /** All of them. */
  total: number
  /** The newest, 5 at most. */
  items: ChangedIncident[]
}

/** Incidents that were resolved. */
export type IncidentsResolved = {
  /** All of them. */
  total: number
  /** The newest, 5 at most. */
  items: ChangedIncident[]
}

export type InlineVehicle = {
  /** `create`: the known vehicle with this VIN, else with this plate within the sub-client, else a new one. `link`: a known one, by `vehicle_id` or `vin`. `none`: no vehicle. Preset: `create`. */
  mode?: 'create' | 'link' | 'none' | undefined
  /** With `link`: the vehicle. */
  vehicleId?: string | null | undefined
  /** Manufacturer. */
  make?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Model year. */
  year?: number | null | undefined
  /** Vehicle identification number; kept in upper case and unique within the reseller. */
  vin?: string | null | undefined
  /** Registration plate. */
  licensePlate?: string | null | undefined
  /** Name for people. */
  name?: string | null | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it. */
  vehicleClass?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | null | undefined
  /** What it runs on. An electric vehicle has no predictions of an engine. */
  fuelType?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | null | undefined
  /** Which wheels are driven, as drive or axle configuration. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | null | undefined
  /** Nominal voltage of the starter battery, in volts. */
  batteryNominalV?: 12 | 24 | 48 | null | undefined
}

export type Invitation = {
  /** The link that lets the person set a password, to be handed over. It is shown this once, and not at all where it was mailed: then only who reads the mailbox can use it. */
  url: string | null
  /** Whether a mail server took it. */
  mailed: boolean
  /** Until when the link works. */
  expiresAt: string
}

export type InviteUserRequest = {
  /** What the person signs in with. Kept in lower case. */
  email: string
  /** An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client. */
  role: 'owner' | 'member' | 'viewer' | 'sub_client_viewer'
  /** The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else. */
  subClientId?: string | null | undefined
  /** Of the invitation, and of the person until they choose another. Left out: that of the person who invites; English of a program. */
  language?: 'en' | 'de' | 'es' | undefined
}

/** The person, and how the invitation reaches them. */
export type InvitedUser = {
  user: User
  invitation: Invitation
}

export type LastService = {
  /** From when it counts. */
  at: string
  /** Null until the vehicle reports its odometer. */
  odometer_km: number | null
  /** Null until the vehicle reports its run time. */
  engine_hours: number | null
}

/** From where the schedule counts: when it was last done, or else from now. */
export type LastServiceRequest = {
  /** When it was last done, not in the future. */
  at: string
  /** What the odometer showed then. What the vehicle reported, when left out. */
  odometer_km?: number | undefined
  /** What the hour meter showed then. What the vehicle reported, when left out. */
  engine_hours?: number | undefined
}

export type Life = {
  vehicleId: string
  /** When the part was put in. */
  startedAt: string
  /** When it was replaced, or last looked at. */
  endedAt: string
  /** In the unit asked for. */
  age: number
  /** False: it had not failed by then, and either still runs or was replaced before. */
  failed: boolean
}

/** Lives of one component that began with a replacement that is on record. A part that was in the vehicle before has an unknown age. */
export type LifeList = {
  component: string
  unit: 'km' | 'days' | 'engine_hours'
  lives: Life[]
  /** Lives whose end nobody described, or whose age in this unit is not known. */
  leftOut: number
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type LoggedEvent = {
  /** The same in every attempt to deliver it, and in the log. */
  id: string
  /** What happened. */
  event: 'vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test'
  /** When it happened. */
  timestamp: string
  /** By the type of event: that of `WebhookEvent`. */
  data: Record<string, unknown>
  /** Owner of the vehicle or device it is about, at that time. */
  sub_client_id: string | null
  /** Only of a sample that somebody asked for: nothing happened. Never in the log. */
  test?: true | undefined
}

export type LoggedProblem = {
  /** As it was answered; see docs/errors.md. */
  code: string
  /** The reason, as it was answered. */
  message: string
}

export type LoggedRequest = {
  /** Of this entry. */
  id: string
  /** When the request came. */
  at: string
  /** The key it was made with, also one that is revoked or expired. */
  keyId: string
  /** The sub-client that the key belongs to, if to one. */
  subClientId: string | null
  /** The API that answered. */
  surface: 'external' | 'platform-v1' | 'sim-billing'
  method: string
  /** Without the query. What looks like a secret is shown as `***`. */
  path: string
  /** As it was sent. Values of what is named like a secret, or looks like one, are shown as `***`. */
  query: string | null
  status: number
  /** From the request to the end of the answer. */
  durationMs: number
  /** `X-Request-Id` of the answer. */
  requestId: string
  /** Why it was refused; null where it was not. */
  error: LoggedProblem | null
  /** IP address that the request came from. */
  address: string
  /** What the program calls itself. */
  userAgent: string | null
}

/** Work on one component of one vehicle. */
export type Maintenance = {
  id: string
  vehicleId: string
  component: string
  status: 'planned' | 'completed'
  /** The schedule that the work is for. */
  scheduleId: string | null
  /** When planned work is to be done. */
  dueAt: string | null
  /** When the work was done. */
  completedAt: string | null
  /** At the work. What the vehicle reported then, where nobody gave it. */
  odometer_km: number | null
  /** At the work. What the vehicle reported then, where nobody gave it. */
  engine_hours: number | null
  cost: Cost | null
  /** For people. */
  notes: string | null
  /** How the part was when the work began. `failed` ends a life; `sound` and `worn` mean that it lasted at least this long. */
  condition_found: 'sound' | 'worn' | 'failed' | null
  /** Whether the part is new afterwards, so that its life begins anew. False for an inspection, a top-up or a repair that leaves it its age. */
  renewed: boolean
  /** The prediction that led to the work, or else that stood when it was done. */
  predictionId: string | null
  /** What the prediction that stood had predicted, beside what happened. Null where there was none. */
  prediction: PredictionOutcome | null
  /** When the record was made. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** A page of records, newest first. */
export type MaintenanceList = {
  maintenance: Maintenance[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

/** What holds for the whole fleet. */
export type MaintenanceSettings = {
  /** How many days before the early end (P10) of a remaining life work on it is advised. 7 until it is set. */
  leadDays: number
}

/** Vehicles that lie close together, at the middle of where they are. */
export type MapCluster = {
  latitude: number
  longitude: number
  health: HealthCounts
  bounds: Bounds
}

/** A vehicle where it was last. */
export type MapPoint = {
  id: string
  /** What people know it by: plate, name or own reference, else the VIN or the id. */
  label: string
  latitude: number
  longitude: number
  /** Degrees clockwise from north. */
  heading: number | null
  healthStatus: 'healthy' | 'warning' | 'critical' | null
  online: boolean
  lastReadingAt: string | null
}

/** Where the streets come from. */
export type MapSources = {
  /** `built_in`: coasts, borders and towns, without streets. `style`: a MapLibre style. `pmtiles`: a PMTiles file in the Protomaps schema. `raster`: images by `{z}`, `{x}` and `{y}`. */
  kind: 'built_in' | 'style' | 'pmtiles' | 'raster'
  /** Of the style, the file or an image; a path is one of this service. Null for `built_in`. */
  url: string | null
  /** Of the style for dark pages, where there is one. */
  darkUrl: string | null
  /** Whose map it is, to be shown on it as text. */
  attribution: string | null
}

export type MessageError = {
  code: string
  message: string
  /** To blame, as it was sent. */
  field: string | null
}

/** Whether messages are recorded, and until when. */
export type MessageRecording = {
  deviceId: string
  /** Null: messages are not recorded any more. */
  recordingUntil: string | null
}

export type Model = {
  name: string
  /** `rules` and `weibull` come from knowledge; learned models name their kind. */
  type: string
  version: string
  /** `serving`; `kept`: a newer version was refused and this one goes on; `failed`: it does not answer. */
  status: string
  /** Why it was kept or failed. */
  reason: string | null
  description: string
  /** What it was made from: the data set, or the literature. */
  source: string
  /** When its figures were measured. */
  measuredAt: string | null
  /** Its figures, by the names that the engine gives them. */
  metrics: Record<string, number>
  /** Of what comes from knowledge: how many of its numbers are from data, literature, the benchmark, or are an assumption. */
  numbersByOrigin: Record<string, number> | null
}

/** How well the models fit the fleet of the account, or of the sub-client. */
export type ModelDrift = {
  /** Active vehicles that were judged in the last 24 hours. */
  judged: number
  /** Of these, those whose newest readings are unlike normal. */
  unusual: number
  /** Of the unusual ones, those without an open alert of the readings that explains it: any of the engine but `unusual_reading` and `life_ending`. */
  unexplained: number
  /** Of those that were judged, those of whose readings none could be. */
  unjudgeable: number
  confidence: number | null
  /** The last 30 days, and the 30 days before. */
  falseAlarms: ClosedIncidents[]
}

/** The models that answer predictions, as the engine describes them. */
export type ModelList = {
  models: Model[]
  /** Why the folder of models could not be read at the last look. */
  problem: string | null
}

export type NextService = {
  /** When its time is over. */
  at: string | null
  /** At which it is due. */
  odometer_km: number | null
  /** At which it is due. */
  engine_hours: number | null
  /** The first of the three, as far as the vehicle's own use of the last 60 days shows. */
  expectedAt: string | null
}

/** One message to one person or channel. */
export type Notification = {
  /** The local part of the `Message-ID` of the e-mail, and the `webhook-id` of a webhook. */
  id: string
  /** A rule of a person of their own is `nrp-…`. Null for a test of a channel or a browser. */
  ruleId: string | null
  /** Null for a digest, or a test. */
  incidentId: string | null
  /** Of the incident. Null where it is about a device alone, and where there is none. */
  vehicleId: string | null
  /** Of the incident, as it is now. */
  incidentTitle: string | null
  /** Whose the incident was, or what is tested. */
  subClientId: string | null
  /** `first`, `repeat.1` and on, `escalation`, `digest.2026-11-23`, `test`. One message for each rule, incident or day, step and recipient, or browser of one. */
  step: string
  /** The user, or the channel. */
  recipient: string
  /** Of the browser of the user in which it is shown (`psh-…`). Null: an e-mail, or to a channel. */
  browserId: string | null
  /** `pending`: an attempt is to come. `uncertain`: the process ended while it was sending, or a chat did not answer; the message may have arrived, and is not sent again. `cancelled`: the incident is no longer open, or the rule is gone or does not name the recipient any more, and no attempt is made. */
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled'
  attemptCount: number
  /** When the next attempt is due; only while pending. */
  nextAttemptAt: string | null
  /** Why the last attempt failed, or why none was made. */
  error: string | null
  /** When it was decided. */
  createdAt: string
  /** When the mail server, the channel or the push service took it. */
  sentAt: string | null
  /** When its link acknowledged the incident. */
  acknowledgedAt: string | null
}

/** Where messages go that are for a team. */
export type NotificationChannel = {
  /** Rules name it among their `recipients`. */
  id: string
  /** For people. */
  name: string
  /** `slack`: an incoming webhook of Slack, or of what takes the same form. `teams`: a webhook of the Workflows app of Microsoft Teams. `telegram`: a bot. `ntfy`: a topic. `webhook`: a program, signed by Standard Webhooks. */
  kind: 'slack' | 'teams' | 'telegram' | 'ntfy' | 'webhook'
  /** Of which sub-client it is. Null: of the reseller. */
  subClientId: string | null
  /** Of its messages. */
  language: 'en' | 'de' | 'es'
  /** Of its messages. `imperial`: °F, miles, mph, psi, US mpg. */
  units: 'metric' | 'imperial'
  /** Where it sends, without what is secret. */
  target: string
  /** When it was connected. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** What is left out stays as it is. */
export type NotificationChannelChange = {
  /** For people. */
  name?: string | undefined
  /** Of its messages. Left out: `en`. A `webhook` is for programs, and English. */
  language?: 'en' | 'de' | 'es' | undefined
  /** Of its messages. Left out: `metric`. A `webhook` is metric. `imperial`: °F, miles, mph, psi, US mpg. */
  units?: 'metric' | 'imperial' | undefined
  /** Of `slack`, `teams`, `webhook`: https, and a public address. It is a secret: who has it can write there. */
  url?: string | undefined
  /** Of `telegram` and `ntfy`, where the server is one of your own. Left out: the public one. */
  serverUrl?: string | undefined
  /** Of `telegram`, as @BotFather gives it: `123456:ABC…`. */
  botToken?: string | undefined
  /** Of `telegram`: the number of the chat, or `@channelname`. */
  chatId?: string | undefined
  /** Of `ntfy`. */
  topic?: string | undefined
  /** Of `ntfy`: an access token, where the topic wants one. */
  token?: string | null | undefined
}

/** A page of channels, oldest first. */
export type NotificationChannelList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  notificationChannels: NotificationChannel[]
  pagination: Pagination
}

/** What came of the test. */
export type NotificationChannelTest = {
  id: string
  /** Of the message in the log. */
  notificationId: string
  /** `sent`: the receiver took it. `uncertain`: it did not answer; the message may have arrived. */
  status: 'sending' | 'sent' | 'failed' | 'uncertain'
  /** What the receiver answered, or why it could not be asked. */
  error: string | null
}

/** A page of the log, newest first. */
export type NotificationList = {
  notifications: Notification[]
  pagination: Pagination
}

/** Who is sent a message about which incidents, and when. */
export type NotificationRule = {
  id: string
  /** For people; it is in the messages. */
  name: string
  /** Only incidents of this sub-client. It stays. Null: of the whole fleet. */
  subClientId: string | null
  /** False: nothing is sent by it. */
  enabled: boolean
  /** Incidents at least this severe. Mildest first. */
  minSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components: string[] | null
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds: string[] | null
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds: string[] | null
  workingHours: WorkingHours | null
  quietHours: QuietHours | null
  /** What is critical waits for no hour. */
  criticalAtAnyHour: boolean
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes: number | null
  digest: DailyDigest | null
  /** When it was made. It is about incidents that open or change after that. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`). */
  recipients: string[]
  escalation: Escalation | null
}

/** What is left out stays as it is. */
export type NotificationRuleChange = {
  /** For people; it is in the messages. */
  name?: string | undefined
  /** Incidents at least this severe. Mildest first. */
  minSeverity?: 'info' | 'low' | 'medium' | 'high' | 'critical' | undefined
  /** Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`). */
  recipients?: readonly string[] | undefined
  /** False: nothing is sent by it. */
  enabled?: boolean | undefined
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components?: readonly string[] | null | undefined
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds?: readonly string[] | null | undefined
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds?: readonly string[] | null | undefined
  workingHours?: WorkingHours | null | undefined
  quietHours?: QuietHours | null | undefined
  /** What is critical waits for no hour. */
  criticalAtAnyHour?: boolean | undefined
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes?: number | null | undefined
  digest?: DailyDigest | null | undefined
  escalation?: Escalation | null | undefined
}

/** A page of rules, oldest first. */
export type NotificationRuleList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  notificationRules: NotificationRule[]
  pagination: Pagination
}

/** It is on its way; the log shows what came of it. */
export type NotificationTestSent = {
  id: string
  /** How many people are sent the test. */
  recipients: number
}

/** What the odometer and the hour meter of a vehicle stand at. */
export type Odometer = {
  vehicleId: string
  /** Never runs backwards but by a correction. */
  odometer_km: number | null
  /** When the vehicle, or a person, last reported it. */
  odometerAt: string | null
  /** The hour meter, or what the engine ran since it was first heard. */
  engine_hours: number | null
  /** When the vehicle, or a person, last reported it. */
  engineHoursAt: string | null
  use: DailyUse
}

export type OdometerCorrection = {
  id: string
  vehicleId: string
  /** As corrected. */
  odometer_km: number | null
  /** As corrected. */
  engine_hours: number | null
  /** As it stood before. */
  formerOdometer_km: number | null
  /** As they stood before. */
  formerEngine_hours: number | null
  reason: string
  /** The API key, or the person. */
  correctedBy: string
  /** When. */
  correctedAt: string
}

/** A page of corrections, newest first. */
export type OdometerCorrectionList = {
  corrections: OdometerCorrection[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type OpenIncidents = {
  /** Incidents that nobody has acknowledged, snoozed or resolved. */
  open: number
  /** Incidents that somebody is at. */
  acknowledged: number
  /** Of the open ones, gravest first and then the longest open. 8 at most; what schedules raise is in `work`. */
  items: UrgentIncident[]
}

/** What the first page of the dashboard shows. */
export type Overview = {
  vehicles: FleetCounts
  /** Null without the scope `predict`. */
  incidents: OpenIncidents | null
  work: WorkAhead
  /** The ten vehicles with the shortest remaining life of a part. Null without the scope `predict`. */
  atRisk: VehicleAtRisk[] | null
  throughput: Throughput
  /** Null without `since`; what needs `predict` (incidents) or `devices:read` (devices) is null without it. */
  changes: ChangesSince | null
  /** What is set up. Null for who is bound to a sub-client. */
  firstSteps: FirstSteps | null
}

export type Pagination = {
  /** Give it as `after` to get the next page. */
  endCursor: string | null
  hasNextPage: boolean
}

/** The same whether there is such an account or not. */
export type PasswordResetAnswer = {
  message: string
}

export type PasswordResetRequest = {
  email: string
}

/** When one person is sent messages about which incidents. Whom else a rule of the account names is not in it. */
export type PersonalNotificationRule = {
  id: string
  /** For people; it is in the messages. */
  name: string
  /** Only incidents of this sub-client. It stays. Null: of the whole fleet. */
  subClientId: string | null
  /** False: nothing is sent by it. */
  enabled: boolean
  /** Incidents at least this severe. Mildest first. */
  minSeverity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components: string[] | null
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds: string[] | null
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds: string[] | null
  workingHours: WorkingHours | null
  quietHours: QuietHours | null
  /** What is critical waits for no hour. */
  criticalAtAnyHour: boolean
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes: number | null
  digest: DailyDigest | null
  /** When it was made. It is about incidents that open or change after that. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** True: the person made it for themself, and can change it. */
  own: boolean
  /** The person gets the message when nobody acknowledged the incident for so long. Null: at first. */
  afterMinutes: number | null
}

/** What is left out stays as it is. */
export type PersonalNotificationRuleChange = {
  /** For people; it is in the messages. */
  name?: string | undefined
  /** Incidents at least this severe. Mildest first. */
  minSeverity?: 'info' | 'low' | 'medium' | 'high' | 'critical' | undefined
  /** False: nothing is sent by it. */
  enabled?: boolean | undefined
  /** Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any. */
  components?: readonly string[] | null | undefined
  /** Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`. */
  vehicleIds?: readonly string[] | null | undefined
  /** Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group. */
  vehicleGroupIds?: readonly string[] | null | undefined
  workingHours?: WorkingHours | null | undefined
  quietHours?: QuietHours | null | undefined
  /** What is critical waits for no hour. */
  criticalAtAnyHour?: boolean | undefined
  /** Sent again after so long, up to 50 times, while the incident is open. Null: once. */
  repeatMinutes?: number | null | undefined
  digest?: DailyDigest | null | undefined
}

/** Oldest first. */
export type PersonalNotificationRuleList = {
  /** So many rules of their own a person has at most. */
  limit: number
  notificationRules: PersonalNotificationRule[]
}

/** The plan of the account. */
export type PlanOverview = {
  plan: 'starter' | 'professional' | 'enterprise'
  subscription: 'trialing' | 'active' | 'past_due' | 'canceled'
  /** The calendar month, in UTC, that quotas count by. */
  month: CalendarMonth
  /** Platform API calls. */
  platformCalls: PlanQuota
  /** Predictions on demand. */
  predictions: PlanQuota
  /** Requests of one key in any 60 s on the External API and the SIM and billing API, unless the key has its own limit. Null: no limit. */
  keyPerMinute: number | null
  /** Requests of one key in a UTC day on these, unless the key has its own limit. Null: no limit. */
  keyPerDay: number | null
  /** What is kept for how long. It is set for the whole service. */
  kept: RetentionPeriod[]
}

export type PlanQuota = {
  /** In a month. Null: no limit. */
  limit: number | null
  /** In this month, so far. */
  used: number
}

export type Prediction = {
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

/** What had been predicted, compared with what was found when the work was done. */
export type PredictionAccuracy = {
  /** Of an interval from p10 to p90. */
  expectedCoverage: number
  components: ComponentAccuracy[]
}

/** A page of predictions. */
export type PredictionList = {
  predictions: Prediction[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type PredictionOutcome = {
  /** Of the prediction. */
  id: string
  /** When it was last published: first, or after its remaining life had moved by more than 20 %. */
  toldAt: string
  /** What it predicted then: median remaining life. */
  rul_days: number
  /** `[p10, p90]` in days, as published then. */
  interval: [number, number]
  /** From then to the work. */
  actual_days: number
  /** `inside`: it failed within the interval; `earlier` and `later`: before and after it. `censored`: it was replaced before it failed, so nobody knows. `unknown`: nobody reported how the part was. */
  outcome: 'inside' | 'earlier' | 'later' | 'censored' | 'unknown'
}

export type PreferencesRequest = {
  /** Of the dashboard and of what is sent to the person. */
  language?: 'en' | 'de' | 'es' | undefined
  /** Of the dashboard and of what is sent to the person. `imperial`: °F, miles, mph, psi, US mpg. */
  units?: 'metric' | 'imperial' | undefined
}

export type PushKeys = {
  /** The public key of the browser. Base64url. */
  p256dh: string
  /** Its authentication secret. Base64url. */
  auth: string
}

/** A browser in which the person is shown messages. */
export type PushSubscription = {
  id: string
  /** Of the browser, for the person. */
  name: string
  /** Of the push service of the browser. */
  host: string
  /** By it a page knows its own browser: SHA-256 of the endpoint, in hexadecimal. */
  endpointSha256: string
  /** When it was allowed. */
  createdAt: string
}

/** Those of who is signed in, oldest first. */
export type PushSubscriptionList = {
  /** What a browser subscribes with, as `applicationServerKey`: base64url. */
  publicKey: string
  /** How many there can be. */
  limit: number
  pushSubscriptions: PushSubscription[]
}

/** What came of the test. */
export type PushSubscriptionTest = {
  id: string
  /** Of the message in the log. */
  notificationId: string
  /** `sent`: the receiver took it. `uncertain`: it did not answer; the message may have arrived. */
  status: 'sending' | 'sent' | 'failed' | 'uncertain'
  /** What the receiver answered, or why it could not be asked. */
  error: string | null
}

export type PutStreamConnectionRequest = {
  /** Whether the topic is read. Preset: `true`. */
  enabled?: boolean | undefined
  /** Brokers to begin with, each `HOST:PORT`: public addresses, port 443 or from 1024 up. */
  brokers: readonly string[]
  /** Topic of the telemetry. What cannot be taken goes to the topic of this name with `.dlq` behind it. */
  topic: string
  /** Consumer group; left out: `roadworthy-` and the slug of the reseller. How far the topic is read is kept for each group: another one begins anew. */
  groupId?: string | undefined
  /** Where a group begins of which neither this service nor Kafka knows how far it came. Preset: `earliest`. */
  startAt?: 'earliest' | 'latest' | undefined
  tls?: StreamTlsRequest | null | undefined
  sasl?: StreamSaslRequest | null | undefined
}

/** Messages wait until these hours are over, in the time zone of the reseller. Null: none. */
export type QuietHours = {
  /** Begins. A quarter of an hour. */
  from: string
  /** Ends, on the next day where it is earlier. */
  to: string
}

export type Reading = {
  /** As in the answer that acknowledged it. */
  id: string
  /** By the clock of the device. */
  recordedAt: string
  /** When it reached this service. */
  receivedAt: string
  deviceId: string | null
  latitude: number | null
  longitude: number | null
  /** By the field names and in the units of telemetry. */
  signals: Record<string, number>
  /** `heading`, `altitude`, `satellites`, `device_battery`, `ignition`, `event`, the lamps, `dtc_codes`, and in `extra` what else was sent. */
  attributes: Record<string, unknown>
  /** Fields outside their documented range: kept, never used for scoring. */
  implausible: string[]
}

export type ReadingBucket = {
  /** The bucket holds readings from here until `bucketSeconds` later; buckets are aligned to the epoch. */
  start: string
  signals: Record<string, SignalSummary>
}

/** A page of readings, or the buckets that were asked for. */
export type ReadingList = {
  vehicleId: string
  /** Start of the range, included. */
  from: string
  /** End of the range, not included. */
  to: string
  /** By `order`, oldest first. Without `downsample`. */
  readings?: Reading[] | undefined
  bucketSeconds?: number | undefined
  /** Oldest first, empty ones left out. With `downsample` or `points`. */
  buckets?: ReadingBucket[] | undefined
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

/** For how long readings are kept, in the database or in files, and points of the health history. What is older is removed, up to a week later. */
export type ReadingsRetention = {
  /** For how many days readings are kept that are of no sub-client below. Null: for ever. */
  days: number | null
  /** Whether that is what the service keeps those of everybody for, because nothing else is set. */
  isPreset: boolean
  /** For how many days the service keeps readings where nothing is set. */
  presetDays: number
  /** The least that can be set: readings of so long ago are still accepted. */
  minDays: number
  /** Sub-clients of whom it is another time. */
  subClients: SubClientRetention[]
}

export type ReadingsRetentionChange = {
  /** For how many days readings are kept. Left out: as long as the service keeps those of everybody. Null: for ever. */
  days?: number | null | undefined
  /** Sub-clients of whom it is another time. Left out: none. */
  subClients?: readonly SubClientRetention[] | undefined
}

export type RecoverRequest = {
  /** Events that happened from here on, at the earliest what is still in the log. */
  since: string
  /** And before this. Absent: now. */
  until?: string | null | undefined
}

/** What is sent from now on. */
export type RecoveredDeliveries = {
  /** Deliveries that became due. */
  recovered: number
  /** False: there is more than one request recovers. Send the same again. */
  isComplete: boolean
}

/** The record is gone. */
export type RemovedMaintenance = {
  id: string
  removed: true
}

/** The schedule is gone. */
export type RemovedSchedule = {
  id: string
  removed: true
}

/** The person is gone; what they did stays in the audit log. */
export type RemovedUser = {
  id: string
}

/** A page of the log, newest first. */
export type RequestLogPage = {
  requests: LoggedRequest[]
  /** Older calls are removed. */
  keptDays: number
  /** Of each key so many calls that were refused are kept, and so many that were not. */
  keptOfKey: number
  pagination: Pagination
}

export type RetentionPeriod = {
  what: 'readings' | 'events' | 'webhook_deliveries' | 'request_log' | 'notifications' | 'audit'
  /** What is older is removed, some of it up to a week later. */
  days: number
}

/** The key, which no longer works. */
export type RevokedApiKey = {
  apiKey: ApiKey
}

/** The vehicle has no link any more; `revoked` is false where it had none. */
export type RevokedCalendarLink = {
  vehicleId: string
  revoked: boolean
}

export type RotateApiKeyRequest = {
  /** How long the key before goes on working, so that programs can be given the new one. 0: it ends at once. Preset: `24`. */
  overlapHours?: number | undefined
}

/** The new key; this is the one time its secret is shown. `previous` is the key before, with when it ends as `expiresAt`. */
export type RotatedApiKey = {
  /** The key itself, for `X-API-Key` or `Authorization: Bearer`. It is shown this once only. */
  secret: string
  apiKey: ApiKey
  previous: ApiKey
}

/** Work that falls due, and when. */
export type Schedule = {
  id: string
  vehicleId: string
  component: string
  title: string
  every: ServiceInterval
  remind: ServiceReminder
  last: LastService
  next: NextService
  /** `unknown`: by distance or engine hours only, and the vehicle reports neither. */
  status: 'unknown' | 'ok' | 'due_soon' | 'overdue'
  /** As of when `status` and `next.expectedAt` are. Looked at every few minutes. */
  reviewedAt: string
  /** When the schedule was made. */
  createdAt: string
  /** When a person last changed it, or the work was last done. */
  updatedAt: string
}

/** A page of schedules, oldest first. */
export type ScheduleList = {
  schedules: Schedule[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type ServiceInterval = {
  days: number | null
  km: number | null
  engine_hours: number | null
}

/** Whichever comes first. */
export type ServiceIntervalRequest = {
  days?: number | undefined
  km?: number | undefined
  engine_hours?: number | undefined
}

export type ServiceReminder = {
  /** 14 when left out; at most a fifth of `every.days`. */
  days: number
  /** 500 when left out; at most a fifth of `every.km`. */
  km: number
  /** 20 when left out; at most a fifth of `every.engine_hours`. */
  engine_hours: number
}

/** How long before. `days` also before the day on which a distance is expected to be driven. */
export type ServiceReminderRequest = {
  /** 14 when left out; at most a fifth of `every.days`. */
  days?: number | undefined
  /** 500 when left out; at most a fifth of `every.km`. */
  km?: number | undefined
  /** 20 when left out; at most a fifth of `every.engine_hours`. */
  engine_hours?: number | undefined
}

export type Session = {
  userId: string
  email: string
  /** An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client. */
  role: 'owner' | 'member' | 'viewer' | 'sub_client_viewer'
  /** The only sub-client that the session sees; null: all of them. */
  subClientId: string | null
  viewAs: ViewAs | null
  /** What the person chose, also while they look as a sub-client. Null: nothing; the dashboard follows the browser. */
  language: 'en' | 'de' | 'es' | null
  /** What the person chose. Null: nothing. `imperial`: °F, miles, mph, psi, US mpg. */
  units: 'metric' | 'imperial' | null
  resellerSlug: string
  resellerName: string
  /** IANA name of the zone of the reseller, in which its days and months begin. */
  timeZone: string
  /** When it ends unless it is used before. */
  expiresAt: string
}

/** The session; null when nobody is signed in. */
export type SessionAnswer = {
  session: Session | null
}

export type SetPasswordRequest = {
  /** What stands behind the # of the link. */
  token: string
  /** 10 to 200 characters; not the e-mail address and none of the commonest passwords. */
  password: string
}

/** What the dashboard shows at this host name. */
export type ShownBrand = {
  /** What the dashboard calls itself. */
  name: string
  /** Of buttons and links: `#rrggbb`. */
  colour: string | null
  /** Path of the image. Another image has another path, so it may be kept for ever. */
  logoUrl: string | null
  /** Whom people write to for help. */
  supportEmail: string | null
  /** Page for help, `https://` or `http://`. */
  supportUrl: string | null
}

export type SignInRequest = {
  email: string
  password: string
}

export type SignalSummary = {
  min: number
  avg: number
  max: number
  /** Values in the bucket. Implausible ones are left out. */
  count: number
}

export type SilentDevice = {
  deviceId: string
  name: string | null
  vehicle: VehicleReference | null
  /** When it was noticed. */
  at: string
}

export type StartRecording = {
  /** Preset: `15`. */
  minutes?: number | undefined
}

/** What statements of this service are signed with. */
export type StatementKey = {
  algorithm: 'Ed25519'
  /** Base64 of its SPKI DER. */
  publicKey: string
}

/** Where telemetry is read from, without secrets, and how that goes. */
export type StreamConnection = {
  /** Whether the topic is read. */
  enabled: boolean
  /** Brokers to begin with, each `HOST:PORT`: public addresses, port 443 or from 1024 up. */
  brokers: string[]
  /** Topic of the telemetry. What cannot be taken goes to the topic of this name with `.dlq` behind it. */
  topic: string
  /** Where messages go that cannot be taken, with the reason. */
  deadLetterTopic: string
  /** Consumer group; left out: `roadworthy-` and the slug of the reseller. How far the topic is read is kept for each group: another one begins anew. */
  groupId: string
  /** Where a group begins of which neither this service nor Kafka knows how far it came. */
  startAt: 'earliest' | 'latest'
  tls: StreamTls | null
  sasl: StreamSasl | null
  status: StreamStatus
  /** When there was first a connection. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** The stream connection of the reseller, if there is one. */
export type StreamConnectionList = {
  /** One, or none while there is no connection. */
  connections: StreamConnection[]
}

/** What each step found. */
export type StreamConnectionTest = {
  /** Whether no step failed. */
  success: boolean
  /** In this order. After one that failed, the others are skipped. */
  steps: StreamTestStep[]
}

export type StreamConsumer = {
  id: string
  /** waiting: connected, and held up by what stands in detail. failed: not connected; tried again. quarantined: what the brokers sent ended the reader again and again; left out for a day, or until the connection is changed. Of several processes, that of the one that is worst off. */
  state: 'disabled' | 'connecting' | 'running' | 'waiting' | 'failed' | 'quarantined'
  /** What is wrong and what would be right. */
  detail: string | null
  /** That this process reads at the moment. */
  partitions: number[]
  /** Messages that are in the topic and not settled yet. Null: not known. */
  lagMessages: number | null
  /** Since it began, as are the two below. */
  storedRecords: number
  /** That were known already, and counted once. */
  duplicateRecords: number
  /** Messages that went to the topic of dead letters. */
  deadLetters: number
  /** Fields that were stored and not used, the most frequent first; of more than 20, those that came last. */
  warnings: StreamWarning[]
  /** When the newest message that was settled here was written. */
  lastMessageAt: string | null
  /** When this process began to read. */
  since: string
  /** When it last reported its state, which it does every few seconds. */
  updatedAt: string
}

export type StreamSasl = {
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
  username: string
  /** Whether a password is stored. */
  hasPassword: boolean
}

/** Null: no sign-in. */
export type StreamSaslRequest = {
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
  username: string
  /** Never shown again. Left out: the stored one stays, unless a broker was added or TLS was left; null: none. */
  password?: string | null | undefined
}

export type StreamStatus = {
  /** waiting: connected, and held up by what stands in detail. failed: not connected; tried again. quarantined: what the brokers sent ended the reader again and again; left out for a day, or until the connection is changed. Of several processes, that of the one that is worst off. */
  state: 'disabled' | 'connecting' | 'running' | 'waiting' | 'failed' | 'quarantined'
  /** What is wrong and what would be right. */
  detail: string | null
  /** Messages that are in the topic and not settled yet. Null: not known. */
  lagMessages: number | null
  /** The processes that read it. */
  consumers: StreamConsumer[]
}

export type StreamTestStep = {
  step: 'name' | 'tcp' | 'tls' | 'authentication' | 'topic' | 'sample'
  status: 'ok' | 'failed' | 'skipped'
  /** What was found; of a failure, what is wrong and what would be right. */
  detail: string
  duration_ms: number
}

export type StreamTls = {
  /** PEM. Certificates of the authorities that sign the brokers. Null: those that Node trusts. */
  ca: string | null
  /** PEM. Certificate of ours, where the brokers ask for one. */
  certificate: string | null
  /** Whether a private key is stored. */
  hasKey: boolean
}

/** Null: plain text. */
export type StreamTlsRequest = {
  /** PEM. Certificates of the authorities that sign the brokers. Null: those that Node trusts. */
  ca?: string | null | undefined
  /** PEM. Certificate of ours, where the brokers ask for one. */
  certificate?: string | null | undefined
  /** PEM. Private key of that certificate, without a passphrase. Never shown again. Left out: the stored one stays; null: none. */
  key?: string | null | undefined
}

export type StreamWarning = {
  /** As it was sent. */
  field: string
  reason: string
  /** Readings that had it, since the process began; of a field that was rare for long, since it came again. */
  count: number
  /** When it was last stored. */
  lastAt: string
}

/** The sub-client as it is now. */
export type SubClient = {
  /** URL-safe id; never changes. */
  id: string
  name: string
  contactEmail: string | null
  contactPhone: string | null
  metadata: Record<string, unknown>
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status: 'active' | 'suspended' | 'deactivated'
  /** Devices of the sub-client that are not decommissioned. */
  deviceCount: number
  /** Its vehicles that are not retired. */
  vehicleCount: number
  limits: SubClientLimits
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** What is left out stays. */
export type SubClientChange = {
  /** Display name. */
  name?: string | undefined
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status?: 'active' | 'suspended' | 'deactivated' | undefined
  /** Null removes it. */
  contactEmail?: string | null | undefined
  /** Null removes it. */
  contactPhone?: string | null | undefined
  /** Replaces the whole object; null empties it. */
  metadata?: Record<string, unknown> | null | undefined
  limits?: SubClientLimitsChange | undefined
}

export type SubClientCreate = {
  /** Display name. */
  name: string
  /** Made from the name when left out. */
  id?: string | null | undefined
  /** Contact e-mail. */
  contactEmail?: string | null | undefined
  /** Contact phone. */
  contactPhone?: string | null | undefined
  /** Free-form, at most 16 KiB of JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

/** The sub-client as it is now, and what became of its devices. */
export type SubClientDeactivated = {
  subClient: SubClient
  /** How many devices this call took from the sub-client. */
  devicesUnassigned: number
}

/** What deactivating the sub-client would do, as it stands now. */
export type SubClientDeactivation = {
  /** Devices that leave it. They stay registered, work as before, and belong to no sub-client. */
  devices: number
  /** SIMs that leave it, in the background. */
  sims: number
  /** Vehicles that stay with it: they can be read, not changed. */
  vehicles: number
  /** People who see this sub-client only. They may go on reading. */
  people: number
}

/** Beyond them: 403 `quota_exceeded`. */
export type SubClientLimits = {
  /** Devices that are not decommissioned. Null: no limit. */
  devices: number | null
  /** Readings stored in a calendar month (UTC). Null: no limit. */
  readingsPerMonth: number | null
  /** Predictions asked for in a calendar month (UTC). Null: no limit. */
  predictionsPerMonth: number | null
}

/** What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client. */
export type SubClientLimitsChange = {
  /** Devices that are not decommissioned. Null: no limit. */
  devices?: number | null | undefined
  /** Readings stored in a calendar month (UTC). Null: no limit. */
  readingsPerMonth?: number | null | undefined
  /** Predictions asked for in a calendar month (UTC). Null: no limit. */
  predictionsPerMonth?: number | null | undefined
}

/** A page of sub-clients. */
export type SubClientList = {
  subClients: SubClient[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type SubClientQuota = {
  /** Null: no limit. */
  limit: number | null
  /** Of it, so far. */
  used: number
}

export type SubClientRetention = {
  /** A sub-client. */
  subClientId: string
  /** For how many days its readings are kept. Null: for ever. */
  days: number | null
}

/** Sent after the reading is committed. */
export type TelemetryAccepted = {
  success: true
  telemetryId: string
  vehicleId: string | null
  /** When it was received. */
  receivedAt: string
  /** The same reading was stored before; this one counts nothing. */
  duplicate: boolean
  /** Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record. */
  warnings?: FieldWarning[] | undefined
}

/** The aliases of the ML engine are taken too. Unknown keys are kept. */
export type TelemetryInput = {
  /** Our id, or the caller's own reference; a reference not seen before makes the vehicle. */
  vehicleId: string
  /** RFC 3339 with an offset; from 30 days ago to 5 minutes ahead. The time of receipt when left out. */
  timestamp?: string | undefined
  /** Engine speed, RPM. */
  engine_speed?: number | undefined
  /** Coolant temperature, °C. */
  coolant?: number | undefined
  /** Battery voltage, V. */
  battery_voltage?: number | undefined
  /** Fuel level, %. */
  fuel_level?: number | undefined
  /** Vehicle speed, km/h. */
  vehicleSpeed?: number | undefined
  /** Engine oil temperature, °C. */
  engineOilTemp?: number | undefined
  /** Fuel temperature, °C. */
  engineFuelTemp?: number | undefined
  /** Odometer, km. */
  obdDistance?: number | undefined
  /** Run time since engine start, s. */
  runTime?: number | undefined
  /** Current gear, gear. */
  current_gear?: number | undefined
  /** Fuel consumption, L/100km. */
  fuel_consumption?: number | undefined
  /** Ambient air temperature, °C. */
  ambient_air_temperature?: number | undefined
  /** Engine oil pressure, PSI. */
  oil_pressure?: number | undefined
  /** Throttle position, %. */
  throttle?: number | undefined
  /** Intake air temperature, °C. */
  intake_air_temp?: number | undefined
  /** Malfunction indicator lamp */
  mil_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Red stop lamp */
  red_stop_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Amber warning lamp */
  amber_warning_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Protect lamp */
  protect_lamp?: 'LAMP_ON' | 'LAMP_OFF' | undefined
  /** Active fault codes. */
  dtc_codes?: readonly string[] | undefined
  latitude?: number | undefined
  longitude?: number | undefined
  [key: string]: unknown
}

export type Throughput = {
  /** Readings a minute, on average since the quarter-hour before this one began. */
  perMinute: number
  /** The last six hours, oldest first. The last one is not over. */
  quarters: ThroughputQuarter[]
}

export type ThroughputQuarter = {
  /** When the quarter-hour begins. */
  from: string
  /** Received in it. */
  readings: number
}

/** Where the vehicle was. */
export type Track = {
  vehicleId: string
  /** Start of the range, included. */
  from: string
  /** End of the range, not included. */
  to: string
  /** Oldest first. */
  points: TrackPoint[]
  /** Oldest first; of more than 500 the longest. */
  stops: TrackStop[]
  /** Oldest first; of more than 500 the longest. */
  gaps: TrackGap[]
  /** Along the positions, without gaps and stops. The odometer is more exact. */
  distanceKm: number
  /** km/h */
  maxSpeed: number | null
  /** At most one position was read for each of so many seconds. */
  everySeconds: number
  /** No position that was read, can be, and was left out is farther than this from where the points put the vehicle at its time. Null where too many gaps left no room for it. */
  toleranceM: number | null
}

/** Nothing was heard for longer than a vehicle may be silent and count as online (a setting, 5 minutes by default). */
export type TrackGap = {
  /** When it was heard last. */
  from: string
  /** When it was heard again, elsewhere. */
  to: string
}

export type TrackPoint = {
  /** When the vehicle was there, by the clock of the device. */
  at: string
  latitude: number
  longitude: number
  /** km/h */
  speed: number | null
  /** Degrees clockwise from north. */
  heading: number | null
  ignition: boolean | null
}

/** The vehicle stayed within 100 m for five minutes or more. */
export type TrackStop = {
  /** When it came. */
  from: string
  /** When it was there last. */
  to: string
  latitude: number
  longitude: number
}

export type TrackerTokenIssue = {
  /** How long the token before works on. Preset: `0`. */
  graceSeconds?: number | undefined
}

/** The new token; this is the one time it is shown. */
export type TrackerTokenIssued = {
  id: string
  /** The identifier of the device in OsmAnd and Traccar Client, and a part of the address for others. Shown in this answer only. */
  trackerToken: string
  /** Until when the token before is good; null: no longer, or there was none. */
  previousValidUntil: string | null
}

/** The device has no token. */
export type TrackerTokenRevoked = {
  id: string
  /** False where there was none. */
  revoked: boolean
}

export type TriedFinding = {
  component: string
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  message: string
}

export type TriedPrediction = {
  healthScore: number
  healthStatus: 'healthy' | 'warning' | 'critical'
  /** By the probability. Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet. */
  riskLevel: 'none' | 'low' | 'medium' | 'high'
  /** How much there was to judge by. */
  confidence: number
  /** Score of each part. */
  components: Record<string, number>
  /** What was found, worst first. */
  findings: TriedFinding[]
  /** What was found and not found, with readings and thresholds. */
  insights: string[]
  recommendations: string[]
  /** Keys that would raise confidence. */
  missingFields: string[]
}

/** How the reading was understood, and what the engine answers to it as if it lasted. */
export type TryAnswer = {
  /** Each key of the reading, in its order. */
  fields: FieldMeaning[]
  prediction: TriedPrediction
}

export type TryRequest = {
  /** One reading, with the keys of the External API, of the ML engine or their aliases. */
  reading: Record<string, unknown>
}

export type UnderstoodValue = {
  key: string
  value: unknown
  unit: string | null
  /** Stored, and judged by nothing. */
  implausible: boolean
}

export type UrgentIncident = {
  id: string
  vehicle: VehicleReference | null
  /** The device that raised it, where one did. */
  deviceId: string | null
  component: string
  /** Who found it, as of incidents. */
  source: 'engine' | 'device'
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  title: string
  /** What to do. */
  recommendation: string
  advice: Advice | null
  /** When it was opened. */
  openedAt: string
}

export type UsageLimit = {
  id: string
  name: string
  /** Of the limit that is nearest to its end, rounded down; above 100 where a limit was set below what is used. 100 of a limit of 0. */
  usedPercent: number
  /** Devices that are not decommissioned. */
  devices: SubClientQuota
  /** Readings in a month. */
  readings: SubClientQuota
  /** Predictions on demand in a month. */
  predictions: SubClientQuota
}

/** Limits of sub-clients, and what of them is used. Those of the plan are at `/plan`. */
export type UsageLimits = {
  /** The calendar month, in UTC, that limits count by. */
  month: CalendarMonth
  /** How many there are on all pages, with the filters of this request. */
  total: number
  /** Those that have a limit, oldest first. */
  subClients: UsageLimit[]
  pagination: Pagination
}

export type UsagePeriod = {
  /** `2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`. */
  period: string
  totals: UsageTotals
}

/** What this month comes to if it goes on as it has until now. Active devices are not projected. */
export type UsageProjection = {
  /** The month it is. */
  period: string
  used: UsageTotals
  totals: UsageTotals
  /** How much of the month is over. */
  elapsedPercent: number
}

/** What was used, by period, sub-client and meter. Calls of the last second may be missing. */
export type UsageReport = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  granularity: string
  /** Start of the first period. */
  from: string
  /** End of the last period. */
  to: string
  totals: UsageTotals
  pagination: Pagination
  /** IANA name; where days and months begin. */
  timeZone: string
  /** By period, sub-client and meter. */
  rows: UsageRow[]
  /** Every period that was asked for, whether something was used in it or not, with what all rows of it add up to, of every page. */
  periods: UsagePeriod[]
  projected: UsageProjection
}

export type UsageRow = {
  /** `2026-01`, `2026-01-31` or `2026-01-31T13:00+05:30`. */
  period: string
  meter: 'points_ingested' | 'api_calls' | 'predictions' | 'active_devices'
  /** Never 0: what was not used has no row. */
  count: number
  /** Null: what belongs to no sub-client. */
  subClientId: string | null
}

/** `npx roadworthy verify-statement` checks it offline. */
export type UsageStatement = {
  statement: 'roadworthy-usage-1'
  /** `draft` while the month goes on: it lags the usage report by up to 16 minutes. `final` about a day after its end: it does not change any more. */
  status: 'draft' | 'final'
  resellerId: string
  /** Null: what belongs to no sub-client. */
  subClientId: string | null
  /** Of the time zone. */
  month: string
  /** IANA name; where days and months begin. */
  timeZone: string
  /** Start of the month. */
  from: string
  /** End of the month. */
  to: string
  totals: UsageTotals
  /** What the first line follows. Null when there are no lines. */
  previousHash: string | null
  /** Without gaps. One of another month, which came between, counts in no total here. */
  lines: UsageStatementLine[]
  /** Ed25519, base64 of its SPKI DER. */
  publicKey: string
  /** Ed25519 over the canonical JSON of all other members, base64. */
  signature: string
}

export type UsageStatementLine = {
  /** Place in the chain of the sub-client. */
  seq: number
  /** Start of the quarter-hour in which the service received it. */
  bucket: string
  meter: 'points_ingested' | 'api_calls_external' | 'api_calls_platform' | 'predictions' | 'active_devices' | 'active_device_days'
  count: number
  /** SHA-256 over this line and the hash before it. */
  hash: string
}

export type UsageTotals = {
  /** Readings that were stored; one that was known already counts nothing. */
  points_ingested: number
  /** Requests of keys that were let in, to both APIs. */
  api_calls: number
  /** Predictions that were asked for. */
  predictions: number
  /** Devices of which a reading was stored, once in each period. */
  active_devices: number
}

export type User = {
  id: string
  /** What the person signs in with. Kept in lower case. */
  email: string
  /** An `owner` may do everything; a `member` everything but manage keys, people and brands; a `viewer` looks and changes nothing; a `sub_client_viewer` does so within one sub-client. */
  role: 'owner' | 'member' | 'viewer' | 'sub_client_viewer'
  /** The only sub-client that the person sees. For a `sub_client_viewer`, and for nobody else. */
  subClientId: string | null
  /** `invited` until the person has set a password. A `deactivated` person cannot sign in. */
  status: 'invited' | 'active' | 'deactivated'
  /** In which the person reads the dashboard and is written to. Null: never chosen; mails are English. */
  language: 'en' | 'de' | 'es' | null
  /** Of the person. Null: never chosen; mails are metric. `imperial`: °F, miles, mph, psi, US mpg. */
  units: 'metric' | 'imperial' | null
  /** When the person was invited or made. */
  createdAt: string
}

/** The person. */
export type UserAnswer = {
  user: User
}

/** A page of people, oldest first. */
export type UserList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  users: User[]
  pagination: Pagination
}

/** A vehicle and how it is. */
export type Vehicle = {
  id: string
  vin: string | null
  make: string | null
  model: string | null
  /** Null until the vehicle first reported and was scored. */
  healthScore: number | null
  year: number | null
  licensePlate: string | null
  /** Its name; of a vehicle without name and plate, its device's. */
  name: string | null
  /** Such as `heavy_truck`. */
  vehicleClass: string | null
  /** Such as `diesel`. */
  fuelType: string | null
  /** Such as `rwd`. */
  drivetrain: string | null
  /** Nominal voltage of the starter battery, in volts. */
  batteryNominalV: number | null
  /** A retired vehicle is not scored. */
  status: 'active' | 'retired'
  /** The caller's own name for the vehicle. */
  externalRef: string | null
  /** Owner. */
  subClientId: string | null
  /** False for a vehicle that was made by a reading which named it. */
  registered: boolean
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
  location: VehicleLocation | null
  /** When the vehicle was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

export type VehicleAtRisk = {
  vehicle: VehicleReference
  /** The part of it that is expected to last the shortest. */
  component: string
  issue: string
  /** Remaining useful life in days, median. */
  rul_days: number
  /** `[p10, p90]` in days: in 8 of 10 cases the part lasts between the two. */
  interval: [number, number]
  /** How much there was to judge this component by. */
  confidence: number
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
  healthStatus: 'healthy' | 'warning' | 'critical' | null
}

/** What is left out stays; null clears. */
export type VehicleChange = {
  /** Manufacturer. */
  make?: string | null | undefined
  /** Model. */
  model?: string | null | undefined
  /** Model year. */
  year?: number | null | undefined
  /** Vehicle identification number; kept in upper case and unique within the reseller. */
  vin?: string | null | undefined
  /** Name for people. */
  name?: string | null | undefined
  /** Which wheels are driven, as drive or axle configuration. */
  drivetrain?: 'fwd' | 'rwd' | 'awd' | '4x2' | '4x4' | '6x2' | '6x4' | '6x6' | '8x4' | '8x8' | 'other' | null | undefined
  /** Registration plate. */
  licensePlate?: string | null | undefined
  /** Kind of vehicle; light, medium and heavy are GVWR classes 1 and 2, 3 to 6, 7 and 8. Lives and use that predictions assume follow it. */
  vehicleClass?: 'passenger' | 'van' | 'light_truck' | 'medium_truck' | 'heavy_truck' | 'bus' | 'motorcycle' | 'off_highway' | 'trailer' | 'other' | null | undefined
  /** What it runs on. An electric vehicle has no predictions of an engine. */
  fuelType?: 'petrol' | 'diesel' | 'cng' | 'lng' | 'lpg' | 'hybrid' | 'plug_in_hybrid' | 'electric' | 'hydrogen' | 'other' | null | undefined
  /** Nominal voltage of the starter battery, in volts. */
  batteryNominalV?: 12 | 24 | 48 | null | undefined
  /** The caller's own name for the vehicle, unique within the reseller; without the blanks around it. */
  externalRef?: string | null | undefined
  /** Moves the vehicle; null takes it out of its sub-client. */
  subClientId?: string | null | undefined
  /** `retired` takes it out of service, `active` brings it back. */
  status?: 'active' | 'retired' | undefined
}

/** How many of the chosen vehicles are in which state. */
export type VehicleCounts = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  health: HealthCounts
  /** Heard of within the last minutes (a setting, 5 by default). */
  online: number
  /** The others. */
  offline: number
}

/** Vehicles under a name. A vehicle can be in several; `GET /vehicles?groupId=…` lists those of one. */
export type VehicleGroup = {
  id: string
  /** For people. No two groups of the same owner have the same name. */
  name: string
  /** Only vehicles of this sub-client. It stays. Null: of the whole fleet. */
  subClientId: string | null
  /** Its vehicles that are in service. */
  vehicleCount: number
  /** When it was made. */
  createdAt: string
  /** When its name or its vehicles were last changed. */
  updatedAt: string
}

/** What is left out stays as it is. */
export type VehicleGroupChange = {
  /** For people. No two groups of the same owner have the same name. */
  name?: string | undefined
  /** Vehicles that come into it, by our id or yours. One that is in it already stays. */
  addVehicleIds?: readonly string[] | undefined
  /** Vehicles that leave it. One that is not in it is passed over. */
  removeVehicleIds?: readonly string[] | undefined
}

/** A page of groups, oldest first. */
export type VehicleGroupList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  vehicleGroups: VehicleGroup[]
  pagination: Pagination
}

/** A page of vehicles. */
export type VehicleList = {
  vehicles: Vehicle[]
  /** How many there are on all pages, with the filters of this request. */
  total: number
  pagination: Pagination
}

export type VehicleLocation = {
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
}

/** What people know the vehicle by. */
export type VehicleReference = {
  id: string
  /** Its name; of a vehicle without name and plate, its device's. */
  name: string | null
  licensePlate: string | null
  externalRef: string | null
  vin: string | null
}

/** Vehicles whose health is in a worse band than it was then. */
export type VehiclesWorsened = {
  /** All of them. */
  total: number
  /** The newest, 5 at most. */
  items: WorsenedVehicle[]
}

/** Set while a person of the reseller looks as a sub-client. `role` and `subClientId` are then those of a viewer of it; null: they are the person’s own. */
export type ViewAs = {
  subClientId: string
  subClientName: string
  /** What the person is again after `DELETE /session/view-as`. */
  ownRole: 'owner' | 'member' | 'viewer' | 'sub_client_viewer'
}

export type ViewAsRequest = {
  /** Any sub-client of the reseller, also one that is deactivated. */
  subClientId: string
}

/** An endpoint that events are sent to. */
export type Webhook = {
  id: string
  /** Where events are sent. https, and a public address. */
  url: string
  /** For people. */
  description: string
  /** The types of events it is sent. Null: all, also those that are added one day. */
  eventTypes: ('vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test')[] | null
  /** It is sent events of this sub-client only. */
  subClientId: string | null
  /** Names of the headers that are sent along. */
  headerNames: string[]
  /** `paused`: by a person; events are kept and sent when it is resumed. `disabled`: by us; see `disabledReason`. */
  status: 'enabled' | 'paused' | 'disabled'
  /** `failing`: for five days. `gone`: it answered 410. */
  disabledReason: 'failing' | 'gone' | null
  /** Of the first attempt that failed since one succeeded. */
  failingSince: string | null
  /** Attempts that failed since one succeeded. */
  failureCount: number
  /** When it had been failing for a day. Four days later it is disabled. */
  warnedAt: string | null
  /** Of the last attempt that succeeded, to the minute. */
  lastSuccessAt: string | null
  /** Until when messages are signed with the secret before the last rotation as well. */
  previousSecretExpiresAt: string | null
  /** When it was made. */
  createdAt: string
  /** When it was last changed, by anybody. */
  updatedAt: string
}

export type WebhookAttempt = {
  id: string
  /** When it began. */
  attemptedAt: string
  /** Where events are sent. https, and a public address. */
  url: string
  /** Values of added headers are not shown. */
  requestHeaders: Record<string, string>
  /** `delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent. */
  outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'forbidden'
  /** The HTTP status that was answered. */
  answerStatus: number | null
  /** The first 40, 500 characters of each. */
  answerHeaders: Record<string, string> | null
  /** Its first 4 kB. */
  answerBody: string | null
  /** Why it was not delivered. */
  error: string | null
  durationMs: number
}

/** What is left out stays as it is. `headers` replaces all of them. A `url` with another scheme, host or port needs them again, or `{}` for none. */
export type WebhookChange = {
  /** Where events are sent. https, and a public address. */
  url?: string | undefined
  /** For people. */
  description?: string | undefined
  /** The types of events it is sent. Null: all, also those that are added one day. */
  eventTypes?: readonly ('vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test')[] | null | undefined
  /** Sent along with every event, 10 at most, for example to sign in with a gateway. Never shown again. */
  headers?: Record<string, string> | undefined
}

/** One event for one endpoint. */
export type WebhookDelivery = {
  id: string
  webhookId: string
  /** What the receiver gets as `webhook-id`, the same in every attempt. */
  eventId: string
  eventType: 'vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test'
  /** `pending`: an attempt is still to come. `failed`: all ten were made. */
  status: 'pending' | 'delivered' | 'failed'
  attemptCount: number
  /** When the next attempt is due, or was; only while pending. */
  nextAttemptAt: string | null
  /** When the last attempt was made. */
  lastAttemptAt: string | null
  /** `delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent. */
  lastOutcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'forbidden' | null
  /** The HTTP status that was answered. */
  lastAnswerStatus: number | null
  /** When it was first answered 2xx. */
  deliveredAt: string | null
  /** When it was decided that this endpoint is sent it. */
  createdAt: string
}

/** A delivery with what was sent and what was answered. */
export type WebhookDeliveryDetail = {
  id: string
  webhookId: string
  /** What the receiver gets as `webhook-id`, the same in every attempt. */
  eventId: string
  eventType: 'vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test'
  /** `pending`: an attempt is still to come. `failed`: all ten were made. */
  status: 'pending' | 'delivered' | 'failed'
  attemptCount: number
  /** When the next attempt is due, or was; only while pending. */
  nextAttemptAt: string | null
  /** When the last attempt was made. */
  lastAttemptAt: string | null
  /** `delivered`: answered 2xx. `refused`: answered anything else. `timeout`: no complete answer in 15 s. `unreachable`: no connection, no TLS, or cut off. `forbidden`: the address is not public, and nothing was sent. */
  lastOutcome: 'delivered' | 'refused' | 'timeout' | 'unreachable' | 'forbidden' | null
  /** The HTTP status that was answered. */
  lastAnswerStatus: number | null
  /** When it was first answered 2xx. */
  deliveredAt: string | null
  /** When it was decided that this endpoint is sent it. */
  createdAt: string
  /** The bytes that are signed and sent. */
  body: string
  /** Newest first, 50 at most; each is kept for 30 days. */
  attempts: WebhookAttempt[]
}

/** A page of deliveries, newest first. */
export type WebhookDeliveryList = {
  deliveries: WebhookDelivery[]
  pagination: Pagination
}

/** A page of endpoints, oldest first. */
export type WebhookList = {
  /** How many there are on all pages, with the filters of this request. */
  total: number
  webhooks: Webhook[]
  pagination: Pagination
}

/** How the last day went. */
export type WebhookStatistics = {
  /** What was decided to be sent from here on is counted: a day. */
  since: string
  /** Answered 2xx, at whichever attempt. */
  delivered: number
  /** Not delivered so far, with an attempt that failed; another may still come. */
  failing: number
  /** Not attempted yet. */
  waiting: number
  /** False: there were more; the newest 10,000 are counted. */
  isComplete: boolean
}

export type WebhookTestRequest = {
  /** The type that the event has. Absent: `webhook.test`. */
  eventType?: 'vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test' | null | undefined
}

/** The event is on its way. */
export type WebhookTestSent = {
  /** Of the event that is sent; deliveries can be filtered by it. */
  eventId: string
}

/** The endpoint; this is the one time its new secret is shown. */
export type WebhookWithSecret = {
  /** By which the receiver verifies signatures (Standard Webhooks). It is shown this once only. */
  secret: string
  webhook: Webhook
}

/** Work that is planned for a schedule which is due counts once. */
export type WorkAhead = {
  /** Schedules that are overdue, and planned work whose day is over in the time zone of the reseller. */
  overdue: number
  /** Schedules that are due soon, and work planned for the next 7 days. */
  dueSoon: number
  /** Overdue first, then by when it is due. 8 at most. */
  items: DueWork[]
}

export type WorkDone = {
  id: string
  vehicle: VehicleReference
  component: string
  /** When it was done. */
  at: string
}

/** Work that was done, or put on record, since. */
export type WorkPutOnRecord = {
  /** All of them. */
  total: number
  /** The newest, 5 at most. */
  items: WorkDone[]
}

/** Messages are sent within these hours only, in the time zone of the reseller; others wait for them. Null: always. */
export type WorkingHours = {
  /** From Monday as 1. */
  days: readonly number[]
  /** Begins. A quarter of an hour. */
  from: string
  /** Ends, later than it begins; `24:00` is the end of the day. */
  to: string
}

/** `before` is null of a vehicle that was not scored by then. */
export type WorsenedVehicle = {
  vehicle: VehicleReference
  healthStatus: 'healthy' | 'warning' | 'critical'
  before: 'healthy' | 'warning' | 'critical' | null
}

export type ListSubClientsQuery = {
  /** `suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`). */
  status?: 'active' | 'suspended' | 'deactivated' | undefined
  /** Only those whose name or id contains this. */
  search?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListDevicesQuery = {
  /** Only what belongs to this sub-client. */
  subClientId?: string | undefined
  status?: 'pending' | 'active' | 'suspended' | 'decommissioned' | undefined
  /** `online` as in the field; `never`: nothing was ever received of it; `offline`: the others. */
  presence?: 'online' | 'offline' | 'never' | undefined
  /** Only what has this in its name, id, IMEI or SIM number, or in a name of its vehicle. */
  search?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListVehiclesQuery = {
  /** Only these, up to 500 ids, separated by commas. */
  ids?: string | undefined
  /** Only vehicles of this group (`/vehicle-groups`). */
  groupId?: string | undefined
  /** Only vehicles of this sub-client. */
  subClientId?: string | undefined
  /** Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet. */
  healthStatus?: 'healthy' | 'warning' | 'critical' | 'unknown' | undefined
  /** Those that are in service, or those that are retired. Preset: `active`. */
  status?: 'active' | 'retired' | undefined
  /** Whether anything was heard of it within the last minutes. */
  presence?: 'online' | 'offline' | undefined
  /** Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case. */
  search?: string | undefined
  /** `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east. */
  bbox?: string | undefined
  /** By when it was created, its health score, its name, the number of its alerts, or when it was heard last. Equals come by name. What has no score, or was never heard, comes last in either order. Preset: `created`. */
  sort?: 'created' | 'health' | 'name' | 'alerts' | 'heard' | undefined
  /** `created` is `asc` only. Preset: `asc`. */
  order?: 'asc' | 'desc' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListVehicleHealthHistoryQuery = {
  /** Start of the range, included. 30 days before `to` when left out. */
  from?: string | undefined
  /** End of the range, not included. Now when left out. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListVehicleReadingsQuery = {
  /** Start of the range, included. An hour before `to` when left out. */
  from?: string | undefined
  /** End of the range, not included. Now when left out. */
  to?: string | undefined
  /** Only these signals, and only readings with any of them: names separated by commas, of engine_speed, coolant, battery_voltage, fuel_level, vehicleSpeed, engineOilTemp, engineFuelTemp, obdDistance, runTime, current_gear, fuel_consumption, ambient_air_temperature, oil_pressure, throttle, intake_air_temp; aliases are taken too. */
  signals?: string | undefined
  /** Answer buckets of this length with lowest, mean and highest of each signal, instead of single readings. */
  downsample?: string | undefined
  /** Instead of `downsample`: answer at most this many buckets. The service chooses their length, which is in the answer. */
  points?: number | undefined
  /** Of single readings by when they were recorded: `asc` is oldest first. A cursor goes on in the order it was made in. Preset: `asc`. */
  order?: 'asc' | 'desc' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetVehicleTrackQuery = {
  /** Start of the range, included. A day before `to` when left out. */
  from?: string | undefined
  /** End of the range, not included. Now when left out. */
  to?: string | undefined
  /** At most so many points. Preset: `2000`. */
  maxPoints?: number | undefined
}

export type ListVehicleFaultCodesQuery = {
  /** Start of the range, included. 30 days before `to` when left out. */
  from?: string | undefined
  /** End of the range, not included. Now when left out. */
  to?: string | undefined
}

export type ListVehicleOdometerCorrectionsQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListVehicleGroupsQuery = {
  /** Only groups that this vehicle is in, by our id. */
  vehicleId?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetFleetMapQuery = {
  /** Only these, up to 500 ids, separated by commas. */
  ids?: string | undefined
  /** Only vehicles of this group (`/vehicle-groups`). */
  groupId?: string | undefined
  /** Only vehicles of this sub-client. */
  subClientId?: string | undefined
  /** Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet. */
  healthStatus?: 'healthy' | 'warning' | 'critical' | 'unknown' | undefined
  /** Those that are in service, or those that are retired. Preset: `active`. */
  status?: 'active' | 'retired' | undefined
  /** Whether anything was heard of it within the last minutes. */
  presence?: 'online' | 'offline' | undefined
  /** Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case. */
  search?: string | undefined
  /** `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east. */
  bbox?: string | undefined
}

export type CountVehiclesQuery = {
  /** Only these, up to 500 ids, separated by commas. */
  ids?: string | undefined
  /** Only vehicles of this group (`/vehicle-groups`). */
  groupId?: string | undefined
  /** Only vehicles of this sub-client. */
  subClientId?: string | undefined
  /** Only vehicles of this health: at least 70, at least 40, below 40, or not judged yet. */
  healthStatus?: 'healthy' | 'warning' | 'critical' | 'unknown' | undefined
  /** Those that are in service, or those that are retired. Preset: `active`. */
  status?: 'active' | 'retired' | undefined
  /** Whether anything was heard of it within the last minutes. */
  presence?: 'online' | 'offline' | undefined
  /** Only vehicles that have each of these words, 8 at most, in plate, name, make, model, year, VIN, `externalRef`, sub-client or id, in any case. */
  search?: string | undefined
  /** `west,south,east,north` in degrees: only vehicles whose newest position lies within. A box across the antimeridian has its west greater than its east. */
  bbox?: string | undefined
}

export type ExportPositionsQuery = {
  /** Only devices of this sub-client. */
  subClientId?: string | undefined
  /** Only positions that came in since: give the newest `receivedAt` of the answer before to get what is new. Those of the 10 seconds before come again, as they may have been stored after that answer. */
  receivedSince?: string | undefined
}

export type GetOverviewQuery = {
  /** Adds what changed since then, such as the last visit of a person. At most 31 days ago. */
  since?: string | undefined
}

export type ListPredictionsQuery = {
  /** Our id, or the caller's own reference. */
  vehicleId?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetPredictionAccuracyQuery = {
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component?: string | undefined
}

export type ListIncidentsQuery = {
  /** Only incidents in this status. All of them when left out. */
  status?: 'open' | 'acknowledged' | 'snoozed' | 'resolved' | undefined
  /** Only incidents of this severity. */
  severity?: 'info' | 'low' | 'medium' | 'high' | 'critical' | undefined
  /** Only incidents of this component. */
  component?: string | undefined
  /** Our id, or the caller's own reference. */
  vehicleId?: string | undefined
  /** Only incidents of what this sub-client owns. */
  subClientId?: string | undefined
  /** Only of vehicles of this group (`/vehicle-groups`). */
  groupId?: string | undefined
  /** `urgency`: only incidents that are not resolved; first what must be done at once, gravest and then oldest first, then the others by `actBy`. Preset: `newest`. */
  order?: 'newest' | 'urgency' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListIncidentHistoryQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListAssigneesQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListAlertsQuery = {
  /** Only alerts of this severity. */
  severity?: 'info' | 'low' | 'medium' | 'high' | 'critical' | undefined
  /** Only alerts in this status. All of them when left out. */
  status?: 'open' | 'acknowledged' | 'resolved' | undefined
  /** Our id, or the caller's own reference. */
  vehicleId?: string | undefined
  /** Only alerts that this device raised. Its id, or its IMEI. */
  deviceId?: string | undefined
  /** Only of vehicles of this group (`/vehicle-groups`). */
  groupId?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListMaintenanceQuery = {
  /** Our id, or the caller's own reference. */
  vehicleId?: string | undefined
  /** Only records in this status. */
  status?: 'planned' | 'completed' | undefined
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component?: string | undefined
  /** Only work that was done, or that is to be done, at this time or later. Work without a day is left out. */
  from?: string | undefined
  /** Only work that was done, or that is to be done, before this time. Work without a day is left out. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetObservedLivesQuery = {
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component: string
  /** What lives are counted in. Preset: `km`. */
  unit?: 'km' | 'days' | 'engine_hours' | undefined
  /** `csv` answers all of them at once, for `npx roadworthy fit life`. Preset: `json`. */
  format?: 'json' | 'csv' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListMaintenanceSchedulesQuery = {
  /** Our id, or the caller's own reference. */
  vehicleId?: string | undefined
  /** Only schedules in this status. */
  status?: 'unknown' | 'ok' | 'due_soon' | 'overdue' | undefined
  /** In lower case. Those that predictions name (`brakes`, `battery`, `engine`, …) have a life that maintenance resets; any other is kept as it is called. */
  component?: string | undefined
  /** Only schedules with `next.expectedAt` at this time or later. */
  from?: string | undefined
  /** Only schedules with `next.expectedAt` before this time. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListEventsQuery = {
  /** Only events of these types, separated by commas: `vehicle.health.changed`, `alert.created`, `alert.updated`, `alert.resolved`, `incident.opened`, `incident.updated`, `incident.resolved`, `prediction.created`, `maintenance.completed`, `device.online`, `device.offline`, `device.decommissioned`, `sim.state.changed`, `sim.action.failed`, `sim.anomaly`, `usage.threshold`, `invoice.opened`, `invoice.paid`, `invoice.overdue`, `invoice.voided`, `invoice.credited`, `payment.failed`, `payment.unapplied`, `payment.refund.updated`, `payment.dispute.updated`, `webhook.endpoint.disabled`, `webhook.test`. All that the key may see when left out. */
  type?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type FollowChangesQuery = {
  /** Ids of up to 500 vehicles to show, separated by commas. */
  vehicles?: string | undefined
  /** `west,south,east,north` in degrees: also the vehicles within, those heard last first, until 500 are shown. A box across the antimeridian has its west greater than its east. */
  bbox?: string | undefined
  /** As the header `Last-Event-ID`, which a browser cannot set by itself. The header counts for more. */
  lastEventId?: string | undefined
}

export type ListWebhooksQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListWebhookDeliveriesQuery = {
  /** `pending`: an attempt is still to come. `failed`: all ten were made. */
  status?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only events of this type. */
  eventType?: 'vehicle.health.changed' | 'alert.created' | 'alert.updated' | 'alert.resolved' | 'incident.opened' | 'incident.updated' | 'incident.resolved' | 'prediction.created' | 'maintenance.completed' | 'device.online' | 'device.offline' | 'device.decommissioned' | 'sim.state.changed' | 'sim.action.failed' | 'sim.anomaly' | 'usage.threshold' | 'invoice.opened' | 'invoice.paid' | 'invoice.overdue' | 'invoice.voided' | 'invoice.credited' | 'payment.failed' | 'payment.unapplied' | 'payment.refund.updated' | 'payment.dispute.updated' | 'webhook.endpoint.disabled' | 'webhook.test' | undefined
  /** Only this event. */
  eventId?: string | undefined
  /** Only what was made from then on; RFC 3339 with an offset. */
  from?: string | undefined
  /** Only what was made before then; RFC 3339 with an offset. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListNotificationRulesQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListNotificationsQuery = {
  /** Only of this rule. */
  ruleId?: string | undefined
  /** Only about this incident. */
  incidentId?: string | undefined
  /** Only to this user or channel. */
  recipient?: string | undefined
  /** `pending`: an attempt is to come. `uncertain`: the process ended while it was sending, or a chat did not answer; the message may have arrived, and is not sent again. `cancelled`: the incident is no longer open, or the rule is gone or does not name the recipient any more, and no attempt is made. */
  status?: 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListNotificationChannelsQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetUsageQuery = {
  /** Only what belongs to this sub-client. */
  subClientId?: string | undefined
  /** First day, in the time zone of the reseller. With `granularity=month` a month. The first of this month when left out. */
  from?: string | undefined
  /** The day, or month, after the last. What comes after the present when left out. */
  to?: string | undefined
  /** Length of a row’s period: at most 31 days by hour, 400 by day, 60 months by month. Preset: `day`. */
  granularity?: 'day' | 'month' | 'hour' | undefined
  /** `csv` and `ndjson` hold every row at once. Also by `Accept: text/csv` or `application/x-ndjson`. */
  format?: 'json' | 'csv' | 'ndjson' | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListUsageLimitsQuery = {
  /** Only what belongs to this sub-client. */
  subClientId?: string | undefined
  /** Only those with a limit that is used to so many percent or more. */
  minUsedPercent?: number | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type GetUsageStatementQuery = {
  /** The month before this one when left out. */
  month?: string | undefined
  /** Only what belongs to this sub-client. */
  subClientId?: string | undefined
}

export type ListApiKeysQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListUsersQuery = {
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type SignOutQuery = {
  /** End every session of the person, not only this one. Preset: `false`. */
  everywhere?: boolean | undefined
}

export type ListAuditQuery = {
  /** Only what this key, user or other actor did, by its id. */
  actor?: string | undefined
  /** Only this action, such as `device.decommissioned`. */
  action?: string | undefined
  /** Only what was done to this object. */
  objectId?: string | undefined
  /** Start of the range, included; RFC 3339 with an offset. */
  from?: string | undefined
  /** End of the range, not included; RFC 3339 with an offset. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

export type ListRequestLogQuery = {
  /** Only calls with this key. */
  keyId?: string | undefined
  /** Only answers of this kind; `refused` is 4xx and 5xx. */
  status?: '2xx' | '3xx' | '4xx' | '5xx' | 'refused' | undefined
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | undefined
  /** Only paths that begin so, such as `/api/external/telemetry`. */
  path?: string | undefined
  /** Only the call with this `X-Request-Id`. */
  requestId?: string | undefined
  /** Start of the range, included; RFC 3339 with an offset. */
  from?: string | undefined
  /** End of the range, not included; RFC 3339 with an offset. */
  to?: string | undefined
  /** Most items in the answer. Preset: `100`. */
  limit?: number | undefined
  /** `pagination.endCursor` of the page before. */
  after?: string | undefined
}

/** The Platform API: what the dashboard does. */
export interface Api {
  readonly subClients: {
    /**
     * List sub-clients, oldest first.
     *
     * `GET /api/v1/sub-clients`; scope `sub_clients:read`
     */
    list(query?: ListSubClientsQuery, options?: RequestOptions): Promise<SubClientList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListSubClientsQuery, options?: RequestOptions): AsyncGenerator<SubClient, void, undefined>
    /**
     * Create a sub-client.
     *
     * `POST /api/v1/sub-clients`; scope `sub_clients:manage`
     */
    create(body: SubClientCreate, options?: WriteOptions): Promise<SubClient>
    /**
     * Get one sub-client.
     *
     * `GET /api/v1/sub-clients/{id}`; scope `sub_clients:read`
     */
    get(id: string, options?: RequestOptions): Promise<SubClient>
    /**
     * Change a sub-client.
     * Setting `status` to `active` brings a suspended or deactivated sub-client back; its devices stay unassigned.
     *
     * `PATCH /api/v1/sub-clients/{id}`; scope `sub_clients:manage`
     */
    update(id: string, body: SubClientChange, options?: RequestOptions): Promise<SubClient>
    /**
     * Deactivate a sub-client.
     * The record remains with status `deactivated`; its devices and SIMs leave it. Repeating it is fine.
     *
     * `DELETE /api/v1/sub-clients/{id}`; scope `sub_clients:manage`
     */
    deactivate(id: string, options?: RequestOptions): Promise<SubClientDeactivated>
    /**
     * What deactivating a sub-client would do.
     *
     * `GET /api/v1/sub-clients/{id}/deactivation`; scope `sub_clients:manage`
     */
    previewDeactivation(id: string, options?: RequestOptions): Promise<SubClientDeactivation>
  }
  readonly devices: {
    /**
     * List devices, oldest first.
     *
     * `GET /api/v1/devices`; scope `devices:read`
     */
    list(query?: ListDevicesQuery, options?: RequestOptions): Promise<DeviceList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListDevicesQuery, options?: RequestOptions): AsyncGenerator<Device, void, undefined>
    /**
     * Register a device.
     * The answer shows the MQTT password, once. The same body for the same IMEI within 24 hours gets the same answer.
     *
     * `POST /api/v1/devices`; scope `devices:write`
     */
    register(body: DeviceRegister, options?: WriteOptions): Promise<DeviceRegistered>
    /**
     * Get one device.
     *
     * `GET /api/v1/devices/{id}`; scope `devices:read`
     */
    get(id: string, options?: RequestOptions): Promise<Device>
    /**
     * Change, move, link or suspend a device.
     * A device that moves to another sub-client is unlinked from a vehicle of the one before, unless `vehicleId` names a vehicle. A vehicle of no sub-client goes with its only device.
     *
     * `PATCH /api/v1/devices/{id}`; scope `devices:write`
     */
    update(id: string, body: DeviceChange, options?: RequestOptions): Promise<Device>
    /**
     * Register up to 1000 devices at once.
     * In one transaction. When a row cannot be registered, none is, and the 400 has the reason for each such row in `details.rows`; `skipInvalid` registers the others. A row that is repeated with the same fields within 24 hours, and has an IMEI, shows the same credentials again.
     *
     * `POST /api/v1/devices/import`; scope `devices:write`
     */
    import(body: DeviceImport, options?: WriteOptions): Promise<DeviceImported>
    /**
     * Register up to 1000 devices at once.
     * In one transaction. When a row cannot be registered, none is, and the 400 has the reason for each such row in `details.rows`; `skipInvalid` registers the others. A row that is repeated with the same fields within 24 hours, and has an IMEI, shows the same credentials again.
     *
     * `POST /api/v1/devices/import`; scope `devices:write`
     */
    import(body: DeviceImport, options: WriteOptions & { readonly accept: 'text/csv' }): Promise<string>
    /**
     * Give a device a new MQTT password.
     *
     * `POST /api/v1/devices/{id}/credentials/rotate`; scope `devices:write`
     */
    rotateCredentials(id: string, body?: CredentialsRotate, options?: WriteOptions): Promise<CredentialsRotated>
    /**
     * Give a phone or tracker a new token.
     * For apps and trackers that send over HTTP without an API key (`/api/external/ingest/…`). The answer shows the token, once. The token before ends, or is good for `graceSeconds` more.
     *
     * `POST /api/v1/devices/{id}/tracker-token`; scope `devices:write`
     */
    issueTrackerToken(id: string, body?: TrackerTokenIssue, options?: WriteOptions): Promise<TrackerTokenIssued>
    /**
     * Revoke the token of a phone or tracker.
     * Nothing that is sent with it is taken from then on. Repeating it is fine.
     *
     * `DELETE /api/v1/devices/{id}/tracker-token`; scope `devices:write`
     */
    revokeTrackerToken(id: string, options?: RequestOptions): Promise<TrackerTokenRevoked>
    /**
     * Decommission a device.
     * Its credentials are revoked, its IMEI is free again and its history stays. Repeating it is fine.
     *
     * `POST /api/v1/devices/{id}/decommission`; scope `devices:write`
     */
    decommission(id: string, options?: WriteOptions): Promise<DeviceDecommissioned>
    /**
     * The last 50 messages of a device, with what was understood, kept and refused.
     * Refused messages are always here, for 7 days. Those that were stored are shown by their reading; as they were sent only while messages are recorded.
     *
     * `GET /api/v1/devices/{id}/messages`; scope `telemetry:read`
     */
    listMessages(id: string, options?: RequestOptions): Promise<DeviceMessages>
    /**
     * Record the messages of a device as they are sent, for a while.
     * Also those that are stored and those that were known already. It ends by itself.
     *
     * `POST /api/v1/devices/{id}/messages/recording`; scope `devices:write`
     */
    startRecording(id: string, body?: StartRecording, options?: WriteOptions): Promise<MessageRecording>
    /**
     * Record no more messages of a device.
     * What was recorded stays for 7 days. Repeating it is fine.
     *
     * `DELETE /api/v1/devices/{id}/messages/recording`; scope `devices:write`
     */
    stopRecording(id: string, options?: RequestOptions): Promise<MessageRecording>
  }
  readonly vehicles: {
    /**
     * List vehicles with their health.
     *
     * `GET /api/v1/vehicles`; scope `vehicles:read`
     */
    list(query?: ListVehiclesQuery, options?: RequestOptions): Promise<VehicleList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListVehiclesQuery, options?: RequestOptions): AsyncGenerator<Vehicle, void, undefined>
    /**
     * Get one vehicle.
     *
     * `GET /api/v1/vehicles/{id}`; scope `vehicles:read`
     */
    get(id: string, options?: RequestOptions): Promise<Vehicle>
    /**
     * Change, move, retire or restore a vehicle.
     * Moved to another sub-client, it leaves the devices of the one before. Retired, it keeps its history, is not scored, opens no alerts, and its devices are unlinked from it; restored, they are linked anew by changing the devices.
     *
     * `PATCH /api/v1/vehicles/{id}`; scope `vehicles:write`
     */
    update(id: string, body: VehicleChange, options?: RequestOptions): Promise<Vehicle>
    /**
     * Health of a vehicle and what drives it.
     *
     * `GET /api/v1/vehicles/{id}/health`; scope `vehicles:read`
     */
    getHealth(id: string, options?: RequestOptions): Promise<Health>
    /**
     * How the health of a vehicle developed.
     *
     * `GET /api/v1/vehicles/{id}/health/history`; scope `vehicles:read`
     */
    listHealthHistory(id: string, query?: ListVehicleHealthHistoryQuery, options?: RequestOptions): Promise<HealthHistory>
    /** The items of every page of `listHealthHistory`, fetched as they are read. `limit` is the length of a page. */
    iterateHealthHistory(id: string, query?: ListVehicleHealthHistoryQuery, options?: RequestOptions): AsyncGenerator<HealthPoint, void, undefined>
    /**
     * Readings of a vehicle over a time range.
     * A half-open range, the last hour when nothing is asked for; single readings by page, of which one is shorter than `limit` where its readings would take more than 16 MiB, or with `downsample` or `points` at most 2000 buckets in one answer. At most 366 days, of which the last 62 may be of before what is sealed into files (`docs/guides/history.md`); and of those not in files, buckets of at most 700000 readings.
     *
     * `GET /api/v1/vehicles/{id}/readings`; scope `vehicles:read`
     */
    listReadings(id: string, query?: ListVehicleReadingsQuery, options?: RequestOptions): Promise<ReadingList>
    /** The items of every page of `listReadings`, fetched as they are read. `limit` is the length of a page. */
    iterateReadings(id: string, query?: ListVehicleReadingsQuery, options?: RequestOptions): AsyncGenerator<Reading, void, undefined>
    /**
     * Where a vehicle was over a time range.
     * A half-open range of at most 2 days, the last one when nothing is asked for.
     *
     * Of the stored positions, telemetry and track points alike, at most 45,000 are read, at even times (`everySeconds`). Positions that no vehicle can have driven to, between
     * others that agree, are left out. Where there are more than
     * `maxPoints`, those that shape the track most are kept (Douglas–Peucker with the distance in time, Meratnia and de By 2004): no position that was left out is
     * farther than `toleranceM` from where the points put the vehicle at its time.
     *
     * `GET /api/v1/vehicles/{id}/track`; scope `vehicles:read` or `tracking:read`
     */
    getTrack(id: string, query?: GetVehicleTrackQuery, options?: RequestOptions): Promise<Track>
    /**
     * Fault codes of a vehicle, with what they mean.
     * What readings of the range report, at most 31 days; and whether the newest list of codes still has it.
     *
     * `GET /api/v1/vehicles/{id}/fault-codes`; scope `vehicles:read`
     */
    listFaultCodes(id: string, query?: ListVehicleFaultCodesQuery, options?: RequestOptions): Promise<FaultCodeList>
    /**
     * Odometer, engine hours and daily use of a vehicle.
     *
     * `GET /api/v1/vehicles/{id}/odometer`; scope `vehicles:read`
     */
    getOdometer(id: string, options?: RequestOptions): Promise<Odometer>
    /**
     * Correct the odometer or the engine hours.
     * For an instrument cluster that was replaced, or a tracker that counts from its installation. Every correction is logged.
     *
     * `POST /api/v1/vehicles/{id}/odometer`; scope `vehicles:write`
     */
    correctOdometer(id: string, body: CorrectOdometerRequest, options?: WriteOptions): Promise<Odometer>
    /**
     * The log of corrections, newest first.
     *
     * `GET /api/v1/vehicles/{id}/odometer/corrections`; scope `vehicles:read`
     */
    listOdometerCorrections(id: string, query?: ListVehicleOdometerCorrectionsQuery, options?: RequestOptions): Promise<OdometerCorrectionList>
    /** The items of every page of `listOdometerCorrections`, fetched as they are read. `limit` is the length of a page. */
    iterateOdometerCorrections(id: string, query?: ListVehicleOdometerCorrectionsQuery, options?: RequestOptions): AsyncGenerator<OdometerCorrection, void, undefined>
    /**
     * Planned and due maintenance of a vehicle as a calendar file.
     *
     * `GET /api/v1/vehicles/{id}/maintenance.ics`; scope `vehicles:read`
     */
    getMaintenanceCalendar(id: string, options?: RequestOptions): Promise<string>
    /**
     * Make a link that calendar programs can subscribe to.
     * A vehicle has one; another takes its place. It ends when it is revoked, or when the vehicle goes to another sub-client.
     *
     * `POST /api/v1/vehicles/{id}/calendar-link`; scope `vehicles:write`
     */
    createCalendarLink(id: string, options?: WriteOptions): Promise<CalendarLink>
    /**
     * Revoke the link.
     * It is dead at once. Repeating it is fine.
     *
     * `DELETE /api/v1/vehicles/{id}/calendar-link`; scope `vehicles:write`
     */
    revokeCalendarLink(id: string, options?: RequestOptions): Promise<RevokedCalendarLink>
  }
  readonly vehicleGroups: {
    /**
     * Put vehicles under a name.
     * A key that is pinned to a sub-client makes groups of its vehicles.
     *
     * `POST /api/v1/vehicle-groups`; scope `vehicles:write`
     */
    create(body: CreateVehicleGroup, options?: WriteOptions): Promise<VehicleGroup>
    /**
     * List groups of vehicles, oldest first.
     *
     * `GET /api/v1/vehicle-groups`; scope `vehicles:read`
     */
    list(query?: ListVehicleGroupsQuery, options?: RequestOptions): Promise<VehicleGroupList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListVehicleGroupsQuery, options?: RequestOptions): AsyncGenerator<VehicleGroup, void, undefined>
    /**
     * Get a group of vehicles.
     *
     * `GET /api/v1/vehicle-groups/{id}`; scope `vehicles:read`
     */
    get(id: string, options?: RequestOptions): Promise<VehicleGroup>
    /**
     * Rename a group, add and remove vehicles.
     *
     * `PATCH /api/v1/vehicle-groups/{id}`; scope `vehicles:write`
     */
    update(id: string, body: VehicleGroupChange, options?: RequestOptions): Promise<VehicleGroup>
    /**
     * Delete a group.
     * Its vehicles stay as they are. Refused with 409 while a notification rule is about it.
     *
     * `DELETE /api/v1/vehicle-groups/{id}`; scope `vehicles:write`
     */
    delete(id: string, options?: RequestOptions): Promise<DeletedVehicleGroup>
  }
  readonly fleet: {
    /**
     * Get where vehicles are, close ones counted together where they are many.
     *
     * `GET /api/v1/fleet/map`; scope `vehicles:read`
     */
    map(query?: GetFleetMapQuery, options?: RequestOptions): Promise<FleetMap>
    /**
     * Count vehicles by health and presence.
     *
     * `GET /api/v1/fleet/counts`; scope `vehicles:read`
     */
    counts(query?: CountVehiclesQuery, options?: RequestOptions): Promise<VehicleCounts>
    /**
     * Get where every device is, in one answer.
     * For live maps of a whole fleet: one JSON object a line (NDJSON), sent as it is read, without pages. Devices that never had a position are left out. An answer that could not be read to its end is cut off.
     *
     * `GET /api/v1/fleet/positions`; scope `devices:read` or `tracking:read`
     */
    positions(query?: ExportPositionsQuery, options?: RequestOptions): AsyncGenerator<Position, void, undefined>
  }
  readonly overview: {
    /**
     * What needs someone today, how the fleet is, and what changed.
     * Everything on the first page of the dashboard. Parts that need a scope which the caller does not have are null.
     *
     * `GET /api/v1/overview`; scope `vehicles:read`
     */
    get(query?: GetOverviewQuery, options?: RequestOptions): Promise<Overview>
  }
  readonly map: {
    /**
     * Where the streets of the map come from.
     * As the operator of the service has set it for all: MAP_STYLE_URL, MAP_PMTILES_URL or MAP_RASTER_URL.
     *
     * `GET /api/v1/map`; scope `vehicles:read`
     */
    get(options?: RequestOptions): Promise<MapSources>
  }
  readonly predictions: {
    /**
     * List maintenance predictions, oldest first.
     *
     * `GET /api/v1/predictions`; scope `predict`
     */
    list(query?: ListPredictionsQuery, options?: RequestOptions): Promise<PredictionList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListPredictionsQuery, options?: RequestOptions): AsyncGenerator<Prediction, void, undefined>
    /**
     * Ask what the engine makes of one reading.
     * Shows how each key is understood, and what the reading would mean if it lasted, of a vehicle of which nothing else is known. Nothing is stored and no alert is opened. It counts as a prediction; at most 30 a minute.
     *
     * `POST /api/v1/predictions/try`; scope `predict`
     */
    try(body: TryRequest, options?: WriteOptions): Promise<TryAnswer>
    /**
     * What had been predicted, compared with what was found.
     * Made of completed maintenance: the prediction last published before the work, beside when the part failed. Parts that were replaced before they failed show nothing of the error; they are counted apart.
     *
     * `GET /api/v1/predictions/accuracy`; scope `predict`
     */
    getAccuracy(query?: GetPredictionAccuracyQuery, options?: RequestOptions): Promise<PredictionAccuracy>
  }
  readonly models: {
    /**
     * What answers predictions, with its figures and where they come from.
     *
     * `GET /api/v1/models`; scope `predict`
     */
    list(options?: RequestOptions): Promise<ModelList>
    /**
     * How well the models fit the fleet at present.
     * Vehicles whose readings the models find unlike normal although no incident explains it, and how many of the incidents that people closed were false alarms, in the last 30 days and the 30 before. Both grow when vehicles move away from what the models were made on.
     *
     * `GET /api/v1/models/drift`; scope `predict`
     */
    getDrift(options?: RequestOptions): Promise<ModelDrift>
  }
  readonly incidents: {
    /**
     * List incidents, newest first or by urgency.
     * Findings with one cause are one incident: one severity, one component, one recommendation, its evidence beside each other.
     *
     * `GET /api/v1/incidents`; scope `predict`
     */
    list(query?: ListIncidentsQuery, options?: RequestOptions): Promise<IncidentList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListIncidentsQuery, options?: RequestOptions): AsyncGenerator<Incident, void, undefined>
    /**
     * Get one incident.
     *
     * `GET /api/v1/incidents/{id}`; scope `predict`
     */
    get(id: string, options?: RequestOptions): Promise<Incident>
    /**
     * Acknowledge, snooze, resolve or assign an incident, or take that back.
     * Resolving resolves its alerts, each by its own rules; what is found anew, or gets worse, opens another incident. A snooze ends at its time, and when the incident gets graver.
     *
     * `PATCH /api/v1/incidents/{id}`; scope `predict`
     */
    update(id: string, body: IncidentChange, options?: RequestOptions): Promise<Incident>
    /**
     * What people did to an incident, newest first.
     * Who acknowledged, snoozed, assigned, opened again or resolved it, and when: as long as the audit log is kept.
     *
     * `GET /api/v1/incidents/{id}/history`; scope `predict`
     */
    listHistory(id: string, query?: ListIncidentHistoryQuery, options?: RequestOptions): Promise<IncidentHistory>
    /** The items of every page of `listHistory`, fetched as they are read. `limit` is the length of a page. */
    iterateHistory(id: string, query?: ListIncidentHistoryQuery, options?: RequestOptions): AsyncGenerator<IncidentStep, void, undefined>
    /**
     * List the people to whom incidents can be assigned.
     * Those of one sub-client see only its incidents. A caller that is bound to a sub-client is shown its people alone.
     *
     * `GET /api/v1/incidents/assignees`; scope `predict`
     */
    listAssignees(query?: ListAssigneesQuery, options?: RequestOptions): Promise<AssigneeList>
    /** The items of every page of `listAssignees`, fetched as they are read. `limit` is the length of a page. */
    iterateAssignees(query?: ListAssigneesQuery, options?: RequestOptions): AsyncGenerator<Assignee, void, undefined>
  }
  readonly alerts: {
    /**
     * List alerts, newest first.
     *
     * `GET /api/v1/alerts`; scope `predict`
     */
    list(query?: ListAlertsQuery, options?: RequestOptions): Promise<AlertList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListAlertsQuery, options?: RequestOptions): AsyncGenerator<Alert, void, undefined>
    /**
     * Get one alert.
     *
     * `GET /api/v1/alerts/{id}`; scope `predict`
     */
    get(id: string, options?: RequestOptions): Promise<Alert>
    /**
     * Acknowledge or resolve an alert.
     * Acknowledging survives later answers of the engine. Resolving holds until the condition is gone and comes back, or gets worse; then another alert opens.
     *
     * `PATCH /api/v1/alerts/{id}`; scope `predict`
     */
    update(id: string, body: AlertChange, options?: RequestOptions): Promise<Alert>
  }
  readonly maintenance: {
    /**
     * List work that was done and is planned, newest record first.
     * What is planned for retired vehicles is listed where `vehicleId` names one.
     *
     * `GET /api/v1/maintenance`; scope `vehicles:read`
     */
    list(query?: ListMaintenanceQuery, options?: RequestOptions): Promise<MaintenanceList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListMaintenanceQuery, options?: RequestOptions): AsyncGenerator<Maintenance, void, undefined>
    /**
     * Plan work, or put on record what was done.
     *
     * `POST /api/v1/maintenance`; scope `vehicles:write`
     */
    create(body: CreateMaintenanceRequest, options?: WriteOptions): Promise<Maintenance>
    /**
     * Get one record.
     *
     * `GET /api/v1/maintenance/{id}`; scope `vehicles:read`
     */
    get(id: string, options?: RequestOptions): Promise<Maintenance>
    /**
     * Mend a record.
     *
     * `PATCH /api/v1/maintenance/{id}`; scope `vehicles:write`
     */
    update(id: string, body: ChangeMaintenanceRequest, options?: RequestOptions): Promise<Maintenance>
    /**
     * Remove a record that was made by mistake.
     * Lives are counted as if it had never been. Alerts it resolved and schedules it restarted stay as they are.
     *
     * `DELETE /api/v1/maintenance/{id}`; scope `vehicles:write`
     */
    delete(id: string, options?: RequestOptions): Promise<RemovedMaintenance>
    /**
     * Complete planned work.
     * Publishes `maintenance.completed`, resolves the open alerts of the component that were opened before, begins its life anew in the next prediction, restarts its schedules, and holds the prediction that stood against what happened. Repeating it is fine.
     *
     * `POST /api/v1/maintenance/{id}/complete`; scope `vehicles:write`
     */
    complete(id: string, body?: CompleteMaintenanceRequest, options?: WriteOptions): Promise<Maintenance>
    /**
     * How long parts of one component lasted.
     * As CSV, what `npx roadworthy fit life --time km --event failed` takes: the life model of your own fleet.
     *
     * `GET /api/v1/maintenance/lives`; scope `vehicles:read`
     */
    listLives(query: GetObservedLivesQuery & { readonly format?: 'json' | undefined }, options?: RequestOptions): Promise<LifeList>
    /**
     * How long parts of one component lasted.
     * As CSV, what `npx roadworthy fit life --time km --event failed` takes: the life model of your own fleet.
     *
     * `GET /api/v1/maintenance/lives`; scope `vehicles:read`
     */
    listLives(query: GetObservedLivesQuery & { readonly format: 'csv' }, options?: RequestOptions): Promise<string>
    /** The items of every page of `listLives`, fetched as they are read. `limit` is the length of a page. */
    iterateLives(query: Omit<GetObservedLivesQuery, 'format'>, options?: RequestOptions): AsyncGenerator<Life, void, undefined>
    readonly schedules: {
      /**
       * List what falls due, oldest schedule first.
       * Schedules of retired vehicles are listed where `vehicleId` names one.
       *
       * `GET /api/v1/maintenance/schedules`; scope `vehicles:read`
       */
      list(query?: ListMaintenanceSchedulesQuery, options?: RequestOptions): Promise<ScheduleList>
      /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
      iterate(query?: ListMaintenanceSchedulesQuery, options?: RequestOptions): AsyncGenerator<Schedule, void, undefined>
      /**
       * Have work fall due by time, distance or engine hours.
       * Due soon and overdue are alerts (`maintenance_due_soon`, `maintenance_overdue`), which end when the work is done.
       *
       * `POST /api/v1/maintenance/schedules`; scope `vehicles:write`
       */
      create(body: CreateScheduleRequest, options?: WriteOptions): Promise<Schedule>
      /**
       * Get one schedule.
       *
       * `GET /api/v1/maintenance/schedules/{id}`; scope `vehicles:read`
       */
      get(id: string, options?: RequestOptions): Promise<Schedule>
      /**
       * Change a schedule.
       *
       * `PATCH /api/v1/maintenance/schedules/{id}`; scope `vehicles:write`
       */
      update(id: string, body: ChangeScheduleRequest, options?: RequestOptions): Promise<Schedule>
      /**
       * Remove a schedule and end its alerts.
       *
       * `DELETE /api/v1/maintenance/schedules/{id}`; scope `vehicles:write`
       */
      delete(id: string, options?: RequestOptions): Promise<RemovedSchedule>
    }
  }
  readonly calendars: {
    /**
     * The same calendar by its link.
     * For calendar programs, which send no key.
     *
     * `GET /api/v1/calendars/{token}`
     */
    get(token: string, options?: RequestOptions): Promise<string>
  }
  readonly events: {
    /**
     * Follow the log of events, oldest first.
     * What webhooks are sent, to be fetched. Keep `pagination.endCursor` and give it as `after` the next time: nothing is passed over, and nothing comes twice. A key sees the events of what it may read.
     *
     * `GET /api/v1/events`; scope `vehicles:read` or `predict` or `devices:read` or `billing:read` or `webhooks:manage`
     */
    list(query?: ListEventsQuery, options?: RequestOptions): Promise<EventList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListEventsQuery, options?: RequestOptions): AsyncGenerator<LoggedEvent, void, undefined>
  }
  readonly stream: {
    /**
     * Follow events and vehicles as they change.
     * Server-sent events, for `EventSource`. Messages:
     *
     * - `ready`: the stream stands. Its id is where the log ends, or what was given as `Last-Event-ID`.
     * - `event`: one event of the log that the caller may read, as webhooks get it. Its id is its cursor in the log, also for `GET /api/v1/events`.
     * - `vehicles`: `{"vehicles": […]}`, the newest state of those that changed (`VehicleChange`), first of all that are shown, then at most once a
     *   second. It needs the scope `vehicles:read`.
     * - `reset`: more has happened than is sent again, or it is no longer kept. Fetch anew what you show; the stream goes on from here.
     *
     * After a cut, connect again with `Last-Event-ID`: nothing is passed over and nothing comes twice. The stream ends when the key is revoked, the
     * session ends, or rights change. At most 10 streams of a key or person and 200 of a reseller at a process, else 429. A connection is one call.
     *
     * `GET /api/v1/stream`; scope `vehicles:read` or `predict` or `devices:read` or `billing:read` or `webhooks:manage`
     */
    follow(query?: FollowChangesQuery, options?: RequestOptions): AsyncGenerator<StreamMessage, void, undefined>
  }
  readonly webhooks: {
    /**
     * Add an endpoint that events are sent to.
     * The secret is in this answer and nowhere else. The URL must be https and lead to a public address, now and at every attempt. A key that is pinned to a sub-client adds endpoints that are sent its events only.
     *
     * `POST /api/v1/webhooks`; scope `webhooks:manage`
     */
    create(body: CreateWebhookRequest, options?: WriteOptions): Promise<WebhookWithSecret>
    /**
     * List endpoints, oldest first.
     *
     * `GET /api/v1/webhooks`; scope `webhooks:manage`
     */
    list(query?: ListWebhooksQuery, options?: RequestOptions): Promise<WebhookList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListWebhooksQuery, options?: RequestOptions): AsyncGenerator<Webhook, void, undefined>
    /**
     * Get one endpoint.
     *
     * `GET /api/v1/webhooks/{id}`; scope `webhooks:manage`
     */
    get(id: string, options?: RequestOptions): Promise<Webhook>
    /**
     * Change an endpoint.
     *
     * `PATCH /api/v1/webhooks/{id}`; scope `webhooks:manage`
     */
    update(id: string, body: WebhookChange, options?: RequestOptions): Promise<Webhook>
    /**
     * Delete an endpoint.
     * With what was still to be sent, and with its delivery log.
     *
     * `DELETE /api/v1/webhooks/{id}`; scope `webhooks:manage`
     */
    delete(id: string, options?: RequestOptions): Promise<DeletedWebhook>
    /**
     * Make a new signing secret.
     * For 24 h messages are signed with both secrets. The new one is in this answer and nowhere else.
     *
     * `POST /api/v1/webhooks/{id}/secret/rotate`; scope `webhooks:manage`
     */
    rotateSecret(id: string, options?: WriteOptions): Promise<WebhookWithSecret>
    /**
     * Stop sending to an endpoint.
     * Events are kept for 30 days and sent when it is resumed. Repeating it is fine. A disabled endpoint cannot be paused.
     *
     * `POST /api/v1/webhooks/{id}/pause`; scope `webhooks:manage`
     */
    pause(id: string, options?: WriteOptions): Promise<Webhook>
    /**
     * Send to an endpoint again, paused or disabled.
     * What was kept is sent at once. Events that happened while it was disabled are not among it: recover them.
     *
     * `POST /api/v1/webhooks/{id}/resume`; scope `webhooks:manage`
     */
    resume(id: string, options?: WriteOptions): Promise<Webhook>
    /**
     * Send a test event to an endpoint.
     * To this endpoint only, whatever its filter; it goes the way of every event and is in its deliveries. With `eventType` it is a sample of that type, made up and with `test: true` beside `data`, which is not in the log of events. Without, it is a `webhook.test`.
     *
     * `POST /api/v1/webhooks/{id}/test`; scope `webhooks:manage`
     */
    test(id: string, body?: WebhookTestRequest, options?: WriteOptions): Promise<WebhookTestSent>
    /**
     * Count what became of the deliveries of the last day.
     * Of the newest 10,000 at most.
     *
     * `GET /api/v1/webhooks/{id}/statistics`; scope `webhooks:manage`
     */
    getStatistics(id: string, options?: RequestOptions): Promise<WebhookStatistics>
    /**
     * Send everything again that did not arrive.
     * Every event of the range that the endpoint asks for and did not get: those that failed, those that wait for a later attempt, and those that happened while it was disabled. What was delivered is not repeated.
     *
     * `POST /api/v1/webhooks/{id}/recover`; scope `webhooks:manage`
     */
    recover(id: string, body: RecoverRequest, options?: WriteOptions): Promise<RecoveredDeliveries>
    /**
     * List what was and is to be sent to an endpoint, newest first.
     * Of the last 30 days.
     *
     * `GET /api/v1/webhooks/{id}/deliveries`; scope `webhooks:manage`
     */
    listDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: RequestOptions): Promise<WebhookDeliveryList>
    /** The items of every page of `listDeliveries`, fetched as they are read. `limit` is the length of a page. */
    iterateDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: RequestOptions): AsyncGenerator<WebhookDelivery, void, undefined>
    /**
     * Get a delivery with every request and answer.
     * For a key that may read the event.
     *
     * `GET /api/v1/webhooks/{id}/deliveries/{deliveryId}`; scope `webhooks:manage`
     */
    getDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDeliveryDetail>
    /**
     * Send one event again.
     * At once, with the same `webhook-id`, and by the whole schedule if it fails. While the endpoint is not enabled it waits for that. For a key that may read the event.
     *
     * `POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/resend`; scope `webhooks:manage`
     */
    resendDelivery(id: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery>
  }
  readonly notificationRules: {
    /**
     * Add a rule about who is sent a message about which incidents.
     * It is about incidents that open or change from now on. A key that is pinned to a sub-client adds rules about its incidents, for its people.
     *
     * `POST /api/v1/notification-rules`; scope `webhooks:manage`
     */
    create(body: CreateNotificationRule, options?: WriteOptions): Promise<NotificationRule>
    /**
     * List rules, oldest first.
     *
     * `GET /api/v1/notification-rules`; scope `webhooks:manage`
     */
    list(query?: ListNotificationRulesQuery, options?: RequestOptions): Promise<NotificationRuleList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListNotificationRulesQuery, options?: RequestOptions): AsyncGenerator<NotificationRule, void, undefined>
    /**
     * Get a rule.
     *
     * `GET /api/v1/notification-rules/{id}`; scope `webhooks:manage`
     */
    get(id: string, options?: RequestOptions): Promise<NotificationRule>
    /**
     * Change, enable or disable a rule.
     * It acts on what follows.
     *
     * `PATCH /api/v1/notification-rules/{id}`; scope `webhooks:manage`
     */
    update(id: string, body: NotificationRuleChange, options?: RequestOptions): Promise<NotificationRule>
    /**
     * Delete a rule.
     * Nothing more is sent by it. What was sent stays in the log.
     *
     * `DELETE /api/v1/notification-rules/{id}`; scope `webhooks:manage`
     */
    delete(id: string, options?: RequestOptions): Promise<DeletedNotificationRule>
    /**
     * Send a test to everybody a rule names.
     * At any hour, and once a minute at most. `GET /notifications?ruleId=…` shows what came of it.
     *
     * `POST /api/v1/notification-rules/{id}/test`; scope `webhooks:manage`
     */
    test(id: string, options?: WriteOptions): Promise<NotificationTestSent>
  }
  readonly notifications: {
    /**
     * List what was and is to be sent, newest first.
     * Kept for a year, and as long as the incident lives. A key that is pinned to a sub-client sees what the rules of it sent.
     *
     * `GET /api/v1/notifications`; scope `webhooks:manage`
     */
    list(query?: ListNotificationsQuery, options?: RequestOptions): Promise<NotificationList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListNotificationsQuery, options?: RequestOptions): AsyncGenerator<Notification, void, undefined>
  }
  readonly notificationChannels: {
    /**
     * Connect a chat, a topic or a program that messages go to.
     * Rules name it among their recipients. A key that is pinned to a sub-client connects channels of it.
     *
     * `POST /api/v1/notification-channels`; scope `webhooks:manage`
     */
    create(body: CreateNotificationChannel, options?: WriteOptions): Promise<CreatedNotificationChannel>
    /**
     * List channels, oldest first.
     *
     * `GET /api/v1/notification-channels`; scope `webhooks:manage`
     */
    list(query?: ListNotificationChannelsQuery, options?: RequestOptions): Promise<NotificationChannelList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListNotificationChannelsQuery, options?: RequestOptions): AsyncGenerator<NotificationChannel, void, undefined>
    /**
     * Get a channel.
     *
     * `GET /api/v1/notification-channels/{id}`; scope `webhooks:manage`
     */
    get(id: string, options?: RequestOptions): Promise<NotificationChannel>
    /**
     * Rename a channel, or give it another target.
     * Its kind stays, and the secret of a `webhook` does.
     *
     * `PATCH /api/v1/notification-channels/{id}`; scope `webhooks:manage`
     */
    update(id: string, body: NotificationChannelChange, options?: RequestOptions): Promise<NotificationChannel>
    /**
     * Delete a channel.
     * Refused while a rule sends there.
     *
     * `DELETE /api/v1/notification-channels/{id}`; scope `webhooks:manage`
     */
    delete(id: string, options?: RequestOptions): Promise<DeletedNotificationChannel>
    /**
     * Send a test message to a channel and say what it answered.
     * It has one attempt, and is in the log. Once in five seconds.
     *
     * `POST /api/v1/notification-channels/{id}/test`; scope `webhooks:manage`
     */
    test(id: string, options?: WriteOptions): Promise<NotificationChannelTest>
  }
  readonly streamConnection: {
    /**
     * Ask whether telemetry is read by Kafka, and if so, from where.
     * None is an answer here, and no error. A key of a sub-client sees none: the stream is that of the reseller.
     *
     * `GET /api/v1/stream-connections`; scope `*`
     */
    list(options?: RequestOptions): Promise<StreamConnectionList>
    /**
     * Get where telemetry is read from by Kafka, and how that goes.
     *
     * `GET /api/v1/stream-connection`; scope `*`
     */
    get(options?: RequestOptions): Promise<StreamConnection>
    /**
     * Set where telemetry is to be read from by Kafka.
     * What is left out is set back to its default, except for secrets, which stay. Reading begins anew at once, where it was.
     *
     * `PUT /api/v1/stream-connection`; scope `*`
     */
    put(body: PutStreamConnectionRequest, options?: RequestOptions): Promise<StreamConnection>
    /**
     * Stop reading, and forget the connection and how far it was read.
     *
     * `DELETE /api/v1/stream-connection`; scope `*`
     */
    delete(options?: RequestOptions): Promise<DeletedStreamConnection>
    /**
     * Try the connection, step by step.
     * Enabled or not. Nothing is stored, and nothing is taken from the topic. It takes up to half a minute.
     *
     * `POST /api/v1/stream-connection/test`; scope `*`
     */
    test(options?: WriteOptions): Promise<StreamConnectionTest>
  }
  readonly telemetry: {
    /**
     * Send one telemetry record.
     *
     * `POST /api/v1/telemetry`; scope `telemetry:write`
     */
    send(body: TelemetryInput, options?: WriteOptions): Promise<TelemetryAccepted>
  }
  readonly usage: {
    /**
     * What was used, by period, sub-client and meter.
     * Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and whatever was refused count nothing.
     *
     * `GET /api/v1/usage`; scope `billing:read`
     */
    get(query?: GetUsageQuery & { readonly format?: 'json' | undefined }, options?: RequestOptions): Promise<UsageReport>
    /**
     * What was used, by period, sub-client and meter.
     * Counted by the time the service received it, in days and months of the reseller’s time zone. Readings that were known already and whatever was refused count nothing.
     *
     * `GET /api/v1/usage`; scope `billing:read`
     */
    get(query: GetUsageQuery & { readonly format: 'csv' | 'ndjson' }, options?: RequestOptions): Promise<string>
    /** The items of every page of `get`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: Omit<GetUsageQuery, 'format'>, options?: RequestOptions): AsyncGenerator<UsageRow, void, undefined>
    /**
     * Limits of sub-clients, and what of them is used.
     * Of those that have a limit on devices, on readings or on predictions in a month. Limits count by the calendar month in UTC, which need not be the month of an invoice.
     *
     * `GET /api/v1/usage/limits`; scope `billing:read`
     */
    listLimits(query?: ListUsageLimitsQuery, options?: RequestOptions): Promise<UsageLimits>
    /** The items of every page of `listLimits`, fetched as they are read. `limit` is the length of a page. */
    iterateLimits(query?: ListUsageLimitsQuery, options?: RequestOptions): AsyncGenerator<UsageLimit, void, undefined>
    /**
     * The signed statement of a month.
     * Of one sub-client, or without `subClientId` of what belongs to none (with a pinned key, of its own). `npx roadworthy verify-statement` checks the file without the service.
     *
     * `GET /api/v1/usage/statements`; scope `billing:read`
     */
    getStatement(query?: GetUsageStatementQuery, options?: RequestOptions): Promise<UsageStatement>
    /**
     * The public key that statements are signed with.
     *
     * `GET /api/v1/usage/statement-key`; scope `billing:read`
     */
    getStatementKey(options?: RequestOptions): Promise<StatementKey>
  }
  readonly apiKeys: {
    /**
     * Make an API key.
     * The secret is in this answer and nowhere else. A key cannot grant more than it has itself.
     *
     * `POST /api/v1/api-keys`; scope `*`
     */
    create(body: CreateApiKeyRequest, options?: WriteOptions): Promise<CreatedApiKey>
    /**
     * List API keys, oldest first.
     *
     * `GET /api/v1/api-keys`; scope `*`
     */
    list(query?: ListApiKeysQuery, options?: RequestOptions): Promise<ApiKeyList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListApiKeysQuery, options?: RequestOptions): AsyncGenerator<ApiKey, void, undefined>
    /**
     * Replace an API key.
     * Makes a key with the same name, scopes, sub-client, limits and expiry. The one before ends after `overlapHours`, or when it would have expired; rotated once more until then, it makes another key with the expiry that it had at first. The new secret is in this answer and nowhere else.
     *
     * `POST /api/v1/api-keys/{id}/rotate`; scope `*`
     */
    rotate(id: string, body?: RotateApiKeyRequest, options?: WriteOptions): Promise<RotatedApiKey>
    /**
     * Revoke an API key.
     * The key stops working within a second. Repeating it is fine.
     *
     * `DELETE /api/v1/api-keys/{id}`; scope `*`
     */
    revoke(id: string, options?: RequestOptions): Promise<RevokedApiKey>
  }
  readonly users: {
    /**
     * Invite a person.
     * The link in the invitation lets the person set a password, and works for 7 days. Inviting somebody again who has not done so makes a new link and voids the one before. The mail is in `language`, and so is the dashboard of the person until they choose another.
     *
     * `POST /api/v1/users`; scope `*`
     */
    invite(body: InviteUserRequest, options?: WriteOptions): Promise<InvitedUser>
    /**
     * List people, oldest first.
     *
     * `GET /api/v1/users`; scope `*`
     */
    list(query?: ListUsersQuery, options?: RequestOptions): Promise<UserList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListUsersQuery, options?: RequestOptions): AsyncGenerator<User, void, undefined>
    /**
     * Get one person.
     *
     * `GET /api/v1/users/{id}`; scope `*`
     */
    get(id: string, options?: RequestOptions): Promise<UserAnswer>
    /**
     * Change the role of a person, or shut them out.
     * Acts on the next request of the person. `deactivated` ends their sessions and links; `active` lets them sign in again. The last owner can neither lose the role nor be shut out.
     *
     * `PATCH /api/v1/users/{id}`; scope `*`
     */
    update(id: string, body: ChangeUserRequest, options?: RequestOptions): Promise<UserAnswer>
    /**
     * Remove a person.
     * Their sessions and links end and their address is free again. The last owner cannot be removed.
     *
     * `DELETE /api/v1/users/{id}`; scope `*`
     */
    remove(id: string, options?: RequestOptions): Promise<RemovedUser>
  }
  readonly session: {
    /**
     * Sign in with e-mail address and password.
     * Sets the cookie `rw_session` (over https `__Host-rw_session`), which lets in on this surface as a key does: 12 hours after its last use, at most 7 days. A second cookie, `rw_browser`, is no credential: by it the browser is known at the next sign-in, and has limits of its own.
     * Not repeated when it is unclear whether it was carried out.
     *
     * `POST /api/v1/session`
     */
    signIn(body: SignInRequest, options?: WriteOptions): Promise<SessionAnswer>
    /**
     * Who is signed in.
     *
     * `GET /api/v1/session`
     */
    get(options?: RequestOptions): Promise<SessionAnswer>
    /**
     * Sign out.
     * The session is dead at once; with `everywhere` all sessions of the person are. Repeating it is fine.
     *
     * `DELETE /api/v1/session`
     */
    signOut(query?: SignOutQuery, options?: RequestOptions): Promise<SessionAnswer>
    /**
     * Change the password of who is signed in.
     * Every other session of the person ends; this one goes on, under a new cookie. Who looks as a sub-client stops that first.
     *
     * `PUT /api/v1/session/password`
     */
    changePassword(body: ChangePasswordRequest, options?: RequestOptions): Promise<SessionAnswer>
    /**
     * Accept an invitation, or set a new password, by the link.
     * The link works once. Whoever uses it is signed in; sessions from before end.
     * Not repeated when it is unclear whether it was carried out.
     *
     * `POST /api/v1/session/password`
     */
    setPassword(body: SetPasswordRequest, options?: WriteOptions): Promise<SessionAnswer>
    /**
     * Ask for a link to set a new password.
     * The link works for an hour, or until the password is changed, and goes to the address. Where no mail server is set, whoever runs the service makes one (`npx roadworthy users reset-password`). The answer is the same, after the same time, whether there is such an account or not.
     * Not repeated when it is unclear whether it was carried out.
     *
     * `POST /api/v1/session/password-reset`
     */
    requestPasswordReset(body: PasswordResetRequest, options?: WriteOptions): Promise<PasswordResetAnswer>
    /**
     * Look as a sub-client.
     * For people of the reseller. From the next request on the session is that of a viewer of the sub-client: everything else is not there, and nothing can be changed. `DELETE` ends it.
     *
     * `PUT /api/v1/session/view-as`
     */
    startViewAs(body: ViewAsRequest, options?: RequestOptions): Promise<SessionAnswer>
    /**
     * Look as oneself again.
     * Repeating it is fine.
     *
     * `DELETE /api/v1/session/view-as`
     */
    stopViewAs(options?: RequestOptions): Promise<SessionAnswer>
    /**
     * Choose the language and units of who is signed in.
     * The dashboard is shown in them in every browser, and mails and push messages to the person are written in them. What is left out stays.
     *
     * `PUT /api/v1/session/preferences`
     */
    putPreferences(body: PreferencesRequest, options?: RequestOptions): Promise<SessionAnswer>
    readonly pushSubscriptions: {
      /**
       * List the browsers in which who is signed in is shown messages.
       * None when nobody is signed in. With the key that a browser subscribes with.
       *
       * `GET /api/v1/session/push-subscriptions`
       */
      list(options?: RequestOptions): Promise<PushSubscriptionList>
      /**
       * Show messages to who is signed in, in this browser.
       * Of rules that name the person, from the next message on. Given again, by whoever, the browser is theirs. A new password, or being deactivated, removes all.
       * Not repeated when it is unclear whether it was carried out.
       *
       * `POST /api/v1/session/push-subscriptions`
       */
      create(body: CreatePushSubscription, options?: WriteOptions): Promise<PushSubscription>
      /**
       * Show nothing more in a browser.
       *
       * `DELETE /api/v1/session/push-subscriptions/{id}`
       */
      delete(id: string, options?: RequestOptions): Promise<DeletedPushSubscription>
      /**
       * Show a test message in a browser and say what its push service answered.
       * It has one attempt, and is in the log. Once in five seconds.
       * Not repeated when it is unclear whether it was carried out.
       *
       * `POST /api/v1/session/push-subscriptions/{id}/test`
       */
      test(id: string, options?: WriteOptions): Promise<PushSubscriptionTest>
    }
    readonly notificationRules: {
      /**
       * List the rules that send messages to who is signed in, oldest first.
       * Their own, also those that are switched off, and enabled ones of the account that name them. None when nobody is signed in.
       *
       * `GET /api/v1/session/notification-rules`
       */
      list(options?: RequestOptions): Promise<PersonalNotificationRuleList>
      /**
       * Add a rule that sends messages to who is signed in.
       * By e-mail and in their browsers, to nobody else. It is about incidents that open or change from now on, of vehicles that the person may see at that time.
       * Not repeated when it is unclear whether it was carried out.
       *
       * `POST /api/v1/session/notification-rules`
       */
      create(body: CreatePersonalNotificationRule, options?: WriteOptions): Promise<PersonalNotificationRule>
      /**
       * Change, enable or disable a rule of who is signed in.
       * It acts on what follows.
       *
       * `PATCH /api/v1/session/notification-rules/{id}`
       */
      update(id: string, body: PersonalNotificationRuleChange, options?: RequestOptions): Promise<PersonalNotificationRule>
      /**
       * Delete a rule of who is signed in.
       *
       * `DELETE /api/v1/session/notification-rules/{id}`
       */
      delete(id: string, options?: RequestOptions): Promise<DeletedNotificationRule>
    }
  }
  readonly audit: {
    /**
     * List changes, newest first.
     * Every change through any surface and the command line, with who made it: not telemetry, and not what is predicted. A key that belongs to one sub-client sees none of it. A cursor of what is no longer kept is refused.
     *
     * `GET /api/v1/audit`; scope `*`
     */
    list(query?: ListAuditQuery, options?: RequestOptions): Promise<AuditList>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListAuditQuery, options?: RequestOptions): AsyncGenerator<AuditEntry, void, undefined>
  }
  readonly requestLog: {
    /**
     * List the last calls of API keys, newest first.
     * On every surface, about a second after they were answered, refusals with their reason. For looking into what went wrong, not for counting: of a key that calls all the time successful calls are sampled, and a crash of the database empties the log. Without bodies and credentials. A key that belongs to one sub-client sees the calls of keys of that sub-client.
     *
     * `GET /api/v1/request-log`; scope `*`
     */
    list(query?: ListRequestLogQuery, options?: RequestOptions): Promise<RequestLogPage>
    /** The items of every page of `list`, fetched as they are read. `limit` is the length of a page. */
    iterate(query?: ListRequestLogQuery, options?: RequestOptions): AsyncGenerator<LoggedRequest, void, undefined>
  }
  readonly plan: {
    /**
     * Get the plan of the account, what of it is used, and how long what is kept.
     * Of the whole account: a key of one sub-client is refused.
     *
     * `GET /api/v1/plan`; scope `billing:read`
     */
    get(options?: RequestOptions): Promise<PlanOverview>
  }
  readonly demoFleet: {
    /**
     * Whether a demo fleet drives.
     * Vehicles that drive, wear and raise alerts, for trying the service without a device.
     *
     * `GET /api/v1/demo-fleet`; scope `*`
     */
    get(options?: RequestOptions): Promise<DemoFleet>
    /**
     * Start or stop the demo fleet.
     * Its devices and vehicles are registered like any other, count as the reseller’s own, and stay when it is stopped. It stops with the service, and is not started with it again. Where there is none to start or stop, 409 `conflict`.
     *
     * `PUT /api/v1/demo-fleet`; scope `*`
     */
    put(body: ChangeDemoFleetRequest, options?: RequestOptions): Promise<DemoFleet>
  }
  readonly settings: {
    /**
     * How far ahead of the end of a life work is advised.
     *
     * `GET /api/v1/settings/maintenance`; scope `vehicles:read`
     */
    getMaintenance(options?: RequestOptions): Promise<MaintenanceSettings>
    /**
     * Set how far ahead of the end of a life work is advised.
     * For the whole fleet of the reseller, so that a key of one sub-client cannot. Acts on the next answer.
     *
     * `PUT /api/v1/settings/maintenance`; scope `*`
     */
    putMaintenance(body: MaintenanceSettings, options?: RequestOptions): Promise<MaintenanceSettings>
    /**
     * For how long readings are kept.
     * Of the whole account: a key of one sub-client is refused.
     *
     * `GET /api/v1/settings/readings-retention`; scope `vehicles:read`
     */
    getReadingsRetention(options?: RequestOptions): Promise<ReadingsRetention>
    /**
     * Set for how long readings are kept.
     * Of the reseller and of its sub-clients, for ever included; takes the place of all that was set before. What is older is removed, in the database within minutes and in files within hours once the last reading of a file is; it cannot be had back. A key of one sub-client is refused.
     *
     * `PUT /api/v1/settings/readings-retention`; scope `*`
     */
    putReadingsRetention(body: ReadingsRetentionChange, options?: RequestOptions): Promise<ReadingsRetention>
  }
  readonly brand: {
    /**
     * What the dashboard shows at this host name.
     * The brand of who is signed in; else of the host name that the request is for, where it is proved; else the service’s own.
     *
     * `GET /api/v1/brand`
     */
    get(options?: RequestOptions): Promise<ShownBrand>
    /**
     * What a browser needs to install the dashboard.
     * A web application manifest with the name and the colour of the brand that `/brand` shows.
     *
     * `GET /api/v1/brand/manifest.webmanifest`
     */
    getManifest(options?: RequestOptions): Promise<AppManifest>
    /**
     * The icon of the installed dashboard.
     *
     * `GET /api/v1/brand/icon.svg`
     */
    getIcon(options?: RequestOptions): Promise<string>
    /**
     * The image of a logo.
     *
     * `GET /api/v1/brand/logos/{sha256}`
     */
    getLogo(sha256: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>
  }
  readonly brands: {
    /**
     * Get the brand of the reseller.
     *
     * `GET /api/v1/brands/reseller`; scope `*`
     */
    getOfReseller(options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Set the brand of the reseller.
     * What is left out is unset: a sub-client inherits it. The logo is set by itself.
     *
     * `PUT /api/v1/brands/reseller`; scope `*`
     */
    putOfReseller(body: ChangeBrandRequest, options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Set the logo of the reseller.
     * PNG, JPEG or WebP of at most 256 KiB. SVG is not taken: it can carry scripts.
     *
     * `PUT /api/v1/brands/reseller/logo`; scope `*`
     */
    putLogoOfReseller(body: BinaryBody, options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Remove the logo of the reseller.
     *
     * `DELETE /api/v1/brands/reseller/logo`; scope `*`
     */
    removeLogoOfReseller(options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Get the brand of a sub-client.
     *
     * `GET /api/v1/brands/sub-clients/{subClientId}`; scope `*`
     */
    getOfSubClient(subClientId: string, options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Set the brand of a sub-client.
     * What is left out is unset: a sub-client inherits it. The logo is set by itself.
     *
     * `PUT /api/v1/brands/sub-clients/{subClientId}`; scope `*`
     */
    putOfSubClient(subClientId: string, body: ChangeBrandRequest, options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Set the logo of a sub-client.
     * PNG, JPEG or WebP of at most 256 KiB. SVG is not taken: it can carry scripts.
     *
     * `PUT /api/v1/brands/sub-clients/{subClientId}/logo`; scope `*`
     */
    putLogoOfSubClient(subClientId: string, body: BinaryBody, options?: RequestOptions): Promise<BrandAnswer>
    /**
     * Remove the logo of a sub-client.
     *
     * `DELETE /api/v1/brands/sub-clients/{subClientId}/logo`; scope `*`
     */
    removeLogoOfSubClient(subClientId: string, options?: RequestOptions): Promise<BrandAnswer>
  }
}
