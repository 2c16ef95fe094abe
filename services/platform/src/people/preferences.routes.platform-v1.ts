import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { PreferencesRequest, SessionAnswer } from '@roadworthy/contracts/platform-v1/session'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { originOf } from '../audit/audit.ts'
import { sessionTokenOf } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import { toPlatformSession } from './wire-session.ts'

/** Among the routes of the session, which hold it to our own pages. */
export function addPreferencesRoute(app: App, { sessions }: { readonly sessions: Sessions }): void {
  app.put(
    '/session/preferences',
    {
      config: { public: true },
      schema: {
        operationId: 'changePreferences',
        summary: 'Choose the language and units of who is signed in',
        description:
          'The dashboard is shown in them in every browser, and mails and push messages to the person are written in them. What is left out stays.',
        tags: ['Session'],
        body: PreferencesRequest,
        response: { 200: SessionAnswer, ...errorResponses(413, 415) },
      },
    },
    async (request) => {
      const token = sessionTokenOf(request)
      const session = token === undefined ? undefined : await sessions.choose(token, request.body, originOf(request))
      if (session === undefined) throw new Problem('invalid_api_key', 'Sign in first.')
      return { session: toPlatformSession(session) }
    },
  )
}
