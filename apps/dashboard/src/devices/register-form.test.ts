import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceMistakes, emptyDevice, emptyVehicle, toRegistration, typeLabel, vehicleMistakes } from './register-form.ts'

test('a device needs a name or an IMEI, which may be typed as it is printed', () => {
  assert.deepEqual(deviceMistakes(emptyDevice), { name: 'Give a name or an IMEI.' })
  assert.deepEqual(deviceMistakes({ ...emptyDevice, name: 'Tracker' }), {})
  assert.deepEqual(deviceMistakes({ ...emptyDevice, imei: '35-693803-564380-9' }), {})
  assert.deepEqual(deviceMistakes({ ...emptyDevice, imei: '12345' }), { imei: 'An IMEI has 14 to 16 digits.' })
})

test('a vehicle is known by something, unless there is none', () => {
  assert.equal(Object.keys(vehicleMistakes(emptyVehicle)).length, 1)
  assert.deepEqual(vehicleMistakes({ ...emptyVehicle, licensePlate: 'KA 01' }), {})
  assert.deepEqual(Object.keys(vehicleMistakes({ ...emptyVehicle, vin: 'not a VIN' })), ['vin'])
  assert.deepEqual(Object.keys(vehicleMistakes({ ...emptyVehicle, mode: 'link' })), ['vehicleId'])
  assert.deepEqual(vehicleMistakes({ ...emptyVehicle, mode: 'none' }), {})
})

test('a phone needs a name and nothing that trackers have, and sends by an app', () => {
  const phone = { ...emptyDevice, way: 'phone', imei: '12', simNumber: '89' } as const
  assert.deepEqual(deviceMistakes(phone), { name: 'Give a name, so that people know the phone.' })
  assert.deepEqual(deviceMistakes({ ...phone, name: 'Asha' }), {})
  assert.deepEqual(toRegistration({ ...phone, name: ' Asha ', subClientId: 'north' }, { ...emptyVehicle, mode: 'none' }), {
    name: 'Asha',
    deviceType: 'mobile_app',
    connectionMethod: 'osmand',
    subClientId: 'north',
    vehicle: { mode: 'none' },
  })
})

test('what was left empty is not sent', () => {
  const device = { ...emptyDevice, name: ' Tracker ', imei: '356938 035643809', subClientId: 'north' }
  assert.deepEqual(toRegistration(device, { ...emptyVehicle, licensePlate: ' KA 01 ', year: 2014 }), {
    name: 'Tracker',
    imei: '356938035643809',
    deviceType: 'obd_dongle',
    subClientId: 'north',
    vehicle: { mode: 'create', licensePlate: 'KA 01', year: 2014 },
  })
  assert.deepEqual(toRegistration(device, { ...emptyVehicle, mode: 'link', vehicleId: 'veh-1', licensePlate: 'X' }).vehicle, {
    mode: 'link',
    vehicleId: 'veh-1',
  })
  assert.deepEqual(toRegistration(emptyDevice, { ...emptyVehicle, mode: 'none' }), { deviceType: 'obd_dongle', vehicle: { mode: 'none' } })
})

test('a kind is written as people write it, also one that is new', () => {
  assert.deepEqual(['obd_dongle', 'other', 'ship_tracker'].map(typeLabel), ['OBD dongle', 'Other', 'ship_tracker'])
})
