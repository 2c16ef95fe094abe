// Rules about who is sent a message about which incidents, and what was sent by them.

import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { closed, nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'
import { vehicleGroupIdExample } from './vehicle-groups.ts'

const MAX_NAME_CHARACTERS = 120
const MAX_RECIPIENTS = 20
const MAX_COMPONENTS = 50
const MAX_VEHICLES = 500
const MAX_GROUPS = 20
const MAX_MINUTES = 10_080

const ruleIdExample = 'nrl-5k8m1q4t7w0z3c6f9j2n'
const notificationIdExample = 'ntf-9d2g5j8m1p4s7v0y3b6e'
const userIdExample = 'usr-4f8s1k6d3h9j2l5z7x0c'

const clock = (pattern: string, description: string) => Type.String({ pattern, description, examples: ['08:00'] })
const TIME = '^([01][0-9]|2[0-3]):(00|15|30|45)$'
const END_TIME = '^(([01][0-9]|2[0-3]):(00|15|30|45)|24:00)$'

const name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  description: 'For people; it is in the messages.',
})
const enabled = Type.Boolean({ description: 'False: nothing is sent by it.' })
const minSeverity = Type.Enum(severities, { type: 'string', description: 'Incidents at least this severe. Mildest first.' })
const components = nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9_]+([ -][a-z0-9_]+)*$' }), {
    minItems: 1,
    maxItems: MAX_COMPONENTS,
    description:
      'Only incidents of these components, such as `cooling`, or a part that a maintenance schedule names: `air filter`, `air-filter` and `air_filter` are the same. Null: of any.',
  }),
)
const vehicleIds = nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: MAX_VEHICLES,
    description: 'Only incidents of these vehicles, by our id or yours; answers have ours. Null: of any, or only of `vehicleGroupIds`.',
  }),
)
const vehicleGroupIds = nullable(
  Type.Array(Type.String({ pattern: '^vgr-[a-z0-9]{1,40}$' }), {
    minItems: 1,
    maxItems: MAX_GROUPS,
    description:
      'Incidents of the vehicles that are in any of these groups (`/vehicle-groups`) at that time, beside those of `vehicleIds`. Null: of no group.',
  }),
)
const people = (description: string) =>
  Type.Array(Type.String({ pattern: '^(usr|nch)-[a-z0-9]{1,40}$' }), {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    description,
    examples: [[userIdExample]],
  })
const recipients = people(
  'Users, each of whom gets an e-mail, and a message in each of their browsers that they allowed, while they can sign in and see the incident; and channels (`/notification-channels`).',
)
const workingHours = nullable(
  Type.Object(
    {
      days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
        minItems: 1,
        maxItems: 7,
        uniqueItems: true,
        description: 'From Monday as 1.',
      }),
      from: clock(TIME, 'Begins. A quarter of an hour.'),
      to: clock(END_TIME, 'Ends, later than it begins; `24:00` is the end of the day.'),
    },
    {
      title: 'WorkingHours',
      ...closed,
      description: 'Messages are sent within these hours only, in the time zone of the reseller; others wait for them. Null: always.',
    },
  ),
)
const quietHours = nullable(
  Type.Object(
    { from: clock(TIME, 'Begins. A quarter of an hour.'), to: clock(TIME, 'Ends, on the next day where it is earlier.') },
    {
      title: 'QuietHours',
      ...closed,
      description: 'Messages wait until these hours are over, in the time zone of the reseller. Null: none.',
    },
  ),
)
const criticalAtAnyHour = Type.Boolean({ description: 'What is critical waits for no hour.' })
const repeatMinutes = nullable(
  Type.Integer({
    minimum: 5,
    maximum: MAX_MINUTES,
    description: 'Sent again after so long, up to 50 times, while the incident is open. Null: once.',
  }),
)
const escalation = nullable(
  Type.Object(
    {
      afterMinutes: Type.Integer({ minimum: 1, maximum: MAX_MINUTES, description: 'After the first message.' }),
      recipients: people('Users and channels that get a message then.'),
    },
    {
      title: 'Escalation',
      ...closed,
      description: 'Who is sent a message when the incident is open for so long: neither acknowledged, snoozed nor resolved. Null: nobody.',
    },
  ),
)
const digest = nullable(
  Type.Object(
    {
      at: clock(TIME, 'When it is sent, every day. A quarter of an hour.'),
      timeZone: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'By the clocks of this zone (IANA).',
        examples: ['Europe/Berlin'],
      }),
    },
    {
      title: 'DailyDigest',
      ...closed,
      description:
        'One message a day instead of one for each incident: what opened, is still open and was resolved since the last, and which maintenance is due. ' +
        'Nothing on a day without any. Not together with hours, repetition or escalation. Null: single messages.',
    },
  ),
)
const subClientId = nullable(
  Type.String({ minLength: 1, maxLength: 64, description: 'Only incidents of this sub-client. It stays. Null: of the whole fleet.' }),
)

const ruleExample = {
  id: ruleIdExample,
  name: 'Night shift',
  subClientId: null,
  enabled: true,
  minSeverity: 'high' as const,
  components: ['cooling', 'brakes'],
  vehicleIds: [vehicleIdExample],
  vehicleGroupIds: [vehicleGroupIdExample],
  recipients: [userIdExample],
  workingHours: null,
  quietHours: { from: '22:00', to: '06:00' },
  criticalAtAnyHour: true,
  repeatMinutes: 120,
  escalation: { afterMinutes: 30, recipients: ['usr-2b5e8h1k4n7q0t3w6z9c'] },
  digest: null,
  createdAt: timestampExample,
  updatedAt: timestampExample,
}

export const ruleNaming = { name, minSeverity }
export const ruleFields = {
  id: Type.String(),
  ...{ name, subClientId, enabled, minSeverity, components, vehicleIds, vehicleGroupIds, workingHours, quietHours },
  ...{ criticalAtAnyHour, repeatMinutes, digest },
  createdAt: timestamp('When it was made. It is about incidents that open or change after that.'),
  updatedAt: timestamp('When it was last changed.'),
}

export const NotificationRule = Type.Object(
  { ...ruleFields, recipients, escalation },
  { title: 'NotificationRule', description: 'Who is sent a message about which incidents, and when.', examples: [ruleExample] },
)
export type NotificationRule = Static<typeof NotificationRule>

/** Of every rule, whatever its recipients. */
export const optionalRuleFields = {
  enabled: Type.Optional(enabled),
  components: Type.Optional(components),
  vehicleIds: Type.Optional(vehicleIds),
  vehicleGroupIds: Type.Optional(vehicleGroupIds),
  workingHours: Type.Optional(workingHours),
  quietHours: Type.Optional(quietHours),
  criticalAtAnyHour: Type.Optional(criticalAtAnyHour),
  repeatMinutes: Type.Optional(repeatMinutes),
  digest: Type.Optional(digest),
}
const optionalFields = { ...optionalRuleFields, escalation: Type.Optional(escalation) }

export const CreateNotificationRule = Type.Object(
  { name, minSeverity, recipients, subClientId: Type.Optional(subClientId), ...optionalFields },
  {
    title: 'CreateNotificationRule',
    description: 'Left out: enabled, any component and vehicle, any hour, sent once.',
    examples: [{ name: 'Night shift', minSeverity: 'high', recipients: [userIdExample], quietHours: { from: '22:00', to: '06:00' } }],
  },
)
export type CreateNotificationRule = Static<typeof CreateNotificationRule>

export const NotificationRuleChange = Type.Object(
  { name: Type.Optional(name), minSeverity: Type.Optional(minSeverity), recipients: Type.Optional(recipients), ...optionalFields },
  { title: 'NotificationRuleChange', minProperties: 1, description: 'What is left out stays as it is.', examples: [{ enabled: false }] },
)
export type NotificationRuleChange = Static<typeof NotificationRuleChange>

export const NotificationRuleList = Type.Object(
  { total, notificationRules: Type.Array(NotificationRule), pagination: Pagination },
  { title: 'NotificationRuleList', description: 'A page of rules, oldest first.' },
)

export const DeletedNotificationRule = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedNotificationRule', description: 'Nothing more is sent by it.', examples: [{ id: ruleIdExample, deleted: true }] },
)

export const NotificationTestSent = Type.Object(
  { id: Type.String(), recipients: Type.Integer({ minimum: 0, description: 'How many people are sent the test.' }) },
  {
    title: 'NotificationTestSent',
    description: 'It is on its way; the log shows what came of it.',
    examples: [{ id: ruleIdExample, recipients: 2 }],
  },
)

export const NotificationRuleParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [ruleIdExample] }) })
export const NotificationRuleListQuery = Type.Object({ ...pageQuery })

const notificationStatuses = ['pending', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const
const notificationStatus = Type.Enum(notificationStatuses, {
  type: 'string',
  description:
    '`pending`: an attempt is to come. `uncertain`: the process ended while it was sending, or a chat did not answer; the message may have arrived, and is not sent again. ' +
    '`cancelled`: the incident is no longer open, or the rule is gone or does not name the recipient any more, and no attempt is made.',
})

export const Notification = Type.Object(
  {
    id: Type.String({ description: 'The local part of the `Message-ID` of the e-mail, and the `webhook-id` of a webhook.' }),
    ruleId: nullable(
      Type.String({ description: 'A rule of a person of their own is `nrp-…`. Null for a test of a channel or a browser.' }),
    ),
    incidentId: nullable(Type.String({ description: 'Null for a digest, or a test.' })),
    vehicleId: nullable(Type.String({ description: 'Of the incident. Null where it is about a device alone, and where there is none.' })),
    incidentTitle: nullable(Type.String({ description: 'Of the incident, as it is now.' })),
    subClientId: nullable(Type.String({ description: 'Whose the incident was, or what is tested.' })),
    step: Type.String({
      description:
        '`first`, `repeat.1` and on, `escalation`, `digest.2026-11-23`, `test`. One message for each rule, incident or day, step and recipient, or browser of one.',
    }),
    recipient: Type.String({ description: 'The user, or the channel.' }),
    browserId: nullable(
      Type.String({ description: 'Of the browser of the user in which it is shown (`psh-…`). Null: an e-mail, or to a channel.' }),
    ),
    status: notificationStatus,
    attemptCount: Type.Integer({ minimum: 0 }),
    nextAttemptAt: nullable(timestamp('When the next attempt is due; only while pending.')),
    error: nullable(Type.String({ description: 'Why the last attempt failed, or why none was made.' })),
    createdAt: timestamp('When it was decided.'),
    sentAt: nullable(timestamp('When the mail server, the channel or the push service took it.')),
    acknowledgedAt: nullable(timestamp('When its link acknowledged the incident.')),
  },
  {
    title: 'Notification',
    description: 'One message to one person or channel.',
    examples: [
      {
        ...{ id: notificationIdExample, ruleId: ruleIdExample, incidentId: 'inc-8k2m5v9c1b4n7h0j3d6f', step: 'first' },
        ...{ vehicleId: vehicleIdExample, incidentTitle: 'Engine overheating', subClientId: null },
        ...{ recipient: userIdExample, browserId: null, status: 'sent', attemptCount: 1, nextAttemptAt: null, error: null },
        ...{ createdAt: timestampExample, sentAt: timestampExample, acknowledgedAt: null },
      },
    ],
  },
)
export type Notification = Static<typeof Notification>

export const NotificationList = Type.Object(
  { notifications: Type.Array(Notification), pagination: Pagination },
  { title: 'NotificationList', description: 'A page of the log, newest first.' },
)

const id = (pattern: string, description: string) => Type.Optional(Type.String({ pattern, description }))
export const NotificationListQuery = Type.Object({
  ruleId: id('^nr[lp]-[a-z0-9]{1,40}$', 'Only of this rule.'),
  incidentId: id('^inc-[a-z0-9]{1,40}$', 'Only about this incident.'),
  recipient: id('^(usr|nch)-[a-z0-9]{1,40}$', 'Only to this user or channel.'),
  status: Type.Optional(notificationStatus),
  ...pageQuery,
})
