import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeviceMessages, StartRecording, Recording as WireRecording } from '@roadworthy/contracts/platform-v1/device-messages'
import { DeviceParams } from '@roadworthy/contracts/platform-v1/devices'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { authorOf, writeAudit } from '../audit/audit.ts'
import { requireDevice } from '../devices/device-desk.ts'
import { selectNewestReadingsOfDevice, selectReadingsByKey } from './device-readings.read.sql.ts'
import {
  countOtherRecordings,
  deleteRecording,
  MAX_KEPT_MESSAGES,
  selectMessages,
  selectRecordedUntil,
  upsertRecording,
} from './messages.sql.ts'
import { parseReadingId } from './reading-id.ts'
import { mergeMessages } from './shown-message.ts'

export type MessageRouteDeps = { readonly database: Database; readonly now: () => Date; readonly topicPrefix: string }

const tags = ['Devices']
/** Readings from before then are not looked for: each week of them is a partition. */
const SHOWN_MS = 30 * 86_400_000
const DEFAULT_MINUTES = 15
/** Of one reseller at a time: what is recorded is written once more than what is only stored. */
const MAX_RECORDED_DEVICES = 20

export function messagePlatformRoutes(deps: MessageRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoute(app as App, deps)
    addStartRoute(app as App, deps)
    addStopRoute(app as App, deps)
  }
}

function addReadRoute(app: App, { database, now, topicPrefix }: MessageRouteDeps): void {
  app.get(
    '/devices/:id/messages',
    {
      config: { scope: 'telemetry:read' },
      schema: {
        operationId: 'listDeviceMessages',
        summary: 'The last 50 messages of a device, with what was understood, kept and refused',
        description:
          'Refused messages are always here, for 7 days. Those that were stored are shown by their reading; as they were sent only while messages are recorded.',
        tags,
        params: DeviceParams,
        response: { 200: DeviceMessages, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const { resellerId, subClientPin } = caller
      const db = database.tenantPool(resellerId)
      const { deviceId } = await requireDevice(db, caller, params.id)
      const at = now()
      const since = new Date(at.getTime() - SHOWN_MS)
      const [until, kept, newest] = await Promise.all([
        selectRecordedUntil(db, resellerId, deviceId, at),
        selectMessages(db, { resellerId, deviceId, subClientPin }),
        selectNewestReadingsOfDevice(db, resellerId, { deviceId, subClientPin, since, until: at, limit: MAX_KEPT_MESSAGES }),
      ])
      const keys = kept.flatMap(({ readingId }) => parseReadingId(readingId ?? '') ?? [])
      const recorded = await selectReadingsByKey(db, resellerId, keys)
      return {
        deviceId,
        recordingUntil: until?.toISOString() ?? null,
        errorsTopic: `${topicPrefix}/${resellerId}/devices/${deviceId}/errors`,
        messages: mergeMessages(kept, [...recorded, ...newest], MAX_KEPT_MESSAGES),
      }
    },
  )
}

function addStartRoute(app: App, { database, now }: MessageRouteDeps): void {
  app.post(
    '/devices/:id/messages/recording',
    {
      config: { scope: 'devices:write', bodyMayBeMissing: true },
      schema: {
        operationId: 'startMessageRecording',
        summary: 'Record the messages of a device as they are sent, for a while',
        description: 'Also those that are stored and those that were known already. It ends by itself.',
        tags,
        params: DeviceParams,
        body: StartRecording,
        response: { 200: WireRecording, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { resellerId } = caller
      const at = now()
      const until = new Date(at.getTime() + (body.minutes ?? DEFAULT_MINUTES) * 60_000)
      const deviceId = await database.tenant(resellerId, async (db) => {
        const device = await requireDevice(db, caller, params.id)
        const others = await countOtherRecordings(db, resellerId, device.deviceId, at)
        if (others >= MAX_RECORDED_DEVICES)
          throw new Problem('conflict', `Messages of ${MAX_RECORDED_DEVICES} other devices are being recorded.`)
        await upsertRecording(db, { resellerId, deviceId: device.deviceId, until })
        const entry = { action: 'device.recording_started', objectId: device.deviceId, subClientId: device.subClientId } as const
        await writeAudit(db, authorOf(request, at), { ...entry, after: { until: until.toISOString() } })
        return device.deviceId
      })
      return { deviceId, recordingUntil: until.toISOString() }
    },
  )
}

function addStopRoute(app: App, { database, now }: MessageRouteDeps): void {
  app.delete(
    '/devices/:id/messages/recording',
    {
      config: { scope: 'devices:write' },
      schema: {
        operationId: 'stopMessageRecording',
        summary: 'Record no more messages of a device',
        description: 'What was recorded stays for 7 days. Repeating it is fine.',
        tags,
        params: DeviceParams,
        response: { 200: WireRecording, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      return await database.tenant(caller.resellerId, async (db) => {
        const { deviceId, subClientId } = await requireDevice(db, caller, params.id)
        const stopped = await deleteRecording(db, caller.resellerId, deviceId)
        const entry = { action: 'device.recording_stopped', objectId: deviceId, subClientId } as const
        if (stopped) await writeAudit(db, authorOf(request, now()), entry)
        return { deviceId, recordingUntil: null }
      })
    },
  )
}
