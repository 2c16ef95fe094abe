import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ApiKeyList,
  CreateApiKeyRequest,
  CreatedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
  RotatedApiKey,
  type ApiKey as WireApiKey,
} from '@roadworthy/contracts/platform-v1/api-keys'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { pageQuery } from '@roadworthy/contracts/wire-fields'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { Type } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { Plans } from '../limits/plans.ts'
import { grantKey } from './grant-key.ts'
import type { ApiKey } from './keys.sql.ts'
import { listKeys, type NewKey, revokeKey } from './keys.ts'
import { rotateKey } from './rotate-key.ts'

const KeyParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })
const DEFAULT_OVERLAP_HOURS = 24

/** Spec gap §5.4: no scope of the spec is about keys, so only full access can manage them. */
const KEY_SCOPE = '*'

type KeyRoutesDeps = {
  readonly database: Database
  readonly access: { readonly plans: Plans; forgetReseller(resellerId: string): void }
  readonly now: () => Date
}

export function apiKeyPlatformRoutes(deps: KeyRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, access, now } = deps
  return async (app) => {
    app.post(
      '/api-keys',
      {
        config: { scope: KEY_SCOPE },
        schema: {
          operationId: 'createApiKey',
          tags: ['API keys'],
          summary: 'Make an API key',
          description: 'The secret is in this answer and nowhere else. A key cannot grant more than it has itself.',
          body: CreateApiKeyRequest,
          response: { 200: CreatedApiKey, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, body } = request
        const author = authorOf(request, now())
        const { apiKey, key } = await grantKey({ database, plans: access.plans }, caller, fromPlatformRequest(body), author)
        return { secret: apiKey, apiKey: toPlatformApiKey(key) }
      },
    )
    app.get(
      '/api-keys',
      {
        config: { scope: KEY_SCOPE },
        schema: {
          operationId: 'listApiKeys',
          tags: ['API keys'],
          summary: 'List API keys, oldest first',
          querystring: Type.Object(pageQuery),
          response: { 200: ApiKeyList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const { total, keys, pagination } = await listKeys(database, caller.resellerId, { ...query, subClientId: caller.subClientPin })
        return { total, apiKeys: keys.map(toPlatformApiKey), pagination }
      },
    )
    addRotateRoute(app as App, deps)
    app.delete(
      '/api-keys/:id',
      {
        config: { scope: KEY_SCOPE },
        schema: {
          operationId: 'revokeApiKey',
          tags: ['API keys'],
          summary: 'Revoke an API key',
          description: 'The key stops working within a second. Repeating it is fine.',
          params: KeyParams,
          response: { 200: RevokedApiKey, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, params } = request
        const revoke = { keyId: params.id, subClientId: caller.subClientPin }
        const author = authorOf(request, now())
        const key = await revokeKey(database, caller.resellerId, revoke, author.at, author)
        access.forgetReseller(caller.resellerId)
        return { apiKey: toPlatformApiKey(key) }
      },
    )
  }
}

function addRotateRoute(app: App, { database, access, now }: KeyRoutesDeps): void {
  app.post(
    '/api-keys/:id/rotate',
    {
      config: { scope: KEY_SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'rotateApiKey',
        tags: ['API keys'],
        summary: 'Replace an API key',
        description:
          'Makes a key with the same name, scopes, sub-client, limits and expiry. The one before ends after `overlapHours`, or when it would ' +
          'have expired; rotated once more until then, it makes another key with the expiry that it had at first. The new secret is in this ' +
          'answer and nowhere else.',
        params: KeyParams,
        body: RotateApiKeyRequest,
        response: { 200: RotatedApiKey, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const rotate = { keyId: params.id, overlapHours: body.overlapHours ?? DEFAULT_OVERLAP_HOURS }
      const { apiKey, key, previous } = await rotateKey({ database, plans: access.plans }, caller, rotate, authorOf(request, now()))
      access.forgetReseller(caller.resellerId)
      return { secret: apiKey, apiKey: toPlatformApiKey(key), previous: toPlatformApiKey(previous) }
    },
  )
}

function fromPlatformRequest(body: CreateApiKeyRequest): NewKey {
  return {
    name: body.name,
    scopes: body.scopes,
    subClientId: body.subClientId ?? undefined,
    perMinute: body.perMinute ?? undefined,
    perDay: body.perDay ?? undefined,
    expiresAt: typeof body.expiresAt === 'string' ? timeOf(body.expiresAt) : undefined,
  }
}

function timeOf(text: string): Date {
  const timeMs = parseRfc3339(text)
  if (timeMs !== undefined) return new Date(timeMs)
  throw new Problem('invalid_request', '"expiresAt" is not a time of the form 2026-01-31T08:15:00Z.', { details: { field: 'expiresAt' } })
}

function toPlatformApiKey(key: ApiKey): WireApiKey {
  return {
    id: key.keyId,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    scopes: [...key.scopes],
    subClientId: key.subClientId ?? null,
    perMinute: key.perMinute ?? null,
    perDay: key.perDay ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  }
}
