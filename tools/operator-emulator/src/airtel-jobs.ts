// Jobs on the wire of a job-based platform: making them, listing them, and their orders.

import type { Account, Job } from './account.ts'
import { startOfLocalDay, toLocalTime } from './local-time.ts'
import type { Platform } from './platform.ts'
import type { EmulatedSim, SimState } from './sim.ts'
import { numberOf, pageOf, parseBody, shownPage, type WireAnswer, type WireRequest } from './wire.ts'

export type AirtelJobs = { readonly platform: Platform; readonly account: Account; readonly request: WireRequest }

const DAY_MS = 86_400_000
const MAX_PAGE_SIZE = 100
const MAX_SIMS_OF_JOB = 100
const DISCONNECT_REASONS = [
  'NUMBER_NOT_REQUIRED',
  'PRICING_CONCERN',
  'NETWORK_COVERAGE_ISSUE',
  'BILLING_OR_COLLECTION_ISSUE',
  'CONTRACT_EXPIRED',
]

type JobCall = {
  readonly type: string
  readonly to: SimState | 'before'
  readonly from?: readonly SimState[]
  readonly needs?: 'plan' | 'reason'
}

const CALLS: Readonly<Record<string, JobCall>> = {
  'job/sim/activate': { type: 'ACTIVATE_SIM', to: 'active', from: ['inventory'], needs: 'plan' },
  'job/activate/test/sims': { type: 'ACTIVATE_TEST_SIM', to: 'test', from: ['inventory'], needs: 'plan' },
  'job/activate/sim/from/test': { type: 'CHANGE_PLAN', to: 'active', from: ['test'], needs: 'plan' },
  'job/sim/voluntary/suspend': { type: 'SAFE_CUSTODY', to: 'custody' },
  'job/sim/voluntary/resume': { type: 'OUT_OF_SAFE_CUSTODY', to: 'active', from: ['custody'] },
  'job/temp/disconnect': { type: 'BULK_TEMP_DISCONNECTION', to: 'disconnecting', needs: 'reason' },
  'job/td/resume': { type: 'TD_RESUME', to: 'before', from: ['disconnecting'] },
}

export function createAirtelJob(platform: Platform, account: Account, request: WireRequest): WireAnswer {
  const call = CALLS[request.path]
  if (call === undefined) return refused(404, 'No such resource')
  const body = parseBody(request.body)
  const list = body?.['simDOList']
  if (!Array.isArray(list) || list.length !== 1 || list.length > MAX_SIMS_OF_JOB) return refused(400, 'Request Message is not correct')
  const [{ mobileNO, planDO } = {}] = list as { mobileNO?: unknown; planDO?: { planCode?: unknown } }[]
  const sim = platform.findSim(account, ({ msisdn }) => msisdn === mobileNO)
  if (sim === undefined) return refused(400, 'Mobile number does not belong to the account')
  const plan = planDO?.planCode
  if (call.needs === 'plan' && (typeof plan !== 'string' || plan === '')) return refused(400, 'Plan code is missing')
  if (call.needs === 'reason' && !DISCONNECT_REASONS.includes(String(body?.['reason']))) return refused(400, 'Reason is not correct')
  const job = makeJob(platform, account, sim, call, typeof plan === 'string' ? plan : null)
  if (request.fault?.kind === 'job_late') job.dueMs += request.fault.ms ?? 60_000
  if (request.fault?.kind === 'job_fail') job.failsWith = request.fault.text ?? 'Failed in the network'
  const outcome = job.status === 'REJECTED' ? 'rejected' : 'taken'
  platform.noteReceived(account, { wire: 'airtel', iccid: sim.iccid, change: call.type, job: job.id, outcome })
  return { status: 200, body: { data: toJob(job) } }
}

function makeJob(platform: Platform, account: Account, sim: EmulatedSim, call: JobCall, plan: string | null): Job {
  const to = call.to === 'before' ? (sim.stateBefore ?? 'active') : call.to
  const isFromWrong = call.from !== undefined && !call.from.includes(sim.state)
  const refusal = isFromWrong ? `A SIM that is ${sim.state} cannot do this` : platform.refusal(account, sim, to, call.to === 'before')
  return platform.createJob(account, { type: call.type, iccid: sim.iccid, msisdn: sim.msisdn, to, plan }, refusal)
}

function refused(status: number, errorMessage: string): WireAnswer {
  return { status, body: { errorCode: String(status), errorMessage } }
}

/** `undefined` where the path is about something else. */
export function answerAirtelJob({ account, request }: AirtelJobs): WireAnswer | undefined {
  if (request.path === 'job/all') return listJobs(account, request)
  const [, id] = /^job\/(\d+)\/order$/.exec(request.path) ?? []
  return id === undefined ? undefined : listOrders(account, Number(id), request)
}

function listJobs(account: Account, { query, fault }: WireRequest): WireAnswer {
  const [from, until, number, id] = ['startDate', 'endDate', 'mobileNo', 'jobId'].map((name) => query.get(name))
  const matching = account.jobs.filter(
    (job) =>
      (number === null || number === undefined || job.msisdn === number) &&
      (id === null || id === undefined || job.id === Number(id)) &&
      (from === null || from === undefined || job.initiatedMs >= startOfLocalDay(from)) &&
      (until === null || until === undefined || job.initiatedMs < startOfLocalDay(until) + DAY_MS) &&
      (query.get('displayRejectedRecords') !== 'false' || job.status !== 'REJECTED'),
  )
  const page = numberOf(query, 'pageNo', 1, 100_000)
  const jobs = pageOf(matching.toReversed(), shownPage(page, fault), numberOf(query, 'pageSize', 25, MAX_PAGE_SIZE))
  return { status: 200, body: { jobs: jobs.map(toJob), total: String(matching.length) } }
}

function toJob({ id, type, status, initiatedMs, completedMs }: Job) {
  const count = (which: Job['status']) => (status === which ? 1 : 0)
  return {
    jobId: id,
    jobType: type,
    statusCode: status,
    statusMessage: status === 'IN_PROGRESS' ? 'Your request is in progress' : status,
    orderCount: 1,
    successCount: count('SUCCESS'),
    failureCount: count('FAILURE'),
    rejectedCount: count('REJECTED'),
    inProgressCount: count('IN_PROGRESS'),
    orderInitiateDate: toLocalTime(initiatedMs),
    orderCompletionTime: completedMs === null ? null : toLocalTime(completedMs),
  }
}

function listOrders(account: Account, id: number, { query }: WireRequest): WireAnswer {
  const job = account.jobs.find((each) => each.id === id)
  if (job === undefined) return refused(400, 'No such job')
  const number = query.get('mobileNo')
  const order = {
    orderId: job.id * 10,
    orderType: job.type,
    orderStatus: job.status,
    mobileNo: job.msisdn,
    simNo: job.iccid,
    orderInitiateDate: toLocalTime(job.initiatedMs),
    orderCompletionTime: job.completedMs === null ? null : toLocalTime(job.completedMs),
    remarks: job.remarks,
  }
  const orders = number === null || number === job.msisdn ? [order] : []
  return { status: 200, body: { orders, total: String(orders.length) } }
}
