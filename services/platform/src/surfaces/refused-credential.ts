// Why a request is not let in, in words that name what to send. How a credential was presented is reported; what is wrong with a key that was presented
// as it should be is not: unknown, garbled, revoked and expired keys are one answer.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from '../keys/presented-key.ts'
import { sessionTokenOf } from '../people/session-cookie.ts'

const accepted = ['X-API-Key: <key>', 'Authorization: Bearer <key>']
const howToSend = `Send it as ${accepted.join(' or ')}.`

/** `reason` is for programs; those with `accepted` are wrong in form. */
export function refusedCredential(request: FastifyRequest, takesSessions: boolean): Problem {
  const { authorization, 'x-api-key': apiKey } = request.headers
  const bearer = bearerOf(authorization)
  if (isMissing(apiKey) && isMissing(bearer ?? authorization)) {
    if (takesSessions && sessionTokenOf(request) !== undefined) {
      return refusal('session', 'The session has ended, or a page of another site tried to use it. Sign in again.')
    }
    return refusal('missing', `No API key came with this request. ${howToSend}`, { accepted })
  }
  if (authorization !== undefined && bearer === undefined) {
    return refusal('scheme', `The Authorization header holds something else than "Bearer" and an API key. ${howToSend}`, { accepted })
  }
  if (apiKey !== undefined && bearer !== undefined && apiKey !== bearer) {
    return refusal('two_keys', 'X-API-Key and Authorization hold two different keys. Send one of them.', { accepted })
  }
  return refusal('not_valid', 'The API key is not valid: it is unknown, revoked or expired.')
}

/** What a header held that came without its value is an empty text, as from a variable that was not set. */
function isMissing(value: string | string[] | undefined): boolean {
  return value === undefined || value === ''
}

function refusal(reason: string, message: string, details: object = {}): Problem {
  return new Problem('invalid_api_key', message, { details: { reason, ...details } })
}
