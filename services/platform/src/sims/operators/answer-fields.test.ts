import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { isSameIccid, presentDigits, readAmount, readCount, readInstant, readLocalTime } from './answer-fields.ts'

describe('amounts', () => {
  test('are exact, with the unit in the text or beside it', () => {
    assert.deepEqual(readAmount('12.50 MB', undefined), { bytes: 13_107_200, resolutionBytes: 10_485 })
    assert.deepEqual(readAmount('12.50', 'mb'), { bytes: 13_107_200, resolutionBytes: 10_485 })
    assert.deepEqual(readAmount('1GB', 'MB'), { bytes: 1_073_741_824, resolutionBytes: 1_073_741_824 })
    assert.deepEqual(readAmount('0', 'B'), { bytes: 0, resolutionBytes: 1 })
    assert.deepEqual(readAmount('0.3', 'B'), { bytes: 0, resolutionBytes: 1 })
    assert.deepEqual(readAmount('0.5', 'B'), { bytes: 1, resolutionBytes: 1 })
  })

  test('are nothing when they could mean two things', () => {
    for (const text of ['', 'MB', '1,024 MB', '1.2.3 MB', '-1 MB', '1e3 MB', '12', 'NaN MB', '999999999999999 TB', '12 parsecs']) {
      assert.equal(readAmount(text, undefined), undefined, text)
    }
  })

  test('agree with a reckoning in rational numbers', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_999_999 }), fc.nat({ max: 999 }), (whole, thousandths) => {
        const text = `${whole}.${String(thousandths).padStart(3, '0')}`
        const thousandfold = (BigInt(whole) * 1000n + BigInt(thousandths)) * 1_048_576n
        assert.equal(readAmount(text, 'MB')?.bytes, Number((thousandfold * 2n + 1000n) / 2000n))
      }),
    )
  })
})

test('counts are whole numbers from 0 on that are held exactly', () => {
  assert.deepEqual([readCount('12'), readCount(12), readCount(0)], [12, 12, 0])
  for (const wrong of [-1, 1.5, 2 ** 53, '1.5', '-1', '', 'x', '1e3', '9007199254740993', null, undefined])
    assert.equal(readCount(wrong), undefined)
})

describe('times', () => {
  test('of Control Center', () => {
    assert.equal(readInstant('2016-07-06 22:04:04.380+0000')?.toISOString(), '2016-07-06T22:04:04.380Z')
    assert.equal(readInstant('2018-08-26T16:00:00.000Z')?.toISOString(), '2018-08-26T16:00:00.000Z')
    assert.equal(readInstant('2016-04-18T17:31:34+05:30')?.toISOString(), '2016-04-18T12:01:34.000Z')
    for (const wrong of ['', null, '2016-13-01 00:00:00+0000', '2016-07-06', '2016-07-06 22:04:04', 'yesterday'])
      assert.equal(readInstant(wrong), undefined)
  })

  test('of a platform that shows its own clocks', () => {
    assert.equal(readLocalTime('25-04-2019 03:35:40 PM', 'Asia/Kolkata')?.toISOString(), '2019-04-25T10:05:40.000Z')
    assert.equal(readLocalTime('25-04-2019 12:00:00 AM', 'Asia/Kolkata')?.toISOString(), '2019-04-24T18:30:00.000Z')
    assert.equal(readLocalTime('25/04/2019', 'UTC')?.toISOString(), '2019-04-25T00:00:00.000Z')
    for (const wrong of ['', null, '31-02-2019 03:35:40 PM', '25-04-2019 25:00:00', '2019-04-25', '25-04-2019 03:75:40']) {
      assert.equal(readLocalTime(wrong, 'UTC'), undefined)
    }
  })
})

test('an ICCID is the same with and without its check digit', () => {
  assert.ok(isSameIccid('8991108850010000000', '89911088500100000005'))
  assert.ok(!isSameIccid('8991108850010000001', '89911088500100000005'))
})

test('numbers are digits, as many as there may be', () => {
  assert.equal(presentDigits(' +5750010000000 ', 5, 15), '5750010000000')
  for (const wrong of ['123', '1234567890123456', '12 34 56', 'abc', '', null]) assert.equal(presentDigits(wrong, 5, 15), undefined)
})
