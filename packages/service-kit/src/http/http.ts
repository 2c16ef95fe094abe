// What every HTTP surface of Roadworthy shares: request ids, strict JSON, one error path, clear 404 and 405. A surface brings its own
// error table and error body; nothing below a surface knows a status code.

import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { closeInTime } from '../process/close-in-time.ts'
import { LazyLogger } from '../telemetry/lazy-logger.ts'
import { isOutage } from '../telemetry/outage.ts'
import { closeBodySchema, refuseBody } from './closed-body.ts'
import { buildSerializerOnFirstUse, validateOnFirstUse } from './compile-on-first-use.ts'
import { askForBodies, closeUnasked, isUnasked } from './expect-continue.ts'
import { parseJson, parseJsonShallow } from './json-limits.ts'
import { refuseOddFraming, refuseTunnels } from './odd-framing.ts'
import { Problem, type ProblemCode } from './problem.ts'
import { type ConnectionError, refuseUnparsed } from './refuse-unparsed.ts'
import { createAjv } from './schema-check.ts'
import { plausibleForwardedFor } from './trusted-proxies.ts'
import { type SchemaError, validationProblem } from './validation-problem.ts'
import { refuseOtherSpellings } from './whole-numbers.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export const MAX_BODY_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024

/** What a caller is returned about a refusal. `retry_after` is whole seconds. */
export type ErrorBody = {
  code: string
  message: string
  request_id: string
  details?: Readonly<Record<string, unknown>>
  action_required?: string
  retry_after?: number
}

/** One way of speaking HTTP: how each problem is returned, and under which status and code. The table is total by its type. */
export type Surface = {
  readonly name: string
  readonly errors: Readonly<Record<ProblemCode, { readonly status: number; readonly code: string }>>
  readonly envelope: (error: ErrorBody) => Record<string, unknown>
  /** Of its errors. */
  readonly contentType?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when a refusal is answered: its code on this surface, and its words. */
    refusedAs: { readonly code: string; readonly message: string } | undefined
  }
  interface FastifyContextConfig {
    /** Batch routes judge each record on its own: only the depth of their body is checked before the handler. */
    limitsPerRecord?: boolean
    /** Every field of its body may be left out: no body at all leaves out all of them. */
    bodyMayBeMissing?: boolean
    /** Set by `neverStored`. */
    isNeverStored?: boolean
    /** Its answer is sent in parts (`sendInParts`): it has no ETag. */
    isSentInParts?: boolean
  }
}

type HttpAppOptions = {
  readonly logger: FastifyBaseLogger | false
  readonly maxBodyBytes?: number
  /** For how long a close waits for the answers to requests that are under way. */
  readonly openRequestsMs?: number
  /** Networks of proxies whose X-Forwarded-For, -Proto and -Host are believed (`trusted-proxies.ts`). */
  readonly trustProxy?: readonly string[]
  /** Why paths of the APIs that are unknown here may be known to another process: they are 503, because a 404 would be believed. */
  readonly servedElsewhere?: string | undefined
}

export function createHttpApp(options: HttpAppOptions): App {
  const { trustProxy = [] } = options
  const surfaces: Surfaces = []
  const refuse = (error: ConnectionError, socket: Socket) => refuseUnparsed(error, socket, (path) => surfaceUnder(surfaces, path))
  const app = Fastify({
    ...(options.logger === false ? { logger: false } : { loggerInstance: new LazyLogger(options.logger, {}) }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.maxBodyBytes ?? MAX_BODY_BYTES,
    // Longer than any path can be: how long an id may be is for the route's schema to check, as 400, not for the router, as 414.
    // A slash at the end of an address asks for the same thing.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, ignoreTrailingSlash: true },
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request that came over an open connection is served; Fastify announces to its caller that the connection ends with it. Its 503 would be
    // none of a surface's own.
    return503OnClosing: false,
    // Node's own 400 to a request without Host has no body: `beginRequest` refuses it in the words of its surface.
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, requireHostHeader: false },
    schemaController: { compilersFactory: { buildSerializer: buildSerializerOnFirstUse } },
    // What fails before there is a route is reported in the words of the surface its path lies under.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const surface = surfaceUnder(surfaces, request.url)
      reply.headers(commonHeaders(request))
      closeUnasked(request, reply)
      if (surface !== undefined) sendError(surface, error, request, reply)
      else reply.code(400).send()
    },
    clientErrorHandler: refuse,
    requestIdHeader: false,
    genReqId: requestIdOf,
  } as Parameters<typeof Fastify>[0]).withTypeProvider<TypeBoxTypeProvider>() as unknown as App

  prepareServer(app, surfaces, options)
  refuseTunnels(app.server, refuse)
  app.decorateRequest('refusedAs', undefined)
  closeInTime(app, options.openRequestsMs)
  closeBodies(app)
  const strictAjv = createAjv({ coerceTypes: false })
  const coercingAjv = createAjv({ coerceTypes: 'array' })
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return validateOnFirstUse(strictAjv, schema as object)
    return refuseOtherSpellings(schema as object, validateOnFirstUse(coercingAjv, schema as object))
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      assertPlain(request)
      // A POST without a body is legal where the route has no body schema (decommission, acknowledge), or may go without. Clients that name
      // a content type for every request send it then too.
      const takesNone = request.routeOptions.schema?.body === undefined
      const { bodyMayBeMissing, limitsPerRecord } = request.routeOptions.config
      if (body.length === 0 && (takesNone || bodyMayBeMissing === true)) return done(null, undefined)
      const parse = limitsPerRecord === true ? parseJsonShallow : parseJson
      const parsed = parse(body as Buffer)
      if (takesNone && !request.is404) refuseBody(parsed)
      done(null, parsed)
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onRequest', beginRequest)
  askForBodies(app, bodyTooLarge)
  return app
}

function requestIdOf({ headers }: { readonly headers: Readonly<Record<string, string | string[] | undefined>> }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

function beginRequest(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  const { headers } = request.raw
  const forwardedFor = headers['x-forwarded-for']
  if (forwardedFor !== undefined) headers['x-forwarded-for'] = plausibleForwardedFor(String(forwardedFor)) ?? ''
  reply.headers(commonHeaders(request))
  closeUnasked(request, reply)
  done(refuseOddFraming(request.raw, reply))
}

function prepareServer({ server }: App, surfaces: Surfaces, { servedElsewhere: why }: HttpAppOptions): void {
  surfacesOf.set(server, surfaces)
  if (why !== undefined) servedElsewhere.set(server, why)
  // Node asks the system once for the address, and keeps it. Of a caller that has gone away before its answer the system knows none any more; one that has gone
  // before this is not answered.
  server.prependListener('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}

/** Called before any route is registered: closes the body schema of each, so that none can forget it. */
function closeBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as Readonly<Record<string, unknown>> | undefined
    if (body !== undefined) route.schema = { ...route.schema, body: closeBodySchema(body) }
    if (route.config?.bodyMayBeMissing === true) route.preValidation = [fillMissingBody, ...[route.preValidation ?? []].flat()]
  })
}

async function fillMissingBody(request: { body?: unknown }): Promise<void> {
  if (request.body === undefined) request.body = {}
}

/** A year (RFC 6797 §6.1.1). Host names below ours may be of others, so it is sent for this one alone. */
const STRICT_TRANSPORT = 'max-age=31536000'

/** Of every answer. Browsers take an answer for the type that it declares, and come back over https where they came by it. */
function commonHeaders({ id, protocol }: FastifyRequest): Record<string, string> {
  const headers = { 'x-request-id': id, 'x-content-type-options': 'nosniff' }
  return protocol === 'https' ? { ...headers, 'strict-transport-security': STRICT_TRANSPORT } : headers
}

/** RFC 9110 §15.5.16. Without this, compressed bytes would be called broken JSON. For parsers of bodies. */
export function assertPlain({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() === 'identity') return
  throw new Problem('unsupported_media_type', 'Send the body as it is, without Content-Encoding.', {
    details: { field: 'Content-Encoding' },
  })
}

type Surfaces = { prefix: string; surface: Surface; routes: KnownRoute[] }[]
type KnownRoute = { readonly method: string; readonly url: RegExp; readonly isShown: boolean }
/** An app and what is registered within it share one server. */
const surfacesOf = new WeakMap<App['server'], Surfaces>()
const servedElsewhere = new WeakMap<App['server'], string>()

function surfaceUnder(surfaces: Surfaces, path: string): Surface | undefined {
  const under = surfaces.filter(({ prefix }) => path.startsWith(prefix))
  return under.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.surface
}

/** Gives `app` (one encapsulated surface) its error bodies: refusals, validation, outages, bugs, unknown routes and methods. */
export function speakSurface(app: App, surface: Surface): void {
  const routes: KnownRoute[] = []
  surfacesOf.get(app.server)?.push({ prefix: app.prefix, surface, routes })
  app.addHook('onRoute', ({ method, url, schema }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}/?$`)
    const isShown = schema?.hide !== true
    for (const each of [method].flat()) routes.push({ method: each, url: pattern, isShown })
  })
  const refuseUnknownRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const elsewhere = routesElsewhere(app, request.method, path)
    const hint = elsewhere.length === 0 ? '' : ` Did you mean ${elsewhere.join(' or ')}?`
    const details = elsewhere.length === 0 ? {} : { details: { elsewhere } }
    const allowed = [...new Set(routes.filter(({ url }) => url.test(path)).map(({ method }) => method))]
    if (allowed.length > 0) {
      reply.header('allow', allowed.join(', '))
      const message = `${request.method} is not possible on ${path}; use ${allowed.join(' or ')}.${hint}`
      return sendProblem(surface, new Problem('method_not_allowed', message, details), request, reply)
    }
    const why = path.startsWith('/api/') ? servedElsewhere.get(app.server) : undefined
    if (why !== undefined) return sendProblem(surface, new Problem('unavailable', why, { retryAfterS: 1 }), request, reply)
    const message = `There is nothing at ${request.method} ${path.slice(0, MAX_SHOWN_PATH_LENGTH)}.${hint}`
    return sendProblem(surface, new Problem('not_found', message, details), request, reply)
  }
  app.setNotFoundHandler(refuseUnknownRoute)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Fastify asks what a QUERY holds before it looks for a route, and none of ours takes that method.
    if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return refuseUnknownRoute(request, reply)
    return sendError(surface, error, request, reply)
  })
}

const MAX_SHOWN_PATH_LENGTH = 200

/** Routes of other surfaces that are documented and take the same call after their own prefix: `POST /api/external/track` for `/api/v1/track`. */
function routesElsewhere(app: App, method: string, path: string): readonly string[] {
  const rest = path.slice(app.prefix.length)
  return (surfacesOf.get(app.server) ?? [])
    .filter(({ prefix }) => prefix !== '' && prefix !== app.prefix)
    .filter(({ prefix, routes }) => routes.some((route) => route.isShown && route.method === method && route.url.test(prefix + rest)))
    .map(({ prefix }) => `${method} ${(prefix + rest).slice(0, MAX_SHOWN_PATH_LENGTH)}`)
}

function sendProblem(surface: Surface, problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = writeProblem(surface, problem, request, reply)
  // Already in its final form: a route's response schema describes it but must not be able to fail on it.
  return reply.serializer(String).send(body)
}

/** Sets status and headers, and returns the body, for whoever is past the point where a reply can be sent by throwing. */
export function writeProblem(surface: Surface, problem: Problem, request: FastifyRequest, reply: FastifyReply): string {
  const { status, code } = surface.errors[problem.code]
  const error: ErrorBody = { code, message: problem.message, request_id: request.id }
  request.refusedAs = { code, message: problem.message }
  if (problem.details !== undefined) error.details = problem.details
  if (problem.actionRequired !== undefined) error.action_required = problem.actionRequired
  if (problem.retryAfterS !== undefined) {
    const retryAfterS = Math.max(1, Math.ceil(problem.retryAfterS))
    error.retry_after = retryAfterS
    reply.header('retry-after', retryAfterS)
  }
  // RFC 9110 §15.5.2: a 401 names a scheme that would do.
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(status).header('content-type', surface.contentType ?? 'application/json; charset=utf-8')
  return JSON.stringify(surface.envelope(error))
}

/** Returns the reply, as an error handler must that may answer later: without it Fastify takes a handler that is done for an empty answer. */
function sendError(surface: Surface, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error, request)
  if (problem.code !== 'payload_too_large' || isUnasked(request)) return sendProblem(surface, problem, request, reply)
  void hearOut(request).then(() => sendProblem(surface, problem, request, reply))
  return reply
}

const HEAR_OUT_BYTES = 64 * 1024 * 1024
const HEAR_OUT_MS = 10_000

/**
 * Discards the rest of a body that is too large. A caller that is still sending when the connection is closed on it gets a broken pipe in
 * place of the answer (RFC 9112 §9.6). Within reason: who sends more, or slowly, is cut off.
 */
async function hearOut({ raw }: FastifyRequest): Promise<void> {
  let heardBytes = 0
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, HEAR_OUT_MS)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    raw.once('end', end).once('close', end)
    raw.on('data', (chunk: Buffer) => {
      heardBytes += chunk.length
      if (heardBytes > HEAR_OUT_BYTES) end()
    })
    if (raw.readableEnded || raw.destroyed) end()
    else raw.resume()
  })
}

function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const { message = '', validation, validationContext } = error as Partial<FastifyError>
  // A DOMException, which an abort is, has a number here.
  const code = String((error as { code?: unknown }).code)
  if (validation !== undefined) return validationProblem(validation as unknown as SchemaError[], validationContext)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request.routeOptions.bodyLimit)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
  if (code.startsWith('FST_ERR_CTP') || code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new Problem('invalid_request', message)
  }
  // The connection has ended with half a body: by its code alone it would be an outage of the service. No answer arrives any more.
  if (error === request.raw.errored) return new Problem('invalid_request', 'The connection ended before all of the body had arrived.')
  if (isOutage(error)) {
    request.log.error({ err: error }, 'a store or service this request needs is away')
    return new Problem('unavailable', 'A part of the service is unavailable, and the request is not acknowledged. Repeat it.', {
      retryAfterS: 1,
    })
  }
  request.log.error({ err: error }, 'request failed')
  return new Problem('server_error', 'The service failed on this request. It has been logged under the request id.')
}

const KIB = 1024
const MIB = 1024 * KIB

function bodyTooLarge(limitBytes: number): Problem {
  const limit =
    limitBytes % MIB === 0 ? `${limitBytes / MIB} MiB` : limitBytes % KIB === 0 ? `${limitBytes / KIB} KiB` : `${limitBytes} bytes`
  return new Problem('payload_too_large', `The body is larger than the ${limit} that this route takes.`, { details: { limit: limitBytes } })
}
