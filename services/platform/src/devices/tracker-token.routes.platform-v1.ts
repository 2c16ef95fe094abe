import { DeviceParams } from '@roadworthy/contracts/platform-v1/devices'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { TrackerTokenIssue, TrackerTokenIssued, TrackerTokenRevoked } from '@roadworthy/contracts/platform-v1/tracker-tokens'
import type { App } from '@roadworthy/service-kit/http/http'
import { authorOf } from '../audit/audit.ts'
import type { DeviceRoutesDeps } from './device.routes.external.ts'
import { issueTrackerToken, revokeTrackerToken } from './device-desk.ts'

const tags = ['Devices']
const WRITE = 'devices:write'

export function addTrackerTokenRoutes(app: App, deps: DeviceRoutesDeps): void {
  app.post(
    '/devices/:id/tracker-token',
    {
      config: { scope: WRITE, bodyMayBeMissing: true },
      schema: {
        operationId: 'issueTrackerToken',
        summary: 'Give a phone or tracker a new token',
        description:
          'For apps and trackers that send over HTTP without an API key (`/api/external/ingest/…`). The answer shows the token, once. The token before ends, ' +
          'or is good for `graceSeconds` more.',
        tags,
        params: DeviceParams,
        body: TrackerTokenIssue,
        response: { 200: TrackerTokenIssued, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { deviceId, token, previousValidUntil } = await issueTrackerToken(
        deps,
        caller,
        params.id,
        body.graceSeconds ?? 0,
        authorOf(request, deps.now()),
      )
      return { id: deviceId, trackerToken: token, previousValidUntil: previousValidUntil?.toISOString() ?? null }
    },
  )
  app.delete(
    '/devices/:id/tracker-token',
    {
      config: { scope: WRITE },
      schema: {
        operationId: 'revokeTrackerToken',
        summary: 'Revoke the token of a phone or tracker',
        description: 'Nothing that is sent with it is taken from then on. Repeating it is fine.',
        tags,
        params: DeviceParams,
        response: { 200: TrackerTokenRevoked, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params } = request
      return await revokeTrackerToken(deps, caller, params.id, authorOf(request, deps.now()))
    },
  )
}
