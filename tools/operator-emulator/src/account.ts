// What the emulated platform keeps of one customer.

import type { EmulatedSim, SimState } from './sim.ts'

export type JobStatus = 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'REJECTED'

export type Job = {
  readonly id: number
  readonly type: string
  readonly iccid: string
  readonly msisdn: string
  readonly to: SimState
  readonly plan: string | null
  readonly initiatedMs: number
  dueMs: number
  status: JobStatus
  completedMs: number | null
  remarks: string | null
  /** For tests: what it will fail with. */
  failsWith: string | null
}

/** A request to change a SIM that came in, done or not: what tests count. */
export type Received = {
  readonly wire: 'cisco' | 'airtel'
  readonly iccid: string
  readonly change: string
  readonly atMs: number
  readonly job: number | null
  readonly outcome: 'done' | 'taken' | 'rejected'
}

export type Account = {
  readonly nth: number
  readonly sims: EmulatedSim[]
  readonly jobs: Job[]
  readonly received: Received[]
  nextJobId: number
}
