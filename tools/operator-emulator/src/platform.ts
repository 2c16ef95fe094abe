// The emulated platform without its wire: accounts, SIMs, jobs that take time, and a clock. Time passes only here, when somebody looks: jobs that
// are due are done in their order, and graces that ended are ended, before anything is answered.

import type { Account, Job, Received } from './account.ts'
import { createAccount, jobDuration, moveSim } from './seed-account.ts'
import { type EmulatedSim, mayMove, type SimState } from './sim.ts'
import { countUsage } from './usage.ts'

export type Snapshot = { readonly version: 1; readonly seed: number; readonly virtualMs: number | null; readonly accounts: Account[] }

export type PlatformOptions = {
  readonly seed: number
  readonly accounts: number
  readonly sims: number
  readonly jobMs: number
  /** `undefined`: the machine's clock. */
  readonly virtualMs: number | undefined
  readonly snapshot?: Snapshot | undefined
}

/** A test that makes more than this has lost its way. */
const MAX_KEPT = 20_000

export class Platform {
  readonly seed: number
  readonly accounts: Account[]
  readonly #jobMs: number
  #virtualMs: number | undefined

  constructor({ seed, accounts, sims, jobMs, virtualMs, snapshot }: PlatformOptions) {
    this.seed = snapshot?.seed ?? seed
    this.#jobMs = jobMs
    this.#virtualMs = virtualMs === undefined ? undefined : (snapshot?.virtualMs ?? virtualMs)
    const nowMs = this.nowMs
    this.accounts = snapshot?.accounts ?? Array.from({ length: accounts }, (_, index) => createAccount(seed, index + 1, sims, nowMs))
    // A SIM on Control Center has no grace.
    this.advance()
  }

  get nowMs(): number {
    return this.#virtualMs ?? Date.now()
  }

  get isVirtual(): boolean {
    return this.#virtualMs !== undefined
  }

  /** From then on time stands still until it is set again. */
  setClock(ms: number): void {
    this.#virtualMs = ms
    this.advance()
  }

  snapshot(): Snapshot {
    return { version: 1, seed: this.seed, virtualMs: this.#virtualMs ?? null, accounts: this.accounts }
  }

  /** Does everything that is due by now. */
  advance(): void {
    const nowMs = this.nowMs
    for (const account of this.accounts) {
      const due = account.jobs.filter(({ status, dueMs }) => status === 'IN_PROGRESS' && dueMs <= nowMs)
      for (const job of due.toSorted((one, other) => one.dueMs - other.dueMs || one.id - other.id)) this.#finish(account, job)
      for (const sim of account.sims) {
        if (sim.graceUntilMs !== null && sim.graceUntilMs <= nowMs) moveSim(this.seed, sim, 'terminated', sim.graceUntilMs)
      }
    }
  }

  /** Up to date, or `undefined` where the account has none. */
  findSim(account: Account, isIt: (sim: EmulatedSim) => boolean): EmulatedSim | undefined {
    const sim = account.sims.find((each) => !each.isHidden && isIt(each))
    if (sim !== undefined) countUsage(this.seed, sim, this.nowMs)
    return sim
  }

  openJobOf(account: Account, sim: EmulatedSim): Job | undefined {
    return account.jobs.find(({ iccid, status }) => iccid === sim.iccid && status === 'IN_PROGRESS')
  }

  /** Why a SIM cannot be moved, in words, or `undefined`. */
  refusal(account: Account, sim: EmulatedSim, to: SimState, isResumingTermination = false): string | undefined {
    if (this.openJobOf(account, sim) !== undefined) return 'Another order is in progress for this SIM'
    if (sim.state === 'disconnecting' && to !== 'terminated' && !isResumingTermination) return 'The SIM is in temporary disconnection'
    if (isResumingTermination && sim.state !== 'disconnecting') return `The SIM is not in temporary disconnection but ${sim.state}`
    return mayMove(sim.state, to) ? undefined : `A SIM that is ${sim.state} cannot become ${to}`
  }

  move(sim: EmulatedSim, to: SimState, plan: string | undefined): void {
    moveSim(this.seed, sim, to, this.nowMs, plan)
  }

  createJob(account: Account, order: Pick<Job, 'type' | 'iccid' | 'msisdn' | 'to' | 'plan'>, refusal: string | undefined): Job {
    const initiatedMs = this.nowMs
    const id = account.nextJobId++
    const job: Job = {
      ...order,
      id,
      initiatedMs,
      dueMs: initiatedMs + jobDuration(this.seed, id, this.#jobMs),
      status: refusal === undefined ? 'IN_PROGRESS' : 'REJECTED',
      completedMs: refusal === undefined ? null : initiatedMs,
      remarks: refusal ?? null,
      failsWith: null,
    }
    account.jobs.push(job)
    if (account.jobs.length > MAX_KEPT) account.jobs.shift()
    return job
  }

  noteReceived(account: Account, received: Omit<Received, 'atMs'>): void {
    account.received.push({ ...received, atMs: this.nowMs })
    if (account.received.length > MAX_KEPT) account.received.shift()
  }

  #finish(account: Account, job: Job): void {
    const sim = account.sims.find(({ iccid }) => iccid === job.iccid)
    job.completedMs = job.dueMs
    job.remarks = job.failsWith
    job.status = job.failsWith === null && sim !== undefined ? 'SUCCESS' : 'FAILURE'
    if (job.status === 'SUCCESS' && sim !== undefined) moveSim(this.seed, sim, job.to, job.dueMs, job.plan ?? undefined)
  }
}
