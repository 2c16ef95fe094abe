// Faults on demand: what goes wrong with which requests, and how often. Asked once per request; a fault that is used up is gone.

const faultKinds = [
  // The request is done, and nobody hears of it: no answer, or a connection that breaks.
  'timeout_after',
  'hang_up_after',
  // The same, with nothing done.
  'timeout_before',
  'hang_up_before',
  // `status` (500 unless set) with nothing done, or after it was done.
  'error',
  'error_after',
  // 429, with `retry_after_s` where it is given.
  'too_many',
  // Answers after `ms`.
  'slow',
  // 200 and a page that is no JSON; JSON that stops in the middle; JSON in which `field` is `value`, wherever it is.
  'garbage',
  'truncated',
  'wrong_type',
  // An endless answer.
  'flood',
  // A list answers with the page before the one that was asked for, or the one after, as if it were the right one.
  'repeat_page',
  'skip_page',
  // The jobs that are made take `ms` longer, or fail with `text`.
  'job_late',
  'job_fail',
] as const
export type FaultKind = (typeof faultKinds)[number]

export type Fault = {
  readonly kind: FaultKind
  readonly method?: string
  /** With `*` for any text, against the path without its query. */
  readonly path?: string
  /** How many requests; 1 unless set. */
  count: number
  /** Requests that it lets pass before. */
  skip: number
  readonly status?: number
  readonly retry_after_s?: number
  readonly ms?: number
  readonly field?: string
  readonly value?: unknown
  readonly text?: string
}

const MAX_FAULTS = 100

export class Faults {
  #faults: Fault[] = []

  /** Throws an error that names what is wrong with it. */
  add(wanted: unknown): Fault {
    const { kind, count = 1, skip = 0, ...rest } = (wanted ?? {}) as Partial<Fault>
    if (kind === undefined || !faultKinds.includes(kind)) throw new Error(`kind must be one of ${faultKinds.join(', ')}`)
    if (!isCount(count) || !isCount(skip)) throw new Error('count and skip must be whole numbers from 0 on')
    if (this.#faults.length >= MAX_FAULTS) throw new Error(`there are ${MAX_FAULTS} faults already`)
    const fault: Fault = { ...rest, kind, count, skip }
    this.#faults.push(fault)
    return fault
  }

  clear(): void {
    this.#faults = []
  }

  list(): readonly Fault[] {
    return this.#faults
  }

  /** The first fault that is for this request, counted. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.#faults.find((each) => (each.method ?? method) === method && matches(each.path ?? '*', path))
    if (fault === undefined) return undefined
    if (fault.skip > 0) {
      fault.skip--
      return undefined
    }
    fault.count--
    if (fault.count <= 0) this.#faults = this.#faults.filter((each) => each !== fault)
    return fault
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function matches(pattern: string, path: string): boolean {
  const text = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${text}$`).test(path)
}

/** A copy in which the field has the value wherever it is, or, without a field, in which every text is a number. */
export function withWrongType(body: unknown, field: string | undefined, value: unknown): unknown {
  if (Array.isArray(body)) return body.map((each) => withWrongType(each, field, value))
  if (typeof body === 'object' && body !== null) {
    return Object.fromEntries(Object.entries(body).map(([key, each]) => [key, key === field ? value : withWrongType(each, field, value)]))
  }
  return field === undefined && typeof body === 'string' ? 42 : body
}
