// Goal: class and drive come from the description, from J1939, from the VIN, from 24 V, else from an assumption that is reported and costs
// confidence. Method: predictions of made-up vehicles; what is known of them is compared by the lives and components that follow from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import { batteryVoltages, drivetrains, fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { fc } from '../../../../test/support/fast-check.ts'
import type { PredictionInput, VehicleDescription } from '../inputs/observation.ts'
import { buildTimeline } from '../inputs/timeline.ts'
import { predict } from '../predict.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'

const CASCADIA = '3AKJHHDR5JSJT1234'
const MODEL_3 = '5YJ3E1EA7KF317000'
const SPRINTER = 'WDB9066331S123456'

const of = (vehicle: VehicleDescription | undefined, signals: SignalValues = {}, more: Partial<PredictionInput> = {}) =>
  stateless(signals, { ...more, ...(vehicle === undefined ? {} : { vehicle }) })
const traits = (...given: Parameters<typeof of>) => buildTimeline(of(...given)).traits
const lives = (...given: Parameters<typeof of>) => predict(of(...given)).remainingUsefulLife
const notes = (...given: Parameters<typeof of>) => traits(...given).notes

const at12V = { batteryVoltageV: 13.9, odometerKm: 300_000 }
const at24V = { batteryVoltageV: 27.9, odometerKm: 300_000 }

test('a truck with 12 V is heavy by its VIN, by its description and by J1939 codes', () => {
  const truck = lives({ vehicleClass: 'heavy_truck' }, at12V, { ageDays: 1000 })
  assert.deepEqual(lives({ vin: CASCADIA }, at12V, { ageDays: 1000 }), truck)
  assert.equal(traits({}, at12V, { dtcCodes: ['SPN 3251 FMI 15'] }).vehicleClass, 'heavy_truck')
  assert.ok((truck.engine ?? 0) > 2 * (lives(undefined, at12V, { ageDays: 1000 }).engine ?? 0))
  for (const vin of ['3akjhhdr5jsjt1234', '1XPBDP9X5GD300001', '1M1AN07Y8GM020001', '4V4NC9EH5GN900001', 'YS2R4X20005400001']) {
    assert.equal(traits({ vin }).vehicleClass, 'heavy_truck', vin)
  }
})

test('a VIN of an unlisted maker is ignored', () => {
  for (const vin of [SPRINTER, '3AKJHHDR5JSJT123', '3AKJHHDR5JSJT12O4', 'WMA12XZZ0GP000001', 'none']) {
    assert.deepEqual(predict(of({ vin }, at12V)), predict(of(undefined, at12V)), vin)
  }
})

test('24 V is that of a truck unless the class is described, and its voltage is judged as measured', () => {
  assert.equal(traits(undefined, at24V).vehicleClass, 'heavy_truck')
  const car = of({ vehicleClass: 'passenger' }, { ...at24V, engineSpeedRpm: 1500 })
  assert.equal(buildTimeline(car).traits.vehicleClass, 'passenger')
  assert.deepEqual(predict(car).alerts, [])
  const flat = predict(of({ vehicleClass: 'passenger' }, { engineSpeedRpm: 1500, batteryVoltageV: 24.6 }))
  assert.deepEqual(
    flat.alerts.map(({ type }) => type),
    ['undercharge'],
  )
})

test('a truck battery lasts no longer than that of a car, and a truck engine does', () => {
  for (const ageDays of [100, 2000]) {
    const [truck, car] = [lives(undefined, at24V, { ageDays }), lives(undefined, at12V, { ageDays })]
    assert.ok((truck.battery ?? 0) < (car.battery ?? 0), `${truck.battery} ${car.battery}`)
    if (ageDays === 2000) assert.ok((truck.engine ?? 0) > 2 * (car.engine ?? 0), 'driven as much a day')
  }
  // Half of new ones are gone after 3 to 5 years, as published.
  const years = (lives({ vehicleClass: 'heavy_truck' }, {}, { ageDays: 0 }).battery ?? 0) / 365
  assert.ok(years > 3 && years < 5, `${years}`)
})

test('class decides what use is assumed', () => {
  const text = (vehicleClass: VehicleDescription['vehicleClass']) => predict(of({ vehicleClass })).insights.join('\n')
  assert.match(text('passenger'), /assumes 80000 km\n.*assumes 50 km a day/)
  assert.match(text('motorcycle'), /assumes 16000 km\n.*assumes 10 km a day/)
  assert.match(text('bus'), /assumes 300000 km\n.*assumes 190 km a day/)
})

test('what is unknown is assumed, reported and not counted', () => {
  assert.deepEqual(notes(undefined, at12V), ['Taken as a passenger car with a combustion engine: nothing shows otherwise'])
  assert.deepEqual(notes({ fuelType: 'diesel' }, at12V), ['Taken as a passenger car: nothing shows otherwise'])
  assert.deepEqual(notes({ vehicleClass: 'van' }), ['Taken to have a combustion engine: nothing shows otherwise'])
  assert.deepEqual(notes({ vehicleClass: 'van', fuelType: 'diesel' }), [])
  assert.deepEqual(notes(undefined, at24V), [
    'Taken as a heavy truck, by its 24 V system',
    'Taken to have a combustion engine: nothing shows otherwise',
  ])
  assert.deepEqual(notes({ vin: MODEL_3 }), [
    'Taken as a passenger car, by its VIN (5YJ: Tesla)',
    'Taken to have an electric drive and no engine, by its VIN (5YJ: Tesla)',
  ])
  assert.ok(predict(of(undefined, at12V)).insights.includes('Taken as a passenger car with a combustion engine: nothing shows otherwise'))
  const confidences = [
    undefined,
    { vin: CASCADIA },
    { vehicleClass: 'heavy_truck' },
    { vehicleClass: 'heavy_truck', fuelType: 'diesel' },
  ] as const
  const found = confidences.map((vehicle) => predict(of(vehicle, at12V)).confidence)
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(found).size, found.length)
})

test('the description wins, and what contradicts it is reported', () => {
  const described = traits({ vehicleClass: 'passenger', fuelType: 'diesel', batteryNominalV: 12, vin: CASCADIA }, at24V)
  assert.deepEqual([described.vehicleClass, described.powertrain], ['passenger', 'combustion'])
  assert.deepEqual(described.notes, [
    'Described as having 12 V, but the readings are those of a 24 V system, and are judged as such',
    'Described as a passenger car, but its VIN (3AK: Freightliner) is that of a heavy truck',
  ])
  assert.deepEqual(notes({ vehicleClass: 'passenger', fuelType: 'petrol', vin: MODEL_3 }), [
    'Described as running on petrol, but its VIN (5YJ: Tesla) is that of an electric vehicle',
  ])
  assert.deepEqual(notes({ vehicleClass: 'passenger', fuelType: 'electric' }, {}, { dtcCodes: ['P0301'] }), [
    'Taken to be electric, but fault code P0301 is that of a combustion engine',
  ])
  assert.deepEqual(notes({ vehicleClass: 'bus', fuelType: 'diesel', batteryNominalV: 24 }, at24V), [])
  assert.deepEqual(notes({ vehicleClass: 'passenger', fuelType: 'petrol', batteryNominalV: 48 }, at12V), [])
})

test('a nominal voltage decides where no reading is decisive', () => {
  const voltage = (batteryNominalV: 12 | 24 | undefined, batteryVoltageV: number) =>
    buildTimeline(of({ batteryNominalV }, { batteryVoltageV })).systemVoltage
  assert.deepEqual([voltage(undefined, 16.5), voltage(24, 16.5), voltage(12, 18), voltage(24, 13.8)], [12, 24, 12, 12])
})

test('J1939 shows a heavy vehicle, the VIN its kind, and a trailer stays a trailer', () => {
  const dtcCodes = ['SPN 110 FMI 0']
  assert.equal(traits({ vin: 'YV3T2U829HA100001' }, {}, { dtcCodes }).vehicleClass, 'bus')
  assert.equal(traits({ vin: 'WSM00000003100001' }, {}, { dtcCodes }).vehicleClass, 'trailer')
  assert.equal(traits({ vin: 'WBA3A5C50DF350001' }, {}, { dtcCodes }).vehicleClass, 'heavy_truck')
  assert.equal(traits({}, {}, { dtcCodes: ['SPN 0 FMI 0', 'SPN 524287 FMI 31', 'P0300'] }).vehicleClass, 'passenger')
  const earlier = [{ recordedAtMs: 0, signals: {}, lamps: {}, dtcCodes }]
  assert.equal(traits({}, {}, { history: earlier, dtcCodes: [] }).vehicleClass, 'heavy_truck', 'a code that is over')
})

const drive = {
  vehicleSpeedKmh: 70,
  coolantTempC: 34,
  batteryVoltageV: 12.7,
  fuelLevelPct: 8,
  engineSpeedRpm: 6000,
  oilPressureKpa: 0,
  engineOilTempC: 40,
}
const electrics: Record<string, VehicleDescription> = { description: { fuelType: 'electric' }, vin: { vin: MODEL_3 } }
for (const [how, vehicle] of Object.entries(electrics)) {
  test(`an electric vehicle (${how}) has no engine, no engine life, and is not accused of what only engines do`, () => {
    const once = predict(of(vehicle, drive))
    assert.deepEqual(Object.keys(once.components).toSorted(), ['battery', 'brakes', 'charging', 'cooling', 'transmission'])
    assert.deepEqual(Object.keys(once.remainingUsefulLife).toSorted(), ['battery', 'brakes', 'cooling', 'transmission'])
    assert.deepEqual(once.alerts, [])
    // Ten minutes of driving whose coolant stands still, then falls, after it was warm in a heat wave; then it creeps and stands.
    const steps = [
      ...repeat(40, { ...drive, coolantTempC: 84 }),
      ...repeat(60, drive),
      ...repeat(10, { ...drive, engineSpeedRpm: 200, vehicleSpeedKmh: 3 }),
    ]
    for (const length of [45, 60, 100, 110]) {
      assert.deepEqual(predict(sequence(5000, steps.slice(0, length), { vehicle })).alerts, [], `${length} readings`)
    }
    assert.ok(predict(sequence(5000, steps)).alerts.length > 0, 'as one with an engine it is')
  })
}

test('signals that only an engine has are not asked for and not judged', () => {
  const answerTo = (vehicle: VehicleDescription, signals: SignalValues) => {
    const { confidence: _, ...answer } = predict(of(vehicle, { vehicleSpeedKmh: 60, batteryVoltageV: 13.4, ...signals }))
    return answer
  }
  const ofEngine: SignalValues = {
    ...{ currentGear: 1, engineOilTempC: 140, fuelLevelPct: 2, fuelTempC: 120 },
    ...{ intakeAirTempC: -30, oilPressureKpa: 0, throttlePct: 90 },
  }
  const electric = answerTo({ fuelType: 'electric' }, {})
  assert.deepEqual([...electric.unjudged].toSorted(), Object.keys(ofEngine).toSorted())
  assert.deepEqual(answerTo({ fuelType: 'electric' }, ofEngine), electric)
  const more = { ...ofEngine, engineSpeedRpm: 2000, coolantTempC: 120, engineRunTimeS: 400_000 }
  const trailer = answerTo({ vehicleClass: 'trailer' }, {})
  assert.deepEqual([...trailer.unjudged].toSorted(), Object.keys(more).toSorted())
  assert.deepEqual(answerTo({ vehicleClass: 'trailer' }, more), trailer)
})

test('what an alert of an electric vehicle names is among its components, whatever a lamp is held against', () => {
  for (const lamp of ['milLamp', 'protectLamp', 'amberWarningLamp', 'redStopLamp']) {
    for (const dtcCodes of [[], ['P0217'], ['C0040'], ['P0562']]) {
      const lit = { lamps: { [lamp]: true }, dtcCodes }
      const { alerts, components } = predict(of({ fuelType: 'electric' }, { vehicleSpeedKmh: 70 }, lit))
      for (const { component } of alerts) assert.ok(component in components, `${lamp} ${dtcCodes}: ${component}`)
    }
  }
})

test('an electric vehicle still gets findings of what it has', () => {
  const alerts = (signals: SignalValues, more: Partial<PredictionInput> = {}) =>
    predict(of({ fuelType: 'electric' }, { vehicleSpeedKmh: 70, ...signals }, more)).alerts.map(
      ({ type, component }) => `${type} ${component}`,
    )
  assert.deepEqual(alerts({ coolantTempC: 116 }), ['coolant_overheat cooling'])
  assert.deepEqual([alerts({ batteryVoltageV: 12.35 }), alerts({ batteryVoltageV: 12.45 })], [['undercharge charging'], []])
  for (const signals of [{ coolantTempC: 116 }, { batteryVoltageV: 12.1 }, { batteryVoltageV: 16.9 }]) {
    const reported = JSON.stringify(predict(of({ vehicleClass: 'van', fuelType: 'electric' }, { vehicleSpeedKmh: 70, ...signals })).alerts)
    assert.doesNotMatch(reported, /ngine|alternator|thermostat/)
  }
  const parked = predict(of({ fuelType: 'electric' }, { coolantTempC: 116, batteryVoltageV: 11, odometerKm: 900_000 }, { ageDays: 9000 }))
  assert.equal(parked.advice.cooling?.risk, 'Heat harms the drive and its electronics, and power is taken away')
  assert.match(parked.advice.battery?.why ?? '', /^Battery voltage 11 V at rest is below/)
  assert.match(parked.advice.transmission?.what ?? '', /reduction gear/)
  assert.doesNotMatch(JSON.stringify(parked), /ngine|clutch|thermostat/)
  const trailer = predict(of({ vehicleClass: 'trailer' }, { batteryVoltageV: 11 }))
  assert.equal(trailer.advice.battery?.risk, 'What the battery supplies may fail')
  assert.deepEqual(alerts({ batteryVoltageV: 15.6 }), [], 'a low-voltage battery of lithium-ion cells')
  assert.deepEqual(alerts({ batteryVoltageV: 16.9 }), ['overcharge charging'])
  assert.deepEqual(alerts({}, { lamps: { redStopLamp: true } }), ['red_stop_lamp high_voltage'])
  assert.deepEqual(alerts({}, { dtcCodes: ['P0AA6'] }), ['fault_code high_voltage'])
  assert.deepEqual(alerts({}, { dtcCodes: ['P1A23', 'P1602'] }), ['fault_code high_voltage'], 'codes of its control units')
})

test('brakes last longer where driving recuperates, a hybrid keeps its engine, and its coolant may fall while the engine rests', () => {
  const brakes = (fuelType: VehicleDescription['fuelType']) => lives({ fuelType }, { odometerKm: 60_000 }).brakes ?? 0
  assert.ok(
    brakes('petrol') < brakes('hybrid') && brakes('hybrid') < brakes('plug_in_hybrid') && brakes('plug_in_hybrid') <= brakes('electric'),
  )
  assert.deepEqual(Object.keys(lives({ fuelType: 'hybrid' })), Object.keys(lives({ fuelType: 'petrol' })))
  const rolling = { vehicleSpeedKmh: 60, engineSpeedRpm: 0, coolantTempC: 66 }
  const steps = [
    ...repeat(20, { vehicleSpeedKmh: 60, engineSpeedRpm: 1800, coolantTempC: 88, ambientTempC: 15 }),
    ...repeat(20, { ...rolling, ambientTempC: 15 }),
    ...repeat(20, rolling).map((reading, step) => ({ ...reading, engineSpeedRpm: 1500, coolantTempC: 66 + step / 8, ambientTempC: 15 })),
  ]
  const types = (vehicle: VehicleDescription) => predict(sequence(5000, steps, { vehicle })).alerts.map(({ type }) => type)
  assert.deepEqual(types({ fuelType: 'plug_in_hybrid' }), [])
  assert.notDeepEqual(types({ fuelType: 'petrol' }), [])
  assert.equal(traits({}, {}, { dtcCodes: ['P0A80'] }).powertrain, 'hybrid')
})

test('a fuel cell has a tank, and a trailer has brakes, and a battery where a voltage is reported', () => {
  const names = (vehicle: VehicleDescription, signals: SignalValues = {}) =>
    Object.keys(predict(of(vehicle, signals)).components).toSorted()
  assert.deepEqual(names({ fuelType: 'hydrogen' }), ['battery', 'brakes', 'charging', 'cooling', 'fuel', 'transmission'])
  assert.equal(lives({ fuelType: 'hydrogen' }).fuel, undefined)
  assert.deepEqual(names({ vehicleClass: 'trailer' }), ['brakes'])
  assert.deepEqual(names({ vehicleClass: 'trailer' }, { batteryVoltageV: 27.6 }), ['battery', 'brakes'])
  const lit = predict(of({ vehicleClass: 'trailer' }, {}, { lamps: { amberWarningLamp: true } }))
  assert.deepEqual(
    lit.alerts.map(({ component }) => component),
    ['brakes'],
  )
})

const option = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const anyVehicle: fc.Arbitrary<VehicleDescription> = fc.record({
  vehicleClass: option(vehicleClasses),
  fuelType: option(fuelTypes),
  drivetrain: option(drivetrains),
  batteryNominalV: option(batteryVoltages),
  vin: option([CASCADIA, MODEL_3, SPRINTER, 'WSM00000003100001', 'V-1']),
})
const anyReport: fc.Arbitrary<PredictionInput> = fc
  .record({
    voltages: fc.array(fc.constantFrom(0.4, 12.4, 13.9, 16.5, 18.2, 24.1, 27.9, undefined), { minLength: 1, maxLength: 4 }),
    dtcCodes: option([[], ['P0A80'], ['P0301', 'U0100'], ['SPN 100 FMI 1'], ['SPN 3719 FMI 0', 'P0AA6']]),
    speed: option([0, 30, 90]),
    lamp: option([true, false]),
  })
  .map(({ voltages, dtcCodes, speed, lamp }) => {
    const steps = voltages.map((batteryVoltageV) => ({ batteryVoltageV, vehicleSpeedKmh: speed, coolantTempC: 60 }) as SignalValues)
    return sequence(2000, steps, { dtcCodes, lamps: lamp === undefined ? {} : { redStopLamp: lamp } })
  })

test('a described trait never lowers confidence, and every answer is finite and of parts that the vehicle has', () => {
  const fields = ['vehicleClass', 'fuelType', 'drivetrain', 'batteryNominalV', 'vin'] as const
  fc.assert(
    fc.property(anyReport, anyVehicle, fc.constantFrom(...fields), (input, vehicle, field) => {
      const { [field]: _, ...without } = vehicle
      const before = predict({ ...input, vehicle: without })
      const after = predict({ ...input, vehicle })
      assert.ok(after.confidence >= before.confidence, `${field}: ${after.confidence} < ${before.confidence}`)
      assert.deepEqual(predict({ ...input, vehicle }), after)
      for (const days of Object.values(after.remainingUsefulLife)) assert.ok(Number.isFinite(days) && days >= 0)
      for (const component of Object.keys(after.remainingUsefulLife)) assert.ok(component in after.components, component)
      assert.ok(
        after.insights.every((text) => !/undefined|NaN/.test(text)),
        after.insights.join('\n'),
      )
    }),
    { numRuns: 2000 },
  )
})
