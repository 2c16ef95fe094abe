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
import { originOf } from '../../audit/audit.ts'
import type { Session } from '../../people/sessions.sql.ts'
import { type FindSignedIn, forOwnPages, requireOwner, requireSignedIn } from '../signed-in.ts'
import { toPlatformPushSubscription, toPlatformTest } from '../wire-notification.ts'
import {
  addPushSubscription,
  noSuchBrowser,
  type PushSubscriptionDeps,
  removePushSubscription,
  tryPushSubscription,
} from './manage-push-subscriptions.ts'
import { selectPushSubscriptions } from './push-subscriptions.sql.ts'

export type PushSubscriptionRoutesDeps = PushSubscriptionDeps & { readonly findSignedIn: FindSignedIn }

const tags = ['Session']

/** Every person has browsers of their own. */
export function pushSubscriptionPlatformRoutes(deps: PushSubscriptionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    forOwnPages(app)
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
        const person = await requireOwner(findSignedIn, request, noSuchBrowser)
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
        const person = await requireOwner(findSignedIn, request, noSuchBrowser)
        const { id } = request.params
        return toPlatformTest(id, await tryPushSubscription(deps, person, id, originOf(request)))
      },
    )
  }
}
