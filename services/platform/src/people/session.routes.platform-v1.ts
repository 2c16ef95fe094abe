import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  ChangePasswordRequest,
  PasswordResetAnswer,
  PasswordResetRequest,
  SessionAnswer,
  SetPasswordRequest,
  SignInRequest,
  SignOutQuery,
  ViewAsRequest,
  type Session as WireSession,
} from '@roadworthy/contracts/platform-v1/session'
import type { App } from '@roadworthy/service-kit/http/http'
import { neverStored } from '@roadworthy/service-kit/http/never-stored'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../audit/audit.ts'
import type { PasswordLinks } from './password-links.ts'
import { addPreferencesRoute } from './preferences.routes.platform-v1.ts'
import { browserTokenOf, isSameOrigin, sessionTokenOf, setBrowserCookieOf, setCookieOf } from './session-cookie.ts'
import type { Session } from './sessions.sql.ts'
import { type OpenedSession, SESSION_MAX_AGE_S, type Sessions } from './sessions.ts'
import { toPlatformSession } from './wire-session.ts'

type SessionRoutesDeps = { readonly sessions: Sessions; readonly passwordLinks: PasswordLinks }

const tags = ['Session']

/** Public, because they are how a person gets in; what they refuse they refuse themselves. */
export function sessionPlatformRoutes(deps: SessionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    neverStored(app)
    app.addHook('onRequest', async (request) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(request)
    })
    addSignInRoutes(app as App, deps)
    addPasswordRoutes(app as App, deps)
    addViewAsRoutes(app as App, deps)
    addPreferencesRoute(app as App, deps)
  }
}

function addSignInRoutes(app: App, { sessions }: SessionRoutesDeps): void {
  app.post(
    '/session',
    {
      config: { public: true },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with e-mail address and password',
        description:
          'Sets the cookie `rw_session` (over https `__Host-rw_session`), which lets in on this surface as a key does: 12 hours after its last use, at most 7 days. A second cookie, `rw_browser`, is no credential: by it the browser is known at the next sign-in, and has limits of its own.',
        tags,
        body: SignInRequest,
        response: { 200: SessionAnswer, ...errorResponses(413, 415) },
      },
    },
    async (request, reply) => {
      const attempt = { ...request.body, replaced: sessionTokenOf(request), browserToken: browserTokenOf(request) }
      return answerOpened(request, reply, await sessions.signIn(attempt, originOf(request)))
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
    async (request) => {
      const session = await findSession(sessions, request)
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
        description: 'The session is dead at once; with `everywhere` all sessions of the person are. Repeating it is fine.',
        tags,
        querystring: SignOutQuery,
        response: { 200: SessionAnswer, ...errorResponses() },
      },
    },
    async (request, reply) => {
      const token = sessionTokenOf(request)
      if (token !== undefined) await sessions.signOut(token, originOf(request), request.query.everywhere)
      reply.header('set-cookie', setCookieOf(undefined, request, SESSION_MAX_AGE_S))
      return { session: null }
    },
  )
}

function addPasswordRoutes(app: App, { sessions, passwordLinks }: SessionRoutesDeps): void {
  app.put(
    '/session/password',
    {
      config: { public: true },
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password of who is signed in',
        description:
          'Every other session of the person ends; this one goes on, under a new cookie. Who looks as a sub-client stops that first.',
        tags,
        body: ChangePasswordRequest,
        response: { 200: SessionAnswer, ...errorResponses(409, 413, 415) },
      },
    },
    async (request, reply) => {
      const session = await findSession(sessions, request)
      if (session === undefined) throw new Problem('invalid_api_key', 'Sign in first.')
      return answerOpened(request, reply, await sessions.changePassword(session, request.body, originOf(request)))
    },
  )
  app.post(
    '/session/password',
    {
      config: { public: true },
      schema: {
        operationId: 'setPassword',
        summary: 'Accept an invitation, or set a new password, by the link',
        description: 'The link works once. Whoever uses it is signed in; sessions from before end.',
        tags,
        body: SetPasswordRequest,
        response: { 200: SessionAnswer, ...errorResponses(404, 413, 415) },
      },
    },
    async (request, reply) => answerOpened(request, reply, await passwordLinks.setPassword(request.body, originOf(request))),
  )
  app.post(
    '/session/password-reset',
    {
      config: { public: true },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Ask for a link to set a new password',
        description:
          'The link works for an hour, or until the password is changed, and goes to the address. Where no mail server is set, whoever runs the service makes one (`npx roadworthy users reset-password`). The answer is the same, after the same time, whether there is such an account or not.',
        tags,
        body: PasswordResetRequest,
        response: { 200: PasswordResetAnswer, ...errorResponses(413, 415) },
      },
    },
    async (request) => {
      passwordLinks.requestReset(request.body.email, originOf(request))
      return { message: 'If there is an account with this address, a link to set a new password is on its way.' }
    },
  )
}

function addViewAsRoutes(app: App, { sessions }: SessionRoutesDeps): void {
  const viewAs = async (request: FastifyRequest, subClientId: string | null) => {
    const token = sessionTokenOf(request)
    const session = token === undefined ? undefined : await sessions.viewAs(token, subClientId, originOf(request))
    return { session: session === undefined ? null : toPlatformSession(session) }
  }
  app.put(
    '/session/view-as',
    {
      config: { public: true },
      schema: {
        operationId: 'startViewAs',
        summary: 'Look as a sub-client',
        description:
          'For people of the reseller. From the next request on the session is that of a viewer of the sub-client: everything else is not there, and nothing can be changed. `DELETE` ends it.',
        tags,
        body: ViewAsRequest,
        response: { 200: SessionAnswer, ...errorResponses(404, 413, 415) },
      },
    },
    async (request) => {
      const answer = await viewAs(request, request.body.subClientId)
      if (answer.session === null) throw new Problem('invalid_api_key', 'Sign in first.')
      return answer
    },
  )
  app.delete(
    '/session/view-as',
    {
      config: { public: true },
      schema: {
        operationId: 'stopViewAs',
        summary: 'Look as oneself again',
        description: 'Repeating it is fine.',
        tags,
        response: { 200: SessionAnswer, ...errorResponses() },
      },
    },
    async (request) => await viewAs(request, null),
  )
}

/** Another site may neither sign somebody in, under its own account, nor out. */
function requireOwnPage(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new Problem('invalid_api_key', 'This can be done from pages of this service only.')
}

/** Of who is signed in, by the cookie of a request. */
export async function findSession(sessions: Sessions, request: FastifyRequest): Promise<Session | undefined> {
  const token = sessionTokenOf(request)
  return token === undefined ? undefined : await sessions.findForPublicRoute(token)
}

function answerOpened(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, browserToken, session }: OpenedSession,
): { session: WireSession } {
  reply.header('set-cookie', [setCookieOf(token, request, SESSION_MAX_AGE_S), setBrowserCookieOf(browserToken, request)])
  return { session: toPlatformSession(session) }
}
