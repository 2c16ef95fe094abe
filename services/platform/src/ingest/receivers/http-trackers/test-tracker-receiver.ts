// For tests only: the routes of phones and trackers over a database of their own, with the real pipeline, devices that are registered through the API, and
// the readings that came of what they sent.

import assert from 'node:assert/strict'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { devicePlatformRoutes } from '../../../devices/device.routes.platform-v1.ts'
import { createDirectory } from '../../../devices/directory.ts'
import { markDue } from '../../../readings/due.sql.ts'
import { MessageRecorder } from '../../../readings/message-recorder.ts'
import { messagePlatformRoutes } from '../../../readings/messages.routes.platform-v1.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../../../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../../../test-support.ts'
import { defaultGroupCommitLimits } from '../../group-commit.ts'
import type { Ingest } from '../../inbound.ts'
import { createIngestPipeline } from '../../pipeline.ts'
import { unlimited } from '../../reading-quota.ts'
import { forwardExternalRoutes } from './forward.routes.external.ts'
import { trackerExternalRoutes } from './tracker.routes.external.ts'

export type StoredRow = {
  device_id: string
  recorded_at: Date
  latitude: number | null
  longitude: number | null
  signals: Record<string, number> | null
  attributes: Record<string, unknown> | null
}

export const PREFIX = '/api/external/ingest'

/** A store that is away, or refuses each first reading for this reason. */
export type Fault = 'away' | 'held' | 'quota' | undefined

function withFaults(ingest: Ingest, fault: () => Fault): Ingest {
  return async (batch, progress, options) => {
    const now = fault()
    if (now === undefined) return await ingest(batch, progress, options)
    if (now === 'away') throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const problem = now === 'held' ? new Problem('unavailable', 'Held.', { retryAfterS: 1 }) : new Problem('quota_exceeded', 'Used up.')
    return [{ status: 'refused', problem }, ...(await ingest(batch.slice(1), progress, options))]
  }
}

/** `arrivedAt`: by what the rate of a device is counted. */
export async function openTrackerReceiver(t: CleanUp, fault: () => Fault = () => undefined, arrivedAt = () => new Date()) {
  const cleanUp = lastFirst(t)
  const { database } = await openTestDatabase(cleanUp)
  const now = () => new Date()
  const { apiKey } = await insertResellerWithKey(database, 'acme')
  const directory = createDirectory({ database, now, onFleetChanged: () => undefined })
  const recorder = new MessageRecorder(database, now)
  const pipeline = createIngestPipeline({
    database,
    recorder,
    directory,
    now,
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: defaultGroupCommitLimits,
    onUnstorable: (error) => console.error(error),
  })
  const ingest = withFaults(pipeline.ingest, fault)
  const fleetChanged = (resellerId: string) => directory.forget(resellerId)
  const { app, access } = await openTestApi(cleanUp, database, {
    external: [trackerExternalRoutes({ ingest, access: lateAccess(), now: arrivedAt }), forwardExternalRoutes({ ingest })],
    platform: [
      devicePlatformRoutes({
        ...{ database, now, fleetChanged, markDue, offlineAfterMs: 300_000 },
        sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
        mqtt: { broker: () => 'localhost:1883', topicPrefix: 'fleet' },
      }),
      messagePlatformRoutes({ database, now, topicPrefix: 'fleet' }),
    ],
  })
  function lateAccess() {
    // The routes are handed in before the access is made.
    return {
      get deviceTokens() {
        return access.deviceTokens
      },
      refuseCredential: (...given: Parameters<typeof access.refuseCredential>) => access.refuseCredential(...given),
      callOfDevice: (...given: Parameters<typeof access.callOfDevice>) => access.callOfDevice(...given),
    }
  }
  const api = async <Answer>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<Answer> => {
    const headers = { 'x-api-key': apiKey }
    const response = await app.inject({ method, url: `/api/v1${url}`, headers, ...(payload === undefined ? {} : { payload }) })
    assert.equal(response.statusCode, 200, response.body)
    return response.json<Answer>()
  }
  const register = (body: object) => api<{ id: string; trackerToken?: string }>('POST', '/devices', body)
  const readings = async (deviceId: string): Promise<StoredRow[]> => {
    const { rows } = await database.systemPool.query<StoredRow>(
      `select device_id, recorded_at, latitude, longitude, signals, attributes from readings where source_id = $1 order by recorded_at`,
      [deviceId],
    )
    return rows
  }
  return { app, access, database, apiKey, api, recorder, register, readings, pipeline }
}
