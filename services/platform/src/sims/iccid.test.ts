import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iccidKey, isIccid, luhnDigit, readSimReference } from './iccid.ts'

test('the check digit is that of the standard', () => {
  // ISO/IEC 7812-1: 7992739871 has check digit 3.
  assert.equal(luhnDigit('7992739871'), 3)
  assert.equal(luhnDigit('0'), 0)
})

test('a SIM is the same with and without its check digit', () => {
  const nineteen = '8991000900000000001'
  const twenty = `${nineteen}${luhnDigit(nineteen)}`
  assert.equal(iccidKey(twenty), nineteen)
  assert.equal(iccidKey(nineteen), nineteen)
  const eighteen = '899100090000000002'
  assert.equal(iccidKey(eighteen), `${eighteen}${luhnDigit(eighteen)}`)
  for (const wrong of ['', '899100', '89910009000000000012345', '8991000900000000O01']) assert.equal(iccidKey(wrong), undefined)
})

test('a wrong check digit is reported where there is one', () => {
  const nineteen = '8991000900000000001'
  const right = luhnDigit(nineteen)
  assert.equal(isIccid(`${nineteen}${right}`), true)
  assert.equal(isIccid(`${nineteen}${(right + 1) % 10}`), false)
  assert.equal(isIccid(nineteen), true)
})

test('a reference is an id, an ICCID or a number of up to 15 digits, as people write them', () => {
  assert.deepEqual(readSimReference('sim-3f8k1m6q9t2w5z8c1v4b'), { simId: 'sim-3f8k1m6q9t2w5z8c1v4b' })
  assert.deepEqual(readSimReference('8991 0009 0000 0000 001'), { iccidKey: '8991000900000000001' })
  assert.deepEqual(readSimReference('5754-1234 56789'), { msisdn: '5754123456789' })
  assert.deepEqual(readSimReference('+919876543210'), { msisdn: '919876543210' })
  for (const wrong of ['', '12', 'veh-1', "'; drop", '8991000900000000001x']) assert.equal(readSimReference(wrong), undefined)
})
