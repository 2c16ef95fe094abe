// Where gateways call. No key: the signature of the body shows whose it is.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { CallbackParams, CallbackTaken, ShortCallbackParams } from '@roadworthy/contracts/sim-billing/payments'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyRequest } from 'fastify'
import { MAX_CALLBACK_BYTES } from './gateways/callback-verdict.ts'
import type { TakeCallback } from './take-callback.ts'

const tags = ['Payments']
const description =
  'For payment gateways only: there is no key, and what is not signed with the secret of the connection is answered 401, as is a connection that does ' +
  'not exist. The body is read as the bytes that came. Anything but 200 has the gateway send it again.'

export function paymentCallbackRoutes(takeCallback: TakeCallback): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const take = async (request: FastifyRequest, gateway: string, connectionId: string | undefined) => {
      if (!Buffer.isBuffer(request.body)) throw new Problem('invalid_signature', 'There is no body.')
      await takeCallback({ gateway, connectionId, rawBody: request.body, headers: request.headers })
      return { received: true as const }
    }
    const errors = errorResponses(413)
    const { 400: malformed, 401: unsigned, 413: tooLarge, 429: tooMany, 503: away } = errors
    const response = { 200: CallbackTaken, 400: malformed, 401: unsigned, 413: tooLarge, 429: tooMany, 503: away }
    app.post(
      '/payments/callback/:gateway/:connection_id',
      {
        config: { public: true },
        bodyLimit: MAX_CALLBACK_BYTES,
        schema: {
          operationId: 'takePaymentCallback',
          tags,
          summary: 'Take what a payment gateway reports',
          description,
          params: CallbackParams,
          response,
        },
      },
      async (request) => await take(request, request.params.gateway, request.params.connection_id),
    )
    app.post(
      '/payments/callback/:gateway',
      {
        config: { public: true },
        bodyLimit: MAX_CALLBACK_BYTES,
        schema: {
          operationId: 'takeOnlyPaymentCallback',
          tags,
          summary: 'Take what the only payment gateway of its kind reports',
          description: `For an installation that has one connection to the gateway in all. ${description}`,
          params: ShortCallbackParams,
          response,
        },
      },
      async (request) => await take(request, request.params.gateway, undefined),
    )
  }
}
