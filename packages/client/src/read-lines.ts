import { ConnectionError, UnexpectedAnswerError } from './errors.ts'
import { operationOf } from './read-answer.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Route } from './route.ts'
import { connectionErrorOf } from './send.ts'
import type { TimeLimit } from './time-limit.ts'

/** The text of the body as it arrives, decoded. Each wait for more of it has the time of an attempt. */
export async function* readText(
  response: Response,
  limit: TimeLimit,
  policy: RetryPolicy,
  route: Route,
  redact: (text: string) => string,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      limit.restart()
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } catch (error) {
    throw connectionErrorOf(error, limit, policy.timeoutMs, { operation: operationOf(route) }, { redact })
  } finally {
    limit.stop()
    // A caller that leaves the loop early closes the connection. It may be broken already: that is no error here.
    await reader?.cancel().catch(() => undefined)
  }
}

/** The JSON of each line. An answer that was cut off is an error: its last line has no end. */
export async function* readLines(
  response: Response,
  limit: TimeLimit,
  policy: RetryPolicy,
  route: Route,
  redact: (text: string) => string,
): AsyncGenerator<unknown, void, undefined> {
  let rest = ''
  for await (const text of readText(response, limit, policy, route, redact)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield parseLine(line, route, redact)
  }
  if (rest.trim() !== '') throw new ConnectionError(`The answer was cut off (${operationOf(route)}).`, { code: 'connection_failed' })
}

function parseLine(line: string, route: Route, redact: (text: string) => string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new UnexpectedAnswerError(`A line is no JSON: ${redact(String(error))} (${operationOf(route)}).`, { code: 'unexpected_answer' })
  }
}
