// Any number of items in parts that the API takes, and the answers put together as if it had been one. Parts go one after the other: what
// is refused for the limit of calls waits, and when one fails it is clear what was sent before it.

import type { Clock } from './clock.ts'
import { ConfigurationError, type ErrorFacts, RoadworthyError, UnexpectedAnswerError, ValidationError } from './errors.ts'
import type { RequestOptions, WriteOptions } from './request-options.ts'
import type { RetryPolicy } from './retry-policy.ts'
import { splitItems } from './split-items.ts'

/** Of records: with `results`. Of predictions: with an array that has an item for each input. Numbers add up. */
export type BatchAnswer = { readonly [field: string]: unknown }

type Result = { readonly index: number; readonly status: string; readonly error?: { readonly code: string } }

/** What is answered when there is nothing to send: the service refuses an empty batch, and a caller's loop should not have to. */
const empty: Readonly<Record<string, BatchAnswer>> = { vehicles: { count: 0, processingTimeMs: 0, predictions: [] } }
const emptyOfRecords: BatchAnswer = {
  success: true,
  records_processed: 0,
  records_rejected: 0,
  duplicates: 0,
  processing_time_ms: 0,
  results: [],
}

export type PartsOptions = {
  /** Name of the array in the body. */
  readonly key: string
  readonly max: number
  readonly maxBytes: number
  readonly options: WriteOptions | undefined
  readonly clock: Clock
  policyOf(options: RequestOptions | undefined): RetryPolicy
}
type SendPart = (part: readonly unknown[], options: WriteOptions | undefined) => Promise<BatchAnswer>

/** A part was refused or lost after others had been answered. `cause` is its error. */
export class BatchError extends RoadworthyError {
  override readonly name = 'BatchError'
  /** What became of the items before `failedFrom`, as of a batch of those alone. */
  readonly answered: BatchAnswer
  /** The first item of the part that failed. Whether that part was carried out depends on the cause: not if there is a `status` below 500. */
  readonly failedFrom: number
  /** The first item that was not sent at all. */
  readonly unsentFrom: number

  constructor(cause: RoadworthyError, answered: BatchAnswer, failedFrom: number, unsentFrom: number) {
    super(`Items ${failedFrom} to ${unsentFrom - 1} failed, those before were answered, those after were not sent. ${cause.message}`, {
      ...factsOf(cause),
      cause,
    })
    this.answered = answered
    this.failedFrom = failedFrom
    this.unsentFrom = unsentFrom
  }
}

const factsOf = ({ code, status, requestId, actionRequired, retryAfterS, details }: RoadworthyError): ErrorFacts => ({
  ...{ code, status, requestId, actionRequired, retryAfterS, details },
})

export async function sendInParts(items: readonly unknown[], given: PartsOptions, sendPart: SendPart): Promise<BatchAnswer> {
  if (!Array.isArray(items)) throw new ConfigurationError(`${given.key} must be an array, not ${items === null ? 'null' : typeof items}.`)
  if (items.length === 0) return empty[given.key] ?? emptyOfRecords
  const parts = splitItems(items, given.max, given.maxBytes)
  const answers: { readonly from: number; readonly answer: BatchAnswer }[] = []
  let refusal: ValidationError | undefined
  for (const [i, { from, part }] of parts.entries()) {
    try {
      answers.push({
        from,
        answer: checkAnswer(await sendPart(part, optionsOfPart(given.options, i, parts.length)), part.length, given.key),
      })
    } catch (error) {
      const results = refusedOneByOne(error, part.length)
      if (results !== undefined && error instanceof ValidationError) {
        refusal = error
        answers.push({ from, answer: { success: true, processing_time_ms: 0, results } })
      } else if (answers.length > 0 && error instanceof RoadworthyError) {
        throw new BatchError(error, together(answers), from, from + part.length)
      } else throw error
    }
  }
  const whole = await sendUnavailableAgain(together(answers), items, given, sendPart)
  if (refusal !== undefined && whole['records_processed'] === 0) throw refusalOfAll(refusal, whole)
  return whole
}

/** The same items under the same key are the same parts under the same keys. */
function optionsOfPart(options: WriteOptions | undefined, i: number, count: number): WriteOptions | undefined {
  if (options?.idempotencyKey === undefined || count === 1) return options
  return { ...options, idempotencyKey: `${options.idempotencyKey}-${i}` }
}

/** A part of which nothing could be stored is 400 with the reason for each record: as good as an answer. */
function refusedOneByOne(error: unknown, count: number): readonly Result[] | undefined {
  const results = error instanceof ValidationError ? error.details?.['results'] : undefined
  return areResults(results, count) ? results : undefined
}

/** What stands between here and the service may answer 200 with JSON of its own: only what answers each item is taken for an answer. */
function checkAnswer(answer: unknown, count: number, key: string): BatchAnswer {
  if (isObject(answer) && (key === 'vehicles' ? arePredictions(answer['predictions'], count) : areResults(answer['results'], count))) {
    return answer
  }
  throw new UnexpectedAnswerError(`The answer is none to a batch of ${count} ${key}.`, { code: 'unexpected_answer' })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const arePredictions = (predictions: unknown, count: number) =>
  Array.isArray(predictions) && predictions.length === count && predictions.every(isObject)

/** One for each record. */
function areResults(results: unknown, count: number): results is readonly Result[] {
  if (!Array.isArray(results) || results.length !== count) return false
  const places = new Set(results.map((result) => (isObject(result) ? result['index'] : undefined)))
  return Array.from({ length: count }, (_, index) => index).every((index) => places.has(index))
}

function refusalOfAll(refusal: ValidationError, { results }: BatchAnswer): ValidationError {
  return new ValidationError(refusal.message, { ...factsOf(refusal), details: { ...refusal.details, results } })
}

/** Numbers add up, arrays follow each other with places in the whole. */
function together(answers: readonly { readonly from: number; readonly answer: BatchAnswer }[]): BatchAnswer {
  const whole: Record<string, unknown> = {}
  for (const { from, answer } of answers) {
    for (const [field, value] of Object.entries(answer)) {
      const before = whole[field]
      if (typeof value === 'number') whole[field] = (typeof before === 'number' ? before : 0) + value
      else if (Array.isArray(value)) whole[field] = [...(Array.isArray(before) ? before : []), ...value.map((item) => atPlace(item, from))]
      else whole[field] = value
    }
  }
  return counted(whole)
}

function atPlace(item: unknown, from: number): unknown {
  const isResult = typeof item === 'object' && item !== null && 'status' in item && 'index' in item && typeof item.index === 'number'
  return isResult ? { ...item, index: Number(item.index) + from } : item
}

function counted(whole: BatchAnswer): BatchAnswer {
  const results = whole['results'] as readonly Result[] | undefined
  if (results === undefined) return whole
  const countOf = (status: string) => results.filter((result) => result.status === status).length
  const rejected = countOf('rejected')
  return { ...whole, records_processed: results.length - rejected, records_rejected: rejected, duplicates: countOf('duplicate') }
}

const isUnavailable = ({ status, error }: Result) => status === 'rejected' && error?.code === 'unavailable'

/**
 * Records that met a lock are refused as `unavailable` and are to be sent once more, without the others and under another key
 * (docs/errors.md). What does not get through stays refused in the answer, which is what the caller has to look at anyway.
 */
async function sendUnavailableAgain(
  answer: BatchAnswer,
  items: readonly unknown[],
  given: PartsOptions,
  sendPart: SendPart,
): Promise<BatchAnswer> {
  const policy = given.policyOf(given.options)
  let whole = answer
  for (let round = 1; round <= policy.maxRetries; round++) {
    const results = (whole['results'] ?? []) as readonly Result[]
    const waiting = results.filter(isUnavailable).map(({ index }) => index)
    if (waiting.length === 0) return whole
    await given.clock.sleep(policy.retryDelayMs, given.options?.signal)
    const { idempotencyKey: _, ...options } = given.options ?? {}
    const again = waiting.map((index) => items[index])
    for (const { from, part } of splitItems(again, given.max, given.maxBytes)) {
      const renewed = await resultsOf(sendPart(part, options), part.length, given.key)
      if (renewed === undefined) return whole
      whole = replaced(whole, waiting.slice(from), renewed)
    }
  }
  return whole
}

/** The answer with the results of a part that was sent again. `places` are those of its records in the whole. */
function replaced(whole: BatchAnswer, places: readonly number[], renewed: readonly Result[]): BatchAnswer {
  const byIndex = new Map(renewed.map((result) => [places[result.index], result]))
  const results = (whole['results'] ?? []) as readonly Result[]
  return counted({ ...whole, results: results.map((result) => ({ ...(byIndex.get(result.index) ?? result), index: result.index })) })
}

/** Undefined when the part was refused or lost as a whole: its records are reported as they were. */
async function resultsOf(sent: Promise<BatchAnswer>, count: number, key: string): Promise<readonly Result[] | undefined> {
  try {
    return checkAnswer(await sent, count, key)['results'] as readonly Result[] | undefined
  } catch (error) {
    if (!(error instanceof RoadworthyError)) throw error
    return refusedOneByOne(error, count)
  }
}
