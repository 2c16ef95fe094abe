import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionText, actorText, currencyOf, fieldText, isSecret, objectText, valueText } from './audit-text.ts'

test('an action, an actor and a field are written as words', () => {
  assert.deepEqual(
    [actionText('api_key.rotated'), actionText('device.updated'), actionText('roof_box.painted_red')],
    ['API key rotated', 'Device changed', 'Roof box: painted red'],
  )
  assert.equal(actorText({ type: 'user', id: 'usr-1', name: 'anna@example.com' }), 'anna@example.com')
  assert.equal(actorText({ type: 'key', id: 'key-1', name: null }), 'Key key-1')
  assert.equal(actorText({ type: 'cli', id: 'root', name: null }), 'root, on the command line')
  assert.equal(actorText({ type: 'system', id: 'system', name: null }), 'The service')
  assert.equal(actorText({ type: 'anonymous', id: 'x', name: null }), 'Nobody signed in')
  assert.deepEqual(['licensePlate', 'license_plate', 'imei', 'isPooled'].map(fieldText), [
    'Licence plate',
    'Licence plate',
    'IMEI',
    'Is pooled',
  ])
  assert.equal(fieldText('constructor'), 'Constructor')
})

test('a value can be read whatever it is', () => {
  assert.deepEqual(
    [undefined, null, '', [], false, 0].map((value) => valueText(value)),
    ['none', 'none', 'none', 'none', 'no', '0'],
  )
  const names = new Map([
    ['usr-a', 'anna@acme.example'],
    ['north', 'North Ltd'],
  ])
  assert.equal(valueText(['usr-a', 'usr-gone'], 'recipients', names), 'anna@acme.example, usr-gone')
  assert.deepEqual(
    ['dev-1', 'veh-1', 'inc-1', 'sim-1', 'whe-1'].map((id) => objectText('thing.updated', id, new Map([[id, 'its name']]))),
    Array(5).fill('its name'),
  )
  assert.equal(objectText('device.updated', 'dev-2', names), 'dev-2')
  assert.deepEqual(
    [objectText('sub_client.updated', 'north', names), objectText('rate_plan.updated', 'north', names)],
    ['North Ltd', 'north'],
  )
  // The id of a sub-client is a word that may stand elsewhere.
  assert.deepEqual([valueText('north', 'subClientId', names), valueText('north', 'name', names)], ['North Ltd', 'north'])
  assert.deepEqual(
    [['a', true], { every: { days: 365, km: null } }, {}, 'text'].map((value) => valueText(value)),
    ['a, yes', 'Every: Days: 365', 'none', 'text'],
  )
  assert.equal(valueText({ currency: 'EUR', amountMinor: 41_200 }, 'cost'), '€412.00')
  assert.equal(
    valueText([{ meter: 'readings', price: '0.10', per: 1000 }], 'meters'),
    'What is counted: readings, Price: 0.10, For so many: 1000',
  )
  assert.match(valueText('2026-08-30T23:15:02.615Z', 'completedAt'), /^Aug 3[01], 2026, /)
  assert.deepEqual([valueText('paid', 'status'), valueText('paid', 'name'), valueText('cooling', 'component')], ['Paid', 'paid', 'Cooling'])
})

test('a secret is not written as one that is missing', () => {
  assert.deepEqual([isSecret({}), isSecret({ from: null, to: null }), isSecret({ to: 'x' })], [true, false, false])
})

test('an amount is written in its currency, not in the minor units that are stored', () => {
  const changes = { total_minor: { from: 16_671, to: 1_200 }, currency: { from: 'EUR', to: 'JPY' } }
  const names = new Map()
  const at = (side: 'from' | 'to') => valueText(changes.total_minor[side], 'total_minor', names, currencyOf(changes, side))
  assert.deepEqual([at('from'), at('to')], ['€166.71', '¥1,200'])
  assert.equal(valueText(16_671, 'amount', names, currencyOf({ currency: { from: null, to: 'EUR' } }, 'from')), '€166.71')
  assert.equal(valueText(16_671, 'paidMinor', names, currencyOf({}, 'to')), '16671 in the smallest unit of the currency')
  assert.equal(valueText(60, 'perMinute', names, 'EUR'), '60')
  assert.equal(valueText({ currency: 'EUR', amountMinor: 41_200 }, 'cost'), '€412.00')
})
