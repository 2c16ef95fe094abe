// What the platform asks of an operator's SIM platform, whichever it is. An adapter translates one platform's wire form into this and knows
// neither our database nor our rules: it does what it is asked once, reports what it saw, and never repeats a call that changes something.

/** What a SIM is, in our words. The moves between them are the business of whoever keeps the SIMs. */
export const simStatuses = ['inventory', 'test', 'active', 'suspended', 'safe_custody', 'terminating', 'terminated'] as const
export type SimStatus = (typeof simStatuses)[number]

/** `resume` leads out of suspension and out of safe custody; `resume_termination` takes a termination back within its grace. */
const simActions = ['activate', 'activate_test', 'suspend', 'resume', 'safe_custody', 'terminate', 'resume_termination'] as const
export type SimAction = (typeof simActions)[number]

export const operatorIds = ['cisco', 'airtel'] as const
export type OperatorId = (typeof operatorIds)[number]

/**
 * - `auth`: the credentials were refused, or may not do this. Repeating is of no use until somebody changes them.
 * - `rate`: too many calls, by the platform's count or by ours. Nothing was done; `retryAfterMs` is always there.
 * - `not_found`: the platform does not know that SIM, or no longer.
 * - `rejected`: the platform refused this request for what it asks, or this adapter cannot ask for it. Nothing was done, and the same
 *   request will be refused again.
 * - `unavailable`: no usable answer: out of reach, a forbidden address, 5xx, an answer that is not what it should be, our breaker open.
 *   For a call that changes something it means that nothing was done: the request never left.
 * - `unknown_outcome`: only from `submit`. The request left, and nobody knows whether it was done. Ask `findAction` before anything else.
 */
export const operatorErrorKinds = ['auth', 'rate', 'not_found', 'rejected', 'unavailable', 'unknown_outcome'] as const
export type OperatorErrorKind = (typeof operatorErrorKinds)[number]

export type OperatorErrorDetail = {
  /** How long to wait before asking again; of a `rate` always, of `unavailable` when the platform or the breaker stated it. */
  readonly retryAfterMs?: number | undefined
  /** The platform's own code, cut short. */
  readonly operatorCode?: string | undefined
  readonly cause?: unknown
}

/**
 * The one error of every method here. `message` names what was wrong, may be shown to whoever owns the connection, holds no credential, and
 * is at most `MAX_MESSAGE_CHARACTERS` long: parts of it are the platform's own words, without control characters.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly kind: OperatorErrorKind
  readonly retryAfterMs: number | undefined
  readonly operatorCode: string | undefined

  constructor(kind: OperatorErrorKind, message: string, { retryAfterMs, operatorCode, cause }: OperatorErrorDetail = {}) {
    super(printable(message, MAX_MESSAGE_CHARACTERS), cause === undefined ? undefined : { cause })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.operatorCode = operatorCode === undefined ? undefined : printable(operatorCode, MAX_CODE_CHARACTERS)
  }
}

export const MAX_MESSAGE_CHARACTERS = 500
const MAX_CODE_CHARACTERS = 64

/** Text of a platform as it may be stored and shown: bounded, and without characters that steer a terminal or that PostgreSQL refuses. */
export function printable(text: string, maxCharacters: number): string {
  return text
    .slice(0, maxCharacters)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
}

/** What can be asked of a platform, and how fast. Fixed for an adapter and its settings; nothing of it is asked over the network. */
export type OperatorCaps = {
  /** Anything else is `rejected` without a call. */
  readonly actions: readonly SimAction[]
  /** `native`: a state of the platform. `emulated`: parked by suspension and a rate plan for parking, recognised by that plan. */
  readonly custody: 'native' | 'emulated' | false
  /**
   * `grace`: `terminate` begins a grace in which `resume_termination` works, and the platform ends it. `immediate`: `terminate` is final, so a
   * grace has to be waited for before it is submitted.
   */
  readonly termination: 'grace' | 'immediate' | false
  /** It works by jobs: `submit` answers `running` as a rule, and whether it was done is asked of `findAction`. */
  readonly async: boolean
  /** Whether the platform itself recognises a request sent twice. Neither does. */
  readonly idempotent: boolean
  /** Whether `listSims` honours `modifiedSince`. Otherwise each list is of all SIMs. */
  readonly modifiedSince: boolean
  /** `brief`: `listSims` leaves out some of what `getSim` returns, the IMEI above all. */
  readonly list: 'full' | 'brief'
  /** `formatted`: amounts come rounded, as text with a unit; see `resolutionBytes`. */
  readonly usage: 'bytes' | 'formatted'
  /** Whether the cycle before the current one can be asked for, for what was counted late. */
  readonly previousCycle: boolean
  /** Calls under way at once and calls a second per credential, by the platform's documents or, where they are silent, an assumption. */
  readonly maxConcurrent: number
  readonly maxPerSecond: number
  readonly pageSize: number
  /**
   * For so long after a submit without an answer the platform may still begin with it: nothing found before that proves nothing, and
   * `findAction` answers `undecided`.
   */
  readonly settleMs: number
}

/** How a SIM is named to a platform. Job platforms go by the number: without it their calls are `rejected`. */
export type SimRef = {
  /** With or without its check digit, as the platform gave it. */
  readonly iccid: string
  /** Digits only, as the platform gave it; M2M numbers have 13. */
  readonly msisdn?: string | undefined
}

/**
 * A SIM as the platform described it, validated: digits are digits, dates are dates, texts are bounded. `undefined` means that the answer
 * did not report it, not that there is none.
 */
export type OperatorSim = {
  /** 18 to 20 digits, as the platform gives it. */
  readonly iccid: string
  readonly imsi: string | undefined
  readonly msisdn: string | undefined
  readonly eid: string | undefined
  /** 14 to 16 digits, of the device that the SIM was last seen in. */
  readonly imei: string | undefined
  /** The platform's own word, at most 64 characters; to be shown. */
  readonly operatorStatus: string
  /** Ours for it. `undefined`: a word that no table knows; keep the status that is known and show `operatorStatus`. */
  readonly status: SimStatus | undefined
  /** The platform reports that a change is under way: `status` may be the one before. */
  readonly isChanging: boolean
  readonly ratePlan: string | undefined
  readonly communicationPlan: string | undefined
  readonly apn: string | undefined
  readonly ipAddress: string | undefined
  readonly activatedAt: Date | undefined
  /** By the platform's clock. */
  readonly modifiedAt: Date | undefined
}

/** A row of a list that is not what it should be. The rest of its page is good. */
export type RefusedRow = { readonly iccid: string | undefined; readonly message: string }

export type SimPage = {
  /** No ICCID twice within a page. The same SIM may be on two pages: it changed, or the platform sorts anew. */
  readonly sims: readonly OperatorSim[]
  readonly refused: readonly RefusedRow[]
  /** To be handed back for the page after this; `undefined` at the end. Opaque, at most 256 characters, may be stored. */
  readonly next: string | undefined
}

export type OperatorUsage = {
  readonly iccid: string
  /** The cycle that the amounts are of: from its first instant to the first of the next. */
  readonly cycleStart: Date
  readonly cycleEnd: Date
  /** Since the cycle began. Hostile: late, so it may be less than what was reported before; store the most of a SIM and cycle. */
  readonly dataBytes: number
  /** A platform that rounds reports multiples of this; 1 where it counts bytes. */
  readonly resolutionBytes: number
  readonly smsCount: number | undefined
  readonly sessionCount: number | undefined
}

export type ActionRequest = {
  /** Ours; for logs, and for what a platform lets one write beside a job. Two requests never share one. */
  readonly actionId: string
  readonly sim: SimRef
  readonly action: SimAction
  /** What the SIM is in now: the same action has different calls from different states. */
  readonly from: SimStatus
  /** The platform's rate plan that the SIM is to have afterwards. Needed by `activate`, and by `resume` out of an emulated custody. */
  readonly plan?: string | undefined
  readonly reason?: string | undefined
}

export type Submitted = {
  /** `done`: the platform reported that it did it. `running`: it took it, and `findAction` with `job` returns how it goes. */
  readonly state: 'running' | 'done'
  /** The platform's id of what it does, where it has one. */
  readonly job: string | undefined
}

export type ActionSearch = ActionRequest & {
  /** When the request was about to be sent, by our clock. The adapter allows for clocks that differ (`CLOCK_SKEW_MS`). */
  readonly sentAt: Date
  /** Of the submit, when it was answered. */
  readonly job?: string | undefined
  /** What `earlierJobs` answered before the submit: none of them is this one. Without them, two equal actions within the skew look the same. */
  readonly otherJobs?: readonly string[] | undefined
}

/**
 * - `absent`: the platform has nothing of it, and enough time has passed that it will not come: it may be sent again.
 * - `undecided`: nothing of it yet, or what there is decides nothing. Ask again after `retryAfterMs`; send nothing.
 * - `running`: being done. `done`: done, also when the SIM was changed again since; `seen` is the SIM, where it was read for this. `rejected`:
 *   refused or failed, with nothing changed.
 */
export type ActionFinding =
  | { readonly state: 'absent' }
  | { readonly state: 'undecided'; readonly retryAfterMs: number; readonly detail: string }
  | { readonly state: 'running'; readonly job: string | undefined }
  | { readonly state: 'done'; readonly job: string | undefined; readonly at: Date | undefined; readonly seen?: OperatorSim }
  | { readonly state: 'rejected'; readonly job: string | undefined; readonly detail: string }

/** Clocks of a platform and ours may differ by so much; an assumption, ten times what NTP leaves between machines that are looked after. */
export const CLOCK_SKEW_MS = 120_000

/**
 * One account at one platform. Every method rejects with `OperatorError` and nothing else, ends within the time limits of its transport,
 * reads a bounded number of bytes, and stops when the signal aborts: a read as `unavailable`, a submit that had left as `unknown_outcome`.
 * Calls wait for their turn at the credential's limits (`limits.ts`).
 */
export type SimOperator = {
  readonly id: OperatorId
  readonly caps: OperatorCaps

  /** Asks for the least that proves the credentials and the account. Resolves to what to show to whoever set it up. */
  testConnection(signal: AbortSignal): Promise<{ readonly message: string }>

  /**
   * One page of the account's SIMs, from the start or from where a page before it names. The whole page is an error when its envelope is wrong or
   * when no row of it is good; single bad rows are `refused`. Hostile: pages may repeat or be out of order, SIMs may move between pages while
   * one reads (so one run may miss a SIM that the next finds), and there may be no end: after `MAX_PAGES` pages, or on a page that is the
   * same as the one before it, it is `unavailable`.
   */
  listSims(
    query: { readonly cursor?: string | undefined; readonly modifiedSince?: Date | undefined },
    signal: AbortSignal,
  ): Promise<SimPage>

  /** All that the platform reports of one SIM. `not_found` is also the answer for a SIM that another account has. */
  getSim(sim: SimRef, signal: AbortSignal): Promise<OperatorSim>

  /**
   * What the SIM has used in a cycle, cumulative. Within `cycleSettleMinutes` (a setting) of a cycle's start it is unknown which cycle a
   * counter is of: `unavailable`, with `retryAfterMs` until then.
   */
  getUsage(query: { readonly sim: SimRef; readonly cycle: 'current' | 'previous' }, signal: AbortSignal): Promise<OperatorUsage>

  /** Sends the action once. Store the intent before; on `unknown_outcome` ask `findAction`, and on any other error nothing was done. */
  submit(request: ActionRequest, signal: AbortSignal): Promise<Submitted>

  /**
   * The platform's jobs of this SIM since yesterday, to be stored with the intent before `submit` and given to `findAction` as `otherJobs`:
   * what is new after a submit without an answer is then distinguished from what was there, whatever the clocks show. Empty where there are no jobs.
   */
  earlierJobs(sim: SimRef, signal: AbortSignal): Promise<readonly string[]>

  /** Whether, and how far, the platform did what was submitted. Only reads; may be asked any number of times. */
  findAction(search: ActionSearch, signal: AbortSignal): Promise<ActionFinding>
}

/** No account is listed further than this. Of 50 a page it is half a million SIMs. */
export const MAX_PAGES = 10_000
