// What the answer of a channel means for a message: sent, to be tried again and when, or not. Pure.

import { parseRetryAfterMs } from '../../webhooks/schedule.ts'
import type { Answer, SendResult } from '../../webhooks/send-webhook.ts'
import { bounded, oneLine } from '../../words/one-line.ts'
import { nextAttemptAfter } from '../notification.ts'
import type { Ending } from '../notifications.sql.ts'
import { RECEIVER_NAMES, type ReceiverKind } from './channel.ts'

/** Asked to wait, not ready, too early. Every other 4xx says that the address or the credential is wrong, which another attempt does not change. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429]
const LEAST_SERVER_ERROR = 500
/** Who asks for longer is asked again after a day. */
const MAX_RETRY_AFTER_MS = 86_400_000
const MAX_SHOWN_CHARACTERS = 300

export function endingOf(kind: ReceiverKind, result: SendResult, attempt: { readonly count: number; readonly at: Date }): Ending {
  const { at, count } = attempt
  const { outcome, answer } = result
  if (outcome === 'delivered') return { status: 'sent', at }
  const error = errorText(kind, result)
  const isPassing = answer === undefined || PASSING_STATUSES.includes(answer.status) || answer.status >= LEAST_SERVER_ERROR
  if (outcome === 'forbidden' || !isPassing) return { status: 'failed', error, at }
  if (answer === undefined && result.isConnected && !knowsRepeats(kind)) {
    return { status: 'uncertain', error: `${error} It may have arrived, and is not sent again.`, at }
  }
  const scheduled = nextAttemptAfter(count, at)
  if (scheduled === undefined) return { status: 'failed', error, at }
  const askedMs = Math.min(retryAfterMs(answer, at) ?? 0, MAX_RETRY_AFTER_MS)
  return { status: 'pending', error, nextAttemptAt: new Date(Math.max(scheduled.getTime(), at.getTime() + askedMs)), at }
}

/** A receiver of ours knows by the id that it has the message already. A chat would show it twice. */
function knowsRepeats(kind: ReceiverKind): boolean {
  return kind === 'webhook'
}

/** In words, for who set the channel up: `Slack answered 404: no_service.` */
function errorText(kind: ReceiverKind, { outcome, answer, error }: SendResult): string {
  const name = RECEIVER_NAMES[kind]
  if (answer === undefined) {
    const said = (error ?? 'no answer').replace(/\.$/, '')
    return outcome === 'forbidden' ? `${said}.` : `${name} did not answer: ${said}.`
  }
  const said = wordsOf(answer)
  return `${name} answered ${answer.status}${said === '' ? '' : `: ${said}`}.`
}

/** Telegram says `description`, ntfy and others `error`; Slack a word. */
function wordsOf({ status, headers, body }: Answer): string {
  if (status >= 300 && status < 400) return `redirects are not followed (to ${headers['location'] ?? 'nowhere'})`
  const parsed = jsonOf(body)
  const said = [parsed?.['description'], parsed?.['error'], parsed?.['message']].find((each) => typeof each === 'string')
  return bounded(oneLine(String(said ?? body)), MAX_SHOWN_CHARACTERS).replace(/\.$/, '')
}

function retryAfterMs(answer: Answer | undefined, at: Date): number | undefined {
  const asked = parseRetryAfterMs(answer?.headers['retry-after'], at)
  if (asked !== undefined || answer === undefined) return asked
  const parameters = jsonOf(answer.body)?.['parameters'] as { retry_after?: unknown } | undefined
  return typeof parameters?.retry_after === 'number' && parameters.retry_after > 0 ? parameters.retry_after * 1000 : undefined
}

function jsonOf(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
