import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EmqxAuthenticate, EmqxAuthenticated, EmqxAuthorize, EmqxAuthorized } from '@roadworthy/contracts/broker-auth/emqx'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type BrokerAuth, isSameText, type SignInAnswer } from './broker-auth.ts'

const MS_PER_S = 1_000

/**
 * For EMQX 5, which sends the secret as a header. Not in the OpenAPI documents: they are for those who integrate with the APIs, and this
 * is between an operator's broker and an operator's platform.
 */
export function emqxRoutes({ auth, secret }: { auth: BrokerAuth; secret: string }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', async ({ headers }) => {
      if (isSameText(headers.authorization ?? '', `Bearer ${secret}`)) return
      throw new Problem('invalid_api_key', 'The Authorization header must be "Bearer" and BROKER_AUTH_SECRET.')
    })
    app.post(
      '/authentication',
      { config: { public: true }, schema: { hide: true, body: EmqxAuthenticate, response: { 200: EmqxAuthenticated } } },
      async ({ body }) => {
        const { username, password, clientid, peerhost } = body
        const question = { username: username ?? '', password: password ?? '', clientId: clientid ?? '', address: peerhost ?? '' }
        return toAuthenticated(await auth.signIn(question))
      },
    )
    app.post(
      '/authorization',
      { config: { public: true }, schema: { hide: true, body: EmqxAuthorize, response: { 200: EmqxAuthorized } } },
      async ({ body }) => {
        const { username, topic, action, qos, retain } = body
        const party = await auth.partyOf(username ?? '')
        if (party === undefined || (action !== 'publish' && action !== 'subscribe')) return { result: 'deny' as const }
        const question = { action, topic, qos: toQos(qos), retain: !isNo(retain) } as const
        return { result: auth.mayUseTopic(party, question) ? ('allow' as const) : ('deny' as const) }
      },
    )
  }
}

/** What is none is taken for the worst. */
function toQos(given: EmqxAuthorize['qos']): 0 | 1 | 2 {
  const text = String(given ?? 0)
  return text === '0' ? 0 : text === '1' ? 1 : 2
}

function isNo(retain: EmqxAuthorize['retain']): boolean {
  return retain === undefined || ['false', '0', ''].includes(String(retain))
}

function toAuthenticated(answer: SignInAnswer): EmqxAuthenticated {
  if (answer.kind === 'refused') return { result: 'deny' }
  if (answer.kind === 'platform') return { result: 'allow', is_superuser: true }
  const { topics, validUntil } = answer
  return {
    result: 'allow',
    is_superuser: false,
    acl: [
      { permission: 'allow', action: 'publish', topic: `eq ${topics.telemetry}`, qos: [0, 1], retain: false },
      { permission: 'allow', action: 'subscribe', topic: `eq ${topics.commands}`, qos: [0, 1] },
      { permission: 'allow', action: 'subscribe', topic: `eq ${topics.errors}`, qos: [0, 1] },
      { permission: 'deny', action: 'all', topic: '#' },
    ],
    ...(validUntil === undefined ? {} : { expire_at: Math.floor(validUntil.getTime() / MS_PER_S) }),
  }
}
