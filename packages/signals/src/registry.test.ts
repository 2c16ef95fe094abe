import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineAliases, isPlausible, KPA_PER_PSI, lamps, type SignalSpec, signalNames, signals, signalsByWireKey } from './registry.ts'

// The tables of spec §2.5 and §2.6, copied by hand: the registry must match them.
const specExternalUnits = {
  speed: 'km/h',
  rpm: 'RPM',
  coolant_temp: '°C',
  fuel_level: '%',
  battery_voltage: 'V',
  oil_pressure: 'PSI',
  throttle: '%',
  intake_air_temp: '°C',
  ambient_temp: '°C',
  odometer: 'km',
}
const specAliases = {
  vehicleId: ['vin', 'VIN', 'vehicle_id', 'fleet_id', 'asset_id'],
  engine_speed: ['rpm', 'engine_rpm', 'engineRPM', 'motor_speed'],
  coolant: ['coolant_temp', 'engine_temp', 'ect', 'water_temp'],
  battery_voltage: ['battery', 'bat_v', 'voltage', 'batt_voltage'],
  vehicleSpeed: ['speed', 'vehicle_speed', 'gps_speed', 'kph'],
  obdDistance: ['odometer', 'odo', 'mileage', 'total_km', 'distance'],
  fuel_level: ['fuel', 'tank', 'fuel_pct', 'tank_level'],
  dtc_codes: ['dtc', 'fault_codes', 'faultCodes', 'error_codes'],
}

test('the External sensor keys and units are those of spec §2.5', () => {
  const keys = signalNames.flatMap((name) => {
    const { external } = signals[name] as SignalSpec
    return external ? [[external.key, external.unit]] : []
  })
  assert.deepEqual(Object.fromEntries(keys), specExternalUnits)
})

test('the engine aliases are those of spec §2.6', () => {
  assert.deepEqual(engineAliases, specAliases)
})

test('no wire key means two signals, and every vocabulary converts it alike', () => {
  const owners = new Map<string, string>()
  for (const name of signalNames) {
    const { external, engine } = signals[name] as SignalSpec
    for (const [key, scale] of [
      ...(engine ? [engine.key, ...engine.aliases].map((k) => [k, engine.scale] as const) : []),
      ...(external ? [[external.key, external.scale] as const] : []),
    ]) {
      assert.equal(owners.get(key) ?? `${name}×${scale}`, `${name}×${scale}`, `key ${key}`)
      owners.set(key, `${name}×${scale}`)
    }
  }
  assert.deepEqual(signalsByWireKey.get('oil_pressure'), { name: 'oilPressureKpa', scale: KPA_PER_PSI })
  assert.equal(signalsByWireKey.get('ect')?.name, 'coolantTempC')
})

test('SPNs and PIDs are unique, lamps have those of DM1', () => {
  const spns = [...signalNames.map((n) => signals[n].spn), ...Object.values(lamps).map((l) => l.spn)].filter((spn) => spn !== null)
  assert.equal(new Set(spns).size, spns.length)
  const pids = signalNames.map((n) => signals[n].pid).filter((pid) => pid !== null)
  assert.equal(new Set(pids).size, pids.length)
})

test('the ends of a range are plausible, beyond them and NaN are not', () => {
  for (const name of signalNames) {
    const { min, max } = signals[name]
    assert.ok(isPlausible(name, min) && isPlausible(name, max), name)
    assert.ok(!isPlausible(name, min - 0.01) && !isPlausible(name, max + 0.01) && !isPlausible(name, Number.NaN), name)
  }
})
