// A job-based platform of the Airtel IoT kind, as its public OpenAPI document describes it, over the emulated platform. A change is a job; the
// same change sent again is another job.

import type { Account } from './account.ts'
import { type AirtelJobs, answerAirtelJob, createAirtelJob } from './airtel-jobs.ts'
import { toLocalTime } from './local-time.ts'
import type { Platform } from './platform.ts'
import type { EmulatedSim, SimState } from './sim.ts'
import { numberOf, pageOf, shownPage, type WireAnswer, type WireRequest } from './wire.ts'

export const AIRTEL_PREFIX = '/iot/api/'
const MAX_PAGE_SIZE = 100
const DEFAULT_PAGE_SIZE = 25
const TOKEN_LIFE_S = 1_800
const BASKET_ID = 1

const WORDS: Readonly<Record<SimState, string>> = {
  inventory: 'INITIAL',
  test: 'ACTIVATED_ON_TEST_MODE',
  active: 'ACTIVE',
  suspended: 'SUSPENDED',
  custody: 'SAFE_CUSTODY',
  disconnecting: 'TEMP_DISCONNECT',
  terminated: 'PERMANENT_DISCONNECT',
}

export function airtelCredentials(nth: number) {
  return {
    clientId: `client-${nth}`,
    clientSecret: `secret-${nth}`,
    apiKey: `apikey-${nth}`,
    customerId: String(1_000 + nth),
    ivUser: `developer-${nth}`,
    basketId: BASKET_ID,
  }
}

/** Tokens that were given out, with the account and their end. They do not survive a restart. */
export class AirtelTokens {
  readonly #tokens = new Map<string, { readonly account: Account; readonly untilMs: number }>()
  #next = 1

  issue(account: Account, nowMs: number): string {
    const token = `token-${account.nth}-${this.#next++}`
    this.#tokens.set(token, { account, untilMs: nowMs + TOKEN_LIFE_S * 1000 })
    for (const [old, { untilMs }] of this.#tokens) if (untilMs <= nowMs) this.#tokens.delete(old)
    return token
  }

  accountOf(authorization: string | undefined, nowMs: number): Account | undefined {
    const known = this.#tokens.get((authorization ?? '').replace(/^Bearer /, ''))
    return known !== undefined && known.untilMs > nowMs ? known.account : undefined
  }

  /** For tests: all of them are refused from then on. */
  revokeAll(): void {
    this.#tokens.clear()
  }
}

export function answerAirtel(platform: Platform, tokens: AirtelTokens, request: WireRequest): WireAnswer {
  if (request.path === 'auth/v2/generate/authtoken') return issueToken(platform, tokens, request)
  const account = tokens.accountOf(request.headers['authorization'], platform.nowMs)
  if (account === undefined) return failure(401, 'Token is invalid or expired')
  const { apiKey, customerId, ivUser } = airtelCredentials(account.nth)
  const { headers } = request
  if (headers['apikey'] !== apiKey || headers['customer-id'] !== customerId || headers['iv-user'] !== ivUser) {
    return failure(403, 'The developer account is not allowed to do this')
  }
  if (request.method === 'POST') return createAirtelJob(platform, account, request)
  const jobs: AirtelJobs = { platform, account, request }
  if (request.path === `details/basket/${BASKET_ID}/sims` || request.path === 'details/basket/0/sims')
    return listSims(platform, account, request)
  if (request.path === 'sim/data/usage') return withNumber(platform, account, request, usage)
  if (request.path === 'sim/device/info') return withNumber(platform, account, request, deviceOf)
  return answerAirtelJob(jobs) ?? failure(404, 'No such resource')
}

function failure(status: number, errorMessage: string): WireAnswer {
  return { status, body: { errorCode: String(status), errorMessage } }
}

function issueToken(platform: Platform, tokens: AirtelTokens, { method, headers, body }: WireRequest): WireAnswer {
  const form = new URLSearchParams(body)
  const account = platform.accounts.find(({ nth }) => {
    const { clientId, clientSecret, apiKey, ivUser } = airtelCredentials(nth)
    const isAccount = headers['apikey'] === apiKey && headers['iv-user'] === ivUser
    return isAccount && form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  })
  if (method !== 'POST' || account === undefined) return failure(400, 'Request Message is not correct')
  const token = tokens.issue(account, platform.nowMs)
  return {
    status: 200,
    body: { data: { refresh_token: `${token}-refresh`, token_type: 'bearer', access_token: token, expires_in: TOKEN_LIFE_S } },
  }
}

function listSims(platform: Platform, account: Account, { query, fault }: WireRequest): WireAnswer {
  const filter = query.get('filterValue')
  const field = { SIM_NO: 'iccid', MSISDN: 'msisdn', IMSI: 'imsi' }[query.get('simFilterType') ?? ''] as 'iccid' | undefined
  const matching = account.sims.filter((sim) => !sim.isHidden && (filter === null || field === undefined || sim[field] === filter))
  const page = numberOf(query, 'pageNo', 1, 100_000)
  const pageSize = numberOf(query, 'pageSize', DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
  const sims = pageOf(matching, shownPage(page, fault), pageSize).map((sim) => toRow(platform, account, sim))
  return { status: 200, body: { data: { sims, total: String(fault?.kind === 'repeat_page' ? 1_000_000 : matching.length) } } }
}

function toRow(platform: Platform, account: Account, sim: EmulatedSim) {
  const job = platform.openJobOf(account, sim)
  return {
    simId: sim.imsi.slice(-7),
    mobileNo: sim.msisdn,
    simNo: sim.iccid,
    imsi: sim.imsi,
    lsi: ' ',
    status: sim.word ?? (job === undefined ? WORDS[sim.state] : 'IN_PROGRESS'),
    isPaired: '0',
    circleName: 'DELHI',
    planCode: sim.ratePlan,
    planName: `${sim.ratePlan} plan`,
    dataType: '4G',
    dataUnits: '100',
    activationDate: sim.activatedMs === null ? null : toLocalTime(sim.activatedMs),
    safeCustodyDate: sim.custodySinceMs === null ? null : toLocalTime(sim.custodySinceMs),
    inProgressJob: job === undefined ? null : String(job.id),
    basketId: String(BASKET_ID),
    simApnVO: [{ attachedApnName: 'iot.example', attachedApnIp: null, attachedApnIpType: 'DYNAMIC' }],
  }
}

function withNumber(platform: Platform, account: Account, { query }: WireRequest, answer: (sim: EmulatedSim) => object): WireAnswer {
  const sim = platform.findSim(account, ({ msisdn }) => msisdn === query.get('mobileNo'))
  return sim === undefined ? failure(400, 'Mobile number does not belong to the account') : { status: 200, body: answer(sim) }
}

/** Megabytes with two decimals, as a person would read them. */
function usage(sim: EmulatedSim): object {
  const used = Math.max(0, sim.current.bytes - sim.lagBytes) / 1_048_576
  return {
    mobileNo: sim.msisdn,
    simNo: sim.iccid,
    planCode: sim.ratePlan,
    prepaid: false,
    dataUsageFound: true,
    dataUsageUnits: 'MB',
    usedDataUsage: used.toFixed(2),
    totalDataUsage: '100.00',
    remainingDataUsage: Math.max(0, 100 - used).toFixed(2),
  }
}

function deviceOf(sim: EmulatedSim): object {
  return { deviceIMEI: sim.imei, deviceIMEIChanged: false, previousDeviceIMEI: null, deviceName: 'Tracker', deviceType: 'VEHICLE_TRACKING' }
}
