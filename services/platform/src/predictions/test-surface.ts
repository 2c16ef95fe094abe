// For tests only: one surface with some routes, and a caller that the test names instead of a key.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type App, createHttpApp, type Surface, speakSurface } from '@roadworthy/service-kit/http/http'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { Caller } from '../keys/caller.ts'

/** Without scopes, one that may do everything. */
export type TestCaller = { resellerId: string; subClientPin?: string | undefined; scopes?: readonly string[] }

export type Answer<Body = Record<string, unknown>> = { readonly status: number; readonly body: Body }

/** The content of a refusal, whichever surface returns it. */
export function errorOf({ body }: Answer): Record<string, unknown> {
  return (body['error'] ?? {}) as Record<string, unknown>
}

export type TestSurface = {
  readonly app: App
  as(caller: TestCaller): {
    get<Body = Record<string, unknown>>(url: string): Promise<Answer<Body>>
    post<Body = Record<string, unknown>>(url: string, payload?: unknown): Promise<Answer<Body>>
    patch<Body = Record<string, unknown>>(url: string, payload: unknown): Promise<Answer<Body>>
    put<Body = Record<string, unknown>>(url: string, payload: unknown): Promise<Answer<Body>>
    delete<Body = Record<string, unknown>>(url: string): Promise<Answer<Body>>
    /** For what is no JSON. */
    text(url: string): Promise<{ status: number; contentType: string; text: string }>
  }
}

export async function startTestSurface(t: CleanUp, surface: Surface, plugins: readonly FastifyPluginAsyncTypebox[]): Promise<TestSurface> {
  const app = createHttpApp({ logger: false })
  speakSurface(app, surface)
  app.addHook('onRequest', async (request) => {
    const { resellerId, subClientPin, scopes = ['*'] } = JSON.parse(String(request.headers['x-test-caller'])) as TestCaller
    const caller: Caller = { resellerId, keyId: 'key-test', scopes: new Set(scopes), subClientPin }
    request.caller = caller
  })
  for (const plugin of plugins) await app.register(plugin)
  await app.ready()
  t.after(() => app.close())
  const send = async <Body>(
    caller: TestCaller,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    payload?: unknown,
  ): Promise<Answer<Body>> => {
    const response = await app.inject({
      method,
      url,
      headers: { 'x-test-caller': JSON.stringify(caller), ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    })
    return { status: response.statusCode, body: response.json<Body>() }
  }
  return {
    app,
    as: (caller) => ({
      get: (url) => send(caller, 'GET', url),
      post: (url, payload) => send(caller, 'POST', url, payload),
      patch: (url, payload) => send(caller, 'PATCH', url, payload),
      put: (url, payload) => send(caller, 'PUT', url, payload),
      delete: (url) => send(caller, 'DELETE', url),
      text: async (url) => {
        const response = await app.inject({ method: 'GET', url, headers: { 'x-test-caller': JSON.stringify(caller) } })
        return { status: response.statusCode, contentType: String(response.headers['content-type']), text: response.body }
      },
    }),
  }
}
