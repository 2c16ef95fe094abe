// The REST API v1 of Cisco IoT Control Center, as its public documents describe it, over the emulated platform. A change is done at once.

import type { Account } from './account.ts'
import type { Platform } from './platform.ts'
import { type Change, type EmulatedSim, PARKING_PLAN, type SimState } from './sim.ts'
import { countUsage } from './usage.ts'
import { numberOf, pageOf, parseBody, shownPage, type WireAnswer, type WireRequest } from './wire.ts'

export const CISCO_PREFIX = '/rws/api/v1/'
const PAGE_SIZE = 50

/** There is no safe custody: a parked SIM is deactivated. A disconnection with a grace is not known either. */
const WORDS: Readonly<Record<SimState, string>> = {
  inventory: 'INVENTORY',
  test: 'TEST_READY',
  active: 'ACTIVATED',
  suspended: 'DEACTIVATED',
  custody: 'DEACTIVATED',
  disconnecting: 'DEACTIVATED',
  terminated: 'RETIRED',
}
const STATE_OF_WORD: Readonly<Record<string, SimState>> = {
  TEST_READY: 'test',
  ACTIVATED: 'active',
  DEACTIVATED: 'suspended',
  RETIRED: 'terminated',
  PURGED: 'terminated',
}

export function ciscoCredentials(nth: number) {
  return { username: `user-${nth}`, apiKey: `key-${nth}` }
}

export function answerCisco(platform: Platform, request: WireRequest): WireAnswer {
  const account = platform.accounts.find(({ nth }) => {
    const { username, apiKey } = ciscoCredentials(nth)
    return request.headers['authorization'] === `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`
  })
  if (account === undefined) return failure(401, '10000001', 'Invalid credentials')
  const [resource = '', iccid, part] = request.path.split('/')
  if (resource !== 'devices') return failure(404, '10000003', 'Resource not found')
  if (iccid === undefined || iccid === '') return listDevices(platform, account, request)
  const sim = platform.findSim(account, (each) => each.iccid === iccid)
  if (sim === undefined) return failure(404, '30000001', 'Resource not found - Invalid ICCID')
  if (part === undefined) return request.method === 'PUT' ? changeDevice(platform, account, sim, request) : ok(details(account, sim))
  if (part === 'ctdUsages') return ok(usage(sim))
  if (part === 'usageInZone') return zoneUsage(platform, sim, request)
  if (part === 'auditTrails') return auditTrails(platform, sim, request)
  return failure(404, '10000003', 'Resource not found')
}

function ok(body: unknown): WireAnswer {
  return { status: 200, body }
}

function failure(status: number, errorCode: string, errorMessage: string): WireAnswer {
  return { status, body: { errorMessage, errorCode } }
}

function listDevices(platform: Platform, account: Account, { query, fault }: WireRequest): WireAnswer {
  const sinceMs = Date.parse(query.get('modifiedSince') ?? '')
  if (Number.isNaN(sinceMs)) return failure(400, '10000013', 'Invalid modifiedSince')
  const page = numberOf(query, 'pageNumber', 1, 100_000)
  const pageSize = numberOf(query, 'pageSize', PAGE_SIZE, PAGE_SIZE)
  const matching = account.sims
    .filter(({ isHidden, updatedMs }) => !isHidden && updatedMs >= sinceMs)
    .toSorted((one, other) => one.updatedMs - other.updatedMs || one.iccid.localeCompare(other.iccid))
  const devices = pageOf(matching, shownPage(page, fault), pageSize).map((sim) => {
    countUsage(platform.seed, sim, platform.nowMs)
    return { iccid: sim.iccid, status: wordOf(sim), ratePlan: sim.ratePlan, communicationPlan: sim.communicationPlan }
  })
  return ok({ pageNumber: page, devices, lastPage: fault?.kind !== 'repeat_page' && page * pageSize >= matching.length })
}

function wordOf(sim: EmulatedSim): string {
  return sim.word ?? WORDS[sim.state]
}

function details({ nth }: Account, sim: EmulatedSim) {
  return {
    iccid: sim.iccid,
    imsi: sim.imsi,
    msisdn: sim.msisdn,
    imei: sim.imei ?? '',
    status: wordOf(sim),
    ratePlan: sim.ratePlan,
    communicationPlan: sim.communicationPlan,
    customer: null,
    endConsumerId: null,
    dateActivated: sim.activatedMs === null ? null : toDate(sim.activatedMs),
    dateUpdated: toDate(sim.updatedMs),
    accountId: String(100_000 + nth),
    fixedIPAddress: null,
    fixedIpv6Address: null,
    deviceID: null,
    eid: null,
  }
}

/** `2016-07-06 22:04:04.380+0000` */
function toDate(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '+0000')
}

function usage(sim: EmulatedSim) {
  const { bytes, sms, sessions } = sim.current
  return {
    iccid: sim.iccid,
    imsi: sim.imsi,
    msisdn: sim.msisdn,
    imei: sim.imei ?? '',
    status: wordOf(sim),
    ratePlan: sim.ratePlan,
    communicationPlan: sim.communicationPlan,
    ctdDataUsage: Math.max(0, bytes - sim.lagBytes),
    ctdSMSUsage: sms,
    ctdVoiceUsage: 0,
    ctdSessionCount: sessions,
    overageLimitReached: false,
    overageLimitOverride: 'DEFAULT',
  }
}

function zoneUsage(platform: Platform, sim: EmulatedSim, { query }: WireRequest): WireAnswer {
  const asked = query.get('cycleStartDate')
  const startMs = asked === null ? sim.current.startMs : Date.parse(asked.replace(/Z$/, ''))
  const counted = [sim.current, sim.previous].find((each) => each?.startMs === startMs)
  const plan = `${sim.ratePlan}, 1`
  const record = { ratePlan: sim.ratePlan, ratePlanVersion: '1', zone: 'Home', dataUsage: counted?.bytes ?? 0, dataUsageUnit: 'bytes' }
  return ok({
    iccid: sim.iccid,
    timeStamp: new Date(platform.nowMs).toISOString(),
    cycleStartDate: new Date(startMs).toISOString(),
    deviceCycleUsageInZones: counted === undefined || counted === null ? {} : { [plan]: [record] },
  })
}

function auditTrails(platform: Platform, sim: EmulatedSim, { query, fault }: WireRequest): WireAnswer {
  const sinceMs = platform.nowMs - numberOf(query, 'daysOfHistory', 30, 365) * 86_400_000
  const page = numberOf(query, 'pageNumber', 1, 100_000)
  const pageSize = numberOf(query, 'pageSize', PAGE_SIZE, PAGE_SIZE)
  const changes = sim.history.filter(({ atMs }) => atMs >= sinceMs).toReversed()
  return ok({
    iccid: sim.iccid,
    timeStamp: new Date(platform.nowMs).toISOString(),
    pageNumber: page,
    lastPage: page * pageSize >= changes.length,
    deviceAuditTrails: pageOf(changes, shownPage(page, fault), pageSize).map(toAuditRecord),
  })
}

function toAuditRecord({ field, prior, value, atMs }: Change) {
  const toWord = (text: string) => (field === 'SIM Status' ? WORDS[text as SimState] : text)
  return {
    field,
    priorValue: toWord(prior),
    value: toWord(value),
    effectiveDate: toDate(atMs),
    status: 'Executed',
    userName: 'api',
    delegatedUser: '',
  }
}

function changeDevice(platform: Platform, account: Account, sim: EmulatedSim, request: WireRequest): WireAnswer {
  const body = parseBody(request.body)
  const { status, ratePlan } = (body ?? {}) as { status?: unknown; ratePlan?: unknown }
  const change = [status, ratePlan].filter((part) => part !== undefined).join(' ')
  const note = (outcome: 'done' | 'rejected') =>
    platform.noteReceived(account, { wire: 'cisco', iccid: sim.iccid, change, job: null, outcome })
  const refusal = body === undefined ? 'Invalid JSON' : refusalOf(platform, account, sim, status, ratePlan)
  if (refusal !== undefined) {
    note('rejected')
    return failure(400, '10000024', refusal)
  }
  const state = typeof status === 'string' ? STATE_OF_WORD[status] : undefined
  const plan = typeof ratePlan === 'string' ? ratePlan : undefined
  const to = targetOf(state ?? sim.state, plan ?? sim.ratePlan)
  // Control Center keeps the plan that a SIM is on unless it is set another.
  platform.move(sim, to, plan ?? sim.ratePlan)
  note('done')
  return ok({ iccid: sim.iccid })
}

function targetOf(state: SimState, plan: string): SimState {
  return state === 'suspended' && plan === PARKING_PLAN ? 'custody' : state
}

function refusalOf(platform: Platform, account: Account, sim: EmulatedSim, status: unknown, ratePlan: unknown): string | undefined {
  if (status === undefined && ratePlan === undefined) return 'At least one parameter is required'
  if (ratePlan !== undefined && (typeof ratePlan !== 'string' || ratePlan === '')) return 'Invalid rate plan'
  if (status === undefined) return undefined
  const state = typeof status === 'string' ? STATE_OF_WORD[status] : undefined
  if (state === undefined) return 'Invalid SIM status'
  const to = targetOf(state, typeof ratePlan === 'string' ? ratePlan : sim.ratePlan)
  return to === sim.state ? undefined : platform.refusal(account, sim, to)
}
