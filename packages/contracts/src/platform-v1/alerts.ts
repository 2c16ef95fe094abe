// Alerts (spec §2.8, §4.2).

import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { groupIdQuery, nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

const alertStatuses = ['open', 'acknowledged', 'resolved'] as const

const alertIdExample = 'alr-2m6v1x9c4b7n0k3j5h8g'
export const vehicleIdExample = 'veh-7h3d9s2k5f8j1l4a6g0q'
const deviceIdExample = 'dev-4k8s2m6q0t3w7z1c5f9h'

const severity = (description: string) => Type.Enum(severities, { type: 'string', description })
const status = (description: string) => Type.Enum(alertStatuses, { type: 'string', description })

export const Alert = Type.Object(
  {
    id: Type.String(),
    vehicleId: nullable(Type.String({ description: 'Null of an alert that a device raised while it was in no vehicle that is known.' })),
    deviceId: nullable(Type.String({ description: 'The device that raised it, where one did (`source` is `device`).' })),
    severity: severity('Mildest first. The worst the alert has been.'),
    message: Type.String({ description: 'One sentence that names the reading and the threshold.' }),
    timestamp: timestamp('When the alert was opened.'),
    status: status('Resolved by itself when the condition is gone, or by a person.'),
    type: Type.String({ description: 'What kind of condition, for example `coolant_high`.' }),
    component: Type.String({ description: 'The part it is about.' }),
    description: Type.String({ description: 'A few words: what is wrong.' }),
    urgency: Type.String({ description: 'How soon to act: `monitor`, `routine`, `soon`, `urgent` or `immediate`.' }),
    code: nullable(Type.String({ description: 'The fault code, for an alert that comes from one.' })),
    evidence: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What drove it, such as `signal` (a field of telemetry), `value`, `threshold` and `unit`.',
    }),
    occurrences: Type.Integer({ minimum: 1, description: 'How often the condition was found while the alert stood.' }),
    lastSeenAt: timestamp('When the condition was last found.'),
    acknowledgedAt: nullable(timestamp('When a person acknowledged it.')),
    resolvedAt: nullable(timestamp('When it was resolved.')),
    resolvedBy: nullable(
      Type.Enum(['engine', 'user', 'maintenance'], {
        type: 'string',
        description: '`engine`: the condition went away by itself. `maintenance`: the work was done, or is not due any more.',
      }),
    ),
    source: Type.Enum(['engine', 'maintenance', 'device'], {
      type: 'string',
      description:
        '`engine`: readings show it. `maintenance`: a schedule raised it (`maintenance_due_soon`, `maintenance_overdue`). `device`: a device raised it by the `event` of a reading, which is its type; it ends when a person resolves it.',
    }),
    scheduleId: nullable(Type.String({ description: 'The maintenance schedule, where one is the source.' })),
    incidentId: nullable(Type.String({ description: 'The incident it belongs to; null of one that ended before there were incidents.' })),
    updatedAt: timestamp('When its status, severity or message last changed.'),
  },
  {
    title: 'Alert',
    description: 'An alert as it is now.',
    examples: [
      {
        id: alertIdExample,
        vehicleId: vehicleIdExample,
        deviceId: null,
        severity: 'critical',
        message: 'Coolant has been at 116 °C, above 114 °C, for 40 s',
        timestamp: timestampExample,
        status: 'open',
        type: 'coolant_high',
        component: 'cooling',
        description: 'Coolant overheating',
        urgency: 'immediate',
        code: null,
        evidence: { signal: 'coolant', value: 116, threshold: 114, unit: '°C' },
        occurrences: 4,
        lastSeenAt: timestampExample,
        acknowledgedAt: null,
        resolvedAt: null,
        resolvedBy: null,
        source: 'engine',
        scheduleId: null,
        incidentId: 'inc-8k2m5v9c1b4n7h0j3d6f',
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Alert = Static<typeof Alert>

export const AlertList = Type.Object(
  { alerts: Type.Array(Alert), total, pagination: Pagination },
  { title: 'AlertList', description: 'A page of alerts.' },
)

export const AlertParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [alertIdExample] }) })
export const AlertListQuery = Type.Object({
  severity: Type.Optional(severity('Only alerts of this severity.')),
  status: Type.Optional(status('Only alerts in this status. All of them when left out.')),
  vehicleId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Our id, or the caller's own reference.", examples: [vehicleIdExample] }),
  ),
  deviceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only alerts that this device raised. Its id, or its IMEI.',
      examples: [deviceIdExample],
    }),
  ),
  ...groupIdQuery,
  ...pageQuery,
})

export const AlertChange = Type.Object(
  {
    status: Type.Enum(['acknowledged', 'resolved'], {
      type: 'string',
      description: 'From `open` to either, from `acknowledged` to `resolved`. Repeating the last move is fine; any other is 409.',
    }),
  },
  { title: 'AlertChange', additionalProperties: false, examples: [{ status: 'acknowledged' }] },
)
