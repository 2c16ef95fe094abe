// What moves when a reseller moves to another installation, table by table. A test compares the two lists with the schema, so that a new table has to be decided.

import { CHANNEL_SECRETS, channelTargetContext } from '../notifications/channels/channel.ts'
import { GATEWAY_SECRETS, gatewaySecretsContext } from '../payments/gateway-connection.ts'
import { OPERATOR_SECRETS, operatorSecretsContext } from '../sims/connections/operator-secrets.ts'
import { STREAM_SECRETS, streamSecretsContext } from '../streams/secrets.ts'
import { WEBHOOK_SECRETS, webhookContext } from '../webhooks/secrets.ts'

/** A row as JSON, its columns by their names. */
export type MovedRow = Readonly<Record<string, unknown>>

/**
 * How a column travels that is in no file in the clear. `hash`: as it is, encrypted. `sealed`: it is under the key of its installation, so it is opened there and sealed
 * again under the key of the other one.
 */
export type SecretColumn = 'hash' | { readonly purpose: string; readonly context: (row: MovedRow) => string }

export type MovedTable = {
  readonly name: string
  /**
   * Which of the reseller's rows; `t` is the row. It holds in the other installation too: a row of an export that does not meet it is refused there, so that it also keeps
   * rows from naming what belongs to others where no foreign key does.
   */
  readonly only?: string
  readonly secrets?: Readonly<Record<string, SecretColumn>>
  /** Columns that are in no export, with the SQL of what they arrive as. */
  readonly arrivesAs?: Readonly<Record<string, string>>
  /** Of a table that is partitioned by weeks: the column that it is partitioned by. */
  readonly weeksOf?: string
}

/** Devices and vehicles of others are named by nothing that moves. `t.source_id`: `readings/source-id.ts`. */
const OWN_SOURCE = `not exists (select from devices d where d.device_id = split_part(t.source_id, '.', 1) and d.reseller_id <> t.reseller_id)
  and not exists (select from vehicles v where v.vehicle_id = split_part(t.source_id, '.', 1) and v.reseller_id <> t.reseller_id)
  and not exists (select from vehicles v where v.vehicle_id = split_part(t.source_id, '.', 2) and v.reseller_id <> t.reseller_id)`
/** What the operator of the installation bills the reseller stays in the operator's book. */
const OWN_INVOICE = `exists (select from invoices i
  where i.reseller_id = t.reseller_id and i.invoice_id = t.invoice_id and i.issuer_id = i.reseller_id)`
const OWN_GATEWAY = `exists (select from gateway_connections c where c.reseller_id = t.reseller_id and c.connection_id = t.connection_id)`
const OWN_ATTEMPT = `${OWN_GATEWAY} and exists (select from payment_attempts a
  where a.reseller_id = t.reseller_id and a.attempt_id = t.attempt_id and a.issuer_id = a.reseller_id)`
const OWN_ISSUER = 't.issuer_id = t.reseller_id'

const text = (value: unknown) => String(value)
const ofConnection = (row: MovedRow) => ({ resellerId: text(row['reseller_id']), connectionId: text(row['connection_id']) })
const ofEndpoint = (row: MovedRow) => ({ resellerId: text(row['reseller_id']), endpointId: text(row['endpoint_id']) })
/** Two installations of one reseller would both act on what is outside of them: the new one begins when somebody switches it on. */
const SWITCHED_OFF = { enabled: 'false' }

/** In the order in which they are loaded: what a row refers to comes before it. */
export const movedTables: readonly MovedTable[] = [
  { name: 'resellers' },
  { name: 'sub_clients' },
  { name: 'vehicles', only: 'not exists (select from vehicles v where v.vehicle_id = t.vehicle_id and v.reseller_id <> t.reseller_id)' },
  { name: 'devices', secrets: { mqtt_secret_sha256: 'hash', mqtt_password_hash: 'hash', previous_secret_sha256: 'hash' } },
  { name: 'device_tokens', secrets: { token_sha256: 'hash' } },
  { name: 'vehicle_groups' },
  { name: 'vehicle_group_members' },
  { name: 'vehicle_meters' },
  { name: 'vehicle_sources', only: OWN_SOURCE },
  { name: 'vehicle_use', weeksOf: 'day' },
  { name: 'latest_states', only: OWN_SOURCE },
  { name: 'reading_alarms', arrivesAs: { traceparent: 'null' } },
  { name: 'unlinked_device_alarms', arrivesAs: { traceparent: 'null' } },
  { name: 'readings_retention' },
  // People come without passwords: they are invited anew.
  { name: 'users', arrivesAs: { password_scrypt: 'null' } },
  { name: 'api_keys', secrets: { key_sha256: 'hash' } },
  { name: 'brands' },
  { name: 'brand_logos' },
  { name: 'vehicle_health' },
  { name: 'health_history', weeksOf: 'scored_at' },
  { name: 'predictions' },
  { name: 'incidents' },
  { name: 'alerts' },
  { name: 'maintenance_schedules' },
  { name: 'maintenance_records' },
  { name: 'prediction_outcomes' },
  { name: 'odometer_corrections' },
  { name: 'calendar_links', secrets: { token_sha256: 'hash' } },
  {
    ...{ name: 'notification_channels' },
    secrets: {
      target_sealed: {
        purpose: CHANNEL_SECRETS,
        context: (row) => channelTargetContext({ resellerId: text(row['reseller_id']), channelId: text(row['channel_id']) }),
      },
    },
  },
  { name: 'notification_rules' },
  { name: 'notifications' },
  {
    ...{ name: 'webhook_endpoints' },
    secrets: {
      secrets_sealed: { purpose: WEBHOOK_SECRETS, context: (row) => webhookContext('secrets', ofEndpoint(row)) },
      headers_sealed: { purpose: WEBHOOK_SECRETS, context: (row) => webhookContext('headers', ofEndpoint(row)) },
    },
  },
  {
    ...{ name: 'stream_connections', arrivesAs: SWITCHED_OFF },
    secrets: { secrets_sealed: { purpose: STREAM_SECRETS, context: (row) => streamSecretsContext(text(row['reseller_id'])) } },
  },
  // The other installation goes on reading where this one was.
  { name: 'stream_offsets' },
  { name: 'usage_chains' },
  { name: 'usage_lines' },
  { name: 'usage_entries' },
  { name: 'usage_days' },
  { name: 'usage_months' },
  { name: 'usage_periods' },
  { name: 'usage_thresholds' },
  { name: 'usage_active_devices' },
  {
    ...{ name: 'operator_connections', arrivesAs: SWITCHED_OFF },
    secrets: { secrets_sealed: { purpose: OPERATOR_SECRETS, context: (row) => operatorSecretsContext(ofConnection(row)) } },
  },
  { name: 'sims' },
  { name: 'sim_actions' },
  { name: 'sim_anomalies' },
  { name: 'sim_history' },
  { name: 'sim_usage' },
  { name: 'sim_holds' },
  { name: 'sim_syncs', only: `t.status <> 'running'` },
  { name: 'billing_settings' },
  { name: 'billing_customers' },
  { name: 'billing_months' },
  { name: 'price_lists' },
  { name: 'rate_plans' },
  { name: 'invoices', only: OWN_ISSUER },
  { name: 'invoice_inputs', only: OWN_INVOICE },
  { name: 'invoice_lines', only: OWN_INVOICE },
  { name: 'ledger_entries' },
  { name: 'ledger_postings' },
  {
    ...{ name: 'gateway_connections', arrivesAs: SWITCHED_OFF },
    secrets: { secrets_sealed: { purpose: GATEWAY_SECRETS, context: (row) => gatewaySecretsContext(ofConnection(row)) } },
  },
  { name: 'gateway_events', only: OWN_GATEWAY },
  { name: 'payment_attempts', only: `${OWN_ISSUER} and ${OWN_GATEWAY}` },
  { name: 'payment_captures', only: OWN_ATTEMPT },
  { name: 'payment_refunds', only: OWN_ATTEMPT },
  { name: 'payment_disputes', only: OWN_ATTEMPT },
  { name: 'recorded_payments', only: OWN_ISSUER },
  // What is due is done by the installation that the reseller is in.
  { name: 'jobs', arrivesAs: { claim_id: 'null', claimed_until: 'null', traceparent: 'null' } },
  { name: 'audit_log', weeksOf: 'at' },
  { name: 'audit_log_starts' },
]

/** What they hold moves in the files of the readings. */
export const tablesOfReadings: readonly string[] = ['readings', 'sealed_readings_files']

/** Tables of which nothing moves, and why. */
export const tablesLeft: Readonly<Record<string, string>> = {
  readings_sealed: 'each installation seals by itself',
  readings_cleared: 'each installation deletes by itself what is past its time',
  trace_marks: 'they name traces of one installation, of the last hour',
  reading_effects: 'a worker adds them to the tables that move, within seconds',
  events: 'positions of the log count within one installation; a follower begins anew',
  event_outbox: 'a relay puts them into the log, within seconds',
  event_log_starts: 'it belongs to the log of one installation',
  webhook_messages: 'the installation that began a delivery ends it',
  webhook_deliveries: 'the installation that began a delivery ends it',
  webhook_attempts: 'they are of deliveries that do not move',
  brand_hosts: 'a name is proved to the installation that answers under it: claim it there',
  brand_host_claims: 'a name is proved to the installation that answers under it: claim it there',
  push_subscriptions: 'a browser subscribes to one installation: it is asked again there',
  sessions: 'people sign in anew',
  user_links: 'links name the address of one installation: invite anew',
  known_sign_ins: 'they are kept under a key of the installation',
  sign_in_rates: 'they are kept under a key of the installation',
  device_registrations: 'they answer a registration that is repeated within a day',
  idempotency_keys: 'they answer a call that is repeated within a day',
  rate_windows: 'they count calls of the last minute and day',
  request_log: 'it is kept for days, for the calls of one installation',
  device_messages: 'they are kept for days, while somebody looks',
  message_recordings: 'they end within minutes',
  device_presence: 'the process that a device is connected to finds out whether it is online',
  device_connections: 'connections are of one installation',
  connection_leases: 'connections are of one installation',
  broker_account_changes: 'they are for the broker of one installation',
  stream_consumers: 'they describe consumers of one installation',
  stream_leases: 'they are of processes of one installation',
  stream_receivers: 'they are of processes of one installation',
  stream_strikes: 'they are of processes of one installation',
  scoring_claims: 'they are of processes of one installation',
  usage_turns: 'a reseller gets its own when it is made',
  operator_calls: 'they count calls of the last minutes',
  installation_key: 'it is of the installation',
  schema_migrations: 'it is of the installation',
}
