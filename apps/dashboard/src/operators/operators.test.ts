import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sync } from '@roadworthy/contracts/sim-billing/sync'
import { given, isComplete } from './field.ts'
import { operatorForms } from './operator-fields.ts'
import { operatorState } from './operator-state.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const connection = { connection_id: 'opc-1', enabled: true, synced_until: '2026-03-01T11:50:00.000Z' }
const runWith = (...errors: Sync['errors']) => ({ errors }) as unknown as Sync

test('a body has what was typed, trimmed, and nothing of what was left empty', () => {
  const { settings } = operatorForms.airtel
  const values = { time_zone: 'Asia/Kolkata', customer_id: ' 1001 ', iv_user: 'dev', basket_id: 0, test_plan: '', cycle_day: '' }
  assert.deepEqual(given(settings, values), { time_zone: 'Asia/Kolkata', customer_id: '1001', iv_user: 'dev', basket_id: 0 })
  assert.equal(isComplete(settings, values), true, 'zero is a value')
  assert.equal(isComplete(settings, { ...values, iv_user: ' ' }), false)
})

test('a connection fails where the newest run reports it of the connection as a whole, and of it alone', () => {
  const of = (id: string, iccid: string | null) => ({
    connection_id: id,
    iccid,
    code: 'auth',
    message: 'The operator refused the credentials.',
  })
  const kind = (latest: Sync | null, more = {}) => operatorState({ ...connection, ...more }, latest, NOW_MS).kind
  assert.equal(kind(runWith(of('opc-1', null))), 'failing')
  assert.equal(kind(runWith(of('opc-2', null), of('opc-1', '8991'))), 'working')
  assert.equal(kind(null, { synced_until: null }), 'waiting')
  assert.equal(kind(runWith(of('opc-1', null)), { enabled: false }), 'paused')
  assert.match(
    operatorState(connection, runWith(of('opc-1', null)), NOW_MS).text,
    /refused the credentials. What is shown is of 10 min ago/,
  )
  assert.match(operatorState(connection, runWith(of('opc-1', '8991')), NOW_MS).text, /about 1 SIM\./)
})
