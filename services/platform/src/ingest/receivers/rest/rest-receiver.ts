// The REST receiver: `/telemetry`, `/track` and their batches. It hands records to ingest as they came and reports what became of each.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import {
  BatchAccepted,
  MAX_BATCH_RECORDS,
  StoredReading,
  TelemetryAccepted,
  TelemetryBatch,
  TelemetryRecord,
  TrackAccepted,
  TrackBatch,
  TrackPoint,
} from '@roadworthy/contracts/external/telemetry'
import { refuseUnknownFields } from '@roadworthy/service-kit/http/closed-body'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Caller, takeCallToCount } from '../../../keys/caller.ts'
import { missingScope } from '../../../keys/missing-scope.ts'
import { grants } from '../../../keys/scopes.ts'
import { findReading } from '../../../readings/all-readings.ts'
import { NO_PAST, type PastReadings } from '../../../readings/past-readings.ts'
import { kindOfReadingId, MAX_READING_ID_LENGTH, parseReadingId } from '../../../readings/reading-id.ts'
import type { Inbound, Ingest, ReadingKind } from '../../inbound.ts'
import { toExternalReading } from '../external-reading.ts'
import { ingestAllowed, limitProblem } from '../ingest-allowed.ts'
import { toAccepted, toBatchAccepted } from '../wire-outcomes.ts'

export type RestReceiverDeps = {
  readonly ingest: Ingest
  readonly database: Database
  readonly past?: PastReadings
  readonly now: () => Date
}

/** Ingest reads records itself; the body schema of these routes is documentation. */
const notValidatedHere = () => () => true

export function telemetryExternalRoutes(deps: RestReceiverDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addTelemetryRoutes(app as App, deps)
    addReadBackRoute(app as App, deps)
    addTrackRoutes(app as App, deps)
  }
}

function addTelemetryRoutes(app: App, deps: RestReceiverDeps): void {
  app.post(
    '/telemetry',
    {
      config: { scope: 'telemetry:write', countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendTelemetry',
        tags: ['Telemetry'],
        summary: 'Send one telemetry record',
        body: TelemetryRecord,
        response: { 200: TelemetryAccepted, ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { readingId, ...rest } = await ingestOne(deps, request, 'telemetry')
      return { telemetry_id: readingId, ...rest }
    },
  )
  app.post(
    '/telemetry/batch',
    {
      config: { scope: 'telemetry:write', limitsPerRecord: true, countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendTelemetryBatch',
        tags: ['Telemetry'],
        summary: `Send up to ${MAX_BATCH_RECORDS} telemetry records`,
        description:
          '200 when at least one record is stored or known already; a bad record is refused by its index and takes no other with it.',
        body: TelemetryBatch,
        response: { 200: BatchAccepted, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => ingestBatch(deps, request, 'telemetry', 'records'),
  )
}

function addReadBackRoute(app: App, deps: RestReceiverDeps): void {
  app.get(
    '/telemetry/:id',
    {
      config: { scope: ['telemetry:read', 'tracking:read'] },
      schema: {
        operationId: 'getReading',
        tags: ['Telemetry'],
        summary: 'Read back one stored record or track point',
        description: '`telemetry:read` reads both; `tracking:read` reads track points.',
        params: Type.Object({ id: Type.String({ maxLength: MAX_READING_ID_LENGTH, description: 'A `telemetry_id` or `track_id`.' }) }),
        response: { 200: StoredReading, ...errorResponses(401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const { resellerId, subClientPin, scopes } = request.caller
      const isTrackOnly = !grants(scopes, 'telemetry:read')
      if (isTrackOnly && kindOfReadingId(request.params.id) !== 'track') throw missingScope('telemetry:read')
      const key = parseReadingId(request.params.id)
      const stored = key && (await findReading(deps.database.tenantPool(resellerId), deps.past ?? NO_PAST, resellerId, key))
      const isHidden = (isTrackOnly && stored?.kind !== 'track') || (subClientPin !== undefined && stored?.subClientId !== subClientPin)
      if (stored === undefined || isHidden) {
        throw new Problem('not_found', 'There is no reading with this id.')
      }
      return toExternalReading(stored)
    },
  )
}

function addTrackRoutes(app: App, deps: RestReceiverDeps): void {
  app.post(
    '/track',
    {
      config: { scope: 'tracking:write', countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendTrackPoint',
        tags: ['Tracking'],
        summary: 'Send one GPS track point',
        body: TrackPoint,
        response: { 200: TrackAccepted, ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { readingId, ...rest } = await ingestOne(deps, request, 'track')
      return { track_id: readingId, ...rest }
    },
  )
  app.post(
    '/track/batch',
    {
      config: { scope: 'tracking:write', limitsPerRecord: true, countsCall: true },
      validatorCompiler: notValidatedHere,
      schema: {
        operationId: 'sendTrackBatch',
        tags: ['Tracking'],
        summary: `Send up to ${MAX_BATCH_RECORDS} GPS track points`,
        description:
          '200 when at least one point is stored or known already; a bad point is refused by its index and takes no other with it.',
        body: TrackBatch,
        response: { 200: BatchAccepted, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => ingestBatch(deps, request, 'track', 'points'),
  )
}

function inboundOf(caller: Caller, kind: ReadingKind, record: unknown): Inbound {
  const { resellerId, subClientPin, scopes } = caller
  return { resellerId, subClientPin, kind, record, receiver: 'rest', mayCreateVehicles: grants(scopes, 'telemetry:write') }
}

async function ingestOne(deps: RestReceiverDeps, request: FastifyRequest, kind: ReadingKind) {
  const [outcome] = await deps.ingest([inboundOf(request.caller, kind, request.body)], undefined, { call: takeCallToCount(request) })
  if (outcome === undefined) throw new Error('ingest answered nothing for one record')
  return toAccepted(outcome)
}

async function ingestBatch(deps: RestReceiverDeps, request: FastifyRequest, kind: ReadingKind, listKey: string): Promise<BatchAccepted> {
  const startedAtMs = performance.now()
  const outcomes = await ingestAllowed(deps.ingest, takeInbound(request, kind, listKey), takeCallToCount(request))
  const accepted = toBatchAccepted(outcomes, startedAtMs)
  if (accepted.records_rejected === outcomes.length) {
    const passing = outcomes.find((outcome) => outcome.status === 'refused' && outcome.problem.code === 'unavailable')
    if (passing?.status === 'refused') throw passing.problem
    // Spec gap §4.1: a batch of which nothing could be stored is refused as a whole, with every reason.
    throw new Problem('invalid_request', `None of the ${outcomes.length} records could be stored; see details.`, {
      details: { results: accepted.results },
    })
  }
  return accepted
}

/** The records of the body, which is let go: it would otherwise live until the answer is sent, behind a commit. */
function takeInbound(request: FastifyRequest, kind: ReadingKind, listKey: string): (Inbound | Problem)[] {
  const records = batchRecords(request.body, listKey)
  request.body = undefined
  return records.map((record) => limitProblem(record) ?? inboundOf(request.caller, kind, record))
}

function batchRecords(body: unknown, listKey: string): readonly unknown[] {
  const records = Array.isArray(body) ? body : (body as Record<string, unknown> | null | undefined)?.[listKey]
  if (!Array.isArray(records)) {
    throw new Problem('invalid_request', `The body must be an array, or an object with the array "${listKey}".`, {
      details: { field: listKey },
    })
  }
  // Beside the list nothing is read: a `sub_client_id` there would not be that of the records.
  if (!Array.isArray(body)) refuseUnknownFields(body as object, [listKey])
  if (records.length === 0)
    throw new Problem('invalid_request', `"${listKey}" is empty; send 1 to ${MAX_BATCH_RECORDS}.`, { details: { field: listKey } })
  if (records.length > MAX_BATCH_RECORDS) {
    throw new Problem(
      'batch_too_large',
      `A batch takes at most ${MAX_BATCH_RECORDS} items, this one has ${records.length}; nothing of it was stored.`,
      {
        details: { limit: MAX_BATCH_RECORDS, got: records.length },
      },
    )
  }
  return records
}
