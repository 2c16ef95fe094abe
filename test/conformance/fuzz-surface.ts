// What the fuzz suites share: requests made from an OpenAPI document, valid and spoilt, and what must be true of every answer.

import assert from 'node:assert/strict'
import { fc } from '../support/fast-check.ts'
import { createSchemaChecker, type JsonSchema, type OpenApi, type Parameter, type Route, routesOf } from '../support/open-api.ts'
import { arbitraryOf, spoilt } from '../support/schema-arbitrary.ts'

type FuzzRequest = {
  readonly route: Route
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export type FuzzOptions = {
  readonly document: OpenApi
  readonly origin: string
  readonly key: string | undefined
  /** Ids of things that are there, so that not every path leads nowhere. */
  readonly knownIds: readonly string[]
  readonly runs: number
  readonly seed: number
}

/** Longer than the service takes for any answer, on any machine. */
const REQUEST_TIMEOUT_MS = 120_000
/** Enough to see what of a request matters. */
const MAX_SHRINKS = 40

/** Fails with the request, the answer, and the seed and path under which fast-check finds it again. Returns how often each status came. */
export async function fuzzSurface({ document, origin, key, knownIds, runs, seed }: FuzzOptions): Promise<Record<number, number>> {
  // Made once for each route: that takes longer than drawing from it.
  const ofRoutes = routesOf(document).map((route) => requestOf(document, route, knownIds))
  const requests = fc.constantFrom(...ofRoutes).chain((ofRoute) => ofRoute)
  const checkAnswer = createAnswerCheck(document)
  const statuses: Record<number, number> = {}
  let failures = 0
  const property = fc.asyncProperty(requests, async (request) => {
    fc.pre(failures < MAX_SHRINKS)
    const response = await fetch(`${origin}${request.path}`, {
      method: request.route.method,
      headers: { ...request.headers, ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const asked = `${request.route.method} ${request.path} ${JSON.stringify(request.headers)} ${request.body?.slice(0, 2000) ?? ''}`
    try {
      checkAnswer(request.route, response, text, `${asked}\nanswered ${response.status} ${text.slice(0, 2000)}`)
    } catch (error) {
      failures++
      throw error
    }
  })
  await fc.assert(property, { numRuns: runs, seed })
  return statuses
}

function createAnswerCheck(document: OpenApi): (route: Route, response: Response, text: string, what: string) => void {
  const checkerOf = createSchemaChecker(document)
  return ({ operation }, response, text, what) => {
    assert.ok(response.status < 500, what)
    const described = operation.responses[String(response.status)]
    assert.ok(described !== undefined, `undocumented status: ${what}`)
    const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';')
    assert.match(response.headers.get('x-request-id') ?? '', /^[\w.-]{1,64}$/, what)
    for (const name of ['ETag', 'WWW-Authenticate']) {
      const isDescribed: boolean = described.headers?.[name] !== undefined && contentType === 'application/json'
      assert.equal(
        response.headers.has(name),
        isDescribed,
        `${name} is ${isDescribed ? 'described and not sent' : 'sent and not described'}: ${what}`,
      )
    }
    const schema = described.content?.[contentType]?.schema
    assert.ok(schema !== undefined, `undescribed body: ${contentType}: ${what}`)
    const check = checkerOf(schema)
    assert.ok(
      check(/^application\/(manifest\+)?json$/.test(contentType) ? JSON.parse(text) : text),
      `${JSON.stringify(check.errors)}: ${what}`,
    )
  }
}

function requestOf({ components }: OpenApi, route: Route, knownIds: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const { operation, method } = route
  const schema = operation.requestBody?.content['application/json']?.schema
  const parameters = operation.parameters ?? []
  return fc
    .record({
      path: pathOf(route.path, parameters, knownIds),
      query: queryOf(parameters, knownIds),
      body: schema === undefined ? fc.constant(undefined) : bodyOf(schema, components.schemas, knownIds),
      idempotencyKey: fc.option(fc.stringMatching(/^[!-~]{1,40}$/), { nil: undefined, freq: 8 }),
    })
    .map(({ path, query, body, idempotencyKey }) => ({
      route,
      path: `${path}${query}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined || method !== 'POST' ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
    }))
}

/** Segments that make another operation of the path: an empty one, those that RFC 3986 resolves, and names that have a route of their own. */
const OTHER_ROUTE = /^(\.{0,2}|locations|batch|lives|schedules)$/

function pathOf(template: string, parameters: readonly Parameter[], knownIds: readonly string[]): fc.Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const segment = fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...knownIds) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    )
    .filter((text) => !OTHER_ROUTE.test(text) && text.isWellFormed())
  return fc
    .tuple(...names.map(() => segment))
    .map((segments) => names.reduce((path, name, i) => path.replace(`{${name}}`, () => encodeURIComponent(segments[i] ?? '')), template))
}

function queryOf(parameters: readonly Parameter[], knownIds: readonly string[]): fc.Arbitrary<string> {
  const textOf = (schema: JsonSchema) =>
    fc
      .oneof(
        { weight: 3, arbitrary: arbitraryOf(schema, {}) },
        { weight: 1, arbitrary: fc.constantFrom(...knownIds) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
      )
      .map(String)
      .filter((text) => text.isWellFormed())
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => fc.option(textOf(schema), { nil: undefined, freq: 2 }).map((text) => ({ name, text })))
  return fc.tuple(...pairs).map((chosen) => {
    const given = chosen.flatMap(({ name, text }) => (text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`]))
    return given.length === 0 ? '' : `?${given.join('&')}`
  })
}

/** Half of the bodies are as documented, the others are spoilt in one place, cut off, or no JSON at all. */
function bodyOf(schema: JsonSchema, components: OpenApi['components']['schemas'], knownIds: readonly string[]): fc.Arbitrary<string> {
  const valid = fc.tuple(arbitraryOf(schema, components), fc.constantFrom(undefined, ...knownIds)).map(([body, id]) => naming(body, id))
  return fc.oneof(
    { weight: 4, arbitrary: valid.map((body) => JSON.stringify(body)) },
    { weight: 3, arbitrary: spoilt(valid).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.tuple(valid, fc.nat()).map(([body, at]) => cutOff(JSON.stringify(body), at)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  )
}

/** Some bodies are about something that exists: a random id never does. */
function naming(body: unknown, id: string | undefined): unknown {
  if (id === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const key = ['device_id', 'vehicle_id', 'vehicleId', 'connection_id', 'sub_client_id'].find((name) => name in body)
  return key === undefined ? body : { ...body, [key]: id }
}

function cutOff(text: string, at: number): string {
  return text.slice(0, at % (text.length + 1))
}
