// Spec gap §1, §4.1: connections to the platforms of mobile-network operators. Credentials go in and never come out.

import { type Static, Type } from 'typebox'
import { success } from '../external/references.ts'
import { nullable, oneLine, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { planId } from './billing-fields.ts'

export const connectionIdExample = 'opc-3f8k1m6q9t2w5z8c1v4b'

const operatorNames = ['cisco', 'airtel'] as const

const operator = Type.Enum([...operatorNames], {
  type: 'string',
  description: '`cisco`: Cisco IoT Control Center. `airtel`: Airtel IoT platform.',
})
const name = Type.String({ minLength: 1, maxLength: 100, ...oneLine, description: 'For people.', examples: ['Airtel, main account'] })
const enabled = Type.Boolean({ description: 'Whether it is synchronised, and actions go to it.' })
const baseUrl = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Of the operator’s API, as its documents name it. https, and a public address.',
  examples: ['https://restapi3.jasper.com/rws/api/v1'],
})
const settingValue = Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 200 })
const settings = Type.Record(Type.String(), settingValue, {
  description: 'What the operator’s platform needs beside credentials, by operator; see the guide on SIMs.',
  examples: [{ time_zone: 'Asia/Kolkata', cycle_day: 1, basket_id: 2041, customer_id: '10023', iv_user: 'fleet' }],
})
const credentials = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 1_000 }), {
  description: 'By operator; see the guide on SIMs. Sealed at rest and never shown again.',
  examples: [{ username: 'fleet', api_key: 'k7f3d9s2m5' }],
})
const custodyMinDays = Type.Integer({
  minimum: 0,
  maximum: 365,
  description: 'A SIM stays in safe custody this long at least, for its fee; it may come out of it sooner.',
})
const custodyMaxDays = Type.Integer({ minimum: 1, maximum: 365, description: 'And this long at most.' })
const custodyOnExpiry = Type.Enum(['suspend', 'activate'], {
  type: 'string',
  description: 'What becomes of a SIM whose safe custody ends by itself.',
})
const terminationGraceDays = Type.Integer({
  minimum: 0,
  maximum: 90,
  description: 'For so long a termination can be taken back by activating the SIM.',
})
const syncEveryMinutes = Type.Integer({ minimum: 5, maximum: 10_080, description: 'How often it is synchronised by itself.' })

const defaultPlanId = nullable(
  planId(
    'Rate plan of its SIMs that no rate plan claims by the operator’s name of theirs, such as those found in safe custody; null: none.',
  ),
)

/** Airtel's five days after a temporary disconnect; 30 and 90 days of custody as consumer tariffs have it. The contract decides all of them. */
export const connectionDefaults = {
  enabled: true,
  custody_min_days: 30,
  custody_max_days: 90,
  custody_on_expiry: 'suspend',
  termination_grace_days: 5,
  sync_every_minutes: 60,
  default_plan_id: null,
} as const

const terms = {
  custody_min_days: custodyMinDays,
  custody_max_days: custodyMaxDays,
  custody_on_expiry: custodyOnExpiry,
  termination_grace_days: terminationGraceDays,
  sync_every_minutes: syncEveryMinutes,
  default_plan_id: defaultPlanId,
}

const shared = {
  name: 'Airtel, main account',
  base_url: 'https://m2m.airteliot.co.in/iot/api',
  settings: { time_zone: 'Asia/Kolkata', cycle_day: 1, cycle_settle_minutes: 120, basket_id: 2041, customer_id: '10023', iv_user: 'fleet' },
}

export const OperatorConnection = Type.Object(
  {
    connection_id: Type.String(),
    operator,
    name,
    enabled,
    base_url: baseUrl,
    settings,
    credential_names: Type.Array(Type.String(), { description: 'Which credentials are stored.' }),
    ...terms,
    sim_count: Type.Integer({ minimum: 0, description: 'SIMs of this connection, terminated ones included.' }),
    synced_until: nullable(timestamp('Everything that changed at the operator until then is known here.')),
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it was last changed.'),
  },
  {
    title: 'OperatorConnection',
    description: 'An account at an operator’s platform, without its credentials.',
    examples: [
      {
        connection_id: connectionIdExample,
        operator: 'airtel',
        ...shared,
        ...connectionDefaults,
        credential_names: ['api_key', 'client_id', 'client_secret'],
        sim_count: 120,
        synced_until: timestampExample,
        created_at: timestampExample,
        updated_at: timestampExample,
      },
    ],
  },
)
export type OperatorConnection = Static<typeof OperatorConnection>

export const OperatorConnectionCreate = Type.Object(
  {
    operator,
    name,
    base_url: baseUrl,
    credentials,
    settings: Type.Optional(settings),
    enabled: Type.Optional({ ...enabled, default: connectionDefaults.enabled }),
    custody_min_days: Type.Optional({ ...custodyMinDays, default: connectionDefaults.custody_min_days }),
    custody_max_days: Type.Optional({ ...custodyMaxDays, default: connectionDefaults.custody_max_days }),
    custody_on_expiry: Type.Optional({ ...custodyOnExpiry, default: connectionDefaults.custody_on_expiry }),
    termination_grace_days: Type.Optional({ ...terminationGraceDays, default: connectionDefaults.termination_grace_days }),
    sync_every_minutes: Type.Optional({ ...syncEveryMinutes, default: connectionDefaults.sync_every_minutes }),
    default_plan_id: Type.Optional(defaultPlanId),
  },
  {
    title: 'OperatorConnectionCreate',
    examples: [
      { operator: 'airtel', ...shared, credentials: { client_id: 'fleet', client_secret: 's3cr3t-of-the-account', api_key: 'k7f3d9s2m5' } },
    ],
  },
)
export type OperatorConnectionCreate = Static<typeof OperatorConnectionCreate>

export const OperatorConnectionUpdate = Type.Object(
  {
    name: Type.Optional(name),
    base_url: Type.Optional(baseUrl),
    credentials: Type.Optional(credentials),
    settings: Type.Optional(settings),
    enabled: Type.Optional(enabled),
    custody_min_days: Type.Optional(custodyMinDays),
    custody_max_days: Type.Optional(custodyMaxDays),
    custody_on_expiry: Type.Optional(custodyOnExpiry),
    termination_grace_days: Type.Optional(terminationGraceDays),
    sync_every_minutes: Type.Optional(syncEveryMinutes),
    default_plan_id: Type.Optional(defaultPlanId),
  },
  {
    title: 'OperatorConnectionUpdate',
    minProperties: 1,
    description:
      'What is left out stays. `credentials` and `settings` replace all of theirs. A `base_url` with another scheme, host or port needs the credentials again.',
    examples: [{ custody_on_expiry: 'activate' }],
  },
)
export type OperatorConnectionUpdate = Static<typeof OperatorConnectionUpdate>

export const OperatorConnectionAnswer = Type.Object(
  { success, connection: OperatorConnection },
  { title: 'OperatorConnectionAnswer', description: 'The connection as it is now.' },
)
export const OperatorConnectionList = Type.Object(
  { total, connections: Type.Array(OperatorConnection), pagination: Pagination },
  { title: 'OperatorConnectionList', description: 'A page of connections.' },
)
export const OperatorConnectionDeleted = Type.Object(
  { success, connection_id: Type.String({ examples: [connectionIdExample] }) },
  { title: 'OperatorConnectionDeleted', description: 'It is forgotten.' },
)
export const OperatorConnectionTest = Type.Object(
  {
    success: Type.Boolean({ description: 'Whether the operator’s platform took the credentials and answered.' }),
    message: Type.String({ description: 'What it answered; of a failure, what was wrong.' }),
    duration_ms: Type.Integer({ minimum: 0 }),
  },
  {
    title: 'OperatorConnectionTest',
    description: 'What a call with these credentials brought.',
    examples: [{ success: false, message: 'The operator refused the credentials.', duration_ms: 180 }],
  },
)
export type OperatorConnectionTest = Static<typeof OperatorConnectionTest>

export const OperatorConnectionParams = Type.Object({
  connection_id: Type.String({ minLength: 1, maxLength: 200, examples: [connectionIdExample] }),
})
export const OperatorConnectionListQuery = Type.Object(pageQuery)
