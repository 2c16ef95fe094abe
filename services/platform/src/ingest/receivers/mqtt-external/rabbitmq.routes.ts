import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RabbitQuestion } from '@roadworthy/contracts/broker-auth/rabbitmq'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { Type } from 'typebox'
import { type BrokerAuth, isSameText, type Party } from './broker-auth.ts'

/** The exchange that the MQTT plugin publishes to and binds to, unless it is set otherwise. */
const EXCHANGE = 'amq.topic'
/** The queue of a subscription, which the MQTT plugin names after the client. */
const QUEUE = /^mqtt-subscription-(.+)qos[01]$/
const VHOST = '/'

type Judge = (question: RabbitQuestion) => Promise<boolean>

const Params = Type.Object({ secret: Type.String() })
const Answer = { 200: Type.String() }

type RabbitRoutesDeps = {
  readonly auth: BrokerAuth
  readonly secret: string
  /** Called when the platform itself is let in, before RabbitMQ answers it. */
  readonly onPlatform: () => void
}

/** For RabbitMQ, which can send no header: the secret is part of the path. Hidden from the OpenAPI documents as the routes for EMQX are. */
export function rabbitRoutes({ auth, secret, onPlatform }: RabbitRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)))
    })
    app.addHook('onRequest', async ({ params }) => {
      if (!isSameText((params as { secret?: string }).secret ?? '', secret)) throw new Problem('not_found', 'There is nothing here.')
    })
    const questions: Readonly<Record<string, Judge>> = {
      user: (question) => mayComeIn(auth, question, onPlatform),
      vhost: async ({ username, vhost }) => vhost === VHOST && (await auth.partyOf(username ?? '')) !== undefined,
      resource: (question) => mayUse(auth, question, mayUseResource),
      topic: (question) => mayUse(auth, question, (party, asked) => mayUseRoutingKey(auth, party, asked)),
    }
    for (const [name, judge] of Object.entries(questions)) {
      const answer = async (question: RabbitQuestion) => ((await judge(question)) ? 'allow' : 'deny')
      const config = { public: true } as const
      app.post(
        `/:secret/${name}`,
        { config, schema: { hide: true, params: Params, body: RabbitQuestion, response: Answer } },
        async ({ body }, reply) => reply.type('text/plain').send(await answer(body)),
      )
      app.get(
        `/:secret/${name}`,
        { config, schema: { hide: true, params: Params, querystring: RabbitQuestion, response: Answer } },
        async ({ query }, reply) => reply.type('text/plain').send(await answer(query)),
      )
    }
  }
}

async function mayComeIn(auth: BrokerAuth, question: RabbitQuestion, onPlatform: () => void): Promise<boolean> {
  const { username, password, client_id, ip } = question
  const answer = await auth.signIn({ username: username ?? '', password: password ?? '', clientId: client_id, address: ip ?? '' })
  if (answer.kind === 'platform') onPlatform()
  return answer.kind !== 'refused'
}

type MayUse = (party: Party, question: RabbitQuestion) => boolean

async function mayUse(auth: BrokerAuth, question: RabbitQuestion, judge: MayUse): Promise<boolean> {
  const party = question.vhost === VHOST ? await auth.partyOf(question.username ?? '') : undefined
  return party !== undefined && judge(party, question)
}

/** A device may publish to the exchange, bind to it, and have the queue of its own subscriptions. */
function mayUseResource(party: Party, { resource, name = '', permission }: RabbitQuestion): boolean {
  if (party.kind === 'platform') return true
  if (resource === 'exchange') return name === EXCHANGE && (permission === 'read' || permission === 'write')
  const clientId = resource === 'queue' ? QUEUE.exec(name)?.[1] : undefined
  return clientId === party.device.deviceId
}

/**
 * Routing keys are topics with dots for slashes. A dot in a topic stays one, so that a topic with dots is that with slashes, and is judged as it
 * is delivered; a slash in a key comes from no MQTT client. QoS and retain are not reported.
 */
function mayUseRoutingKey(auth: BrokerAuth, party: Party, { name, permission, routing_key = '' }: RabbitQuestion): boolean {
  // RabbitMQ takes a shared subscription for one to a topic of that name: it would be granted, and every reading acknowledged and lost.
  if (party.kind === 'platform') return !(permission === 'read' && routing_key.startsWith('$share.'))
  if (name !== EXCHANGE || (permission !== 'read' && permission !== 'write')) return false
  const topic = routing_key.replace(/[./]/g, (character) => (character === '.' ? '/' : '.'))
  return auth.mayUseTopic(party, { action: permission === 'write' ? 'publish' : 'subscribe', topic, qos: 1, retain: false })
}
