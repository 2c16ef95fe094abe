/** Whose work belongs to no reseller. */
export const INSTALLATION = '_operator'

/** What is to be done: one row for each, however often it is asked for. */
export type JobId = {
  /** `_operator` for the work of the installation itself. */
  readonly resellerId: string
  readonly kind: string
  /** What it is about, within the kind. */
  readonly key: string
}

/** A job to be done. Those of a reseller and kind in one group share slots (`perGroup`), such as all that one account of an operator is asked for. */
export type NewJob = JobId & { readonly group?: string }

export type ClaimedJob = JobId & {
  /** '' of a job that has none. */
  readonly group: string
  readonly claimId: string
  /** Text of a whole number. */
  readonly revision: string
  /** Attempts that failed since the last that did not. */
  readonly failureCount: number
  /** Of the trace that it was asked for in, where that is kept. */
  readonly traceparent: string | undefined
}

/**
 * `done`: nothing is left to do. Else when to come again. `groupRestsUntil`: no job of its group can be done before then; after it, one at a time is
 * tried, until one of them has an outcome without it.
 */
export type JobOutcome = 'done' | { readonly againAt: Date; readonly groupRestsUntil?: Date | undefined }

export type JobKind = {
  readonly kind: string
  /**
   * Does the work. It may be done twice, because a process may be killed after the work and before the row: what it changes must bear that.
   * `signal` ends when the process stops or the claim was lost. Throwing: it is tried again after a wait that doubles.
   */
  readonly run: (job: JobId & { readonly failureCount: number }, signal: AbortSignal) => Promise<JobOutcome>
  /** How many of this kind one process does at once, how many of those of one reseller, and how many of those in one group (all, if undefined). */
  readonly concurrency: number
  readonly perReseller: number
  readonly perGroup?: number
  /** Of periodic work: a row of the installation for each, which workers add when they start. */
  readonly periodicKeys?: readonly string[]
}
