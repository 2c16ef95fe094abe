// How a 200 is read, by its type and by what the route may answer.

import { UnexpectedAnswerError } from './errors.ts'
import type { AnswerKind, Route } from './route.ts'

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i
const TEXT_TYPE = /^text\/|^application\/xml\b|\+xml\b|^application\/x-ndjson\b/i

export const operationOf = ({ method, path }: Route) => `${method} ${path}`

export async function readAnswer(response: Response, route: Route, redact: (text: string) => string): Promise<unknown> {
  const kinds: readonly AnswerKind[] = route.answers ?? ['json']
  const type = response.headers.get('content-type') ?? ''
  if (JSON_TYPE.test(type) && kinds.includes('json')) return parseJson(await response.text(), response, route, redact)
  if (TEXT_TYPE.test(type) && kinds.includes('text')) return await response.text()
  if (kinds.includes('bytes')) return new Uint8Array(await response.arrayBuffer())
  await response.body?.cancel()
  throw new UnexpectedAnswerError(
    `${response.status}: the answer is not JSON but ${redact(type) || 'without a type'} (${operationOf(route)}). Is this the address of Roadworthy?`,
    { code: 'unexpected_answer', status: response.status, requestId: response.headers.get('x-request-id') ?? undefined },
  )
}

function parseJson(text: string, response: Response, route: Route, redact: (text: string) => string): unknown {
  const unexpected = (what: string) =>
    new UnexpectedAnswerError(`${response.status}: ${what} (${operationOf(route)}).`, {
      code: 'unexpected_answer',
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
    })
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (error) {
    throw unexpected(`the answer is no JSON: ${redact(String(error))}`)
  }
  // Every answer of the service is an object with fields. A proxy or another server that answers `{}` has stored nothing.
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer) && Object.keys(answer).length > 0) return answer
  throw unexpected('the answer is no object with fields. Is this the address of Roadworthy?')
}
