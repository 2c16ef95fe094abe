// The role `api`: the REST APIs, the dashboard and the documentation. Readings are taken by a process with the role `receivers`, which may be the same.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Ingest } from '../ingest/inbound.ts'
import type { PastReadings } from '../readings/past-readings.ts'
import type { Callers } from './callers.ts'
import { retentionsOf } from './database/housekeeping.ts'
import type { HttpDeps } from './http/build-http.ts'
import { readingWindowOf } from './ingest-parts.ts'
import { brokerAccountsOf } from './mqtt.ts'
import type { Part } from './part.ts'
import type { ReceiverParts } from './role-receivers.ts'
import { hostAndPort } from './settings/address-settings.ts'
import { mqttAddressOf } from './settings/broker-settings.ts'
import { servedMapOf } from './settings/map-settings.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'
import { createStreams } from './streams.ts'

export type ApiParts = {
  /** What `buildHttp` needs beyond what every process has. */
  readonly http: Omit<HttpDeps, 'checks' | 'isStopping' | 'logger' | 'trustProxy' | 'beforeRoutes' | 'besideSurfaces'>
  readonly parts: readonly Part[]
}

/** `receivers`: of this process. `mqttPort`: asked when it is needed, because the port is known late. */
export function createApi(
  options: PlatformOptions,
  shared: SharedParts,
  { access, requestLog, past }: Callers & { readonly past: PastReadings },
  receivers: ReceiverParts | undefined,
  mqttPort: () => number | undefined,
): ApiParts {
  const { settings, secretKey, now } = options
  const { database, publicDatabase, engine, webhookTargets, operators, payments, isReservedHost, present, exits } = shared
  // Tests of connections are made in a process that reads none.
  const streams = receivers === undefined ? createStreams(options, shared, { isReading: false }) : undefined
  streams?.start()
  return {
    parts: streams === undefined ? [] : [{ name: 'tests of streams', stop: () => streams.stop() }],
    http: {
      ...{ database, publicDatabase, access, requestLog, past, engine, secretKey, webhookTargets, operators, payments, now },
      ...{ isReservedHost, present, exits, ...retentionsOf(settings), map: servedMapOf(settings), demoFleet: options.demoFleet },
      ingest: receivers?.ingest ?? refuseReadings,
      mqtt: { broker: () => hostAndPort(mqttAddressOf(settings, mqttPort())), topicPrefix: settings.mqttTopicPrefix },
      window: readingWindowOf(settings),
      streams: (receivers?.streams ?? streams?.routes) as HttpDeps['streams'],
      baseUrl: settings.baseUrl,
      securityContact: settings.securityContact,
      offlineAfterMs: settings.deviceOfflineAfterS * 1000,
      fleetChanged: receivers?.fleetChanged ?? (() => undefined),
      brokerAccounts: brokerAccountsOf(options),
    },
  }
}

/** 503, which devices repeat: a router in front that is not set up yet loses no reading. */
const refuseReadings: Ingest = () =>
  Promise.reject(
    new Problem('unavailable', 'This process takes no readings (ROLES). Send readings to a process with the role receivers.', {
      retryAfterS: 1,
    }),
  )
