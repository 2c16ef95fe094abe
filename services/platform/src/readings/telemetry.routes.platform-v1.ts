import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { TelemetryAccepted, TelemetryInput } from '@roadworthy/contracts/platform-v1/readings'
import type { Warnings } from '@roadworthy/contracts/wire-fields'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isLonger } from '@roadworthy/service-kit/text/text-length'
import type { Static } from 'typebox'
import type { Accepted, Ingest } from '../ingest/inbound.ts'
import { takeCallToCount } from '../keys/caller.ts'

/** As ingest has it, and the schema. */
const MAX_ID_LENGTH = 128

export type TelemetryRoutesDeps = {
  readonly ingest: Ingest
  /** Warnings to the sender about fields that are stored and not used. */
  readonly toWarnings: (warnings: Accepted['warnings']) => Static<typeof Warnings> | undefined
}

/** Spec §2.8. The record goes to ingest as it came, which reads it itself: the body schema of this route is documentation. */
export function telemetryPlatformRoutes({ ingest, toWarnings }: TelemetryRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/telemetry',
      {
        config: { scope: 'telemetry:write', countsCall: true },
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'sendTelemetry',
          summary: 'Send one telemetry record',
          tags: ['Telemetry'],
          body: TelemetryInput,
          response: { 200: TelemetryAccepted, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const { resellerId, subClientPin } = request.caller
        const record = toRecord(request.body)
        const call = takeCallToCount(request)
        const [outcome] = await ingest([{ resellerId, kind: 'telemetry', record, receiver: 'rest', subClientPin }], undefined, { call })
        if (outcome === undefined) throw new Error('ingest gave no outcome for a record')
        if (outcome.status === 'refused') throw outcome.problem
        const warnings = toWarnings(outcome.warnings)
        return {
          success: true as const,
          telemetryId: outcome.readingId,
          vehicleId: outcome.vehicleId ?? null,
          receivedAt: new Date(outcome.receivedAtMs).toISOString(),
          duplicate: outcome.status === 'duplicate',
          ...(warnings === undefined ? {} : { warnings }),
        }
      },
    )
  }
}

function toRecord(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const { vehicleId, ...rest } = body as Record<string, unknown>
  // In the words of this surface: ingest would call it `vehicle_id`.
  if (typeof vehicleId !== 'string' || vehicleId === '' || isLonger(vehicleId, MAX_ID_LENGTH)) {
    const message =
      vehicleId === undefined ? '"vehicleId" is required.' : `"vehicleId" must be a string of 1 to ${MAX_ID_LENGTH} characters.`
    throw new Problem('invalid_request', message, { details: { in: 'body', field: 'vehicleId' } })
  }
  return { ...rest, vehicle_id: vehicleId }
}
