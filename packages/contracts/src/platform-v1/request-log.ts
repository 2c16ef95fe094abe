// The last calls of each API key.

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample } from '../wire-fields.ts'

const printable = (description: string) => Type.Optional(Type.String({ pattern: '^[\\x20-\\x7e]{1,200}$', description }))

export const RequestLogQuery = Type.Object({
  keyId: printable('Only calls with this key.'),
  status: Type.Optional(
    Type.Enum(['2xx', '3xx', '4xx', '5xx', 'refused'], {
      type: 'string',
      description: 'Only answers of this kind; `refused` is 4xx and 5xx.',
    }),
  ),
  method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], { type: 'string' })),
  path: printable('Only paths that begin so, such as `/api/external/telemetry`.'),
  requestId: printable('Only the call with this `X-Request-Id`.'),
  from: printable('Start of the range, included; RFC 3339 with an offset.'),
  to: printable('End of the range, not included; RFC 3339 with an offset.'),
  ...pageQuery,
})

export const LoggedRequest = Type.Object(
  {
    id: Type.String({ description: 'Of this entry.' }),
    at: timestamp('When the request came.'),
    keyId: Type.String({ description: 'The key it was made with, also one that is revoked or expired.' }),
    subClientId: nullable(Type.String({ description: 'The sub-client that the key belongs to, if to one.' })),
    surface: Type.Enum(['external', 'platform-v1', 'sim-billing'], { type: 'string', description: 'The API that answered.' }),
    method: Type.String(),
    path: Type.String({ description: 'Without the query. What looks like a secret is shown as `***`.' }),
    query: nullable(
      Type.String({ description: 'As it was sent. Values of what is named like a secret, or looks like one, are shown as `***`.' }),
    ),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    durationMs: Type.Integer({ minimum: 0, description: 'From the request to the end of the answer.' }),
    requestId: Type.String({ description: '`X-Request-Id` of the answer.' }),
    error: Type.Union(
      [
        Type.Object(
          {
            code: Type.String({ description: 'As it was answered; see docs/errors.md.' }),
            message: Type.String({ description: 'The reason, as it was answered.' }),
          },
          { title: 'LoggedProblem' },
        ),
        Type.Null(),
      ],
      { description: 'Why it was refused; null where it was not.' },
    ),
    address: Type.String({ description: 'IP address that the request came from.' }),
    userAgent: nullable(Type.String({ description: 'What the program calls itself.' })),
  },
  {
    title: 'LoggedRequest',
    examples: [
      {
        id: 'req-2b6f0k4p8t1x5c9g3m7r',
        at: timestampExample,
        keyId: 'key-5d0f8s2k9x7m1c4v6b3n',
        subClientId: null,
        surface: 'external',
        method: 'POST',
        path: '/api/external/telemetry',
        query: null,
        status: 403,
        durationMs: 3,
        requestId: 'b5a1c9e2-6f0e-4f3c-9c1d-2f7a0d5c8e11',
        error: { code: 'missing_scope', message: 'This key lacks the scope telemetry:write.' },
        address: '203.0.113.7',
        userAgent: 'okhttp/4.12.0',
      },
    ],
  },
)
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestLogPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest),
    keptDays: Type.Integer({ minimum: 1, examples: [7], description: 'Older calls are removed.' }),
    keptOfKey: Type.Integer({
      minimum: 1,
      examples: [1_000],
      description: 'Of each key so many calls that were refused are kept, and so many that were not.',
    }),
    pagination: Pagination,
  },
  { title: 'RequestLogPage', description: 'A page of the log, newest first.' },
)
export type RequestLogPage = Static<typeof RequestLogPage>
