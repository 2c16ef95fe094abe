// Goal: no answer of a platform, however wrong, is anything but a good value or an `OperatorError`. Method: adapters over an exchange that
// answers with generated text, generated JSON, and good answers with one part replaced.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { type AirtelSettings, createAirtelOperator } from './airtel.ts'
import { type CiscoSettings, createCiscoOperator } from './cisco.ts'
import type { Exchange, ExchangeRequest } from './exchange.ts'
import { MAX_MESSAGE_CHARACTERS, OperatorError, operatorErrorKinds, operatorIds, type SimOperator } from './operator.ts'

const signal = new AbortController().signal
const now = () => new Date('2026-11-10T06:00:00Z')
const ICCID = '89911088500100000005'
const MSISDN = '5750010000000'
const sim = { iccid: ICCID, msisdn: MSISDN }
const cycle = { cycleDay: 1, timeZone: 'UTC', cycleSettleMinutes: 0 }
const ciscoSettings: CiscoSettings = { ...cycle, parkingRatePlan: 'PARKING' }
const airtelSettings: AirtelSettings = { ...cycle, customerId: '1001', ivUser: 'dev', basketId: 1, testPlan: 'TEST' }

function operatorOver(id: 'cisco' | 'airtel', exchange: Exchange): SimOperator {
  if (id === 'cisco') return createCiscoOperator({ exchange, settings: ciscoSettings, secrets: { username: 'u', apiKey: 'k' }, now })
  return createAirtelOperator({ exchange, settings: airtelSettings, secrets: { clientId: 'c', clientSecret: 's', apiKey: 'a' }, now })
}

const action = { actionId: 'act-1', sim, action: 'safe_custody', from: 'active', plan: 'P' } as const
const search = { ...action, sentAt: now() }

function callsOf(operator: SimOperator): Record<string, () => Promise<unknown>> {
  return {
    testConnection: () => operator.testConnection(signal),
    listSims: () => operator.listSims({}, signal),
    getSim: () => operator.getSim(sim, signal),
    getUsage: () => operator.getUsage({ sim, cycle: 'current' }, signal),
    getPreviousUsage: () => operator.getUsage({ sim, cycle: 'previous' }, signal),
    submit: () => operator.submit(action, signal),
    earlierJobs: () => operator.earlierJobs(sim, signal),
    findAction: () => operator.findAction(search, signal),
    followAction: () => operator.findAction({ ...search, job: '7' }, signal),
  }
}

/** A good answer to each request, by its path; what is replaced in it, the tests decide. */
function goodAnswer({ path }: ExchangeRequest): unknown {
  if (path.startsWith('auth/')) return { data: { access_token: 'token', expires_in: 1800 } }
  if (path === 'devices') return { pageNumber: 1, lastPage: true, devices: [{ iccid: ICCID, status: 'ACTIVATED', ratePlan: 'P' }] }
  if (path.endsWith('/ctdUsages')) return { iccid: ICCID, ctdDataUsage: 1_000, ctdSMSUsage: '3', ctdSessionCount: null }
  if (path.endsWith('/usageInZone'))
    return { iccid: ICCID, deviceCycleUsageInZones: { 'P, 1': [{ dataUsage: 5, dataUsageUnit: 'bytes' }] } }
  if (path.endsWith('/auditTrails')) {
    const record = { field: 'SIM Status', priorValue: 'ACTIVATED', value: 'DEACTIVATED', effectiveDate: '2026-11-10 06:00:00.000+0000' }
    return { lastPage: true, deviceAuditTrails: [record] }
  }
  if (path.startsWith('devices/'))
    return { iccid: ICCID, status: 'ACTIVATED', imei: '350000000000006', dateUpdated: '2026-11-01 00:00:00.000+0000' }
  if (path.endsWith('/sims')) return { data: { sims: [{ simNo: ICCID, mobileNo: MSISDN, status: 'ACTIVE', planCode: 'P' }], total: '1' } }
  if (path === 'sim/data/usage') return { mobileNo: MSISDN, usedDataUsage: '12.5', dataUsageUnits: 'MB', dataUsageFound: true }
  if (path === 'sim/device/info') return { deviceIMEI: '350000000000006' }
  if (path === 'job/all') return { jobs: [{ jobId: 7, jobType: 'SAFE_CUSTODY', orderInitiateDate: '10-11-2026 06:00:01 AM' }], total: '1' }
  if (path.endsWith('/order'))
    return { orders: [{ mobileNo: MSISDN, orderStatus: 'SUCCESS', orderCompletionTime: '10-11-2026 06:00:09 AM' }] }
  return { data: { jobId: 7, jobType: 'SAFE_CUSTODY' } }
}

const strange = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    true,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '1e9',
    'NaN',
    [],
    {},
    [null],
    { data: null },
    '\u0000',
    '\ud800',
    'x'.repeat(5_000),
  ),
  fc.jsonValue({ maxDepth: 4 }),
)
/** Which of the parts of an answer is replaced: a path of numbers, each picking a key. */
const place = fc.array(fc.nat({ max: 7 }), { maxLength: 4 })

function withPart(value: unknown, [at, ...rest]: readonly number[], part: unknown): unknown {
  if (at === undefined || typeof value !== 'object' || value === null) return part
  const keys = Object.keys(value)
  const key = keys[at % Math.max(keys.length, 1)]
  if (key === undefined) return part
  const replaced = withPart((value as Record<string, unknown>)[key], rest, part)
  return Array.isArray(value) ? value.map((each, index) => (String(index) === key ? replaced : each)) : { ...value, [key]: replaced }
}

async function holds(work: () => Promise<unknown>, name: string): Promise<void> {
  try {
    assert.ok((await work()) !== undefined)
  } catch (error) {
    assert.ok(error instanceof OperatorError, `${name}: ${error instanceof Error ? error.stack : String(error)}`)
    assert.ok(operatorErrorKinds.includes(error.kind))
    assert.ok(error.message.length > 0 && error.message.length <= MAX_MESSAGE_CHARACTERS)
    assert.doesNotMatch(error.message, /[\p{Cc}\ud800-\udfff]/u)
    assert.equal(error.kind === 'unknown_outcome' && name !== 'submit', false, `${name} has no outcome`)
    if (error.kind === 'rate') assert.ok(error.retryAfterMs !== undefined)
  }
}

for (const id of operatorIds) {
  describe(id, () => {
    test('good answers are good, so that what is below tests what it names', async () => {
      const operator = operatorOver(id, async (request) => ({
        status: 200,
        retryAfterMs: undefined,
        date: now(),
        text: JSON.stringify(goodAnswer(request)),
      }))
      for (const [name, call] of Object.entries(callsOf(operator))) {
        if (name === 'getPreviousUsage' && !operator.caps.previousCycle) continue
        await call()
      }
    })

    test('any text with any status is an OperatorError or a value', async () => {
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.json(),
        fc.constantFrom('', '[', '[['.repeat(50_000), '<html>'),
      )
      await fc.assert(
        fc.asyncProperty(text, fc.constantFrom(200, 201, 204, 301, 400, 401, 404, 408, 429, 500, 503), async (given, status) => {
          const operator = operatorOver(id, async ({ path }) => {
            const isToken = path.startsWith('auth/')
            return {
              status: isToken ? 200 : status,
              retryAfterMs: undefined,
              date: undefined,
              text: isToken ? '{"access_token":"t","expires_in":60}' : given,
            }
          })
          for (const [name, call] of Object.entries(callsOf(operator))) await holds(call, name)
        }),
        { numRuns: 150 },
      )
    })

    test('a good answer with one part replaced is an OperatorError or a value', async () => {
      await fc.assert(
        fc.asyncProperty(place, strange, fc.nat({ max: 3 }), async (at, part, nth) => {
          let calls = 0
          const operator = operatorOver(id, async (request) => {
            const good = goodAnswer(request)
            const body = calls++ === nth ? withPart(good, at, part) : good
            return { status: 200, retryAfterMs: undefined, date: now(), text: JSON.stringify(body) }
          })
          for (const [name, call] of Object.entries(callsOf(operator))) {
            calls = 0
            await holds(call, name)
          }
        }),
        { numRuns: 400 },
      )
    })

    test('what comes through in a list is as in the interface', async () => {
      await fc.assert(
        fc.asyncProperty(place, strange, async (at, part) => {
          const operator = operatorOver(id, async (request) => {
            const good = goodAnswer(request)
            const body = request.path.startsWith('auth/') ? good : withPart(good, at, part)
            return { status: 200, retryAfterMs: undefined, date: undefined, text: JSON.stringify(body) }
          })
          const page = await operator.listSims({}, signal).catch(() => undefined)
          for (const each of page?.sims ?? []) {
            assert.match(each.iccid, /^\d{18,20}$/)
            assert.ok(each.operatorStatus.length > 0 && each.operatorStatus.length <= 64)
            assert.match(each.msisdn ?? '00000', /^\d{5,15}$/)
            assert.ok((each.ratePlan ?? '').length <= 200)
          }
        }),
        { numRuns: 300 },
      )
    })
  })
}
