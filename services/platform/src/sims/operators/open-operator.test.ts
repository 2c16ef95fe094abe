import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airtelConnection, ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { capsOf, connectionProblems, type OperatorConnection, openOperator } from './open-operator.ts'
import { OperatorError } from './operator.ts'
import { testGuard } from './test-operator.ts'
import { freeGates } from './test-turns.ts'

const url = 'https://operator.example.com'
const [cisco, airtel] = [ciscoConnection(url), airtelConnection(url)]

test('what the emulator gives out is a connection that can be stored', () => {
  assert.deepEqual(connectionProblems(cisco), [])
  assert.deepEqual(connectionProblems(airtel), [])
})

test('everything that is wrong with a connection is named, and no secret is', () => {
  const problems = connectionProblems({
    operator: 'airtel',
    baseUrl: 'ftp://x',
    settings: { ...airtel.settings, basketId: 'one', colour: 'red' },
    secrets: { clientId: 'c', clientSecret: '', apiKey: 'hunter2\n' },
  })
  for (const part of [
    /^base_url must be an https URL/,
    /^settings\.basketId /,
    /^settings /,
    /^secrets\.clientSecret /,
    /^secrets\.apiKey /,
  ]) {
    assert.ok(
      problems.some((problem) => part.test(problem)),
      `${part} in ${problems.join('; ')}`,
    )
  }
  assert.doesNotMatch(problems.join(), /hunter2/)
  assert.match(connectionProblems({ ...cisco, settings: { ...cisco.settings, timeZone: 'Mars/Base' } }).join(), /Mars\/Base/)
  assert.ok(connectionProblems({ ...cisco, secrets: { username: 'a:b', apiKey: 'k' } }).length > 0)
  for (const nothing of [null, undefined, 7, 'text', []]) {
    assert.ok(connectionProblems({ operator: 'cisco', baseUrl: nothing, settings: nothing, secrets: nothing }).length >= 3)
  }
})

test('a connection that is wrong is not opened', () => {
  const deps = { guard: testGuard, gates: freeGates(), now: () => new Date() }
  const wrong = { ...cisco, baseUrl: 'nowhere' } as OperatorConnection
  assert.throws(
    () => openOperator(wrong, deps),
    (error) => error instanceof OperatorError && error.kind === 'rejected',
  )
})

test('capabilities follow the settings', () => {
  assert.equal(capsOf(cisco).custody, 'emulated')
  const { parkingRatePlan, ...rest } = cisco.settings
  assert.ok(parkingRatePlan !== undefined)
  const without = capsOf({ ...cisco, settings: rest })
  assert.equal(without.custody, false)
  assert.ok(!without.actions.includes('safe_custody'))
  const { testPlan, ...others } = airtel.settings
  assert.ok(testPlan !== undefined)
  assert.ok(!capsOf({ ...airtel, settings: others }).actions.includes('activate_test'))
})
