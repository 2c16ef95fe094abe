import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CreatePushSubscription,
  DeletedPushSubscription,
  MAX_PUSH_SUBSCRIPTIONS,
  PushSubscription,
  PushSubscriptionList,
  PushSubscriptionParams,
  PushSubscriptionTest,
} from '@roadworthy/contracts/platform-v1/push-subscriptions'
import { Problem } from '@roadworthy/service-kit/problem'
import type { FastifyRequest } from 'fastify'
import { originOf } from '../audit/audit.ts'
import { isSameOrigin } from '../people/session-cookie.ts'
import type { Session } from '../people/sessions.sql.ts'
import {
  addPushSubscription,
  noSuchBrowser,
  type PushSubscriptionDeps,
  removePushSubscription,
  tryPushSubscription,
} from './manage-push-subscriptions.ts'
import { selectPushSubscriptions } from './push-subscriptions.sql.ts'
import { toPlatformPushSubscription, toPlatformTest } from './wire-notification.ts'

export type PushSubscriptionRoutesDeps = PushSubscriptionDeps & {
  readonly findSignedIn: (request: FastifyRequest) => Promise<Session | undefined>
}

const tags = ['Session']

/** Public, as the session itself is: every person has browsers of their own, also who may change nothing else, and keys have none. */
export function pushSubscriptionPlatformRoutes(deps: PushSubscriptionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request)) return
      throw new Problem('invalid_api_key', 'This can be done from pages of this service only.')
    })
    await app.register(collectionRoutes(deps))
    await app.register(subscriptionRoutes(deps))
  }
}

function collectionRoutes(deps: PushSubscriptionRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, exits, findSignedIn } = deps
  return async (app) => {
    app.get(
      '/session/push-subscriptions',
      {
        config: { public: true },
        schema: {
          operationId: 'listPushSubscriptions',
          tags,
          summary: 'List the browsers in which who is signed in is shown messages',
          description: 'None when nobody is signed in. With the key that a browser subscribes with.',
          response: { 200: PushSubscriptionList, ...errorResponses() },
        },
      },
      async (request) => {
        const person = await findSignedIn(request)
        const found = person === undefined ? [] : await selectPushSubscriptions(tenantOf(person), person.resellerId, person.userId)
        return {
          publicKey: exits.vapid.publicKey,
          limit: MAX_PUSH_SUBSCRIPTIONS,
          pushSubscriptions: found.map(toPlatformPushSubscription),
        }
      },
    )
    app.post(
      '/session/push-subscriptions',
      {
        config: { public: true },
        schema: {
          operationId: 'createPushSubscription',
          tags,
          summary: 'Show messages to who is signed in, in this browser',
          description:
            'Of rules that name the person, from the next message on. Given again, by whoever, the browser is theirs. A new password, or being deactivated, removes all.',
          body: CreatePushSubscription,
          response: { 200: PushSubscription, ...errorResponses(409, 413, 415) },
        },
      },
      async (request) => {
        const person = await requireSignedIn(findSignedIn, request)
        return toPlatformPushSubscription(await addPushSubscription(deps, person, request.body, originOf(request)))
      },
    )
  }
  function tenantOf({ resellerId }: Session) {
    return database.tenantPool(resellerId)
  }
}

function subscriptionRoutes(deps: PushSubscriptionRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, findSignedIn } = deps
  const params = PushSubscriptionParams
  return async (app) => {
    app.delete(
      '/session/push-subscriptions/:id',
      {
        config: { public: true },
        schema: {
          operationId: 'deletePushSubscription',
          tags,
          summary: 'Show nothing more in a browser',
          params,
          response: { 200: DeletedPushSubscription, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const person = await requireOwner(findSignedIn, request)
        await removePushSubscription(database, person, request.params.id, originOf(request))
        return { id: request.params.id, deleted: true as const }
      },
    )
    app.post(
      '/session/push-subscriptions/:id/test',
      {
        config: { public: true },
        schema: {
          operationId: 'testPushSubscription',
          tags,
          summary: 'Show a test message in a browser and say what its push service answered',
          description: 'It has one attempt, and is in the log. Once in five seconds.',
          params,
          response: { 200: PushSubscriptionTest, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const person = await requireOwner(findSignedIn, request)
        const { id } = request.params
        return toPlatformTest(id, await tryPushSubscription(deps, person, id, originOf(request)))
      },
    )
  }
}

type FindSignedIn = PushSubscriptionRoutesDeps['findSignedIn']

async function requireSignedIn(findSignedIn: FindSignedIn, request: FastifyRequest): Promise<Session> {
  const session = await findSignedIn(request)
  if (session === undefined) throw new Problem('invalid_api_key', 'Sign in first.')
  return themself(session)
}

/** To who is not signed in no browser exists. */
async function requireOwner(findSignedIn: FindSignedIn, request: FastifyRequest): Promise<Session> {
  const session = await findSignedIn(request)
  if (session === undefined) throw noSuchBrowser()
  return themself(session)
}

/** Who looks as a sub-client has the rights of a viewer of it, and is not one. */
function themself(session: Session): Session {
  if (session.viewing !== undefined) throw new Problem('conflict', 'Stop looking as a sub-client first.')
  return session
}
