// SIMs (spec §2.10). Spec gap §2.10: every field but `data_usage_mb`, the states, and what can be done.

import { type Static, Type } from 'typebox'
import { deviceIdExample } from '../external/devices.ts'
import { reference, subClientFilter, subClientId, success } from '../external/references.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { connectionIdExample } from './operator-connections.ts'

export const simIdExample = 'sim-3f8k1m6q9t2w5z8c1v4b'
export const actionIdExample = 'sac-7n2p5s8v1y4b7e0h3k6m'
const iccidExample = '89910009000000000013'
const msisdnExample = '5754123456789'

const simStates = ['inventory', 'test', 'active', 'suspended', 'safe_custody', 'terminating', 'terminated'] as const
export const simActionKinds = ['activate', 'activate_test', 'suspend', 'safe_custody', 'terminate', 'expire_custody', 'end_grace'] as const
export const simStatus = Type.Enum([...simStates], {
  type: 'string',
  description:
    '`inventory`: bought, not active yet. `test`: on the operator’s free allowance. `suspended`: barred for now, the rental goes on. `safe_custody`: parked for some time at a lower fee. `terminating`: ends after a grace in which it can be taken back. `terminated`: final.',
})
export const nullableText = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => Type.Integer({ minimum: 0, description })
const dataLimitMb = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: 'What it should use at most in a cycle, in megabytes of 1,048,576 bytes. It is a mark for people; nothing is cut off at it.',
})
const metadata = Type.Record(Type.String(), Type.Unknown(), {
  additionalProperties: true,
  description: 'Yours to keep, 16 KiB of JSON at most.',
  examples: [{ po_number: 'PO-1207' }],
})

export const simExample = {
  id: simIdExample,
  sim_id: simIdExample,
  iccid: iccidExample,
  imsi: '404100000000018',
  msisdn: msisdnExample,
  eid: null,
  imei: '356938035643809',
  connection_id: connectionIdExample,
  operator: 'airtel' as const,
  status: 'active' as const,
  status_since: timestampExample,
  pending_action: null,
  pending_since: null,
  possible: ['suspended' as const, 'safe_custody' as const, 'terminating' as const],
  operator_status: 'ACTIVE',
  operator_synced_at: timestampExample,
  suspended_by: null,
  suspended_reason: null,
  safe_custody_until: null,
  terminates_at: null,
  plan_id: 'm2m-10',
  rate_plan: 'M2M 10 MB',
  communication_plan: null,
  apn: 'iot.airtel.com',
  ip_address: null,
  sub_client_id: 'acme-logistics',
  device_id: deviceIdExample,
  device_name: 'Truck 12 tracker',
  data_usage_mb: 4.25,
  data_usage_bytes: 4_456_448,
  sms_count: 2,
  session_count: 40,
  data_limit_mb: 10,
  cycle_start: timestampExample,
  cycle_end: timestampExample,
  usage_at: timestampExample,
  activated_at: timestampExample,
  metadata: {},
  created_at: timestampExample,
  updated_at: timestampExample,
}

export const Sim = Type.Object(
  {
    id: Type.String(),
    sim_id: Type.String({ description: 'The same as `id`.' }),
    iccid: Type.String({ description: 'As the operator gives it: 18 to 20 digits, with or without its check digit.' }),
    imsi: nullableText('International mobile subscriber identity.'),
    msisdn: nullableText('Its number, digits only. M2M numbers may have 13.'),
    eid: nullableText('Of an eUICC.'),
    imei: nullableText('Of the device that the operator last saw it in.'),
    connection_id: Type.String({ description: 'The operator connection it came by.' }),
    operator: Type.Enum(['cisco', 'airtel'], { type: 'string' }),
    status: simStatus,
    status_since: timestamp('When it came into this state.'),
    pending_action: nullable(
      Type.Enum([...simActionKinds], { type: 'string', description: 'What the operator is asked for at the moment.' }),
    ),
    pending_since: nullable(timestamp('Since when.')),
    possible: Type.Array(simStatus, { description: 'States that it can be brought to from here.' }),
    operator_status: nullableText('The state as the operator spells it.'),
    operator_synced_at: nullable(timestamp('When the operator last reported something of it.')),
    suspended_by: nullable(
      Type.Enum(['customer', 'system', 'operator'], { type: 'string', description: '`operator`: only the operator can lift it.' }),
    ),
    suspended_reason: nullableText('Why.'),
    safe_custody_until: nullable(timestamp('When safe custody ends by itself.')),
    terminates_at: nullable(timestamp('Until when a termination can be taken back.')),
    plan_id: nullableText('The rate plan it is billed by.'),
    rate_plan: nullableText('The operator’s name of its plan.'),
    communication_plan: nullableText('The operator’s name.'),
    apn: nullableText('Access point name.'),
    ip_address: nullableText('Where the operator gives it a fixed one.'),
    sub_client_id: nullableText('Whose it is.'),
    device_id: nullableText('Which device it is in.'),
    device_name: nullableText('What that device is called.'),
    data_usage_mb: Type.Number({ minimum: 0, description: 'In the cycle so far, in megabytes of 1,048,576 bytes.' }),
    data_usage_bytes: count('In the cycle so far.'),
    sms_count: count('In the cycle so far.'),
    session_count: count('In the cycle so far.'),
    data_limit_mb: nullable(dataLimitMb),
    cycle_start: nullable(timestamp('Of the operator’s cycle that the amounts are of.')),
    cycle_end: nullable(timestamp('When the next one begins.')),
    usage_at: nullable(timestamp('When the operator last reported an amount.')),
    activated_at: nullable(timestamp('When it was first active.')),
    metadata,
    created_at: timestamp('When it became known here.'),
    updated_at: timestamp('When something of it last changed.'),
  },
  { title: 'Sim', examples: [simExample] },
)
export type Sim = Static<typeof Sim>

export const SimAnswer = Type.Object({ success, sim: Sim }, { title: 'SimAnswer', description: 'The SIM as it is now.' })
export const SimList = Type.Object(
  { total, sims: Type.Array(Sim), pagination: Pagination },
  { title: 'SimList', description: 'A page of SIMs.' },
)

export const SimParams = Type.Object({
  sim: reference('SIM id, ICCID with or without its check digit, or number.', simIdExample),
})
export const SimListQuery = Type.Object({
  status: Type.Optional(simStatus),
  sub_client_id: subClientFilter,
  device_id: Type.Optional(reference('Only the SIM in this device.', deviceIdExample)),
  connection_id: Type.Optional(reference('Only SIMs of this operator connection.', connectionIdExample)),
  search: Type.Optional(
    Type.String({ pattern: '^[0-9]{3,20}$', description: 'Digits that stand anywhere in the ICCID, the number or the IMSI.' }),
  ),
  ...pageQuery,
})

const assignment = {
  device_id: Type.Optional(nullable(reference('Device id or IMEI; null takes it out. A device has one SIM.', deviceIdExample))),
  sub_client_id: Type.Optional(nullable(subClientId('Whose it is: that of its device, where it is in one. Null: nobody’s.'))),
  plan_id: Type.Optional(nullable(reference('The rate plan it is billed by; null: none.', 'm2m-10'))),
  data_limit_mb: Type.Optional(nullable(dataLimitMb)),
  metadata: Type.Optional(metadata),
}

export const SimCreate = Type.Object(
  {
    connection_id: reference('The operator connection it belongs to.', connectionIdExample),
    iccid: Type.String({
      pattern: '^[0-9]{18,20}$',
      description: '18 to 20 digits. Of 20, the last is the check digit.',
      examples: [iccidExample],
    }),
    imsi: Type.Optional(nullable(Type.String({ pattern: '^[0-9]{6,15}$' }))),
    msisdn: Type.Optional(nullable(Type.String({ pattern: '^[0-9]{7,15}$', description: 'Digits only.', examples: [msisdnExample] }))),
    rate_plan: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'The operator’s name of its plan.' })),
    ),
    ...assignment,
  },
  {
    title: 'SimCreate',
    description: 'A SIM that was bought and is not known yet. It begins in `inventory`, until the operator reports otherwise.',
    examples: [{ connection_id: connectionIdExample, iccid: iccidExample, sub_client_id: 'acme-logistics' }],
  },
)
export type SimCreate = Static<typeof SimCreate>

export const SimUpdate = Type.Object(assignment, {
  title: 'SimUpdate',
  minProperties: 1,
  description: 'What is left out stays; null clears.',
  examples: [{ device_id: deviceIdExample, sub_client_id: 'acme-logistics', data_limit_mb: 10 }],
})
export type SimUpdate = Static<typeof SimUpdate>

export const simChangeSource = Type.Enum(['request', 'system', 'operator'], {
  type: 'string',
  description: '`operator`: it was found to be so there. `system`: a date came, or what it belongs to changed.',
})

const SimHistoryEntry = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Counts the changes of this SIM.' }),
    at: timestamp('When it was known here. Billing uses it.'),
    change: Type.Enum(['created', 'status', 'allocation', 'plan', 'details'], { type: 'string', description: 'What changed.' }),
    status: simStatus,
    sub_client_id: nullableText('Whose it was from then on.'),
    device_id: nullableText('Which device it was in from then on.'),
    plan_id: nullableText('The rate plan from then on.'),
    source: simChangeSource,
    actor_type: Type.String({ description: 'A key, a user, the system, or the operator.' }),
    actor_id: Type.String({ description: 'Which one; of the operator, its connection.' }),
    reason: nullableText('Why.'),
    action_id: nullableText('The action that brought it.'),
  },
  {
    title: 'SimHistoryEntry',
    description: 'The whole state after a change.',
    examples: [
      {
        seq: 2,
        at: timestampExample,
        change: 'status',
        status: 'active',
        sub_client_id: 'acme-logistics',
        device_id: deviceIdExample,
        plan_id: 'm2m-10',
        source: 'request',
        actor_type: 'key',
        actor_id: 'key-2m6v1x9c4b7n0k3j5h8g',
        reason: null,
        action_id: actionIdExample,
      },
    ],
  },
)
export type SimHistoryEntry = Static<typeof SimHistoryEntry>
export const SimHistory = Type.Object(
  { total, history: Type.Array(SimHistoryEntry), pagination: Pagination },
  { title: 'SimHistory', description: 'A page of what happened to a SIM, newest first.' },
)
export const SimPageQuery = Type.Object(pageQuery)

const amounts = {
  data_usage_mb: Type.Number({ minimum: 0, description: 'Megabytes of 1,048,576 bytes.' }),
  data_usage_bytes: count('Bytes.'),
}
const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-01-31'] })
export const SimUsageQuery = Type.Object({
  from: Type.Optional(day('First day; left out: 30 days before `to`.')),
  to: Type.Optional(day('Last day; left out: today. At most 400 days after `from`.')),
})
export const SimUsage = Type.Object(
  {
    sim_id: Type.String(),
    time_zone: Type.String({ description: 'Of the reseller, by which days begin.' }),
    cycle: Type.Object(
      {
        start: nullable(timestamp('Null: the operator has reported nothing yet.')),
        end: nullable(timestamp('When the next one begins.')),
        ...amounts,
        sms_count: count('Messages.'),
        session_count: count('Sessions.'),
        usage_at: nullable(timestamp('When the operator last reported an amount.')),
      },
      { title: 'SimCycleUsage', description: 'The operator’s cycle that runs, cumulative.' },
    ),
    daily: Type.Array(Type.Object({ date: day('In the time zone of the reseller.'), ...amounts }, { title: 'SimDayUsage' }), {
      description: 'By the day on which the operator reported it; days without any are 0.',
    }),
  },
  {
    title: 'SimUsage',
    description: 'What a SIM used.',
    examples: [
      {
        sim_id: simIdExample,
        time_zone: 'Asia/Kolkata',
        cycle: {
          start: timestampExample,
          end: timestampExample,
          data_usage_mb: 4.25,
          data_usage_bytes: 4_456_448,
          sms_count: 2,
          session_count: 40,
          usage_at: timestampExample,
        },
        daily: [{ date: '2026-01-31', data_usage_mb: 0.5, data_usage_bytes: 524_288 }],
      },
    ],
  },
)
export type SimUsage = Static<typeof SimUsage>
