// From an exchange to what an adapter works with: an answer that fits its schema, or an `OperatorError` of the right kind. The one place that
// decides what a failure means, so that no adapter takes an answer that never came for a refusal.

import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Exchange, type ExchangeAnswer, ExchangeError, type ExchangeRequest } from './exchange.ts'
import { DEFAULT_RETRY_AFTER_MS } from './limits.ts'
import { OperatorError, type OperatorErrorKind } from './operator.ts'

/** `change`: sending it twice may do it twice, so an unclear end is `unknown_outcome`. */
export type CallKind = 'read' | 'change'

/** What the platform reports of itself in the body of a refusal, where it does. `kind` overrules what the status means. */
export type PlatformRefusal = {
  readonly message: string | undefined
  readonly code: string | undefined
  readonly kind?: OperatorErrorKind | undefined
}

export type Answered<Body> = {
  readonly body: Body
  readonly status: number
  /** The platform's clock. */
  readonly date: Date | undefined
}

export type AnswerForm<Schema extends TSchema> = {
  /** What it is, to be named in errors: `the list of devices`. */
  readonly name: string
  check(value: unknown): value is Static<Schema>
  /** What is wrong first, in words. */
  problemOf(value: unknown): string
}

export function answerForm<Schema extends TSchema>(name: string, schema: Schema): AnswerForm<Schema> {
  const compiled = Compile(schema)
  return {
    name,
    check: (value): value is Static<Schema> => compiled.Check(value),
    problemOf: (value) => {
      const [, errors] = [compiled.Check(value), compiled.Errors(value)]
      const [first] = errors
      return first === undefined ? `${name} is wrong` : `${name}: ${first.instancePath === '' ? 'it' : first.instancePath} ${first.message}`
    },
  }
}

/** What an adapter is made from. `exchange` reaches the base URL of its connection, within the limits of the credential. */
export type AdapterDeps<Settings, Secrets> = {
  readonly exchange: Exchange
  readonly settings: Settings
  readonly secrets: Secrets
  readonly now: () => Date
}

/** How an adapter sends a request; the headers of the account are added. */
export type AdapterCall = <Schema extends TSchema>(
  kind: CallKind,
  request: Omit<ExchangeRequest, 'headers'>,
  form: AnswerForm<Schema>,
  signal: AbortSignal,
) => Promise<Answered<Static<Schema>>>

export type CallDeps = {
  readonly exchange: Exchange
  /** Of a JSON body; `undefined` where it is no refusal. */
  readonly readRefusal: (body: unknown) => PlatformRefusal | undefined
  /** Takes off what is around every answer. */
  readonly unwrap?: (body: unknown) => unknown
  /** Texts that no error may show, although a platform may repeat what it was sent. */
  readonly hidden: readonly string[]
}

/** Sends one request and judges what came back. Rejects with `OperatorError` and nothing else. */
export async function callOperator<Schema extends TSchema>(
  { exchange, readRefusal, unwrap = (body) => body, hidden }: CallDeps,
  kind: CallKind,
  request: ExchangeRequest,
  form: AnswerForm<Schema>,
  signal: AbortSignal,
): Promise<Answered<Static<Schema>>> {
  let answer: ExchangeAnswer
  try {
    answer = await exchange(request, signal)
  } catch (error) {
    throw toOperatorError(kind, error)
  }
  const parsed = parseJson(answer.text)
  const refusal = parsed === undefined ? undefined : readRefusal(parsed)
  if (answer.status < 200 || answer.status > 299 || refusal !== undefined) throw refusedAs(kind, answer, hiddenFrom(refusal, hidden))
  const body = unwrap(parsed)
  if (!form.check(body)) {
    const problem = parsed === undefined ? `${form.name} is not JSON` : form.problemOf(body)
    throw new OperatorError(unclear(kind), `An answer that cannot be used: ${problem}.`)
  }
  return { body, status: answer.status, date: answer.date }
}

function hiddenFrom(refusal: PlatformRefusal | undefined, hidden: readonly string[]): PlatformRefusal | undefined {
  if (refusal === undefined) return undefined
  const hide = (text: string | undefined) => hidden.reduce((shown, secret) => shown?.replaceAll(secret, '…'), text)
  return { ...refusal, message: hide(refusal.message), code: hide(refusal.code) }
}

function unclear(kind: CallKind): OperatorErrorKind {
  return kind === 'change' ? 'unknown_outcome' : 'unavailable'
}

function toOperatorError(kind: CallKind, error: unknown): OperatorError {
  // Anything else is a bug of ours before the request was made; what changes something is then taken for sent.
  if (!(error instanceof ExchangeError)) return new OperatorError(unclear(kind), 'The request failed within the service.', { cause: error })
  const { retryAfterMs } = error
  if (error.kind === 'busy') return new OperatorError('rate', `Held back: ${error.message}.`, { retryAfterMs: retryAfterMs ?? 0 })
  const meant = error.hasLeft ? unclear(kind) : 'unavailable'
  return new OperatorError(meant, `No answer: ${error.message}.`, { retryAfterMs, cause: error })
}

/** What a status means. The platform did nothing on 4xx, with one exception: 408 is about how the request came in. */
function refusedAs(kind: CallKind, { status, retryAfterMs }: ExchangeAnswer, refusal: PlatformRefusal | undefined): OperatorError {
  const words = [`status ${status}`, refusal?.code, refusal?.message].filter((part) => part !== undefined && part !== '').join(', ')
  const meant = refusal?.kind ?? kindOfStatus(kind, status)
  const wait = meant === 'rate' ? (retryAfterMs ?? DEFAULT_RETRY_AFTER_MS) : retryAfterMs
  const follow = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  return new OperatorError(meant, `The platform answered ${words}${follow}.`, { retryAfterMs: wait, operatorCode: refusal?.code })
}

function kindOfStatus(kind: CallKind, status: number): OperatorErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate'
  // A refusal in an answer that is otherwise a success.
  if (status >= 200 && status < 300) return 'rejected'
  return status >= 400 && status < 500 && status !== 408 ? 'rejected' : unclear(kind)
}

/** `undefined` when it is no JSON. An empty answer is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
