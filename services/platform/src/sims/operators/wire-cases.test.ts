// Answers that the emulator does not give, and that a real platform may: each is one exchange, written down.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAirtelOperator } from './airtel.ts'
import { type AirtelAction, mayBeJobOf } from './airtel-form.ts'
import { createCiscoOperator } from './cisco.ts'
import type { Exchange, ExchangeRequest } from './exchange.ts'
import type { ActionRequest, SimOperator } from './operator.ts'
import { refusalOf } from './test-operator.ts'

const signal = new AbortController().signal
const now = () => new Date('2026-11-10T06:00:00Z')
const ICCID = '89911088500100000005'
const sim = { iccid: ICCID, msisdn: '5750010000000' }
const cycle = { cycleDay: 1, timeZone: 'Asia/Kolkata', cycleSettleMinutes: 0 }
const custody: ActionRequest = { actionId: 'act-1', sim, action: 'safe_custody', from: 'active' }
const secrets = { username: 'user', apiKey: 'top-secret-key' }

type Given = { readonly status?: number; readonly body: unknown }

function exchangeOf(answer: (request: ExchangeRequest) => Given): Exchange {
  return async (request) => {
    const { status = 200, body } = answer(request)
    return { status, retryAfterMs: undefined, date: now(), text: JSON.stringify(body) }
  }
}

function cisco(answer: (request: ExchangeRequest) => Given): SimOperator {
  return createCiscoOperator({ exchange: exchangeOf(answer), settings: { ...cycle, parkingRatePlan: 'PARKING' }, secrets, now })
}

function airtel(answer: (request: ExchangeRequest) => Given): SimOperator {
  const withToken = (request: ExchangeRequest) =>
    request.path.startsWith('auth/') ? { body: { data: { access_token: 'token-9', expires_in: 60 } } } : answer(request)
  const settings = { ...cycle, customerId: '1001', ivUser: 'dev', basketId: 1 }
  const own = { clientId: 'client', clientSecret: 'client-secret', apiKey: 'api-key' }
  return createAirtelOperator({ exchange: exchangeOf(withToken), settings, secrets: own, now })
}

describe('Control Center', () => {
  test('another page than the one that was asked for is none', async () => {
    const operator = cisco(() => ({ body: { pageNumber: 2, lastPage: true, devices: [] } }))
    assert.match((await refusalOf(operator.listSims({}, signal))).message, /page 2 instead of 1/)
  })

  test('the answer for another SIM is none, and a change answered for another has no known outcome', async () => {
    const operator = cisco(() => ({ body: { iccid: '89911088500100000013', status: 'ACTIVATED', ctdDataUsage: 5 } }))
    assert.equal((await refusalOf(operator.getSim(sim, signal))).kind, 'unavailable')
    assert.equal((await refusalOf(operator.getUsage({ sim, cycle: 'current' }, signal))).kind, 'unavailable')
    assert.equal((await refusalOf(operator.submit(custody, signal))).kind, 'unknown_outcome')
  })

  test('a change that is accepted is not yet done', async () => {
    const operator = cisco(() => ({ status: 202, body: { iccid: ICCID } }))
    assert.deepEqual(await operator.submit(custody, signal), { state: 'running', job: undefined })
  })

  test('a refusal within a success is a refusal, and wrong credentials are so with any status', async () => {
    const refusing = cisco(() => ({ body: { errorCode: '10000024', errorMessage: 'Invalid SIM status' } }))
    const { kind, operatorCode, message } = await refusalOf(refusing.submit(custody, signal))
    assert.deepEqual([kind, operatorCode], ['rejected', '10000024'])
    assert.match(message, /Invalid SIM status/)
    const wrong = cisco(() => ({ status: 400, body: { errorCode: '10000001', errorMessage: 'Invalid credentials' } }))
    assert.equal((await refusalOf(wrong.testConnection(signal))).kind, 'auth')
  })

  test('states are read in either spelling', async () => {
    const list = ['ACTIVATION_READY', 'ACTIVATIONREADY', 'TEST_READY', 'ACTIVATED', 'DEACTIVATED', 'PURGED', 'constructor']
    const devices = list.map((status, nth) => ({ iccid: `899110885001000000${nth}0`, status }))
    const { sims } = await cisco(() => ({ body: { pageNumber: 1, lastPage: true, devices } })).listSims({}, signal)
    assert.deepEqual(
      sims.map(({ status }) => status),
      ['inventory', 'inventory', 'test', 'active', 'suspended', 'terminated', undefined],
    )
  })

  test('the same SIM twice on a page is one, and reported so', async () => {
    const devices = ['8991108850010000000', ICCID].map((iccid) => ({ iccid, status: 'ACTIVATED' }))
    const page = await cisco(() => ({ body: { pageNumber: 1, lastPage: true, devices } })).listSims({}, signal)
    assert.equal(page.sims.length, 1)
    assert.deepEqual(page.refused, [{ iccid: ICCID, message: 'is twice on the page' }])
  })

  test('a SIM that used nothing has used 0 bytes, and one whose use is no number is an error', async () => {
    const usage = (ctdDataUsage: unknown) =>
      cisco(() => ({ body: { iccid: ICCID, ctdDataUsage } })).getUsage({ sim, cycle: 'current' }, signal)
    assert.equal((await usage(null)).dataBytes, 0)
    assert.equal((await usage('1024')).dataBytes, 1024)
    for (const wrong of [-1, 1.5, 'much', undefined, {}]) assert.equal((await refusalOf(usage(wrong))).kind, 'unavailable')
  })

  test('the cycle before is that one, in bytes', async () => {
    const usage = (body: object) => cisco(() => ({ body: { iccid: ICCID, ...body } })).getUsage({ sim, cycle: 'previous' }, signal)
    const zones = { 'P, 1': [{ dataUsage: 5, dataUsageUnit: 'bytes' }], 'P, 2': [{ dataUsage: '6' }, { dataUsage: null }] }
    const reported = await usage({ cycleStartDate: '2026-09-30T18:30:00.000Z', deviceCycleUsageInZones: zones })
    assert.deepEqual([reported.dataBytes, reported.cycleStart.toISOString()], [11, '2026-09-30T18:30:00.000Z'])
    const other = await refusalOf(usage({ cycleStartDate: '2026-10-31T18:30:00.000Z', deviceCycleUsageInZones: zones }))
    assert.match(other.message, /instead of 2026-10-01/)
    const inMb = { 'P, 1': [{ dataUsage: 5, dataUsageUnit: 'MB' }] }
    assert.match((await refusalOf(usage({ deviceCycleUsageInZones: inMb }))).message, /in MB/)
  })

  test('a change that the history notes as failed is rejected, as pending is running', async () => {
    const find = (status: string) =>
      cisco(({ path }) => {
        const record = { field: 'SIM Status', value: 'DEACTIVATED', effectiveDate: '2026-11-10 06:00:00.000+0000', status }
        const device = { iccid: ICCID, status: 'ACTIVATED' }
        return { body: path.endsWith('auditTrails') ? { lastPage: true, deviceAuditTrails: [record] } : device }
      }).findAction({ ...custody, sentAt: now() }, signal)
    assert.equal((await find('Failed')).state, 'rejected')
    assert.equal((await find('Scheduled')).state, 'running')
    assert.equal((await find('Executed')).state, 'done')
  })

  test('no error shows a credential that the platform repeats', async () => {
    const credentials = Buffer.from('user:top-secret-key').toString('base64')
    const operator = cisco(() => ({
      status: 401,
      body: { errorCode: 'top-secret-key', errorMessage: `Basic ${credentials}, top-secret-key` },
    }))
    const { message, operatorCode } = await refusalOf(operator.testConnection(signal))
    assert.equal(`${message} ${operatorCode}`.includes('top-secret-key'), false)
    assert.equal(message.includes(credentials), false)
  })
})

describe('a job platform', () => {
  const job = (jobId: number, jobType = 'SAFE_CUSTODY') => ({ jobId, jobType, orderInitiateDate: '10-11-2026 11:30:01 AM' })
  const order = (orderStatus: string, mobileNo = sim.msisdn) => ({ mobileNo, orderStatus, remarks: `it is ${orderStatus}` })
  const find = (jobs: object[], orders: Record<number, object[]>, otherJobs?: string[]) =>
    airtel(({ path }) => {
      const [, id] = /^job\/(\d+)\/order$/.exec(path) ?? []
      return { body: id === undefined ? { jobs } : { orders: orders[Number(id)] ?? [] } }
    }).findAction({ ...custody, sentAt: now(), ...(otherJobs === undefined ? {} : { otherJobs }) }, signal)

  test('a filter that is not applied shows other SIMs, which are not this one', async () => {
    const other = { simNo: '89911088500100000013', status: 'ACTIVE' }
    const operator = airtel(() => ({ body: { sims: [other], total: '1' } }))
    assert.equal((await refusalOf(operator.getSim(sim, signal))).kind, 'not_found')
    assert.equal((await find([job(7)], { 7: [order('SUCCESS', '5750010000001')] })).state, 'undecided')
  })

  test('a job that was refused decides nothing while another may be it', async () => {
    const orders = { 7: [order('REJECTED')], 8: [order('IN_PROGRESS')] }
    assert.deepEqual(await find([job(7), job(8)], orders), { state: 'running', job: '8' })
    assert.deepEqual(await find([job(7)], orders), { state: 'rejected', job: '7', detail: 'it is REJECTED' })
    assert.equal((await find([job(7)], orders, ['7'])).state, 'undecided')
  })

  test('a job without orders yet decides nothing', async () => {
    const found = await find([job(7)], {})
    assert.ok(found.state === 'undecided')
    assert.match(found.detail, /job 7 shows no orders/)
  })

  test('a job of another action is not this one, and of a type that nobody knows may be', async () => {
    const done = { 7: [order('SUCCESS')] }
    assert.equal((await find([job(7, 'CHANGE_PLAN')], done)).state, 'undecided')
    assert.equal((await find([job(7, 'SWAP_SIM')], done)).state, 'undecided')
    assert.equal((await find([job(7, 'VOLUNTARY_SUSPENSION')], done)).state, 'done')
    const known: AirtelAction[] = ['activate', 'activate_test', 'safe_custody', 'resume', 'terminate', 'resume_termination']
    for (const action of known) assert.ok(mayBeJobOf(action, { jobId: 1, jobType: 'BRAND_NEW' }))
  })

  test('jobs that were there before are distinguished from new ones whatever the clocks show', async () => {
    const early = { ...job(7), orderInitiateDate: '10-11-2026 06:00:01 AM' }
    const done = { 7: [order('SUCCESS')] }
    assert.equal((await find([early], done)).state, 'undecided')
    assert.equal((await find([early], done, [])).state, 'done')
  })

  test('jobs that never end are an error', async () => {
    let next = 1
    const operator = airtel(() => ({ body: { jobs: Array.from({ length: 100 }, () => job(next++)) } }))
    assert.match((await refusalOf(operator.earlierJobs(sim, signal))).message, /do not end within/)
  })

  test('a token that is refused is one of the credentials, and one that is not found is the platform', async () => {
    const tokenOnly = (status: number) =>
      createAirtelOperator({
        exchange: exchangeOf(() => ({ status, body: { errorMessage: 'client-secret is wrong' } })),
        settings: { ...cycle, customerId: '1001', ivUser: 'dev', basketId: 1 },
        secrets: { clientId: 'client', clientSecret: 'client-secret', apiKey: 'api-key' },
        now,
      })
    const refused = await refusalOf(tokenOnly(400).getSim(sim, signal))
    assert.equal(refused.kind, 'auth')
    assert.equal(refused.message.includes('client-secret'), false)
    assert.equal((await refusalOf(tokenOnly(404).getSim(sim, signal))).kind, 'unavailable')
    // Without a token nothing of the change was sent.
    assert.equal((await refusalOf(tokenOnly(500).submit(custody, signal))).kind, 'unavailable')
  })

  test('usage is reported for the number that was asked, as an amount, and 0 where none was found', async () => {
    const usage = (body: object) => airtel(() => ({ body })).getUsage({ sim, cycle: 'current' }, signal)
    const reported = await usage({ mobileNo: sim.msisdn, usedDataUsage: '1.5 GB', dataUsageUnits: 'MB' })
    assert.deepEqual([reported.dataBytes, reported.cycleStart.toISOString()], [1_610_612_736, '2026-10-31T18:30:00.000Z'])
    assert.equal((await usage({ dataUsageFound: false, usedDataUsage: null })).dataBytes, 0)
    assert.match((await refusalOf(usage({ mobileNo: '5750010000001', usedDataUsage: '1', dataUsageUnits: 'MB' }))).message, /instead of/)
    assert.match((await refusalOf(usage({ dataUsageFound: false, error: 'not active' }))).message, /not active/)
    assert.equal((await refusalOf(usage({ usedDataUsage: 'a lot', dataUsageUnits: 'MB' }))).kind, 'unavailable')
  })
})
