// Does what is due, once, however many processes run this. A process claims a row until a time of the database's clock and moves that time on
// while it is at it; of one that was killed, the claim runs out and another process does the work again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { resumeSpan, tracedAs } from '@roadworthy/service-kit/telemetry/tracing'
import { newId } from '@roadworthy/service-kit/text/ids'
import { GroupRests } from './group-rests.ts'
import { type ClaimedJob, INSTALLATION, type JobKind, type JobOutcome } from './job.ts'
import {
  claimDueJobsAcrossResellers,
  deleteDoneJobAcrossResellers,
  extendClaimAcrossResellers,
  type JobClaim,
  selectDueKindsAcrossResellers,
  updateJobAgainAcrossResellers,
  upsertJob,
} from './jobs.sql.ts'

export type JobDeps = {
  readonly database: Database
  /** The database's clock, or a test's. */
  readonly now: () => Promise<Date>
  readonly random: () => number
  readonly log: { readonly error: (fields: object, message: string) => void }
}

export type JobWorker = {
  /** Looks at once: something was asked for in this process. */
  wake(): void
  /** Claims nothing more, waits a little for what is under way, then aborts it. */
  stop(): Promise<void>
}

/** Of a process that died, another does the work after this. Claims are moved on three times in it. */
const CLAIM_MS = 30_000
const IDLE_MS = 1_000
const RETRY_MS = 2_000
/** What is under way when the service stops gets this long; the service has ten seconds for everything. */
const LAST_WORK_MS = 1_500
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 3_600_000
const MAX_ERROR_CHARACTERS = 500

/** Everything that is due now, to its end. Answers how much was done. */
export async function runDueJobs(deps: JobDeps, kinds: readonly JobKind[]): Promise<number> {
  let count = 0
  for (const kind of kinds) {
    for (;;) {
      const claimed = await claim(deps, kind, { limit: kind.concurrency, groups: [] }, await deps.now())
      await Promise.all(claimed.map((job) => runJob(deps, kind, job, new AbortController())))
      count += claimed.length
      if (claimed.length === 0) break
    }
  }
  return count
}

export function startJobWorker(deps: JobDeps, kinds: readonly JobKind[]): JobWorker {
  const worker = new RunningWorker(deps, kinds)
  return { wake: () => worker.wake(), stop: () => worker.stop() }
}

/** How many more a process may begin, and what of the kind it is at. */
type Room = Pick<JobClaim, 'limit' | 'groups'>

async function claim({ database }: JobDeps, kind: JobKind, room: Room, at: Date): Promise<ClaimedJob[]> {
  const until = new Date(at.getTime() + CLAIM_MS)
  const { perReseller, perGroup = perReseller } = kind
  return await claimDueJobsAcrossResellers(database.systemPool, kind.kind, {
    ...{ claimId: newId('job'), at, until, perReseller, perGroup },
    ...room,
  })
}

/** Answers what came of it, where it did not fail. */
async function runJob(deps: JobDeps, kind: JobKind, job: ClaimedJob, lost: AbortController): Promise<JobOutcome | undefined> {
  const over = new AbortController()
  const holding = holdClaim(deps, job, lost, over.signal)
  try {
    return await storeOutcome(deps, kind, job, lost.signal)
  } catch (error) {
    // Its claim runs out, and it is done again.
    deps.log.error({ err: error, ...idOf(job) }, 'what became of a job could not be stored')
    return undefined
  } finally {
    over.abort()
    await holding
  }
}

async function storeOutcome(
  { database, now, random, log }: JobDeps,
  kind: JobKind,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<JobOutcome | undefined> {
  const { failureCount } = job
  try {
    const span = resumeSpan({ name: `job ${job.kind}`, kind: 'consumer', attributes: { 'fleet.job.kind': job.kind } }, job.traceparent)
    const outcome = await tracedAs(span, () => kind.run({ ...idOf(job), failureCount }, signal))
    if (outcome === 'done') await deleteDoneJobAcrossResellers(database.systemPool, job)
    else await updateJobAgainAcrossResellers(database.systemPool, job, outcome.againAt, undefined)
    return outcome
  } catch (error) {
    if (!signal.aborted) log.error({ err: error, ...idOf(job), failureCount: failureCount + 1 }, 'a job failed; it is tried again')
    const waitMs = signal.aborted ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failureCount, 20)) * (0.8 + 0.4 * random())
    const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARACTERS).toWellFormed()
    await updateJobAgainAcrossResellers(database.systemPool, job, new Date((await now()).getTime() + waitMs), text.replaceAll('\0', ''))
    return undefined
  }
}

const idOf = ({ resellerId, kind, key }: ClaimedJob) => ({ resellerId, kind, key })

/** Moves the claim on until the work is over. Where another process has the claim, the work is aborted. */
async function holdClaim({ database, now, log }: JobDeps, job: ClaimedJob, lost: AbortController, over: AbortSignal): Promise<void> {
  for (;;) {
    await delay(CLAIM_MS / 3, undefined, { signal: over }).catch(() => undefined)
    if (over.aborted) return
    try {
      const until = new Date((await now()).getTime() + CLAIM_MS)
      if (!(await extendClaimAcrossResellers(database.systemPool, job, until))) lost.abort()
    } catch (error) {
      log.error({ err: error, ...idOf(job) }, 'a claim could not be moved on; it is tried again')
    }
  }
}

class RunningWorker {
  readonly #deps: JobDeps
  readonly #kinds: readonly JobKind[]
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<Promise<void>, { job: ClaimedJob; lost: AbortController }>()
  readonly #rests = new GroupRests()
  readonly #running: Promise<void>
  #wake = new AbortController()
  #areRowsThere = false

  constructor(deps: JobDeps, kinds: readonly JobKind[]) {
    this.#deps = deps
    this.#kinds = kinds
    this.#running = this.#claimUntilStopped()
  }

  wake(): void {
    this.#wake.abort()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#running
    const patience = setTimeout(() => {
      for (const { lost } of this.#underWay.values()) lost.abort()
    }, LAST_WORK_MS)
    await Promise.all(this.#underWay.keys())
    clearTimeout(patience)
  }

  async #claimUntilStopped(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      const waitMs = await this.#claimDue()
      const { signal } = this.#wake
      if (waitMs > 0 && !this.#stopping.signal.aborted) await delay(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** One look at all kinds; answers how long to wait before the next. */
  async #claimDue(): Promise<number> {
    const isAtOf = (kind: JobKind) => [...this.#underWay.values()].filter(({ job }) => job.kind === kind.kind).length
    const free = this.#kinds.filter((kind) => isAtOf(kind) < kind.concurrency)
    try {
      if (!this.#areRowsThere) await addPeriodicRows(this.#deps, this.#kinds)
      this.#areRowsThere = true
      const at = await this.#deps.now()
      const names = free.map(({ kind }) => kind)
      const due = new Set(await selectDueKindsAcrossResellers(this.#deps.database.systemPool, names, at))
      const counts = await Promise.all(free.filter(({ kind }) => due.has(kind)).map((kind) => this.#claimSome(kind, at)))
      return counts.some((count) => count > 0) ? 0 : IDLE_MS
    } catch (error) {
      this.#deps.log.error({ err: error }, 'background work waits; claiming it is tried again')
      return RETRY_MS
    }
  }

  #roomFor({ kind, concurrency, perReseller, perGroup = perReseller }: JobKind, at: Date): Room {
    const ofKind = [...this.#underWay.values()].flatMap(({ job }) => (job.kind === kind ? [job] : []))
    return { limit: concurrency - ofKind.length, groups: this.#rests.groupsOf(kind, { underWay: ofKind, perGroup, at }) }
  }

  async #claimSome(kind: JobKind, at: Date): Promise<number> {
    const claimed = await claim(this.#deps, kind, this.#roomFor(kind, at), at)
    for (const job of claimed) this.#start(kind, job)
    return claimed.length
  }

  #start(kind: JobKind, job: ClaimedJob): void {
    const lost = new AbortController()
    const run = async () => {
      const outcome = await runJob(this.#deps, kind, job, lost)
      if (outcome !== undefined) this.#rests.note(job, outcome)
    }
    const work = run().finally(() => {
      this.#underWay.delete(work)
      this.wake()
    })
    this.#underWay.set(work, { job, lost })
  }
}

/** Rows of periodic work are there from the first worker on. Due at once: what starts a worker anew may have mended what failed. */
async function addPeriodicRows({ database, now }: JobDeps, kinds: readonly JobKind[]): Promise<void> {
  const at = await now()
  for (const { kind, periodicKeys = [] } of kinds) {
    for (const key of periodicKeys) {
      await database.tenant(INSTALLATION, (db) => upsertJob(db, { resellerId: INSTALLATION, kind, key }, at))
    }
  }
}
