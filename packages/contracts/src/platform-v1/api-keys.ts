// Spec gap §5.2: the routes behind "Settings, API Keys".

import { type Static, Type } from 'typebox'
import { nullable, Pagination, timestamp, timestampExample, total } from '../wire-fields.ts'

const scopes = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 64,
  description: 'What the key may do. `*` is everything.',
  examples: [['devices:read', 'telemetry:write']],
})
const subClientId = Type.String({ minLength: 1, maxLength: 64, description: 'The only sub-client that the key sees and touches.' })
const perMinute = Type.Integer({ minimum: 0, description: 'Requests in any 60 seconds. 0: unlimited; absent: the default of the plan.' })
const perDay = Type.Integer({ minimum: 0, description: 'Requests in a UTC day. 0: unlimited; absent: the default of the plan.' })

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String({ description: 'How the key begins.' }),
    last4: Type.String({ description: 'How the key ends.' }),
    scopes,
    subClientId: nullable(subClientId),
    perMinute: nullable(perMinute),
    perDay: nullable(perDay),
    expiresAt: nullable(timestamp('When the key stops working.')),
    revokedAt: nullable(timestamp('When the key was revoked.')),
    lastUsedAt: nullable(timestamp('Of the last request with this key, to the minute.')),
    createdAt: timestamp('When the key was made.'),
  },
  {
    title: 'ApiKey',
    examples: [
      {
        id: 'key-5d0f8s2k9x7m1c4v6b3n',
        name: 'Telematics gateway',
        prefix: 'rw_live_',
        last4: 'x7Qa',
        scopes: ['devices:read', 'telemetry:write'],
        subClientId: null,
        perMinute: 600,
        perDay: null,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: timestampExample,
        createdAt: timestampExample,
      },
    ],
  },
)
export type ApiKey = Static<typeof ApiKey>

export const CreateApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes,
    subClientId: Type.Optional(nullable(subClientId)),
    perMinute: Type.Optional(nullable(perMinute)),
    perDay: Type.Optional(nullable(perDay)),
    expiresAt: Type.Optional(nullable(timestamp('When the key stops working. Absent: never, or when the key that makes it does.'))),
  },
  { title: 'CreateApiKeyRequest', examples: [{ name: 'Telematics gateway', scopes: ['devices:read', 'telemetry:write'] }] },
)
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>

export const CreatedApiKey = Type.Object(
  {
    secret: Type.String({
      description: 'The key itself, for `X-API-Key` or `Authorization: Bearer`. It is shown this once only.',
      examples: ['rw_live_0123456789abcdefghijklmnopqrstuvwxyz'],
    }),
    apiKey: ApiKey,
  },
  { title: 'CreatedApiKey', description: 'The key; this is the one time its secret is shown.' },
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const RotateApiKeyRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'How long the key before goes on working, so that programs can be given the new one. 0: it ends at once.',
      }),
    ),
  },
  { title: 'RotateApiKeyRequest', additionalProperties: false, examples: [{ overlapHours: 24 }] },
)

export const RotatedApiKey = Type.Object(
  { ...CreatedApiKey.properties, previous: ApiKey },
  {
    title: 'RotatedApiKey',
    description: 'The new key; this is the one time its secret is shown. `previous` is the key before, with when it ends as `expiresAt`.',
  },
)
export type RotatedApiKey = Static<typeof RotatedApiKey>

export const RevokedApiKey = Type.Object({ apiKey: ApiKey }, { title: 'RevokedApiKey', description: 'The key, which no longer works.' })
export type RevokedApiKey = Static<typeof RevokedApiKey>

export const ApiKeyList = Type.Object(
  { total, apiKeys: Type.Array(ApiKey), pagination: Pagination },
  { title: 'ApiKeyList', description: 'A page of keys, revoked ones included.' },
)
export type ApiKeyList = Static<typeof ApiKeyList>
