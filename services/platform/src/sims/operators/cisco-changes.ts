// Whether Control Center did a change that was submitted. It keeps no jobs and takes no id of ours: there is what the SIM is, and the history of
// its fields. A change that is not there may be sent again without harm, because a PUT sets and does not add; so what is in doubt after the
// settling time counts as absent here.

import { readInstant } from './answer-fields.ts'
import { type AuditRecord, type auditForm, ciscoWord, type deviceForm, readDevice } from './cisco-form.ts'
import { type ActionFinding, type ActionSearch, CLOCK_SKEW_MS, OperatorError } from './operator.ts'
import type { Answered } from './operator-call.ts'

type BodyOf<Form> = Form extends { check(value: unknown): value is infer Body } ? Body : never

export type CiscoChange = { readonly status: string; readonly ratePlan?: string }

export type CiscoReads = {
  readonly readSim: () => Promise<Answered<BodyOf<typeof deviceForm>>>
  readonly readHistory: (daysOfHistory: number, pageNumber: number) => Promise<Answered<BodyOf<typeof auditForm>>>
  readonly now: () => Date
  readonly settleMs: number
  readonly parkingRatePlan: string | undefined
}

const DAY_MS = 86_400_000
/** The documents' most. */
const MAX_DAYS_OF_HISTORY = 365
/** Of 50 records. A SIM does not change its fields 1000 times between a submit and the question for it; an assumption. */
const MAX_HISTORY_PAGES = 20
/** Of two readings of one clock that is shown in whole seconds. */
const CLOCK_READING_MS = 2_000

export async function findCiscoChange(reads: CiscoReads, { sentAt }: ActionSearch, change: CiscoChange): Promise<ActionFinding> {
  const { body: device, date } = await reads.readSim()
  const isStatus = ciscoWord(device.status) === ciscoWord(change.status)
  const isPlan = change.ratePlan === undefined || device.ratePlan === change.ratePlan
  if (isStatus && isPlan) {
    return { state: 'done', job: undefined, at: readInstant(device.dateUpdated), seen: readDevice(device, reads.parkingRatePlan) }
  }

  const nowMs = reads.now().getTime()
  const days = Math.min(Math.ceil((nowMs - sentAt.getTime()) / DAY_MS) + 1, MAX_DAYS_OF_HISTORY)
  const since = sentOnTheirClock(sentAt, nowMs, date)
  const record = await findRecord(reads, days, since, change)
  if (record !== undefined && !isStatus) {
    const outcome = outcomeOf(record)
    if (outcome === 'failed') return { state: 'rejected', job: undefined, detail: `the platform notes the change as ${record.status}` }
    if (outcome === 'pending') return { state: 'running', job: undefined }
    return { state: 'done', job: undefined, at: readInstant(record.effectiveDate) }
  }
  const waitMs = sentAt.getTime() + reads.settleMs - nowMs
  if (waitMs <= 0) return { state: 'absent' }
  const detail = isStatus ? 'the status is changed, and the rate plan is not' : 'the platform shows nothing of it yet'
  return { state: 'undecided', retryAfterMs: waitMs, detail }
}

/** Their clock is read with each answer; where it is not, clocks may differ by the skew. */
function sentOnTheirClock(sentAt: Date, nowMs: number, date: Date | undefined): number {
  if (date === undefined) return sentAt.getTime() - CLOCK_SKEW_MS
  return sentAt.getTime() + (date.getTime() - nowMs) - CLOCK_READING_MS
}

/** The newest record of a change of status to what was asked for, since then. */
async function findRecord(reads: CiscoReads, days: number, sinceMs: number, change: CiscoChange): Promise<AuditRecord | undefined> {
  const target = ciscoWord(change.status)
  for (let page = 1; page <= MAX_HISTORY_PAGES; page++) {
    const { body } = await reads.readHistory(days, page)
    const found = body.deviceAuditTrails.find((record) => {
      const at = readInstant(record.effectiveDate)?.getTime() ?? Number.NEGATIVE_INFINITY
      return /stat(us|e)/i.test(record.field ?? '') && ciscoWord(record.value ?? '') === target && at >= sinceMs
    })
    if (found !== undefined) return found
    const isPast = body.deviceAuditTrails.some(
      (record) => (readInstant(record.effectiveDate)?.getTime() ?? Number.POSITIVE_INFINITY) < sinceMs,
    )
    if (body.lastPage || isPast || body.deviceAuditTrails.length === 0) return undefined
  }
  throw new OperatorError('unavailable', `The history of the SIM does not end within ${MAX_HISTORY_PAGES} pages.`)
}

/** The documents do not list the words; those of the failures are taken from what their user interface shows (an assumption). */
function outcomeOf({ status }: AuditRecord): 'failed' | 'pending' | 'executed' {
  if (/fail|error|reject|cancel/i.test(status ?? '')) return 'failed'
  return /pend|schedul|progress|queue/i.test(status ?? '') ? 'pending' : 'executed'
}
