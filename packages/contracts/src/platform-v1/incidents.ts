// Incidents: findings with one cause, what to do about them, and who is at it.

import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { groupIdQuery, nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { Advice, stopAdviceExample } from './advice.ts'
import { vehicleIdExample } from './alerts.ts'

const incidentStatuses = ['open', 'acknowledged', 'snoozed', 'resolved'] as const
const resolutionReasons = ['work_done', 'false_alarm', 'other'] as const
const MAX_NOTE_CHARACTERS = 1_000

const incidentIdExample = 'inc-8k2m5v9c1b4n7h0j3d6f'
const assigneeIdExample = 'usr-4f8s1k6d3h9j2l5z7x0c'
const alertIdExample = 'alr-2m6v1x9c4b7n0k3j5h8g'

const severity = (description: string) => Type.Enum(severities, { type: 'string', description })
const status = (description: string) => Type.Enum(incidentStatuses, { type: 'string', description })
const reason = Type.Enum(resolutionReasons, {
  type: 'string',
  description: '`work_done`: it was mended. `false_alarm`: there was nothing. `other`: the note has the reason.',
})

const Evidence = Type.Object(
  {
    alertId: Type.String(),
    type: Type.String({ description: 'What kind of condition, for example `coolant_high`.' }),
    component: Type.String(),
    severity: severity('The worst the alert has been.'),
    message: Type.String({ description: 'One sentence that names the reading and the threshold.' }),
    code: nullable(Type.String({ description: 'The fault code, for an alert that comes from one.' })),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'As of the alert.' }),
  },
  { title: 'IncidentEvidence' },
)

export const Flapping = Type.Object(
  {
    count: Type.Integer({ minimum: 1, description: 'How often it came back within an hour after it had ended by itself.' }),
    since: timestamp('When it first did.'),
  },
  { title: 'Flapping' },
)

export const Resolution = Type.Object(
  {
    reason,
    note: nullable(Type.String({ description: 'What the person wrote, or why it ended by itself.' })),
    maintenanceId: nullable(Type.String({ description: 'The work that ended it, where it was named.' })),
  },
  { title: 'IncidentResolution' },
)

export const Incident = Type.Object(
  {
    id: Type.String(),
    vehicleId: nullable(Type.String({ description: 'Null of what a device raised while it was in no vehicle that is known.' })),
    deviceId: nullable(Type.String({ description: 'The device that raised it, where one did.' })),
    component: Type.String({ description: 'The part it is about.' }),
    severity: severity('Mildest first. Of its worst alert that is not resolved; of one that ended, what it had last.'),
    status: status('A snooze ends by itself at `snoozedUntil`, and when the incident gets graver.'),
    title: Type.String({ description: 'A few words. They mark one that comes and goes.' }),
    recommendation: Type.String({ description: 'What to do.' }),
    advice: Type.Union([Advice, Type.Null()], { description: 'Of its component, where there is any.' }),
    evidence: Type.Array(Evidence, {
      description: 'Its alerts that are not resolved, newest first; of one that ended, its newest. 50 at most.',
    }),
    alertIds: Type.Array(Type.String(), { description: 'Its alerts, those that are not resolved first, then the newest. 50 at most.' }),
    occurrences: Type.Integer({
      minimum: 1,
      description: 'How often it opened: once, and once more each time it came back within an hour.',
    }),
    flapping: Type.Union([Flapping, Type.Null()], { description: 'Of one that came back three times or more.' }),
    source: Type.Enum(['engine', 'maintenance', 'device'], { type: 'string', description: 'Who found it, as of alerts.' }),
    cause: Type.String({ description: 'What makes it the same from one score to the next.' }),
    actBy: nullable(
      timestamp(
        'By when to act. When it opened, where its severity is `critical` or the advice is to `stop` or go `now`; else the early end of the remaining life less the lead time; of `maintenance` the day on which it is due; where there is neither, 7 days after it opened for `high`, 30 for `medium`, 90 for `low`, 365 for `info`. Null of one that ended.',
      ),
    ),
    openedAt: timestamp('When it was opened.'),
    updatedAt: timestamp('When its status, severity, words or alerts last changed.'),
    acknowledgedAt: nullable(timestamp('When a person acknowledged it.')),
    acknowledgedBy: nullable(Type.String({ description: 'The user or the key.' })),
    assignee: nullable(Type.String({ description: 'The user who is at it.' })),
    snoozedUntil: nullable(timestamp('While it is snoozed.')),
    resolvedAt: nullable(timestamp('When it was resolved.')),
    resolvedBy: nullable(
      Type.Enum(['engine', 'user', 'maintenance'], {
        type: 'string',
        description: '`engine`: nothing of it is found any more. `maintenance`: work was put on record, or is not due any more.',
      }),
    ),
    resolution: Type.Union([Resolution, Type.Null()]),
  },
  {
    title: 'Incident',
    description: 'Findings with one cause, as they are now.',
    examples: [
      {
        id: incidentIdExample,
        vehicleId: vehicleIdExample,
        deviceId: null,
        component: 'cooling',
        severity: 'critical',
        status: 'acknowledged',
        title: 'Coolant overheating',
        recommendation: 'Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump',
        advice: stopAdviceExample,
        evidence: [
          {
            alertId: alertIdExample,
            type: 'coolant_high',
            component: 'cooling',
            severity: 'critical',
            message: 'Coolant has been at 116 °C, above 114 °C, for 40 s',
            code: null,
            evidence: { signal: 'coolant', value: 116, threshold: 114, unit: '°C' },
          },
        ],
        alertIds: [alertIdExample],
        occurrences: 1,
        flapping: null,
        source: 'engine',
        cause: 'cooling',
        actBy: timestampExample,
        openedAt: timestampExample,
        updatedAt: timestampExample,
        acknowledgedAt: timestampExample,
        acknowledgedBy: 'usr-3f6h9k2m5q8t1w4z7b0d',
        assignee: null,
        snoozedUntil: null,
        resolvedAt: null,
        resolvedBy: null,
        resolution: null,
      },
    ],
  },
)
export type Incident = Static<typeof Incident>

export const IncidentList = Type.Object(
  { incidents: Type.Array(Incident), total, pagination: Pagination },
  { title: 'IncidentList', description: 'A page of incidents.' },
)

export const IncidentParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [incidentIdExample] }) })
export const IncidentListQuery = Type.Object({
  status: Type.Optional(status('Only incidents in this status. All of them when left out.')),
  severity: Type.Optional(severity('Only incidents of this severity.')),
  component: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only incidents of this component.', examples: ['cooling'] }),
  ),
  vehicleId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Our id, or the caller's own reference.", examples: [vehicleIdExample] }),
  ),
  subClientId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only incidents of what this sub-client owns.' })),
  ...groupIdQuery,
  order: Type.Optional(
    Type.Enum(['newest', 'urgency'], {
      type: 'string',
      default: 'newest',
      description:
        '`urgency`: only incidents that are not resolved; first what must be done at once, gravest and then oldest first, then the others by `actBy`.',
    }),
  ),
  ...pageQuery,
})

const IncidentStep = Type.Object(
  {
    at: timestamp('When it was done.'),
    action: Type.Enum(['acknowledged', 'snoozed', 'reopened', 'resolved', 'assigned', 'changed'], { type: 'string' }),
    by: Type.String({ description: 'The user or the key; `roadworthy` where the service did it by itself.' }),
    assignee: Type.Optional(nullable(Type.String({ description: 'Who is at it from here on, where that changed; null: nobody.' }))),
    formerAssignee: Type.Optional(nullable(Type.String({ description: 'Who was at it until then, where that changed.' }))),
    snoozedUntil: Type.Optional(nullable(Type.String({ description: 'Where that changed; null: it is snoozed no more.' }))),
    reason: Type.Optional(nullable(Type.String({ description: 'Why it was resolved.' }))),
    note: Type.Optional(nullable(Type.String({ description: 'What the person wrote about it; the beginning of a long text.' }))),
  },
  {
    title: 'IncidentStep',
    examples: [
      { at: timestampExample, action: 'assigned', by: 'usr-3f6h9k2m5q8t1w4z7b0d', assignee: assigneeIdExample, formerAssignee: null },
    ],
  },
)
export type IncidentStep = Static<typeof IncidentStep>

export const IncidentHistory = Type.Object(
  { history: Type.Array(IncidentStep), total, pagination: Pagination },
  { title: 'IncidentHistory', description: 'A page of what people did to an incident, newest first.' },
)
export const IncidentHistoryQuery = Type.Object(pageQuery)

export const IncidentChange = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(incidentStatuses, {
        type: 'string',
        description:
          'From `open`, `acknowledged` and `snoozed` to any of the others. `open` takes back an acknowledgement or a snooze. A repeat of the last move is fine; a move that is not possible is 409 `invalid_transition`.',
      }),
    ),
    snoozedUntil: Type.Optional(
      Type.String({ format: 'date-time', description: 'With `snoozed`: until when, at most 90 days ahead.', examples: [timestampExample] }),
    ),
    resolution: Type.Optional(
      Type.Object(
        {
          reason,
          note: Type.Optional(Type.String({ maxLength: MAX_NOTE_CHARACTERS })),
          maintenanceId: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, description: 'With `work_done`: the work, of the same vehicle.' }),
          ),
        },
        { title: 'IncidentResolutionRequest', additionalProperties: false, description: 'With `resolved`: why.' },
      ),
    ),
    assignee: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200, description: 'A user of the reseller who sees the incident. Null: nobody.' })),
    ),
  },
  {
    title: 'IncidentChange',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ status: 'acknowledged' }],
  },
)
export type IncidentChange = Static<typeof IncidentChange>

const Assignee = Type.Object(
  {
    id: Type.String({ description: 'The user, as `assignee` takes it.' }),
    email: Type.String(),
    subClientId: nullable(Type.String({ description: 'The only sub-client whose incidents the person sees. Null: all of them.' })),
  },
  { title: 'Assignee', examples: [{ id: assigneeIdExample, email: 'anna@example.com', subClientId: null }] },
)
export type Assignee = Static<typeof Assignee>

export const AssigneeList = Type.Object(
  { assignees: Type.Array(Assignee), total, pagination: Pagination },
  { title: 'AssigneeList', description: 'A page of people, oldest first.' },
)
export const AssigneeListQuery = Type.Object(pageQuery)
