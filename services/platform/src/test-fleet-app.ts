// For tests only: the External routes of the fleet and devices slices behind a receiver that believes whoever calls.

import type { Device } from '@roadworthy/contracts/external/devices'
import type { Location } from '@roadworthy/contracts/external/locations'
import type { SubClient } from '@roadworthy/contracts/external/sub-clients'
import type { Vehicle } from '@roadworthy/contracts/external/vehicles'
import type { Position } from '@roadworthy/contracts/platform-v1/positions'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import type { BrokerAccounts } from './devices/broker-accounts.ts'
import { deviceExternalRoutes } from './devices/device.routes.external.ts'
import { deviceLinks } from './devices/device-links.ts'
import { locationExternalRoutes } from './devices/location.routes.external.ts'
import { positionPlatformRoutes } from './devices/position.routes.platform-v1.ts'
import { subClientExternalRoutes } from './fleet/sub-client.routes.external.ts'
import { vehicleExternalRoutes } from './fleet/vehicle.routes.external.ts'
import { clearDue, markDue } from './readings/due.sql.ts'
import { createReading, type ReadingContent } from './readings/reading.ts'
import { sourceOfNamed } from './readings/source-id.ts'
import { externalSurface } from './surfaces/errors.ts'
import { insertReseller, openTestDatabase, storeReadings, TEST_SECRET_KEY } from './test-support.ts'

/** Every field an answer may hold; a test knows which of them its route gives. */
export type AnswerBody = {
  readonly success: boolean
  readonly error: { code: string; message: string; details?: Record<string, unknown> }
  readonly total: number
  readonly pagination: { endCursor: string | null; hasNextPage: boolean }
  readonly sub_client: SubClient
  readonly sub_clients: SubClient[]
  readonly devices_unassigned: number
  readonly device_id: string
  readonly status: string
  readonly mqtt_username: string
  readonly mqtt_password: string
  readonly mqtt_password_hash: string
  readonly decommissioned_at: string
  readonly previous_valid_until: string | null
  readonly device: Device
  readonly devices: Device[]
  readonly vehicle_id: string
  readonly sub_client_id: string
  readonly created: boolean
  readonly vehicle: Vehicle
  readonly vehicles: Vehicle[]
  readonly location: Location
  readonly locations: Location[]
  /** Of an answer in lines. */
  readonly lines: Position[]
}
export type Answer = { readonly status: number; readonly body: AnswerBody }
export type Call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Answer>

export type FleetApp = {
  readonly database: Database
  /** Calls as a reseller, which is made when it is new; with a pin, as a key that belongs to one of its sub-clients. */
  as(resellerId: string, pin?: string): Call
  /** What the clock of the app shows. */
  readonly clock: { now: Date }
  /** Resellers whose change was notified. */
  readonly changed: string[]
  /** The device reports something, of a vehicle it names or of none, through the writer that ingest uses. */
  hear(resellerId: string, deviceId: string, given: Partial<ReadingContent>, receivedAt: Date, vehicleId?: string): Promise<void>
  query(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>
}

export async function openFleetApp(
  t: CleanUp,
  resellerIds: readonly string[],
  { brokerAccounts }: { brokerAccounts?: BrokerAccounts } = {},
): Promise<FleetApp> {
  const clock = { now: new Date() }
  const { database } = await openTestDatabase(t, clock.now)
  for (const resellerId of resellerIds) await insertReseller(database, resellerId)

  const app = createHttpApp({ logger: false })
  speakSurface(app, externalSurface)
  app.addHook('onRequest', async (request) => {
    const { 'x-test-reseller': resellerId, 'x-test-pin': pin } = request.headers
    request.caller = { resellerId: String(resellerId), keyId: 'key-test', scopes: new Set(['*']), subClientPin: pin as string | undefined }
  })
  const changed: string[] = []
  const deps = {
    database,
    now: () => clock.now,
    offlineAfterMs: 300_000,
    deviceLinks,
    forgetDue: clearDue,
    markDue,
    sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
    brokerAccounts,
    mqtt: { broker: () => 'mqtt.example.com:1883', topicPrefix: 'fleet' },
    fleetChanged: (resellerId: string) => changed.push(resellerId),
  }
  await app.register(subClientExternalRoutes(deps))
  await app.register(vehicleExternalRoutes(deps))
  await app.register(deviceExternalRoutes(deps))
  await app.register(locationExternalRoutes(deps))
  await app.register(positionPlatformRoutes(deps))
  t.after(() => app.close())

  return {
    database,
    clock,
    changed,
    as: (resellerId, pin) => async (method, path, body) => {
      const headers = { 'x-test-reseller': resellerId, 'x-request-id': 'same', ...(pin === undefined ? {} : { 'x-test-pin': pin }) }
      const response = await app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body as object }) })
      const isLines = String(response.headers['content-type']).startsWith('application/x-ndjson')
      return { status: response.statusCode, body: (isLines ? { lines: linesOf(response.body) } : response.json()) as AnswerBody }
    },
    hear: async (resellerId, deviceId, given, receivedAt, vehicleId) => {
      const content = { recordedAtMs: receivedAt.getTime(), position: undefined, signals: {}, attributes: {}, implausible: [], ...given }
      const sourceId = vehicleId === undefined ? deviceId : sourceOfNamed(deviceId, vehicleId)
      const about = { kind: 'track', resellerId, sourceId, deviceId, vehicleId, subClientId: undefined } as const
      const reading = createReading(content, { ...about, receivedAtMs: receivedAt.getTime() })
      await storeReadings(database, [reading])
    },
    query: async (sql, ...values) => (await database.systemPool.query(sql, values)).rows,
  }
}

function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}
