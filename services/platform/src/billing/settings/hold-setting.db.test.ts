// Goal: whether overdue invoices hold SIMs is set by the reseller, within bounds, and not in the book of the operator of the installation.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemAuthor } from '../../audit/audit.ts'
import { insertResellerWithKey } from '../../surfaces/test-api.ts'
import { OPERATOR_BOOK } from '../book.ts'
import { changeOperatorSettings } from '../operator-billing.ts'
import { openBillingService } from '../test-billing-service.ts'

const { database, call, clock } = await openBillingService({ after }, new Date('2026-11-05T06:00:00.000Z'))
const { apiKey } = await insertResellerWithKey(database, 'acme')
const issuer = { name: 'North Fleet Ltd', address_lines: ['1 Dock Road'], country_code: 'IN' }

test('SIMs are held by no invoice until it is set, and the setting stays where it is left out', async () => {
  const put = async (body: object) => await call(apiKey, 'PUT', '/billing-settings', body)
  assert.equal((await put({ currency: 'INR', issuer })).body.settings.hold_sims_after_days, null)
  assert.equal((await put({ hold_sims_after_days: 10 })).body.settings.hold_sims_after_days, 10)
  assert.equal((await put({ footer: 'Thank you' })).body.settings.hold_sims_after_days, 10)
  for (const wrong of [-1, 366, 1.5, '10']) assert.equal((await put({ hold_sims_after_days: wrong })).status, 400, String(wrong))
  assert.equal((await put({ hold_sims_after_days: null })).body.settings.hold_sims_after_days, null)
})

test('the operator of the installation holds no SIMs of resellers', async () => {
  const given = { currency: 'INR', issuer, time_zone: 'UTC', hold_sims_after_days: 3 }
  await assert.rejects(changeOperatorSettings(database, given, systemAuthor(OPERATOR_BOOK, clock.now)), /hold_sims_after_days/)
})
