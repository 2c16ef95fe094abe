import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CreateWebhookRequest,
  DeletedWebhook,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookTestRequest,
  WebhookTestSent,
  WebhookWithSecret,
} from '@roadworthy/contracts/platform-v1/webhooks'
import { pageQuery } from '@roadworthy/contracts/wire-fields'
import type { App } from '@roadworthy/service-kit/http/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { type Static, Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { Caller } from '../keys/caller.ts'
import type { Endpoint } from './endpoint.ts'
import { selectEndpointCount, selectEndpoints } from './endpoints.sql.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type ManageDeps,
  pauseEndpoint,
  requireEndpoint,
  resumeEndpoint,
  rotateSecret,
  sendTest,
} from './manage-endpoints.ts'
import { toPlatformWebhook } from './wire-webhook.ts'

export const WEBHOOK_SCOPE = 'webhooks:manage'
const tags = ['Webhooks']

/** Endpoints. What was sent to them is in `delivery.routes.platform-v1.ts`. */
export function webhookPlatformRoutes(deps: ManageDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(collectionRoutes(deps))
    await app.register(endpointRoutes(deps))
    await app.register(actionRoutes(deps))
  }
}

function collectionRoutes(deps: ManageDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/webhooks',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'createWebhook',
          tags,
          summary: 'Add an endpoint that events are sent to',
          description:
            'The secret is in this answer and nowhere else. The URL must be https and lead to a public address, now and at every attempt. A key ' +
            'that is pinned to a sub-client adds endpoints that are sent its events only.',
          body: CreateWebhookRequest,
          response: { 200: WebhookWithSecret, ...errorResponses(404, 409) },
        },
      },
      async (request) => withSecret(await createEndpoint(deps, request.caller, request.body, authorOf(request, deps.now()))),
    )
    app.get(
      '/webhooks',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'listWebhooks',
          tags,
          summary: 'List endpoints, oldest first',
          querystring: Type.Object(pageQuery),
          response: { 200: WebhookList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listEndpoints(deps, caller, query),
    )
  }
}

async function listEndpoints({ database }: ManageDeps, caller: Caller, query: { limit?: number; after?: string }): Promise<WebhookList> {
  const page = pageRequest('webhooks', query)
  const db = database.tenantPool(caller.resellerId)
  const [rows, total] = await Promise.all([selectEndpoints(db, caller, page), selectEndpointCount(db, caller)])
  const { items, pagination } = endPage(rows, page, ({ createdAt, endpointId }) => ({ at: createdAt, id: endpointId }))
  return { total, webhooks: items.map(toPlatformWebhook), pagination }
}

function endpointRoutes(deps: ManageDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'getWebhook',
          tags,
          summary: 'Get one endpoint',
          params: WebhookParams,
          response: { 200: Webhook, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        return toPlatformWebhook(await requireEndpoint(deps.database.tenantPool(caller.resellerId), caller, params.id))
      },
    )
    app.patch(
      '/webhooks/:id',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'changeWebhook',
          tags,
          summary: 'Change an endpoint',
          params: WebhookParams,
          body: WebhookChange,
          response: { 200: Webhook, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        return toPlatformWebhook(await changeEndpoint(deps, caller, params.id, body, authorOf(request, deps.now())))
      },
    )
    app.delete(
      '/webhooks/:id',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'deleteWebhook',
          tags,
          summary: 'Delete an endpoint',
          description: 'With what was still to be sent, and with its delivery log.',
          params: WebhookParams,
          response: { 200: DeletedWebhook, ...errorResponses(404) },
        },
      },
      async (request) => {
        await deleteEndpoint(deps, request.caller, request.params.id, authorOf(request, deps.now()))
        return { id: request.params.id, deleted: true as const }
      },
    )
  }
}

function actionRoutes(deps: ManageDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/webhooks/:id/secret/rotate',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'rotateWebhookSecret',
          tags,
          summary: 'Make a new signing secret',
          description: 'For 24 h messages are signed with both secrets. The new one is in this answer and nowhere else.',
          params: WebhookParams,
          response: { 200: WebhookWithSecret, ...errorResponses(404, 409) },
        },
      },
      async (request) => withSecret(await rotateSecret(deps, request.caller, request.params.id, authorOf(request, deps.now()))),
    )
    for (const { action, operationId, summary, description, run } of [
      {
        action: 'pause',
        operationId: 'pauseWebhook',
        summary: 'Stop sending to an endpoint',
        description: 'Events are kept for 30 days and sent when it is resumed. Repeating it is fine. A disabled endpoint cannot be paused.',
        run: pauseEndpoint,
      },
      {
        action: 'resume',
        operationId: 'resumeWebhook',
        summary: 'Send to an endpoint again, paused or disabled',
        description: 'What was kept is sent at once. Events that happened while it was disabled are not among it: recover them.',
        run: resumeEndpoint,
      },
    ] as const) {
      app.post(
        `/webhooks/:id/${action}`,
        {
          config: { scope: WEBHOOK_SCOPE },
          schema: {
            operationId,
            tags,
            summary,
            description,
            params: WebhookParams,
            response: { 200: Webhook, ...errorResponses(404, 409) },
          },
        },
        async (request) => toPlatformWebhook(await run(deps, request.caller, request.params.id, authorOf(request, deps.now()))),
      )
    }
    addTestRoute(app as App, deps)
  }
}

function addTestRoute(app: App, deps: ManageDeps): void {
  app.post(
    '/webhooks/:id/test',
    {
      config: { scope: WEBHOOK_SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test event to an endpoint',
        description:
          'To this endpoint only, whatever its filter; it goes the way of every event and is in its deliveries. With `eventType` it is a sample ' +
          'of that type, made up and with `test: true` beside `data`, which is not in the log of events. Without, it is a `webhook.test`.',
        params: WebhookParams,
        body: WebhookTestRequest,
        response: { 200: WebhookTestSent, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const eventType = (body as Static<typeof WebhookTestRequest> | undefined)?.eventType ?? 'webhook.test'
      return { eventId: await sendTest(deps, caller, { endpointId: params.id, eventType }, authorOf(request, deps.now())) }
    },
  )
}

function withSecret({ secret, endpoint }: { secret: string; endpoint: Endpoint }) {
  return { secret, webhook: toPlatformWebhook(endpoint) }
}
