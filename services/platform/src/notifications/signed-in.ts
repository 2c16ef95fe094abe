// Who a route of a person's own account is for. Public, as the session itself is: keys have none, and who may change nothing else may change this.

import { neverStored } from '@roadworthy/service-kit/http/never-stored'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Author, Origin } from '../audit/audit.ts'
import { isSameOrigin } from '../people/session-cookie.ts'
import type { Session } from '../people/sessions.sql.ts'

export type FindSignedIn = (request: FastifyRequest) => Promise<Session | undefined>
export type Person = Pick<Session, 'resellerId' | 'userId' | 'subClientId'>

/** Other sites cannot use the cookie, and nothing is kept by what is in between. */
export function forOwnPages(app: Pick<FastifyInstance, 'addHook'>): void {
  neverStored(app)
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request)) return
    throw new Problem('invalid_api_key', 'This can be done from pages of this service only.')
  })
}

export async function requireSignedIn(findSignedIn: FindSignedIn, request: FastifyRequest): Promise<Session> {
  const session = await findSignedIn(request)
  if (session === undefined) throw new Problem('invalid_api_key', 'Sign in first.')
  return themself(session)
}

/** To who is not signed in nothing of anybody exists. */
export async function requireOwner(findSignedIn: FindSignedIn, request: FastifyRequest, missing: () => Problem): Promise<Session> {
  const session = await findSignedIn(request)
  if (session === undefined) throw missing()
  return themself(session)
}

/** Who looks as a sub-client has the rights of a viewer of it, and is not one. */
function themself(session: Session): Session {
  if (session.viewing !== undefined) throw new Problem('conflict', 'Stop looking as a sub-client first.')
  return session
}

export function authorOfPerson({ resellerId, userId }: Pick<Person, 'resellerId' | 'userId'>, at: Date, origin: Origin): Author {
  return { resellerId, type: 'user', id: userId, at, ...origin }
}
