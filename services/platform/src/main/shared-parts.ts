// What every process of the platform has, whatever its roles: connections to the database, metrics, and the clients of what is elsewhere. Nothing here
// runs by itself but the connection that listens.

import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import {
  ACQUIRE_WHILE_STARTING_MS,
  type Database,
  type DatabaseUrls,
  openDatabase,
  type StorageError,
} from '@roadworthy/service-kit/postgres/db'
import { openNotifications } from '@roadworthy/service-kit/postgres/notifications'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { TraceOptions } from '@roadworthy/service-kit/telemetry/trace-settings'
import { createReservedHosts, type IsReservedHost } from '../brands/reserved-hosts.ts'
import { shownBrandOf } from '../brands/shown-brand.ts'
import { NodeGate } from '../cluster/node-gate.ts'
import { ClusterReach } from '../cluster/reach.ts'
import type { HistoryPlace } from '../history/history-place.ts'
import { createExits } from '../notifications/create-exits.ts'
import { createEngineClient } from '../predictions/engine/engine-client.ts'
import { SERVICE_VERSION } from '../surfaces/service-version.ts'
import { createTargetGuard } from '../webhooks/target-guard.ts'
import { connectionsOf } from './database/connections.ts'
import { StorageHealth } from './database/storage-health.ts'
import type { DemoFleetControl } from './demo/demo-fleet.ts'
import { createMetrics } from './http/metrics.ts'
import { createPost, type PostDeps } from './mail.ts'
import { measureEngine } from './measure-engine.ts'
import { createOperators } from './operators.ts'
import { createPayments } from './payments.ts'
import { rolesOf } from './roles.ts'
import { baseUrlOf } from './settings/address-settings.ts'
import type { PlatformSettings } from './settings/settings.ts'

export type PlatformOptions = {
  readonly settings: PlatformSettings
  readonly databaseUrls: DatabaseUrls
  readonly secretKey: string
  /** With `settings.mailFrom`; without it, links are in the answer to whoever invites, or made on the command line. */
  readonly smtpUrl?: string | undefined
  readonly mqttBrokerPassword?: string | undefined
  readonly brokerAuthSecret?: string | undefined
  readonly engineUrl: string
  readonly engineKey?: string | undefined
  /** Where readings of before are; undefined: they stay in PostgreSQL. */
  readonly historyPlace?: HistoryPlace | undefined
  /** Where traces go; undefined: there are none. */
  readonly tracing?: TraceOptions | undefined
  /** None where it is left out. */
  readonly demoFleet?: DemoFleetControl | undefined
  readonly log: Logger
  readonly now: () => Date
}

export type SharedParts = ReturnType<typeof createSharedParts>

export function createSharedParts(options: PlatformOptions) {
  const { settings, databaseUrls, secretKey, smtpUrl, engineUrl, engineKey, log, now } = options
  const roles = rolesOf(settings)
  const connectionCounts = connectionsOf(roles, settings)
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection was lost')
  const storage = new StorageHealth(settings.dataDir, log)
  const onStorageError = (error: StorageError) => storage.failed(error)
  const gate = new NodeGate()
  const acquireTimeoutMs = ACQUIRE_WHILE_STARTING_MS
  const database = openDatabase(databaseUrls, { ...connectionCounts.work, acquireTimeoutMs, onError, onStorageError, gate })
  const reached = new ClusterReach(database, { gate })
  const signInDatabase = openDatabase(databaseUrls, { ...connectionCounts.signIn, acquireTimeoutMs, onError, onStorageError })
  const publicDatabase = openDatabase(databaseUrls, { ...connectionCounts.public, acquireTimeoutMs, onError })
  const notifications = openNotifications({ connectionString: databaseUrls.direct.system, onError })
  // The port is known once it is open, and letters are sent later than that.
  const baseUrl = { known: baseUrlOf(settings, settings.port) }
  const isReservedHost = createReservedHosts(baseUrl.known, settings.reservedHosts ?? '')
  const present = presentBrand(database, isReservedHost, baseUrl)
  const notices = createPost({
    mailServer: smtpUrl === undefined || settings.mailFrom === undefined ? undefined : { url: smtpUrl, from: settings.mailFrom },
    present,
    random: Math.random,
    log,
  })
  const webhookTargets = createTargetGuard({ allowCidrs: settings.webhookAllowCidrs ?? '', resolveName })
  const metrics = createMetrics(SERVICE_VERSION)
  /** It listens, and who asks it is not to wait for long. */
  const started = () => {
    for (const each of [database, signInDatabase, publicDatabase]) each.acquireInTime()
  }
  const closeDatabases = async () =>
    void (await Promise.all([notifications, database, signInDatabase, publicDatabase].map((each) => each.close())))
  return {
    ...{
      roles,
      connectionCounts,
      storage,
      database,
      reached,
      signInDatabase,
      publicDatabase,
      notifications,
      notices,
      present,
      baseUrl,
      isReservedHost,
    },
    ...{ exits: createExits({ secretKey, present, guard: webhookTargets }), webhookTargets, started, closeDatabases },
    metrics,
    engine: measureEngine(createEngineClient({ engineUrl, engineKey, random: Math.random }), metrics),
    operators: createOperators({ database, settings, secretKey, now, log }),
    payments: createPayments({ settings, secretKey, now, log }, database, () => baseUrl.known),
  }
}

/** The same service under a host name of a brand: scheme and port stay. */
function atHost(baseUrl: string, host: string | undefined): string {
  const url = new URL(baseUrl)
  url.hostname = host ?? url.hostname
  return url.href.replace(/\/$/, '')
}

function presentBrand(database: Database, isReservedHost: IsReservedHost, baseUrl: { readonly known: string }): PostDeps['present'] {
  return async (resellerId, subClientId) => {
    const { name, host, colour } = await shownBrandOf(database, isReservedHost, { resellerId, subClientId })
    return { name, baseUrl: atHost(baseUrl.known, host), colour }
  }
}
