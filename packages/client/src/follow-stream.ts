// `GET /api/v1/stream` as an endless iteration: after a cut it connects again and goes on after the last message.

import type { Call, SurfaceCaller } from './call-surface.ts'
import { ConnectionError, type RoadworthyError, UnexpectedAnswerError } from './errors.ts'
import { operationOf } from './read-answer.ts'
import { readText } from './read-lines.ts'
import { isCut } from './retry-policy.ts'
import { eventMessages, type ServerSentMessage } from './server-sent-events.ts'

export type FollowedMessage = { readonly type: string; readonly id: string; readonly data: unknown }

/**
 * Ends by `break`, by the signal, or with an error: of a refusal, or when there was no message between `maxRetries` cuts in a row. A silent
 * stream is not a cut: the service sends a comment every 20 s, which `timeoutMs` is measured by.
 */
export async function* followStream(call: Call, caller: SurfaceCaller): AsyncGenerator<FollowedMessage, void, undefined> {
  const policy = caller.policyOf(call.options)
  let lastId: string | undefined
  for (let cuts = 0; ; ) {
    const query = lastId === undefined ? call.query : { ...call.query, lastEventId: lastId }
    let cut: RoadworthyError = new ConnectionError(`The stream ended (${operationOf(call.route)}).`, { code: 'connection_failed' })
    try {
      for await (const message of await open({ ...call, query }, caller)) {
        cuts = 0
        lastId = message.id === '' ? lastId : message.id
        yield { type: message.event, id: message.id, data: parseMessage(message.data, call) }
      }
    } catch (error) {
      // What can be repeated of opening it was repeated; what is left is refused, or was cut off.
      if (!isCut(error)) throw error
      cut = error
    }
    cuts += 1
    if (cuts > policy.maxRetries) throw cut
    await caller.clock.sleep(policy.retryDelayMs, call.options?.signal)
  }
}

function parseMessage(text: string, { route }: Call): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnexpectedAnswerError(`A message is no JSON: ${String(error)} (${operationOf(route)}).`, { code: 'unexpected_answer' })
  }
}

const open = (call: Call, caller: SurfaceCaller): Promise<AsyncGenerator<ServerSentMessage, void, undefined>> =>
  caller.call(call, async (response, limit) =>
    eventMessages(readText(response, limit, caller.policyOf(call.options), call.route, caller.redact)),
  )
