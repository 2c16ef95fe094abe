import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readShownVehicles } from './shown-vehicles.ts'

test('an id is shown once, and one that PostgreSQL cannot be asked for not at all: the ids of all streams are read together', () => {
  assert.deepEqual(readShownVehicles({ vehicles: 'veh-1,,veh-2,veh-1,\u0000,veh\u00003,\ud800' }).ids, ['veh-1', 'veh-2'])
  assert.deepEqual(readShownVehicles({}), { ids: [], box: undefined })
})
