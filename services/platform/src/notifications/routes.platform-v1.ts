import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  CreateNotificationRule,
  DeletedNotificationRule,
  NotificationList,
  NotificationListQuery,
  NotificationRule,
  NotificationRuleChange,
  NotificationRuleList,
  NotificationRuleListQuery,
  NotificationRuleParams,
  NotificationTestSent,
} from '@roadworthy/contracts/platform-v1/notifications'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { authorOf } from '../audit/audit.ts'
import { selectNotifications } from './notifications.sql.ts'
import { changeRule, createRule, removeRule, requestTest, requireRule } from './rules/manage-rules.ts'
import { countRules, selectRules } from './rules/rules.sql.ts'
import { selectIncidentReferences } from './subject-name.read.sql.ts'
import { toPlatformNotification, toPlatformRule } from './wire-notification.ts'

/** The one scope about what leaves the service to be read elsewhere. */
const SCOPE = 'webhooks:manage'
const tags = ['Notifications']

/** The clock is the database's: messages are due by it. */
export type NotificationRoutesDeps = { readonly database: Database }

export function notificationPlatformRoutes(deps: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(collectionRoutes(deps))
    await app.register(ruleRoutes(deps))
    await app.register(testRoutes(deps))
    await app.register(logRoutes(deps))
  }
}

function collectionRoutes({ database }: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/notification-rules',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'createNotificationRule',
          tags,
          summary: 'Add a rule about who is sent a message about which incidents',
          description:
            'It is about incidents that open or change from now on. A key that is pinned to a sub-client adds rules about its incidents, for its people.',
          body: CreateNotificationRule,
          response: { 200: NotificationRule, ...errorResponses(404, 409) },
        },
      },
      async (request) => toPlatformRule(await createRule(database, request.caller, request.body, authorOf(request, await database.now()))),
    )
    app.get(
      '/notification-rules',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'listNotificationRules',
          tags,
          summary: 'List rules, oldest first',
          querystring: NotificationRuleListQuery,
          response: { 200: NotificationRuleList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('notification rules', query)
        const db = database.tenantPool(caller.resellerId)
        const [found, total] = await Promise.all([selectRules(db, caller, page), countRules(db, caller)])
        const { items, pagination } = endPage(found, page, ({ createdAt, ruleId }) => ({ at: createdAt, id: ruleId }))
        return { total, notificationRules: items.map(toPlatformRule), pagination }
      },
    )
  }
}

function ruleRoutes({ database }: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/notification-rules/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'getNotificationRule',
          tags,
          summary: 'Get a rule',
          params: NotificationRuleParams,
          response: { 200: NotificationRule, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => toPlatformRule(await requireRule(database.tenantPool(caller.resellerId), caller, params.id)),
    )
    app.patch(
      '/notification-rules/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'changeNotificationRule',
          tags,
          summary: 'Change, enable or disable a rule',
          description: 'It acts on what follows.',
          params: NotificationRuleParams,
          body: NotificationRuleChange,
          response: { 200: NotificationRule, ...errorResponses(404) },
        },
      },
      async (request) => {
        const author = authorOf(request, await database.now())
        return toPlatformRule(await changeRule(database, request.caller, request.params.id, request.body, author))
      },
    )
    app.delete(
      '/notification-rules/:id',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'deleteNotificationRule',
          tags,
          summary: 'Delete a rule',
          description: 'Nothing more is sent by it. What was sent stays in the log.',
          params: NotificationRuleParams,
          response: { 200: DeletedNotificationRule, ...errorResponses(404) },
        },
      },
      async (request) => {
        await removeRule(database, request.caller, request.params.id, authorOf(request, await database.now()))
        return { id: request.params.id, deleted: true as const }
      },
    )
  }
}

function testRoutes({ database }: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/notification-rules/:id/test',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'testNotificationRule',
          tags,
          summary: 'Send a test to everybody a rule names',
          description: 'At any hour, and once a minute at most. `GET /notifications?ruleId=…` shows what came of it.',
          params: NotificationRuleParams,
          response: { 200: NotificationTestSent, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const recipients = await requestTest(database, request.caller, request.params.id, authorOf(request, await database.now()))
        return { id: request.params.id, recipients }
      },
    )
  }
}

function logRoutes({ database }: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/notifications',
      {
        config: { scope: SCOPE },
        schema: {
          operationId: 'listNotifications',
          tags,
          summary: 'List what was and is to be sent, newest first',
          description:
            'Kept for a year, and as long as the incident lives. A key that is pinned to a sub-client sees what the rules of it sent.',
          querystring: NotificationListQuery,
          response: { 200: NotificationList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('notifications', query, 'newest first')
        const { ruleId, incidentId, recipient, status } = query
        const db = database.tenantPool(caller.resellerId)
        const found = await selectNotifications(db, caller, { ruleId, incidentId, recipient, status }, page)
        const { items, pagination } = endPage(found, page, ({ createdAt, notificationId }) => ({ at: createdAt, id: notificationId }))
        const incidentIds = [...new Set(items.flatMap((item) => item.incidentId ?? []))]
        const references = await selectIncidentReferences(db, caller.resellerId, incidentIds)
        return { notifications: items.map((item) => toPlatformNotification(item, references.get(item.incidentId ?? ''))), pagination }
      },
    )
  }
}
