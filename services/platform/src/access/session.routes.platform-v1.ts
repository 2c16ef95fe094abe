import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { SessionAnswer, SignInRequest, type Session as WireSession } from '@roadworthy/contracts/platform-v1/session'
import { Problem } from '@roadworthy/service-kit/problem'
import type { FastifyRequest } from 'fastify'
import { isSameOrigin, sessionTokenOf, setCookieOf } from './session-cookie.ts'
import type { Session } from './sessions.sql.ts'
import { SESSION_MAX_AGE_S, type Sessions } from './sessions.ts'

const tags = ['Session']

/** Public, because they are how a person gets in; what they refuse they refuse themselves. */
export function sessionPlatformRoutes({ sessions }: { sessions: Sessions }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/session',
      {
        config: { public: true },
        schema: {
          operationId: 'signIn',
          summary: 'Sign in with e-mail address and password',
          description:
            'Sets the cookie `rw_session`, which lets in on this surface as a key does: 12 hours after its last use, at most 7 days.',
          tags,
          body: SignInRequest,
          response: { 200: SessionAnswer, ...errorResponses(413, 415) },
        },
      },
      async (request, reply) => {
        requireOwnPage(request)
        const { token, session } = await sessions.signIn({ ...request.body, address: request.ip })
        reply.header('set-cookie', cookieFor(request, token)).header('cache-control', 'no-store')
        return { session: toPlatformSession(session) }
      },
    )
    app.get(
      '/session',
      {
        config: { public: true },
        schema: {
          operationId: 'getSession',
          summary: 'Who is signed in',
          tags,
          response: { 200: SessionAnswer, ...errorResponses() },
        },
      },
      async (request, reply) => {
        const token = sessionTokenOf(request.headers.cookie)
        const session = token === undefined ? undefined : await sessions.find(token)
        reply.header('cache-control', 'no-store')
        return { session: session === undefined ? null : toPlatformSession(session) }
      },
    )
    app.delete(
      '/session',
      {
        config: { public: true },
        schema: {
          operationId: 'signOut',
          summary: 'Sign out',
          description: 'The session is dead at once. Repeating it is fine.',
          tags,
          response: { 200: SessionAnswer, ...errorResponses() },
        },
      },
      async (request, reply) => {
        requireOwnPage(request)
        const token = sessionTokenOf(request.headers.cookie)
        if (token !== undefined) await sessions.signOut(token)
        reply.header('set-cookie', cookieFor(request, undefined))
        return { session: null }
      },
    )
  }
}

/** Another site may neither sign somebody in, under its own account, nor out. */
function requireOwnPage(request: FastifyRequest): void {
  if (!isSameOrigin(request.headers, request.host)) throw new Problem('invalid_api_key', 'Sign in and out from pages of this service only.')
}

function cookieFor(request: FastifyRequest, token: string | undefined): string {
  return setCookieOf(token, { isSecure: request.protocol === 'https', maxAgeS: SESSION_MAX_AGE_S })
}

function toPlatformSession(session: Session): WireSession {
  return {
    userId: session.userId,
    email: session.email,
    role: session.role,
    resellerSlug: session.resellerId,
    resellerName: session.resellerName,
    expiresAt: session.expiresAt.toISOString(),
  }
}
