// Adapter for a job-based platform of the Airtel IoT kind. A change is a job that the platform takes, does later, and would take again: it has
// no idempotency. SIMs are named by their numbers, and the SIMs of a connection are those of one basket.

import { type Static, Type } from 'typebox'
import {
  ACTIVATE_FROM_TEST_PATH,
  AIRTEL_CALLS,
  type AirtelAction,
  deviceForm,
  findSim,
  jobForm,
  PAGE_SIZE,
  readAirtelRefusal,
  readSimRow,
  simListForm,
  usageForm,
  withoutEnvelope,
} from './airtel-form.ts'
import { findAirtelJob, listAirtelJobs } from './airtel-jobs.ts'
import { createTokenSource } from './airtel-token.ts'
import { presentDigits, presentText, readAmount, readCount } from './answer-fields.ts'
import { type BillingCycle, cycleSettings, settledCycleAt } from './billing-cycle.ts'
import {
  type ActionRequest,
  type OperatorCaps,
  OperatorError,
  type OperatorSim,
  type OperatorUsage,
  type SimOperator,
  type SimPage,
  type SimRef,
} from './operator.ts'
import { type AdapterCall, type AdapterDeps, callOperator } from './operator-call.ts'
import { readPlace, toSimPage } from './sim-pages.ts'

/** Why a SIM is given up; the documents' list. */
const disconnectReasons = [
  'NUMBER_NOT_REQUIRED',
  'PRICING_CONCERN',
  'NETWORK_COVERAGE_ISSUE',
  'BILLING_OR_COLLECTION_ISSUE',
  'CONTRACT_EXPIRED',
] as const

export const AirtelSettings = Type.Object(
  {
    ...cycleSettings,
    customerId: Type.String({ pattern: '^[0-9]{1,18}$', description: 'Customer id of the developer account.' }),
    ivUser: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$', description: 'User id (iv-user) of the developer account.' }),
    basketId: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Basket whose SIMs these are; 0 is all of the account.',
    }),
    testPlan: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Code of the plan for test mode. Without it there is none.' }),
    ),
    disconnectReason: Type.Optional(Type.Enum(disconnectReasons, { default: 'NUMBER_NOT_REQUIRED' })),
  },
  { additionalProperties: false },
)
export type AirtelSettings = Static<typeof AirtelSettings>

export const AirtelSecrets = Type.Object(
  {
    clientId: Type.String({ minLength: 1, maxLength: 500 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 500 }),
    apiKey: Type.String({ pattern: '^[\\x21-\\x7e]{1,500}$' }),
  },
  { additionalProperties: false },
)
export type AirtelSecrets = Static<typeof AirtelSecrets>

/** The documents give no limits for calls; these are assumptions, as careful as the other platform's published ones. */
const MAX_CONCURRENT = 2
const MAX_PER_SECOND = 5
/** A request that was read becomes a job at once or, behind a queue, within minutes; an assumption. */
const SETTLE_MS = 180_000

export function airtelCaps({ testPlan }: AirtelSettings): OperatorCaps {
  const test = testPlan === undefined ? [] : (['activate_test'] as const)
  return {
    actions: ['activate', ...test, 'resume', 'safe_custody', 'terminate', 'resume_termination'],
    custody: 'native',
    termination: 'grace',
    async: true,
    idempotent: false,
    modifiedSince: false,
    list: 'brief',
    usage: 'formatted',
    previousCycle: false,
    maxConcurrent: MAX_CONCURRENT,
    maxPerSecond: MAX_PER_SECOND,
    pageSize: PAGE_SIZE,
    settleMs: SETTLE_MS,
  }
}

type Airtel = { readonly call: AdapterCall; readonly settings: AirtelSettings; readonly now: () => Date }

/** `exchange` reaches the connection's base URL (`…/iot/api`), within its limits. */
export function createAirtelOperator(deps: AdapterDeps<AirtelSettings, AirtelSecrets>): SimOperator {
  const { settings, now } = deps
  const airtel: Airtel = { call: createCall(deps), settings, now }
  const reads = { ...airtel, timeZone: settings.timeZone, settleMs: SETTLE_MS }

  return {
    id: 'airtel',
    caps: airtelCaps(settings),
    testConnection: async (signal) => {
      const { body } = await airtel.call('read', listRequest(settings, { pageNo: '1', pageSize: '1' }), simListForm, signal)
      return { message: `The platform shows ${readCount(body.total) ?? 'an unknown number of'} SIMs in basket ${settings.basketId}.` }
    },
    // The list cannot be asked for what changed.
    listSims: ({ cursor }, signal) => listBasket(airtel, cursor, signal),
    getSim: (sim, signal) => getBasketSim(airtel, sim, signal),
    getUsage: async ({ sim, cycle }, signal) => {
      if (cycle === 'previous') throw new OperatorError('rejected', 'This platform reports the usage of the current cycle only.')
      return getNumberUsage(airtel, sim, settledCycleAt(settings, now()), signal)
    },
    submit: async (request, signal) => {
      const { path, body } = requireOrder(request, settings)
      const { body: job } = await airtel.call('change', { method: 'POST', path, body: JSON.stringify(body) }, jobForm, signal)
      return { state: 'running', job: String(job.jobId) }
    },
    findAction: async (search, signal) => {
      const action = requireAction(search, settings)
      return findAirtelJob(reads, { ...search, action, msisdn: requireMsisdn(search.sim) }, signal)
    },
    earlierJobs: async (sim, signal) => {
      const jobs = await listAirtelJobs(reads, requireMsisdn(sim), now(), signal)
      return jobs.map(({ jobId }) => String(jobId))
    },
  }
}

function listRequest({ basketId }: AirtelSettings, query: Record<string, string>) {
  return { method: 'GET' as const, path: `details/basket/${basketId}/sims`, query }
}

async function listBasket({ call, settings }: Airtel, cursor: string | undefined, signal: AbortSignal): Promise<SimPage> {
  const place = readPlace(cursor)
  const request = listRequest(settings, { pageNo: String(place.page), pageSize: String(PAGE_SIZE) })
  const { body } = await call('read', request, simListForm, signal)
  const total = readCount(body.total)
  if (total === undefined) throw new OperatorError('unavailable', 'The total of the list of SIMs is not a number.')
  const rows = body.sims.map((row) => readSimRow(row, settings.timeZone))
  // A full page may be followed by another, whatever the total is.
  return toSimPage(place, rows, rows.length > 0 && (place.page * PAGE_SIZE < total || rows.length >= PAGE_SIZE))
}

/** The row of the list is all that there is of a SIM, but for the device it is in. */
async function getBasketSim({ call, settings }: Airtel, { iccid }: SimRef, signal: AbortSignal): Promise<OperatorSim> {
  const query = { simFilterType: 'SIM_NO', filterValue: requireIccid(iccid), pageNo: '1', pageSize: '25' }
  const { body } = await call('read', listRequest(settings, query), simListForm, signal)
  const row = findSim(body.sims, iccid, settings.timeZone)
  if (row === undefined) throw new OperatorError('not_found', `SIM ${iccid} is not in basket ${settings.basketId}.`)
  if (!('sim' in row)) throw new OperatorError('unavailable', `An answer that cannot be used: SIM ${iccid}: ${row.problem}.`)
  return row.sim.msisdn === undefined ? row.sim : { ...row.sim, imei: await findImei(call, row.sim.msisdn, signal) }
}

/** The platform refuses the question for a SIM that no device has used, in words of its own. */
async function findImei(call: AdapterCall, msisdn: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { body } = await call('read', { method: 'GET', path: 'sim/device/info', query: { mobileNo: msisdn } }, deviceForm, signal)
    return presentDigits(body.deviceIMEI, 14, 16)
  } catch (error) {
    if (error instanceof OperatorError && (error.kind === 'not_found' || error.kind === 'rejected')) return undefined
    throw error
  }
}

async function getNumberUsage({ call }: Airtel, sim: SimRef, { start, end }: BillingCycle, signal: AbortSignal): Promise<OperatorUsage> {
  const msisdn = requireMsisdn(sim)
  const { body } = await call('read', { method: 'GET', path: 'sim/data/usage', query: { mobileNo: msisdn } }, usageForm, signal)
  const reported = presentDigits(body.mobileNo, 5, 15)
  if (reported !== undefined && reported !== msisdn)
    throw new OperatorError('unavailable', `The platform answered for ${reported} instead of ${msisdn}.`)
  const { bytes, resolutionBytes } = requireAmount(body, sim)
  return {
    iccid: sim.iccid,
    cycleStart: start,
    cycleEnd: end,
    dataBytes: bytes,
    resolutionBytes,
    smsCount: undefined,
    sessionCount: undefined,
  }
}

/** A call with the headers of the account. One that a stale token was refused for was not done, and is sent once more with a new one. */
function createCall({ exchange, settings, secrets, now }: AdapterDeps<AirtelSettings, AirtelSecrets>): AdapterCall {
  const account = { accept: 'application/json', apikey: secrets.apiKey, 'iv-user': settings.ivUser }
  const tokens = createTokenSource({ exchange, headers: account, clientId: secrets.clientId, clientSecret: secrets.clientSecret, now })
  const { clientSecret, apiKey } = secrets
  const hidden = [clientSecret, apiKey]
  const deps = { exchange, readRefusal: readAirtelRefusal, unwrap: withoutEnvelope }

  return async (kind, request, form, signal) => {
    for (let attempt = 1; ; attempt++) {
      const token = await tokens.get(signal)
      const headers = {
        ...account,
        'customer-id': settings.customerId,
        authorization: `Bearer ${token}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      try {
        return await callOperator({ ...deps, hidden: [...hidden, token] }, kind, { ...request, headers }, form, signal)
      } catch (error) {
        if (!(error instanceof OperatorError) || error.kind !== 'auth') throw error
        tokens.drop(token)
        if (attempt === 2) throw error
      }
    }
  }
}

function requireIccid(iccid: string): string {
  if (!/^[0-9]{18,20}$/.test(iccid)) throw new OperatorError('rejected', 'An ICCID has 18 to 20 digits.')
  return iccid
}

function requireMsisdn({ iccid, msisdn }: SimRef): string {
  const digits = presentDigits(msisdn, 5, 15)
  if (digits === undefined)
    throw new OperatorError('rejected', `The number of SIM ${iccid} is not known, and this platform goes by numbers.`)
  return digits
}

function requireAction({ action, from }: ActionRequest, settings: AirtelSettings): AirtelAction {
  if (action === 'suspend')
    throw new OperatorError('rejected', 'This platform has no suspension that customers ask for; it has safe custody.')
  if (action === 'activate_test' && settings.testPlan === undefined) throw new OperatorError('rejected', 'No plan for test mode is set.')
  if (action === 'resume' && from === 'suspended') throw new OperatorError('rejected', 'Only the operator lifts a suspension of its own.')
  return action
}

/** The call of an action and its body. Throws `rejected` for what cannot be asked for. */
function requireOrder(request: ActionRequest, settings: AirtelSettings): { path: string; body: object } {
  const action = requireAction(request, settings)
  const mobileNO = requireMsisdn(request.sim)
  const path = action === 'activate' && request.from === 'test' ? ACTIVATE_FROM_TEST_PATH : AIRTEL_CALLS[action].path
  if (action === 'activate' || action === 'activate_test') {
    const planCode = action === 'activate' ? request.plan : settings.testPlan
    if (planCode === undefined || planCode === '') throw new OperatorError('rejected', `To ${action}, the plan has to be given.`)
    return { path, body: { simDOList: [{ mobileNO, planDO: { planCode } }] } }
  }
  const reason = action === 'terminate' ? { reason: settings.disconnectReason ?? 'NUMBER_NOT_REQUIRED' } : {}
  return { path, body: { ...reason, simDOList: [{ mobileNO }] } }
}

type UsageBody = {
  readonly dataUsageFound?: boolean | null
  readonly error?: string | null
  readonly usedDataUsage?: number | string | null
  readonly dataUsageUnits?: string | null
}

function requireAmount({ dataUsageFound, error, usedDataUsage, dataUsageUnits }: UsageBody, { iccid }: SimRef) {
  const reported = String(usedDataUsage ?? '').trim()
  const trouble = presentText(error)
  if (trouble !== undefined) throw new OperatorError('unavailable', `The platform has no usage of SIM ${iccid}: ${trouble}.`)
  // A SIM that never sent anything.
  if (reported === '' && dataUsageFound === false) return { bytes: 0, resolutionBytes: 1 }
  const amount = readAmount(reported, dataUsageUnits ?? undefined)
  if (amount === undefined) {
    throw new OperatorError('unavailable', `The usage of SIM ${iccid} is no amount with a unit: "${reported} ${dataUsageUnits ?? ''}".`)
  }
  return amount
}
