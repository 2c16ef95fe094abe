// Adapter for Cisco IoT Control Center (Jasper), REST API v1. A change is one PUT that takes effect at once; there are no jobs, so whether one
// was done is read from the SIM and from its history. Safe custody does not exist there and is emulated by a rate plan for parking.

import { type Static, Type } from 'typebox'
import { isSameIccid, readCount, readInstant } from './answer-fields.ts'
import { type BillingCycle, cycleBefore, cycleSettings, settledCycleAt } from './billing-cycle.ts'
import { type CiscoChange, findCiscoChange } from './cisco-changes.ts'
import {
  auditForm,
  deviceForm,
  deviceListForm,
  echoForm,
  editForm,
  readCiscoRefusal,
  readDevice,
  readDeviceRow,
  usageForm,
  zoneUsageForm,
} from './cisco-form.ts'
import {
  type ActionRequest,
  type OperatorCaps,
  OperatorError,
  type OperatorSim,
  type OperatorUsage,
  type SimOperator,
  type SimPage,
  type SimRef,
  type Submitted,
} from './operator.ts'
import { type AdapterCall, type AdapterDeps, callOperator } from './operator-call.ts'
import { readPlace, toSimPage } from './sim-pages.ts'

export const CiscoSettings = Type.Object(
  {
    ...cycleSettings,
    accountId: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,20}$', description: 'Account whose SIMs are listed, where the user sees several.' }),
    ),
    parkingRatePlan: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Rate plan of SIMs in safe custody. Without it there is no safe custody.' }),
    ),
    terminationStatus: Type.Optional(
      Type.Enum(['RETIRED', 'PURGED'], {
        default: 'RETIRED',
        description: 'What terminated SIMs become; operators allow one or the other.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CiscoSettings = Static<typeof CiscoSettings>

export const CiscoSecrets = Type.Object(
  {
    username: Type.String({ pattern: '^[\\x21-\\x39\\x3b-\\x7e]{1,200}$', description: 'User of the API; no colon.' }),
    apiKey: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
  },
  { additionalProperties: false },
)
export type CiscoSecrets = Static<typeof CiscoSecrets>

/** Figures of Cisco's documents: 50 a page, one call at a time, five a second. */
const PAGE_SIZE = 50
/** The wait for a turn, the time limit of an answer, and as much again; an assumption. */
const SETTLE_MS = 120_000
const DAY_MS = 86_400_000
/** The platform's OpenAPI document has it beside 200: taken, and not done yet. */
const ACCEPTED = 202
/** `modifiedSince` is required, and older than any SIM. */
const EVERYTHING_SINCE = new Date('2000-01-01T00:00:00Z')

export function ciscoCaps({ parkingRatePlan }: CiscoSettings): OperatorCaps {
  return {
    actions: [
      'activate',
      'activate_test',
      'suspend',
      'resume',
      ...(parkingRatePlan === undefined ? [] : ['safe_custody' as const]),
      'terminate',
    ],
    custody: parkingRatePlan === undefined ? false : 'emulated',
    termination: 'immediate',
    async: false,
    idempotent: false,
    modifiedSince: true,
    list: 'brief',
    usage: 'bytes',
    previousCycle: true,
    maxConcurrent: 1,
    maxPerSecond: 5,
    pageSize: PAGE_SIZE,
    settleMs: SETTLE_MS,
  }
}

type Cisco = { readonly call: AdapterCall; readonly settings: CiscoSettings; readonly now: () => Date }

/** `exchange` reaches `https://restapi{n}.jasper.com/rws/api/v1` of the connection, within its limits. */
export function createCiscoOperator({ exchange, settings, secrets, now }: AdapterDeps<CiscoSettings, CiscoSecrets>): SimOperator {
  const credentials = Buffer.from(`${secrets.username}:${secrets.apiKey}`).toString('base64')
  const authorization = `Basic ${credentials}`
  const deps = { exchange, readRefusal: readCiscoRefusal, hidden: [secrets.apiKey, credentials] }
  const call: AdapterCall = (kind, request, form, signal) => {
    const headers = {
      authorization,
      accept: 'application/json',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return callOperator(deps, kind, { ...request, headers }, form, signal)
  }
  const cisco: Cisco = { call, settings, now }

  return {
    id: 'cisco',
    caps: ciscoCaps(settings),
    testConnection: async (signal) => {
      const query = { modifiedSince: toQueryTime(now()), pageSize: '1', ...accountOf(settings) }
      await call('read', { method: 'GET', path: 'devices', query }, echoForm, signal)
      return { message: 'The platform accepted the user and its API key.' }
    },
    listSims: ({ cursor, modifiedSince }, signal) => listDevices(cisco, cursor, modifiedSince ?? EVERYTHING_SINCE, signal),
    getSim: (sim, signal) => getDevice(cisco, sim, signal),
    getUsage: async ({ sim, cycle }, signal) => {
      const current = settledCycleAt(settings, now())
      if (cycle === 'current') return getCurrentUsage(cisco, sim, current, signal)
      return getCycleUsage(cisco, sim, cycleBefore(settings, current), signal)
    },
    submit: (request, signal) => putChange(cisco, request, signal),
    // There are none.
    earlierJobs: async () => [],
    findAction: async (search, signal) => {
      const change = requireChange(search, settings)
      const path = devicePath(search.sim)
      const readHistory = (daysOfHistory: number, pageNumber: number) => {
        const query = { daysOfHistory: String(daysOfHistory), pageSize: String(PAGE_SIZE), pageNumber: String(pageNumber) }
        return call('read', { method: 'GET', path: `${path}/auditTrails`, query }, auditForm, signal)
      }
      const readSim = () => readDeviceOf(cisco, search.sim, signal)
      const { parkingRatePlan } = settings
      return findCiscoChange({ readSim, readHistory, now, settleMs: SETTLE_MS, parkingRatePlan }, search, change)
    },
  }
}

async function listDevices({ call, settings }: Cisco, cursor: string | undefined, since: Date, signal: AbortSignal): Promise<SimPage> {
  const place = readPlace(cursor)
  const query = {
    modifiedSince: toQueryTime(since),
    pageSize: String(PAGE_SIZE),
    pageNumber: String(place.page),
    ...accountOf(settings),
  }
  const { body } = await call('read', { method: 'GET', path: 'devices', query }, deviceListForm, signal)
  if (body.pageNumber !== place.page) {
    throw new OperatorError('unavailable', `The platform answered with page ${body.pageNumber} instead of ${place.page}.`)
  }
  const rows = body.devices.map((row) => readDeviceRow(row, settings.parkingRatePlan))
  return toSimPage(place, rows, !body.lastPage)
}

async function getDevice(cisco: Cisco, sim: SimRef, signal: AbortSignal): Promise<OperatorSim> {
  const { body } = await readDeviceOf(cisco, sim, signal)
  return readDevice(body, cisco.settings.parkingRatePlan)
}

async function readDeviceOf({ call }: Cisco, sim: SimRef, signal: AbortSignal) {
  const answered = await call('read', { method: 'GET', path: devicePath(sim) }, deviceForm, signal)
  requireSame(answered.body.iccid, sim)
  return answered
}

async function getCurrentUsage({ call }: Cisco, sim: SimRef, cycle: BillingCycle, signal: AbortSignal): Promise<OperatorUsage> {
  const { body } = await call('read', { method: 'GET', path: `${devicePath(sim)}/ctdUsages` }, usageForm, signal)
  requireSame(body.iccid, sim)
  return toUsage(sim, cycle, readCount(body.ctdDataUsage ?? 0), readCount(body.ctdSMSUsage), readCount(body.ctdSessionCount))
}

/** The counters of a cycle that is over are reported by rate plan and zone. */
async function getCycleUsage({ call }: Cisco, sim: SimRef, cycle: BillingCycle, signal: AbortSignal): Promise<OperatorUsage> {
  const query = { cycleStartDate: `${cycle.firstDay}Z` }
  const { body } = await call('read', { method: 'GET', path: `${devicePath(sim)}/usageInZone`, query }, zoneUsageForm, signal)
  requireSame(body.iccid, sim)
  const begins = readInstant(body.cycleStartDate)
  if (begins !== undefined && Math.abs(begins.getTime() - cycle.start.getTime()) > DAY_MS) {
    throw new OperatorError('unavailable', `The platform answered with the cycle of ${begins.toISOString()} instead of ${cycle.firstDay}.`)
  }
  const zones = Object.values(body.deviceCycleUsageInZones).flat()
  const strange = zones.find(({ dataUsageUnit }) => !/^bytes?$/i.test(dataUsageUnit ?? 'bytes'))
  if (strange !== undefined) throw new OperatorError('unavailable', `The usage by zone is in ${strange.dataUsageUnit}, not in bytes.`)
  const amounts = zones.map(({ dataUsage }) => readCount(dataUsage ?? 0) ?? Number.NaN)
  return toUsage(
    sim,
    cycle,
    amounts.reduce((sum, each) => sum + each, 0),
    undefined,
    undefined,
  )
}

async function putChange({ call, settings }: Cisco, request: ActionRequest, signal: AbortSignal): Promise<Submitted> {
  const body = JSON.stringify(requireChange(request, settings))
  const { body: answer, status } = await call('change', { method: 'PUT', path: devicePath(request.sim), body }, editForm, signal)
  if (isSameIccid(answer.iccid, request.sim.iccid)) return { state: status === ACCEPTED ? 'running' : 'done', job: undefined }
  throw new OperatorError('unknown_outcome', `The platform answered for SIM ${answer.iccid} instead of ${request.sim.iccid}.`)
}

/** What is written to a SIM; the fields of the PUT. */
/** Throws `rejected` for what cannot be asked for. */
function requireChange({ action, from, plan }: ActionRequest, settings: CiscoSettings): CiscoChange {
  const withPlan = (status: string, ratePlan: string | undefined) => (ratePlan === undefined ? { status } : { status, ratePlan })
  switch (action) {
    case 'activate':
      return withPlan('ACTIVATED', requirePlan(action, plan))
    case 'activate_test':
      return withPlan('TEST_READY', plan)
    case 'suspend':
      return { status: 'DEACTIVATED' }
    case 'resume':
      return withPlan('ACTIVATED', from === 'safe_custody' ? requirePlan('resume out of safe custody', plan) : plan)
    case 'safe_custody':
      if (settings.parkingRatePlan === undefined)
        throw new OperatorError('rejected', 'No rate plan for parking is set for this connection.')
      return { status: 'DEACTIVATED', ratePlan: settings.parkingRatePlan }
    case 'terminate':
      return { status: settings.terminationStatus ?? 'RETIRED' }
    case 'resume_termination':
      throw new OperatorError('rejected', 'Control Center cannot take a termination back.')
  }
}

function requirePlan(what: string, plan: string | undefined): string {
  if (plan === undefined || plan === '') throw new OperatorError('rejected', `To ${what}, the rate plan has to be given.`)
  return plan
}

/** Only digits get into a path. */
function devicePath({ iccid }: SimRef): string {
  if (!/^[0-9]{18,20}$/.test(iccid)) throw new OperatorError('rejected', 'An ICCID has 18 to 20 digits.')
  return `devices/${iccid}`
}

function accountOf({ accountId }: CiscoSettings): Record<string, string> {
  return accountId === undefined ? {} : { accountId }
}

/** `2016-04-18T17:31:34+00:00`, as the documents have it. */
function toQueryTime(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`
}

function requireSame(iccid: string, sim: SimRef): void {
  if (isSameIccid(iccid, sim.iccid)) return
  throw new OperatorError('unavailable', `The platform answered with SIM ${iccid} instead of ${sim.iccid}.`)
}

function toUsage(
  sim: SimRef,
  { start, end }: BillingCycle,
  dataBytes: number | undefined,
  smsCount: number | undefined,
  sessionCount: number | undefined,
): OperatorUsage {
  if (dataBytes === undefined || !Number.isSafeInteger(dataBytes)) {
    throw new OperatorError('unavailable', `The data usage of SIM ${sim.iccid} is not a whole number of bytes.`)
  }
  return { iccid: sim.iccid, cycleStart: start, cycleEnd: end, dataBytes, resolutionBytes: 1, smsCount, sessionCount }
}
