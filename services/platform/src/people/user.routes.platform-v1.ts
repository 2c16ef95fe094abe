import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  ChangeUserRequest,
  InvitedUser,
  InviteUserRequest,
  RemovedUser,
  UserAnswer,
  UserList,
  UserParams,
  type User as WireUser,
} from '@roadworthy/contracts/platform-v1/users'
import { pageQuery } from '@roadworthy/contracts/wire-fields'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { Post } from './post.ts'
import type { User } from './users.sql.ts'
import { changeUser, inviteUser, listUsers, removeUser, requireUser } from './users.ts'

type UserRoutesDeps = { readonly database: Database; readonly now: () => Date; readonly post: Post }

/** As of keys: only full access can set who has access. */
const PEOPLE_SCOPE = '*'
const tags = ['People']

export function userPlatformRoutes(deps: UserRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addInviteRoute(app as App, deps)
    addReadRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
  }
}

function addInviteRoute(app: App, { database, now, post }: UserRoutesDeps): void {
  app.post(
    '/users',
    {
      config: { scope: PEOPLE_SCOPE },
      schema: {
        operationId: 'inviteUser',
        tags,
        summary: 'Invite a person',
        description:
          'The link in the invitation lets the person set a password, and works for 7 days. Inviting somebody again who has not done so makes a new link and voids the one before. The mail is in `language`, and so is the dashboard of the person until they choose another.',
        body: InviteUserRequest,
        response: { 200: InvitedUser, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { user, letter } = await inviteUser(database, request.caller, request.body, authorOf(request, now()))
      const { url, isMailed } = await post.send(letter)
      return {
        user: toPlatformUser(user),
        invitation: { url: isMailed ? null : url, mailed: isMailed, expiresAt: letter.expiresAt.toISOString() },
      }
    },
  )
}

function addReadRoutes(app: App, { database }: UserRoutesDeps): void {
  app.get(
    '/users',
    {
      config: { scope: PEOPLE_SCOPE },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List people, oldest first',
        querystring: Type.Object(pageQuery),
        response: { 200: UserList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const { total, users, pagination } = await listUsers(database, caller, query)
      return { total, users: users.map(toPlatformUser), pagination }
    },
  )
  app.get(
    '/users/:id',
    {
      config: { scope: PEOPLE_SCOPE },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get one person',
        params: UserParams,
        response: { 200: UserAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => ({
      user: toPlatformUser(await requireUser(database.tenantPool(caller.resellerId), caller, params.id)),
    }),
  )
}

function addChangeRoutes(app: App, { database, now }: UserRoutesDeps): void {
  app.patch(
    '/users/:id',
    {
      config: { scope: PEOPLE_SCOPE },
      schema: {
        operationId: 'changeUser',
        tags,
        summary: 'Change the role of a person, or shut them out',
        description:
          'Acts on the next request of the person. `deactivated` ends their sessions and links; `active` lets them sign in again. The last owner can neither lose the role nor be shut out.',
        params: UserParams,
        body: ChangeUserRequest,
        response: { 200: UserAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const user = await changeUser(database, request.caller, request.params.id, request.body, authorOf(request, now()))
      return { user: toPlatformUser(user) }
    },
  )
  app.delete(
    '/users/:id',
    {
      config: { scope: PEOPLE_SCOPE },
      schema: {
        operationId: 'removeUser',
        tags,
        summary: 'Remove a person',
        description: 'Their sessions and links end and their address is free again. The last owner cannot be removed.',
        params: UserParams,
        response: { 200: RemovedUser, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      await removeUser(database, request.caller, request.params.id, authorOf(request, now()))
      return { id: request.params.id }
    },
  )
}

function toPlatformUser(user: User): WireUser {
  return {
    id: user.userId,
    email: user.email,
    role: user.role,
    subClientId: user.subClientId ?? null,
    status: user.status,
    language: user.language ?? null,
    units: user.units ?? null,
    createdAt: user.createdAt.toISOString(),
  }
}
