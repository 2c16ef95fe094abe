import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthName } from '../text/format.ts'
import { changeLines, planSummary, pricedVersions, thisMonth, versionOf, versionUnder } from './plan-words.ts'

const from = (effective_from: string, version: number) => ({ effective_from, version })

test('in a month the version with the newest beginning up to it holds', () => {
  const versions = [from('2026-01', 1), from('2026-06', 2), from('2026-03', 3)]
  assert.equal(versionOf(versions, '2025-12'), undefined)
  assert.equal(versionOf(versions, '2026-02')?.version, 1)
  assert.equal(versionOf(versions, '2026-04')?.version, 3)
  assert.equal(versionOf(versions, '2027-01')?.version, 2)
  assert.equal(versionOf([from('2026-01', 1), from('2026-01', 2)], '2026-01')?.version, 2, 'of the same month the later one')
})

test('a change begins with what was shown, unless a version of its month was stored since', () => {
  const shown = from('2026-03', 1)
  const ofItsMonth = [shown, from('2026-03', 2), from('2026-06', 3)]
  assert.equal(versionUnder(shown, ofItsMonth, '2026-04')?.version, 2)
  assert.equal(versionUnder(shown, [shown, from('2026-06', 2)], '2026-04')?.version, 1, 'a later month is not brought forward')
  assert.equal(versionUnder(from('2026-06', 2), [shown, from('2026-06', 2)], '2026-04')?.version, 2, 'nothing was stored since')
  assert.equal(versionUnder(null, [shown], '2026-04')?.version, 1)
  assert.equal(versionUnder(null, [], '2026-04'), null)
})

test('a change shows from when on it holds, and whether it reaches back into the month', () => {
  assert.match(changeLines('2026-05', '2026-03')[0] ?? '', /apply from May 2026 on/)
  assert.match(changeLines('2026-03', '2026-03')[0] ?? '', /also to what was used in that month/)
})

test('a plan is described by what a month costs', () => {
  const prices = { rental: '45.00', included_megabytes: '50', overage_per_megabyte: '0.85' } as Parameters<typeof planSummary>[0]['prices']
  assert.equal(planSummary({ prices }, 'INR'), '₹45.00 a month with 50 MB, then ₹0.85 for each MB')
  assert.equal(monthName('2026-03'), 'March 2026')
})

test('a version that another replaces from the same month on at the same prices is left out', () => {
  const version = (number: number, month: string, rental: string) => {
    return { version: number, effective_from: month, prices: { rental } as Parameters<typeof planSummary>[0]['prices'] }
  }
  const archived = [version(1, '2026-01', '45'), version(2, '2026-03', '50'), version(3, '2026-03', '50')]
  assert.deepEqual(
    pricedVersions(archived).map((each) => each.version),
    [1, 3],
  )
  const back = [version(1, '2026-01', '45'), version(2, '2026-03', '50'), version(3, '2026-03', '45')]
  assert.equal(pricedVersions(back).length, 3)
})

test('the month is that of the zone in which months are billed', () => {
  const lateInNovember = Date.parse('2026-11-30T20:00:00Z')
  assert.deepEqual(
    ['Asia/Kolkata', 'Pacific/Auckland', 'UTC', 'America/St_Johns'].map((zone) => thisMonth(lateInNovember, zone)),
    ['2026-12', '2026-12', '2026-11', '2026-11'],
  )
})
