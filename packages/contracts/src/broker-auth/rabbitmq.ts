// What RabbitMQ asks (its plugin `rabbitmq_auth_backend_http`): a form in the query (GET) or in the body (POST), answered by one word.

import { type Static, Type } from 'typebox'

const Text = Type.Optional(Type.String({ maxLength: 4_096 }))

/** The fields of all four questions that decide something; RabbitMQ adds others. */
export const RabbitQuestion = Type.Object(
  {
    username: Text,
    password: Text,
    client_id: Text,
    /** Of the client, when a virtual host is asked about; not when somebody signs in. */
    ip: Text,
    vhost: Text,
    resource: Text,
    name: Text,
    permission: Text,
    routing_key: Text,
  },
  { additionalProperties: true },
)
export type RabbitQuestion = Static<typeof RabbitQuestion>
