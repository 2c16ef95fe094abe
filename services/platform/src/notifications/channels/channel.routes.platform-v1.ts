import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CreatedNotificationChannel,
  CreateNotificationChannel,
  DeletedNotificationChannel,
  NotificationChannel,
  NotificationChannelChange,
  NotificationChannelList,
  NotificationChannelListQuery,
  NotificationChannelParams,
  NotificationChannelTest,
} from '@roadworthy/contracts/platform-v1/notification-channels'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../../audit/audit.ts'
import type { TargetGuard } from '../../webhooks/target-guard.ts'
import type { ChannelExits } from '../send-notification.ts'
import { toPlatformChannel, toPlatformTest } from '../wire-notification.ts'
import { countChannels, selectChannels } from './channels.sql.ts'
import { changeChannel, createChannel, type ManageChannelDeps, removeChannel, requireChannel } from './manage-channels.ts'
import { tryChannel } from './try-channel.ts'

const SCOPE = 'webhooks:manage'
const tags = ['Notifications']

export type ChannelRoutesDeps = { readonly database: Database; readonly exits: ChannelExits; readonly guard: TargetGuard }

export function notificationChannelPlatformRoutes({ database, exits, guard }: ChannelRoutesDeps): FastifyPluginAsyncTypebox {
  const deps: ManageChannelDeps = { database, sealer: exits.sealer, guard }
  return async (app) => {
    await app.register(collectionRoutes(deps))
    await app.register(channelRoutes(deps))
    await app.register(testRoutes(database, exits))
  }
}

function collectionRoutes(deps: ManageChannelDeps): FastifyPluginAsyncTypebox {
  const { database } = deps
  return async (app) => {
    app.post(
      '/notification-channels',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'createNotificationChannel',
          tags,
          summary: 'Connect a chat, a topic or a program that messages go to',
          description: 'Rules name it among their recipients. A key that is pinned to a sub-client connects channels of it.',
          body: CreateNotificationChannel,
          response: { 200: CreatedNotificationChannel, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const author = authorOf(request, await database.now())
        const { channel, secret } = await createChannel(deps, request.caller, request.body, author)
        return { channel: toPlatformChannel(channel), secret: secret ?? null }
      },
    )
    app.get(
      '/notification-channels',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'listNotificationChannels',
          tags,
          summary: 'List channels, oldest first',
          querystring: NotificationChannelListQuery,
          response: { 200: NotificationChannelList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('notification channels', query)
        const db = database.tenantPool(caller.resellerId)
        const [found, total] = await Promise.all([selectChannels(db, caller, page), countChannels(db, caller)])
        const { items, pagination } = endPage(found, page, ({ createdAt, channelId }) => ({ at: createdAt, id: channelId }))
        return { total, notificationChannels: items.map(toPlatformChannel), pagination }
      },
    )
  }
}

function channelRoutes(deps: ManageChannelDeps): FastifyPluginAsyncTypebox {
  const { database } = deps
  return async (app) => {
    app.get(
      '/notification-channels/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'getNotificationChannel',
          tags,
          summary: 'Get a channel',
          params: NotificationChannelParams,
          response: { 200: NotificationChannel, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => toPlatformChannel(await requireChannel(database.tenantPool(caller.resellerId), caller, params.id)),
    )
    app.patch(
      '/notification-channels/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'changeNotificationChannel',
          tags,
          summary: 'Rename a channel, or give it another target',
          description: 'Its kind stays, and the secret of a `webhook` does.',
          params: NotificationChannelParams,
          body: NotificationChannelChange,
          response: { 200: NotificationChannel, ...errorResponses(404) },
        },
      },
      async (request) => {
        const author = authorOf(request, await database.now())
        return toPlatformChannel(await changeChannel(deps, request.caller, request.params.id, request.body, author))
      },
    )
    app.delete(
      '/notification-channels/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'deleteNotificationChannel',
          tags,
          summary: 'Delete a channel',
          description: 'Refused while a rule sends there.',
          params: NotificationChannelParams,
          response: { 200: DeletedNotificationChannel, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        await removeChannel(database, request.caller, request.params.id, authorOf(request, await database.now()))
        return { id: request.params.id, deleted: true as const }
      },
    )
  }
}

function testRoutes(database: Database, exits: ChannelExits): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/notification-channels/:id/test',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'testNotificationChannel',
          tags,
          summary: 'Send a test message to a channel and say what it answered',
          description: 'It has one attempt, and is in the log. Once in five seconds.',
          params: NotificationChannelParams,
          response: { 200: NotificationChannelTest, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const { id } = request.params
        const author = authorOf(request, await database.now())
        return toPlatformTest(id, await tryChannel({ database, exits }, request.caller, id, author))
      },
    )
  }
}
