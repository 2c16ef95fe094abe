// What EMQX 5 asks over HTTP and how it is answered (its "HTTP authentication" and "HTTP authorization"). The names of the body are those
// of the templates in docs/mqtt-brokers.md. What a client did not give comes as an empty string, as "undefined", or not at all.

import { type Static, Type } from 'typebox'

const MAX_TEXT = 4_096
const Given = Type.Optional(Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()]))

/** The templates are the operator's, who may send more. */
const takesMore = { additionalProperties: true }

export const EmqxAuthenticate = Type.Object({ username: Given, password: Given, clientid: Given, peerhost: Given }, takesMore)
export type EmqxAuthenticate = Static<typeof EmqxAuthenticate>

/** A rule of EMQX 5.8; earlier ones ask for each action. `eq ` before a topic keeps `+` and `#` from matching anything else. */
const EmqxRule = Type.Object({
  permission: Type.Enum(['allow', 'deny']),
  action: Type.Enum(['publish', 'subscribe', 'all']),
  topic: Type.String(),
  qos: Type.Optional(Type.Array(Type.Integer())),
  retain: Type.Optional(Type.Boolean()),
})

export const EmqxAuthenticated = Type.Object({
  result: Type.Enum(['allow', 'deny']),
  is_superuser: Type.Optional(Type.Boolean()),
  acl: Type.Optional(Type.Array(EmqxRule)),
  /** Unix time in seconds: EMQX 5.8 then closes the connection. */
  expire_at: Type.Optional(Type.Integer()),
})
export type EmqxAuthenticated = Static<typeof EmqxAuthenticated>

/** A template may write numbers and booleans as text. */
export const EmqxAuthorize = Type.Object(
  {
    username: Given,
    clientid: Given,
    topic: Type.String({ maxLength: MAX_TEXT }),
    action: Type.String({ maxLength: MAX_TEXT }),
    qos: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 8 })])),
    retain: Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.String({ maxLength: 8 })])),
  },
  takesMore,
)
export type EmqxAuthorize = Static<typeof EmqxAuthorize>

export const EmqxAuthorized = Type.Object({ result: Type.Enum(['allow', 'deny']) })
