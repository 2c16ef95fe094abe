import { CredentialsRotate, CredentialsRotated, DeviceParams } from '@roadworthy/contracts/external/devices'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { authorOf } from '../audit/audit.ts'
import { type DeviceDesk, renewCredentials } from './device-desk.ts'
import { type MqttAddress, toExternalCredentials } from './external-device.ts'

type RotationDeps = DeviceDesk & { readonly now: () => Date; readonly mqtt: MqttAddress }

export function addRotationRoute(app: App, { now, mqtt, ...desk }: RotationDeps): void {
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
      const rotated = await renewCredentials(desk, caller, params.device_id, body.grace_seconds ?? 0, authorOf(request, now()))
      return {
        success: true as const,
        device_id: rotated.deviceId,
        ...toExternalCredentials(rotated, caller.resellerId, mqtt),
        previous_valid_until: rotated.previousValidUntil?.toISOString() ?? null,
      }
    },
  )
}
