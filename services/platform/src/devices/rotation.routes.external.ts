import { CredentialsRotate, CredentialsRotated, DeviceParams } from '@roadworthy/contracts/external/devices'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import type { App } from '@roadworthy/service-kit/http'
import { authorOf, writeAudit } from '../access/audit.ts'
import { rotateCredentials } from './change-device.ts'
import { createCredentials } from './credentials.ts'
import type { DeviceRoutesDeps } from './device.routes.external.ts'
import { toExternalCredentials } from './external-device.ts'

export function addRotationRoute(app: App, { database, now, mqtt, brokerAccounts, fleetChanged }: DeviceRoutesDeps): void {
  app.post(
    '/devices/:device_id/credentials/rotate',
    {
      config: { scope: 'devices:write', bodyMayBeMissing: true },
      schema: {
        operationId: 'rotateDeviceCredentials',
        summary: 'Give a device a new MQTT password',
        tags: ['Devices'],
        params: DeviceParams,
        body: CredentialsRotate,
        response: { 200: CredentialsRotated, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const graceS = body.grace_seconds ?? 0
      const credentials = await createCredentials()
      const rotated = await database.tenant(caller.resellerId, async (db) => {
        const made = await rotateCredentials(db, caller, params.device_id, { credentials, graceS }, now())
        const { deviceId: objectId, subClientId } = made
        await brokerAccounts?.setPassword(db, { resellerId: caller.resellerId, deviceId: objectId }, made, now())
        await writeAudit(db, authorOf(request, now()), { action: 'device.credentials_rotated', objectId, subClientId, after: { graceS } })
        return made
      })
      fleetChanged(caller.resellerId)
      return {
        success: true as const,
        device_id: rotated.deviceId,
        ...toExternalCredentials(rotated, caller.resellerId, mqtt),
        previous_valid_until: rotated.previousValidUntil?.toISOString() ?? null,
      }
    },
  )
}
