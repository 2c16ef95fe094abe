// A job-based platform of the Airtel IoT kind on the wire: what it answers, by its public OpenAPI document, and what its words mean to us. The
// document shows answers bare, its examples show them within `data`; both are taken. Fields that are not named here are not looked at.

import { type Static, Type } from 'typebox'
import {
  ICCID_PATTERN,
  isSameIccid,
  numberOrText,
  optionalNumber,
  optionalText,
  presentDigits,
  presentText,
  readLocalTime,
} from './answer-fields.ts'
import type { OperatorSim, SimAction, SimStatus } from './operator.ts'
import { answerForm, type PlatformRefusal } from './operator-call.ts'
import { findIccid, type Row } from './sim-pages.ts'

/** The documents' most. */
export const PAGE_SIZE = 100

export const tokenForm = answerForm(
  'the token',
  Type.Object({
    /** Goes into a header. */
    access_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,8192}$' }),
    expires_in: numberOrText,
  }),
)

const SimRow = Type.Object({
  simNo: Type.String({ pattern: ICCID_PATTERN }),
  status: Type.String({ minLength: 1, maxLength: 64 }),
  mobileNo: optionalText(64),
  imsi: optionalText(64),
  planCode: optionalText(),
  planName: optionalText(500),
  activationDate: optionalText(),
  inProgressJob: Type.Optional(Type.Union([numberOrText, Type.Null()])),
  simApnVO: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ attachedApnName: optionalText(), attachedApnIp: optionalText() }), { maxItems: 20 }),
      Type.Null(),
    ]),
  ),
})
type SimRow = Static<typeof SimRow>
const simRowForm = answerForm('it', SimRow)

export const simListForm = answerForm(
  'the list of SIMs',
  Type.Object({ sims: Type.Array(Type.Unknown(), { maxItems: PAGE_SIZE }), total: numberOrText }),
)

export const deviceForm = answerForm('the device', Type.Object({ deviceIMEI: optionalText(64) }))

export const usageForm = answerForm(
  'the usage',
  Type.Object({
    mobileNo: optionalText(64),
    dataUsageFound: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    error: optionalText(500),
    usedDataUsage: Type.Optional(Type.Union([numberOrText, Type.Null()])),
    dataUsageUnits: optionalText(32),
  }),
)

const Job = Type.Object({
  /** 64 bits by the documents; above 2^53 it has to come as text. */
  jobId: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[0-9]{1,19}$' })]),
  jobType: optionalText(64),
  orderInitiateDate: optionalText(64),
  statusCode: optionalText(64),
  successCount: optionalNumber,
  failureCount: optionalNumber,
  rejectedCount: optionalNumber,
  inProgressCount: optionalNumber,
})
export type Job = Static<typeof Job>

export const jobForm = answerForm('the job', Job)
export const jobListForm = answerForm(
  'the list of jobs',
  Type.Object({ jobs: Type.Array(Job, { maxItems: PAGE_SIZE }), total: Type.Optional(Type.Union([numberOrText, Type.Null()])) }),
)

const Order = Type.Object({
  mobileNo: optionalText(64),
  simNo: optionalText(64),
  orderStatus: optionalText(64),
  orderCompletionTime: optionalText(64),
  remarks: optionalText(2_000),
})
export type Order = Static<typeof Order>

export const orderListForm = answerForm('the orders of the job', Type.Object({ orders: Type.Array(Order, { maxItems: PAGE_SIZE }) }))

const STATUS_OF_WORD: Readonly<Record<string, SimStatus>> = {
  INITIAL: 'inventory',
  ACTIVATED_ON_TEST_MODE: 'test',
  ACTIVE: 'active',
  SUSPENDED: 'suspended',
  SAFE_CUSTODY: 'safe_custody',
  // For five days, then for good.
  TEMP_DISCONNECT: 'terminating',
  PERMANENT_DISCONNECT: 'terminated',
  DISCONNECTED: 'terminated',
}
/** Not a state but that one is being left. */
const CHANGING_WORD = 'IN_PROGRESS'

/**
 * The calls of each action. `jobTypes` are those that the documents name; a job of a type that belongs to another action is never taken for
 * this one, and a type that nobody knows is, because not sending twice matters more.
 */
export const AIRTEL_CALLS = {
  activate: { path: 'job/sim/activate', jobTypes: ['ACTIVATE_SIM', 'CHANGE_PLAN'] },
  activate_test: { path: 'job/activate/test/sims', jobTypes: ['ACTIVATE_TEST_SIM'] },
  safe_custody: { path: 'job/sim/voluntary/suspend', jobTypes: ['SAFE_CUSTODY'] },
  resume: { path: 'job/sim/voluntary/resume', jobTypes: ['OUT_OF_SAFE_CUSTODY'] },
  terminate: { path: 'job/temp/disconnect', jobTypes: ['TEMP_DISCONNECTION', 'BULK_TEMP_DISCONNECTION', 'BULK_DISCONNECTION'] },
  resume_termination: { path: 'job/td/resume', jobTypes: ['TD_RESUME'] },
} as const satisfies Partial<Record<SimAction, { path: string; jobTypes: readonly string[] }>>
export type AirtelAction = keyof typeof AIRTEL_CALLS

/** Out of test mode a SIM is activated by changing its plan (the documents call the body a plan order). */
export const ACTIVATE_FROM_TEST_PATH = 'job/activate/sim/from/test'

/** Jobs that are about something else than what a SIM is. */
const OTHER_JOB_TYPES = ['SWAP_SIM', 'DOWNLOAD_SIM', 'BASKET_DETAIL', 'BASKET_OPERATION', 'BULK_SMS_WHITELISTING', 'BULK_GROUP_CHANGE']

export function mayBeJobOf(action: AirtelAction, { jobType }: Job): boolean {
  const type = (presentText(jobType) ?? '').toUpperCase()
  if ((AIRTEL_CALLS[action].jobTypes as readonly string[]).includes(type)) return true
  const known = Object.values(AIRTEL_CALLS).flatMap(({ jobTypes }) => jobTypes as readonly string[])
  return !known.includes(type) && !OTHER_JOB_TYPES.includes(type)
}

/** A row of the list. Never throws. */
export function readSimRow(row: unknown, timeZone: string): Row {
  const iccid = findIccid(row, 'simNo')
  if (!simRowForm.check(row)) return { iccid, problem: simRowForm.problemOf(row) }
  return { iccid, sim: toSim(row, timeZone) }
}

function toSim(row: SimRow, timeZone: string): OperatorSim {
  const word = (presentText(row.status) ?? 'none').toUpperCase().replaceAll(/[\s-]+/g, '_')
  const [apn] = row.simApnVO ?? []
  const job = String(row.inProgressJob ?? '').trim()
  return {
    iccid: row.simNo,
    imsi: presentDigits(row.imsi, 14, 15),
    msisdn: presentDigits(row.mobileNo, 5, 15),
    eid: undefined,
    imei: undefined,
    operatorStatus: presentText(row.status) ?? 'none',
    status: Object.hasOwn(STATUS_OF_WORD, word) ? STATUS_OF_WORD[word] : undefined,
    isChanging: word === CHANGING_WORD || (job !== '' && job !== '0'),
    ratePlan: presentText(row.planCode),
    communicationPlan: undefined,
    apn: presentText(apn?.attachedApnName),
    ipAddress: presentText(apn?.attachedApnIp),
    activatedAt: readLocalTime(row.activationDate, timeZone),
    modifiedAt: undefined,
  }
}

/** The SIM that was asked for among the rows of a filtered list: a filter that was not applied shows others. */
export function findSim(rows: readonly unknown[], iccid: string, timeZone: string): Row | undefined {
  return rows.map((row) => readSimRow(row, timeZone)).find((row) => row.iccid !== undefined && isSameIccid(row.iccid, iccid))
}

/** What a job reports as its result, of the one SIM that it is about. */
export function outcomeOfOrder({ orderStatus }: Order): 'running' | 'done' | 'failed' {
  const word = (presentText(orderStatus) ?? '').toUpperCase()
  if (word === 'SUCCESS') return 'done'
  return word === 'FAILURE' || word === 'REJECTED' ? 'failed' : 'running'
}

/** The documents have no form for errors; these are names that refusals of such gateways use (an assumption). */
export function readAirtelRefusal(body: unknown): PlatformRefusal | undefined {
  const { errorCode, errorMessage, error } = (body ?? {}) as Record<string, unknown>
  const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const code = textOf(errorCode) ?? textOf(inner['code'])
  const message = textOf(errorMessage) ?? textOf(inner['message'])
  return code === undefined && message === undefined ? undefined : { code, message }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Answers come bare or within `data`. */
export function withoutEnvelope(body: unknown): unknown {
  const inner = (body as { data?: unknown } | null | undefined)?.data
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : body
}
