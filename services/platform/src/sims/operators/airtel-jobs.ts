// Whether a job platform did what was submitted. A request that got no answer may have become a job, and a second one would become another; so
// it counts as absent only when the platform shows no job of the SIM that could be it, and enough time has passed that none will come.

import {
  type AirtelAction,
  type Job,
  jobListForm,
  mayBeJobOf,
  type Order,
  orderListForm,
  outcomeOfOrder,
  PAGE_SIZE,
} from './airtel-form.ts'
import { isSameIccid, presentDigits, presentText, readLocalTime } from './answer-fields.ts'
import { type ActionFinding, type ActionSearch, CLOCK_SKEW_MS, OperatorError } from './operator.ts'
import type { AdapterCall } from './operator-call.ts'

export type JobReads = {
  readonly call: AdapterCall
  readonly now: () => Date
  readonly timeZone: string
  readonly settleMs: number
}

export type JobSearch = Omit<ActionSearch, 'action'> & { readonly action: AirtelAction; readonly msisdn: string }

const DAY_MS = 86_400_000
/** Of 100 jobs of one SIM within days; an assumption with room. */
const MAX_JOB_PAGES = 10
/** Jobs that may be the one that is looked for. With the jobs from before known there is one, or none. */
const MAX_CANDIDATES = 10
/** A job that does not show its orders yet is asked about again after this. */
const ORDERS_LATER_MS = 15_000

export async function findAirtelJob(reads: JobReads, search: JobSearch, signal: AbortSignal): Promise<ActionFinding> {
  if (search.job !== undefined) return followJob(reads, search, search.job, signal)
  const jobs = await listAirtelJobs(reads, search.msisdn, search.sentAt, signal)
  const others = new Set(search.otherJobs ?? [])
  const candidates = jobs.filter(
    (job) => !others.has(String(job.jobId)) && mayBeJobOf(search.action, job) && isSinceThen(reads, search, job),
  )
  const newest = candidates.toSorted((one, other) => compareIds(String(other.jobId), String(one.jobId))).slice(0, MAX_CANDIDATES)
  const findings: ActionFinding[] = []
  for (const { jobId } of newest) findings.push(await followJob(reads, search, String(jobId), signal))
  // One that was refused decides nothing while another may be it.
  const found =
    findings.find(({ state }) => state !== 'absent' && state !== 'rejected') ?? findings.find(({ state }) => state === 'rejected')
  if (found !== undefined) return found
  const retryAfterMs = search.sentAt.getTime() + reads.settleMs - reads.now().getTime()
  if (retryAfterMs <= 0) return { state: 'absent' }
  return { state: 'undecided', retryAfterMs, detail: 'the platform shows no job of it yet' }
}

/** Where the jobs from before are known, clocks need not be believed: then whatever is new may be it. */
function isSinceThen({ timeZone }: JobReads, { sentAt, otherJobs }: JobSearch, { orderInitiateDate }: Job): boolean {
  if (otherJobs !== undefined) return true
  const at = readLocalTime(orderInitiateDate, timeZone)
  return at === undefined || at.getTime() >= sentAt.getTime() - CLOCK_SKEW_MS
}

/** All jobs of a number from the day before `since` on. The platform filters by whole days of its own. */
export async function listAirtelJobs(reads: JobReads, msisdn: string, since: Date, signal: AbortSignal): Promise<Job[]> {
  const jobs: Job[] = []
  for (let page = 1; page <= MAX_JOB_PAGES; page++) {
    const query = {
      mobileNo: msisdn,
      startDate: toQueryDay(since.getTime() - DAY_MS),
      endDate: toQueryDay(reads.now().getTime() + DAY_MS),
      displayRejectedRecords: 'true',
      pageNo: String(page),
      pageSize: String(PAGE_SIZE),
    }
    const { body } = await reads.call('read', { method: 'GET', path: 'job/all', query }, jobListForm, signal)
    const fresh = body.jobs.filter(({ jobId }) => !jobs.some((job) => job.jobId === jobId))
    jobs.push(...fresh)
    if (body.jobs.length < PAGE_SIZE || fresh.length === 0) return jobs
  }
  throw new OperatorError('unavailable', `The jobs of ${msisdn} do not end within ${MAX_JOB_PAGES} pages.`)
}

/** What became of a job for this SIM, by its order. `absent`: the job is about other SIMs. */
async function followJob(reads: JobReads, { sim, msisdn }: JobSearch, job: string, signal: AbortSignal): Promise<ActionFinding> {
  const query = { mobileNo: msisdn, pageNo: '1', pageSize: String(PAGE_SIZE) }
  const { body } = await reads.call('read', { method: 'GET', path: `job/${job}/order`, query }, orderListForm, signal)
  const order = body.orders.find((each) => isOrderOf(each, sim.iccid, msisdn))
  if (order === undefined) {
    if (body.orders.length > 0) return { state: 'absent' }
    return { state: 'undecided', retryAfterMs: ORDERS_LATER_MS, detail: `job ${job} shows no orders yet` }
  }
  const outcome = outcomeOfOrder(order)
  if (outcome === 'running') return { state: 'running', job }
  if (outcome === 'done') return { state: 'done', job, at: readLocalTime(order.orderCompletionTime, reads.timeZone) }
  return { state: 'rejected', job, detail: presentText(order.remarks) ?? `the platform notes the order as ${order.orderStatus}` }
}

/** By whichever name the order has; a filter that was not applied shows others. */
function isOrderOf({ simNo, mobileNo }: Order, iccid: string, msisdn: string): boolean {
  const number = presentDigits(mobileNo, 5, 15)
  if (number !== undefined) return number === msisdn
  const reported = presentDigits(simNo, 18, 20)
  return reported !== undefined && isSameIccid(reported, iccid)
}

/** Ids grow; as text of digits, shorter is smaller. */
function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}

/** `DD/MM/YYYY`. With a day to spare on both sides, it does not matter whose. */
function toQueryDay(ms: number): string {
  const [year, month, day] = new Date(ms).toISOString().slice(0, 10).split('-')
  return `${day}/${month}/${year}`
}
