// What somebody who opens the dashboard wants to know first, in one answer.

import { healthStatuses } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'
import { Advice, adviceExample } from './advice.ts'
import { vehicleIdExample } from './alerts.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const severity = Type.Enum(severities, { type: 'string' })
const healthStatus = Type.Enum(healthStatuses, { type: 'string' })

const VehicleReference = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String({ description: "Its name; of a vehicle without name and plate, its device's." })),
    licensePlate: nullable(Type.String()),
    externalRef: nullable(Type.String()),
    vin: nullable(Type.String()),
  },
  { title: 'VehicleReference', description: 'What people know the vehicle by.' },
)
export type VehicleReference = Static<typeof VehicleReference>
const maybeVehicle = Type.Union([VehicleReference, Type.Null()])

const FleetCounts = Type.Object(
  {
    total: count('Vehicles that are not retired.'),
    health: Type.Object(
      {
        critical: count('Health below 40.'),
        warning: count('Health below 70.'),
        healthy: count('Health of 70 and more.'),
        unknown: count('Not scored yet.'),
      },
      { title: 'HealthCounts' },
    ),
    connection: Type.Object(
      {
        online: count('Heard of within the last minutes (a setting, 5 by default).'),
        offline: count('Heard of before that.'),
        never: count('Never heard of.'),
      },
      { title: 'ConnectionCounts' },
    ),
  },
  { title: 'FleetCounts' },
)

const UrgentIncident = Type.Object(
  {
    id: Type.String(),
    vehicle: maybeVehicle,
    deviceId: nullable(Type.String({ description: 'The device that raised it, where one did.' })),
    component: Type.String(),
    source: Type.Enum(['engine', 'device'], { type: 'string', description: 'Who found it, as of incidents.' }),
    severity,
    title: Type.String(),
    recommendation: Type.String({ description: 'What to do.' }),
    advice: Type.Union([Advice, Type.Null()]),
    openedAt: timestamp('When it was opened.'),
  },
  { title: 'UrgentIncident' },
)
export type UrgentIncident = Static<typeof UrgentIncident>

const OpenIncidents = Type.Object(
  {
    open: count('Incidents that nobody has acknowledged, snoozed or resolved.'),
    acknowledged: count('Incidents that somebody is at.'),
    items: Type.Array(UrgentIncident, {
      description: 'Of the open ones, gravest first and then the longest open. 8 at most; what schedules raise is in `work`.',
    }),
  },
  { title: 'OpenIncidents' },
)

const DueWork = Type.Object(
  {
    kind: Type.Enum(['schedule', 'planned'], { type: 'string', description: 'By a schedule, or planned for a day.' }),
    id: Type.String({ description: 'Of the schedule or of the planned work.' }),
    vehicle: VehicleReference,
    component: Type.String(),
    title: nullable(Type.String({ description: 'Of the schedule, or the notes of the planned work.' })),
    dueAt: nullable(timestamp('When it was or will be due, as far as that is known.')),
    overdue: Type.Boolean(),
  },
  { title: 'DueWork' },
)
export type DueWork = Static<typeof DueWork>

const WorkAhead = Type.Object(
  {
    overdue: count('Schedules that are overdue, and planned work whose day is over in the time zone of the reseller.'),
    dueSoon: count('Schedules that are due soon, and work planned for the next 7 days.'),
    items: Type.Array(DueWork, { description: 'Overdue first, then by when it is due. 8 at most.' }),
  },
  { title: 'WorkAhead', description: 'Work that is planned for a schedule which is due counts once.' },
)

const VehicleAtRisk = Type.Object(
  {
    vehicle: VehicleReference,
    component: Type.String({ description: 'The part of it that is expected to last the shortest.' }),
    issue: Type.String(),
    rul_days: Type.Integer({ minimum: 0, description: 'Remaining useful life in days, median.' }),
    interval: Type.Array(Type.Number({ minimum: 0 }), {
      minItems: 2,
      maxItems: 2,
      description: '`[p10, p90]` in days: in 8 of 10 cases the part lasts between the two.',
    }),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How much there was to judge this component by.' }),
    severity,
    healthStatus: nullable(healthStatus),
  },
  { title: 'VehicleAtRisk' },
)
export type VehicleAtRisk = Static<typeof VehicleAtRisk>

const Throughput = Type.Object(
  {
    perMinute: Type.Number({ minimum: 0, description: 'Readings a minute, on average since the quarter-hour before this one began.' }),
    quarters: Type.Array(
      Type.Object({ from: timestamp('When the quarter-hour begins.'), readings: count('Received in it.') }, { title: 'ThroughputQuarter' }),
      {
        description: 'The last six hours, oldest first. The last one is not over.',
      },
    ),
  },
  { title: 'Throughput' },
)

const listOf = <Item extends ReturnType<typeof Type.Object>>(item: Item, title: string, description: string) =>
  Type.Object({ total: count('All of them.'), items: Type.Array(item, { description: 'The newest, 5 at most.' }) }, { title, description })

const ChangedIncident = Type.Object(
  { id: Type.String(), title: Type.String(), severity, vehicle: maybeVehicle, at: timestamp('When it was opened or resolved.') },
  { title: 'ChangedIncident' },
)
const WorsenedVehicle = Type.Object(
  { vehicle: VehicleReference, healthStatus, before: nullable(healthStatus) },
  { title: 'WorsenedVehicle', description: '`before` is null of a vehicle that was not scored by then.' },
)
const WorkDone = Type.Object(
  { id: Type.String(), vehicle: VehicleReference, component: Type.String(), at: timestamp('When it was done.') },
  { title: 'WorkDone' },
)
const SilentDevice = Type.Object(
  { deviceId: Type.String(), name: nullable(Type.String()), vehicle: maybeVehicle, at: timestamp('When it was noticed.') },
  { title: 'SilentDevice' },
)

const Changes = Type.Object(
  {
    since: timestamp('As it was given.'),
    incidentsOpened: Type.Union([listOf(ChangedIncident, 'IncidentsOpened', 'Incidents that were opened.'), Type.Null()]),
    incidentsResolved: Type.Union([listOf(ChangedIncident, 'IncidentsResolved', 'Incidents that were resolved.'), Type.Null()]),
    vehiclesWorsened: listOf(WorsenedVehicle, 'VehiclesWorsened', 'Vehicles whose health is in a worse band than it was then.'),
    workDone: listOf(WorkDone, 'WorkPutOnRecord', 'Work that was done, or put on record, since.'),
    devicesSilent: Type.Union([listOf(SilentDevice, 'DevicesSilent', 'Devices that went offline and have not come back.'), Type.Null()]),
  },
  { title: 'ChangesSince' },
)
export type Changes = Static<typeof Changes>

const FirstSteps = Type.Object(
  {
    apiKey: Type.Boolean({ description: 'There is an API key that has not been revoked.' }),
    device: Type.Boolean({ description: 'A device is registered.' }),
    reading: Type.Boolean({ description: 'A reading has come in.' }),
    prediction: Type.Boolean({ description: 'A prediction has been made.' }),
    webhook: Type.Boolean({ description: 'There is a webhook endpoint.' }),
  },
  { title: 'FirstSteps' },
)
export type FirstSteps = Static<typeof FirstSteps>

export const Overview = Type.Object(
  {
    vehicles: FleetCounts,
    incidents: Type.Union([OpenIncidents, Type.Null()], { description: 'Null without the scope `predict`.' }),
    work: WorkAhead,
    atRisk: Type.Union([Type.Array(VehicleAtRisk), Type.Null()], {
      description: 'The ten vehicles with the shortest remaining life of a part. Null without the scope `predict`.',
    }),
    throughput: Throughput,
    changes: Type.Union([Changes, Type.Null()], {
      description: 'Null without `since`; what needs `predict` (incidents) or `devices:read` (devices) is null without it.',
    }),
    firstSteps: Type.Union([FirstSteps, Type.Null()], { description: 'What is set up. Null for who is bound to a sub-client.' }),
  },
  {
    title: 'Overview',
    description: 'What the first page of the dashboard shows.',
    examples: [
      {
        vehicles: {
          total: 24,
          health: { critical: 1, warning: 3, healthy: 19, unknown: 1 },
          connection: { online: 21, offline: 2, never: 1 },
        },
        incidents: {
          open: 1,
          acknowledged: 2,
          items: [
            {
              id: 'inc-8k2m5v9c1b4n7h0j3d6f',
              vehicle: { id: vehicleIdExample, name: null, licensePlate: 'KA 01 AB 1234', externalRef: null, vin: null },
              deviceId: null,
              component: 'brakes',
              source: 'engine',
              severity: 'medium',
              title: 'Brakes worn',
              recommendation: 'Have the brake pads replaced',
              advice: adviceExample,
              openedAt: timestampExample,
            },
          ],
        },
        work: { overdue: 0, dueSoon: 0, items: [] },
        atRisk: [],
        throughput: { perMinute: 288, quarters: [{ from: timestampExample, readings: 4_320 }] },
        changes: null,
        firstSteps: { apiKey: true, device: true, reading: true, prediction: true, webhook: false },
      },
    ],
  },
)
export type Overview = Static<typeof Overview>

export const OverviewQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Adds what changed since then, such as the last visit of a person. At most 31 days ago.',
      examples: [timestampExample],
    }),
  ),
})
