// Platforms that forward the trackers of many devices. They send a header, and so an API key: what holds for `/telemetry` holds here. Devices are found among the
// reseller's own by IMEI or id; none is created.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import { BatchAccepted, TelemetryAccepted } from '@roadworthy/contracts/external/telemetry'
import { FlespiMessages, MAX_FLESPI_MESSAGES, TraccarPosition } from '@roadworthy/contracts/external/trackers'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyRequest } from 'fastify'
import { takeCallToCount } from '../../../keys/caller.ts'
import type { Inbound, Ingest } from '../../inbound.ts'
import { ingestAllowed, limitProblem } from '../ingest-allowed.ts'
import { toAccepted, toBatchAccepted } from '../wire-outcomes.ts'
import { parseFlespiMessage } from './flespi.ts'
import { inboundOf } from './take-message.ts'
import { parseTraccarForward } from './traccar-forward.ts'
import type { TrackerReading } from './tracker-reading.ts'

/** The receiver reads messages itself; their schemas are documentation. */
const notValidatedHere = () => () => true

const tags = ['Phones and trackers']

export function forwardExternalRoutes({ ingest }: { readonly ingest: Ingest }): FastifyPluginAsyncTypebox {
  return async (app) => {
    addTraccarRoute(app as App, ingest)
    addFlespiRoute(app as App, ingest)
  }
}

function addTraccarRoute(app: App, ingest: Ingest): void {
  app.post(
    '/ingest/traccar',
    {
      config: { scope: 'telemetry:write', countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'forwardTraccarPosition',
        tags,
        summary: 'Take a position that a Traccar server forwards',
        description:
          'In Traccar: `forward.enable`, `forward.type` = `json`, `forward.url` = this address, `forward.header` = `X-API-Key: …`. An unknown device is 404.',
        body: TraccarPosition,
        response: { 200: TelemetryAccepted, ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const reading = parseTraccarForward(request.body)
      if (reading === undefined) {
        throw new Problem('invalid_request', 'The body must be an object with "position" and "device".', { details: { field: 'position' } })
      }
      const inbound = forwarded(request, reading, 'traccar', request.body)
      if (inbound instanceof Problem) throw inbound
      const [outcome] = await ingest([inbound], undefined, { call: takeCallToCount(request) })
      if (outcome === undefined) throw new Error('ingest answered nothing for one record')
      const { readingId, ...rest } = toAccepted(outcome)
      return { telemetry_id: readingId, ...rest }
    },
  )
}

function addFlespiRoute(app: App, ingest: Ingest): void {
  app.post(
    '/ingest/flespi',
    {
      config: { scope: 'telemetry:write', limitsPerRecord: true, countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'forwardFlespiMessages',
        tags,
        summary: 'Take messages of a flespi stream',
        description:
          'An HTTP stream of flespi with this address and the header `X-API-Key`. A stream sends again whatever is not answered 200, and nothing behind it: ' +
          'so messages that cannot be stored, also of unknown devices, are named in a 200.',
        body: FlespiMessages,
        response: { 200: BatchAccepted, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const startedAtMs = performance.now()
      const outcomes = await ingestAllowed(ingest, takeMessages(request), takeCallToCount(request))
      const passing = outcomes.find((outcome) => outcome.status === 'refused' && outcome.problem.code === 'unavailable')
      if (passing?.status === 'refused') throw passing.problem
      return toBatchAccepted(outcomes, startedAtMs)
    },
  )
}

function takeMessages(request: FastifyRequest): (Inbound | Problem)[] {
  const messages: readonly unknown[] = Array.isArray(request.body) ? request.body : [request.body]
  request.body = undefined
  if (messages.length > MAX_FLESPI_MESSAGES) {
    throw new Problem('batch_too_large', `A call takes at most ${MAX_FLESPI_MESSAGES} messages, this one has ${messages.length}.`, {
      details: { limit: MAX_FLESPI_MESSAGES, got: messages.length },
    })
  }
  return messages.map((message) => limitProblem(message) ?? forwarded(request, parseFlespiMessage(message), 'flespi', message))
}

/** By the names of the forwarder: ours are in none of its messages. */
const naming = { traccar: 'device.uniqueId', flespi: 'ident' } as const

function forwarded({ caller }: FastifyRequest, reading: TrackerReading, receiver: keyof typeof naming, sent: unknown): Inbound | Problem {
  const { resellerId, subClientPin } = caller
  const { deviceRef = '' } = reading
  if (deviceRef === '') {
    const field = naming[receiver]
    return new Problem('invalid_request', `"${field}" must be the IMEI of the device, or its id here.`, { details: { field } })
  }
  const record = { ...reading.record, device_id: deviceRef }
  return { ...inboundOf({ ...reading, record }, receiver, sent), resellerId, subClientPin }
}
