import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { DeletedNotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import {
  CreatePersonalNotificationRule,
  MAX_PERSONAL_RULES,
  PersonalNotificationRule,
  PersonalNotificationRuleChange,
  PersonalNotificationRuleList,
  PersonalNotificationRuleParams,
} from '@roadworthy/contracts/platform-v1/personal-notification-rules'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { originOf } from '../../audit/audit.ts'
import { type FindSignedIn, forOwnPages, requireOwner, requireSignedIn } from '../signed-in.ts'
import { toPersonalRule } from '../wire-notification.ts'
import { changePersonalRule, createPersonalRule, noSuchPersonalRule, removePersonalRule, rulesThatReach } from './manage-personal-rules.ts'

export type PersonalRuleRoutesDeps = { readonly database: Database; readonly findSignedIn: FindSignedIn }

const tags = ['Session']

export function personalRulePlatformRoutes(deps: PersonalRuleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    forOwnPages(app)
    await app.register(collectionRoutes(deps))
    await app.register(ruleRoutes(deps))
  }
}

function collectionRoutes({ database, findSignedIn }: PersonalRuleRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/session/notification-rules',
      {
        config: { public: true },
        schema: {
          operationId: 'listPersonalNotificationRules',
          tags,
          summary: 'List the rules that send messages to who is signed in, oldest first',
          description:
            'Their own, also those that are switched off, and enabled ones of the account that name them. None when nobody is signed in.',
          response: { 200: PersonalNotificationRuleList, ...errorResponses() },
        },
      },
      async (request) => {
        const person = await findSignedIn(request)
        const rules = person === undefined ? [] : await rulesThatReach(database.tenantPool(person.resellerId), person)
        const notificationRules = person === undefined ? [] : rules.map((rule) => toPersonalRule(rule, person.userId))
        return { limit: MAX_PERSONAL_RULES, notificationRules }
      },
    )
    app.post(
      '/session/notification-rules',
      {
        config: { public: true },
        schema: {
          operationId: 'createPersonalNotificationRule',
          tags,
          summary: 'Add a rule that sends messages to who is signed in',
          description:
            'By e-mail and in their browsers, to nobody else. It is about incidents that open or change from now on, of vehicles that the person may see at that time.',
          body: CreatePersonalNotificationRule,
          response: { 200: PersonalNotificationRule, ...errorResponses(404, 409, 413, 415) },
        },
      },
      async (request) => {
        const person = await requireSignedIn(findSignedIn, request)
        return toPersonalRule(await createPersonalRule(database, person, request.body, originOf(request)), person.userId)
      },
    )
  }
}

function ruleRoutes({ database, findSignedIn }: PersonalRuleRoutesDeps): FastifyPluginAsyncTypebox {
  const params = PersonalNotificationRuleParams
  return async (app) => {
    app.patch(
      '/session/notification-rules/:id',
      {
        config: { public: true },
        schema: {
          operationId: 'changePersonalNotificationRule',
          tags,
          summary: 'Change, enable or disable a rule of who is signed in',
          description: 'It acts on what follows.',
          params,
          body: PersonalNotificationRuleChange,
          response: { 200: PersonalNotificationRule, ...errorResponses(404, 409, 413, 415) },
        },
      },
      async (request) => {
        const person = await requireOwner(findSignedIn, request, noSuchPersonalRule)
        const rule = await changePersonalRule(database, person, request.params.id, request.body, originOf(request))
        return toPersonalRule(rule, person.userId)
      },
    )
    app.delete(
      '/session/notification-rules/:id',
      {
        config: { public: true },
        schema: {
          operationId: 'deletePersonalNotificationRule',
          tags,
          summary: 'Delete a rule of who is signed in',
          params,
          response: { 200: DeletedNotificationRule, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const person = await requireOwner(findSignedIn, request, noSuchPersonalRule)
        await removePersonalRule(database, person, request.params.id, originOf(request))
        return { id: request.params.id, deleted: true as const }
      },
    )
  }
}
