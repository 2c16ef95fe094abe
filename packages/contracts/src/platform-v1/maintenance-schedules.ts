// What falls due, by time, distance and engine hours; the odometer as it is kept; and the calendar of a vehicle.

import { type Static, Type } from 'typebox'
import { nullable, oneLine, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'
import { component, engineHours, odometerKm, scheduleIdExample, vehicleReference } from './maintenance.ts'

const scheduleStatuses = ['unknown', 'ok', 'due_soon', 'overdue'] as const
export type ScheduleStatus = (typeof scheduleStatuses)[number]

const title = Type.String({ minLength: 1, maxLength: 200, ...oneLine, description: 'What is to be done.', examples: ['Brake fluid'] })
const everyDays = Type.Integer({ minimum: 1, maximum: 36_525 })
const everyKm = Type.Number({ minimum: 1, maximum: 10_000_000 })
const everyHours = Type.Number({ minimum: 1, maximum: 1_000_000 })
const remindDays = Type.Integer({ minimum: 0, maximum: 36_525, description: '14 when left out; at most a fifth of `every.days`.' })
const remindKm = Type.Number({ minimum: 0, maximum: 10_000_000, description: '500 when left out; at most a fifth of `every.km`.' })
const remindHours = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: '20 when left out; at most a fifth of `every.engine_hours`.',
})

const every = Type.Object(
  { days: Type.Optional(everyDays), km: Type.Optional(everyKm), engine_hours: Type.Optional(everyHours) },
  {
    title: 'ServiceIntervalRequest',
    additionalProperties: false,
    minProperties: 1,
    description: 'Whichever comes first.',
    examples: [{ days: 365, km: 15_000 }],
  },
)
const remind = Type.Object(
  { days: Type.Optional(remindDays), km: Type.Optional(remindKm), engine_hours: Type.Optional(remindHours) },
  {
    title: 'ServiceReminderRequest',
    additionalProperties: false,
    description: 'How long before. `days` also before the day on which a distance is expected to be driven.',
  },
)
const last = Type.Object(
  {
    at: timestamp('When it was last done, not in the future.'),
    odometer_km: Type.Optional(odometerKm('What the odometer showed then. What the vehicle reported, when left out.')),
    engine_hours: Type.Optional(engineHours('What the hour meter showed then. What the vehicle reported, when left out.')),
  },
  {
    title: 'LastServiceRequest',
    additionalProperties: false,
    description: 'From where the schedule counts: when it was last done, or else from now.',
  },
)

export const Schedule = Type.Object(
  {
    id: Type.String(),
    vehicleId: Type.String(),
    component: Type.String(),
    title: Type.String(),
    every: Type.Object(
      { days: nullable(everyDays), km: nullable(everyKm), engine_hours: nullable(everyHours) },
      { title: 'ServiceInterval' },
    ),
    remind: Type.Object({ days: remindDays, km: remindKm, engine_hours: remindHours }, { title: 'ServiceReminder' }),
    last: Type.Object(
      {
        at: timestamp('From when it counts.'),
        odometer_km: nullable(odometerKm('Null until the vehicle reports its odometer.')),
        engine_hours: nullable(engineHours('Null until the vehicle reports its run time.')),
      },
      { title: 'LastService' },
    ),
    next: Type.Object(
      {
        at: nullable(timestamp('When its time is over.')),
        odometer_km: nullable(Type.Number({ minimum: 0, description: 'At which it is due.' })),
        engine_hours: nullable(Type.Number({ minimum: 0, description: 'At which it is due.' })),
        expectedAt: nullable(timestamp("The first of the three, as far as the vehicle's own use of the last 60 days shows.")),
      },
      { title: 'NextService' },
    ),
    status: Type.Enum(scheduleStatuses, {
      type: 'string',
      description: '`unknown`: by distance or engine hours only, and the vehicle reports neither.',
    }),
    reviewedAt: timestamp('As of when `status` and `next.expectedAt` are. Looked at every few minutes.'),
    createdAt: timestamp('When the schedule was made.'),
    updatedAt: timestamp('When a person last changed it, or the work was last done.'),
  },
  {
    title: 'Schedule',
    description: 'Work that falls due, and when.',
    examples: [
      {
        id: scheduleIdExample,
        vehicleId: vehicleIdExample,
        component: 'brakes',
        title: 'Brake pads',
        every: { days: null, km: 40_000, engine_hours: null },
        remind: { days: 14, km: 500, engine_hours: 20 },
        last: { at: timestampExample, odometer_km: 171_300, engine_hours: null },
        next: { at: null, odometer_km: 211_300, engine_hours: null, expectedAt: '2026-11-02T08:15:00.000Z' },
        status: 'ok',
        reviewedAt: timestampExample,
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Schedule = Static<typeof Schedule>

export const CreateScheduleRequest = Type.Object(
  { vehicleId: vehicleReference, component, title, every, remind: Type.Optional(remind), last: Type.Optional(last) },
  {
    title: 'CreateScheduleRequest',
    additionalProperties: false,
    examples: [{ vehicleId: vehicleIdExample, component: 'brakes', title: 'Brake pads', every: { km: 40_000 } }],
  },
)
export type CreateScheduleRequest = Static<typeof CreateScheduleRequest>

export const ChangeScheduleRequest = Type.Object(
  {
    component: Type.Optional(component),
    title: Type.Optional(title),
    every: Type.Optional(every),
    remind: Type.Optional(remind),
    last: Type.Optional(last),
  },
  {
    title: 'ChangeScheduleRequest',
    minProperties: 1,
    additionalProperties: false,
    description: 'What is left out stays. `every`, `remind` and `last` are replaced as a whole.',
    examples: [{ every: { days: 365, km: 15_000 } }],
  },
)
export type ChangeScheduleRequest = Static<typeof ChangeScheduleRequest>

export const ScheduleParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [scheduleIdExample] }) })
export const ScheduleListQuery = Type.Object({
  vehicleId: Type.Optional(vehicleReference),
  status: Type.Optional(Type.Enum(scheduleStatuses, { type: 'string', description: 'Only schedules in this status.' })),
  component: Type.Optional(component),
  from: Type.Optional(timestamp('Only schedules with `next.expectedAt` at this time or later.')),
  to: Type.Optional(timestamp('Only schedules with `next.expectedAt` before this time.')),
  ...pageQuery,
})
export const ScheduleList = Type.Object(
  { schedules: Type.Array(Schedule), total, pagination: Pagination },
  { title: 'ScheduleList', description: 'A page of schedules, oldest first.' },
)
export const RemovedSchedule = Type.Object(
  { id: Type.String(), removed: Type.Literal(true) },
  { title: 'RemovedSchedule', description: 'The schedule is gone.', examples: [{ id: scheduleIdExample, removed: true }] },
)

export const Odometer = Type.Object(
  {
    vehicleId: Type.String(),
    odometer_km: nullable(odometerKm('Never runs backwards but by a correction.')),
    odometerAt: nullable(timestamp('When the vehicle, or a person, last reported it.')),
    engine_hours: nullable(engineHours('The hour meter, or what the engine ran since it was first heard.')),
    engineHoursAt: nullable(timestamp('When the vehicle, or a person, last reported it.')),
    use: Type.Object(
      {
        km_per_day: nullable(Type.Number({ minimum: 0 })),
        engine_hours_per_day: nullable(Type.Number({ minimum: 0 })),
        days: Type.Integer({ minimum: 0, description: 'Over how many days, 60 at most. Under 7 nothing is projected.' }),
      },
      { title: 'DailyUse', description: 'Daily use, parked days included.' },
    ),
  },
  {
    title: 'Odometer',
    description: 'What the odometer and the hour meter of a vehicle stand at.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        odometer_km: 184_200,
        odometerAt: timestampExample,
        engine_hours: 5_210.5,
        engineHoursAt: timestampExample,
        use: { km_per_day: 142.3, engine_hours_per_day: 4.1, days: 60 },
      },
    ],
  },
)
export const CorrectOdometerRequest = Type.Object(
  {
    odometer_km: Type.Optional(odometerKm('What it ought to show now.')),
    engine_hours: Type.Optional(engineHours('What it ought to show now.')),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why, for the log.',
      examples: ['Instrument cluster replaced'],
    }),
  },
  {
    title: 'CorrectOdometerRequest',
    additionalProperties: false,
    description: 'One of the two, or both. What the vehicle reports from then on counts on from here.',
    examples: [{ odometer_km: 184_200, reason: 'Instrument cluster replaced' }],
  },
)
export type CorrectOdometerRequest = Static<typeof CorrectOdometerRequest>

const OdometerCorrection = Type.Object(
  {
    id: Type.String(),
    vehicleId: Type.String(),
    odometer_km: nullable(odometerKm('As corrected.')),
    engine_hours: nullable(engineHours('As corrected.')),
    formerOdometer_km: nullable(odometerKm('As it stood before.')),
    formerEngine_hours: nullable(engineHours('As they stood before.')),
    reason: Type.String(),
    correctedBy: Type.String({ description: 'The API key, or the person.' }),
    correctedAt: timestamp('When.'),
  },
  {
    title: 'OdometerCorrection',
    examples: [
      {
        id: 'odc-3j6m9p2s5v8y1b4e7h0k',
        vehicleId: vehicleIdExample,
        odometer_km: 184_200,
        engine_hours: null,
        formerOdometer_km: 12,
        formerEngine_hours: null,
        reason: 'Instrument cluster replaced',
        correctedBy: 'key-5d0f8s2k9x7m1c4v6b3n',
        correctedAt: timestampExample,
      },
    ],
  },
)
export type OdometerCorrection = Static<typeof OdometerCorrection>
export const OdometerCorrectionList = Type.Object(
  { corrections: Type.Array(OdometerCorrection), total, pagination: Pagination },
  { title: 'OdometerCorrectionList', description: 'A page of corrections, newest first.' },
)

export const CalendarLink = Type.Object(
  {
    vehicleId: Type.String(),
    url: Type.String({
      description: 'For a calendar program, which needs no key. It is shown this once only; anybody who has it can read the calendar.',
    }),
    createdAt: timestamp('When the link was made.'),
  },
  {
    title: 'CalendarLink',
    description: 'The link; this is the one time it is shown.',
    examples: [
      {
        vehicleId: vehicleIdExample,
        url: 'https://fleet.example.com/api/v1/calendars/0123456789abcdefghijklmnopqrstuvwxyzABCD.ics',
        createdAt: timestampExample,
      },
    ],
  },
)
export const RevokedCalendarLink = Type.Object(
  { vehicleId: Type.String(), revoked: Type.Boolean() },
  {
    title: 'RevokedCalendarLink',
    description: 'The vehicle has no link any more; `revoked` is false where it had none.',
    examples: [{ vehicleId: vehicleIdExample, revoked: true }],
  },
)
export const CalendarParams = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'From the link, with `.ics` at its end.',
    examples: ['0123456789abcdefghijklmnopqrstuvwxyzABCD.ics'],
  }),
})
