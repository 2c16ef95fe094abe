import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOf, isChosen, phoneViewOf, readFleetSearch, sortOf, withoutChoice } from './fleet-search.ts'

test('what makes no sense is left out of the address, and an address of before still leads to what it named', () => {
  assert.deepEqual(readFleetSearch({ q: '', health: 'ill', order: 'colour', reversed: 'yes', view: 'both', follow: true }), {})
  assert.deepEqual(readFleetSearch({ only: 'critical' }), { health: 'critical' })
  assert.deepEqual(readFleetSearch({ only: 'offline' }), { presence: 'offline' })
  assert.deepEqual(readFleetSearch({ selected: 'veh-1', follow: true }), { selected: 'veh-1', follow: true })
  assert.equal(readFleetSearch({ q: 'x'.repeat(200) }).q?.length, 100)
})

test('the service is asked for what the address names, with as many words as it takes', () => {
  assert.deepEqual(choiceOf({}), {})
  const search = {
    q: '  ford  focus ',
    health: 'warning',
    presence: 'online',
    groupId: 'vgr-1',
    subClientId: 'north',
    retired: true,
    selected: 'veh-1',
  } as const
  const choice = {
    search: 'ford focus',
    healthStatus: 'warning',
    presence: 'online',
    groupId: 'vgr-1',
    subClientId: 'north',
    status: 'retired',
  }
  assert.deepEqual(choiceOf(search), choice)
  assert.equal(choiceOf({ q: 'a b c d e f g h i j' }).search, 'a b c d e f g h')
  assert.deepEqual(withoutChoice(search), { selected: 'veh-1' })
  assert.equal(isChosen(search), true)
  assert.equal(isChosen({ q: '  ', order: 'name' }), false)
})

test('the worst, the most and the newest come first, and turned round they come last', () => {
  assert.deepEqual(sortOf({}), { sort: 'health', order: 'asc' })
  assert.deepEqual(sortOf({ order: 'alerts' }), { sort: 'alerts', order: 'desc' })
  assert.deepEqual(sortOf({ order: 'heard', reversed: true }), { sort: 'heard', order: 'asc' })
  assert.deepEqual(sortOf({ order: 'name', reversed: true }), { sort: 'name', order: 'desc' })
})

test('on a phone the list comes first, and where the address names a vehicle the map that it is on', () => {
  assert.equal(phoneViewOf(readFleetSearch({})), 'list')
  assert.equal(phoneViewOf(readFleetSearch({ view: 'map' })), 'map')
  assert.equal(phoneViewOf(readFleetSearch({ view: 'neither' })), 'list')
  assert.equal(phoneViewOf(readFleetSearch({ selected: 'veh-1' })), 'map')
  assert.equal(phoneViewOf(readFleetSearch({ selected: 'veh-1', view: 'list' })), 'list')
})
