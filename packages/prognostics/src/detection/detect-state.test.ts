import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { FuelType } from '@roadworthy/signals/vehicle-description'
import type { Alert } from '../advice/advise.ts'
import { scoreAt } from '../components.ts'
import { predict } from '../predict.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'

const warm = { engineSpeedRpm: 1500, coolantTempC: 88, batteryVoltageV: 13.8, fuelLevelPct: 60, vehicleSpeedKmh: 50 }
const parked = { engineSpeedRpm: 0, vehicleSpeedKmh: 0, batteryVoltageV: 12.6, coolantTempC: 60, fuelLevelPct: 60 }
const names = (alerts: readonly Alert[]) => alerts.map(({ component, type, severity }) => `${component} ${type} ${severity}`)

// Each row: what a caller without history sends, and what it must get.
const statelessCases: readonly [string, SignalValues, string[]][] = [
  ['a normal drive', warm, []],
  ['coolant at the top of normal', { ...warm, coolantTempC: 102 - 0.1 }, []],
  ['coolant to watch', { ...warm, coolantTempC: 104 }, ['cooling coolant_overheat info']],
  ['coolant to be warned of', { ...warm, coolantTempC: 107 }, ['cooling coolant_overheat medium']],
  ['coolant where engines derate', { ...warm, coolantTempC: 112 }, ['cooling coolant_overheat high']],
  ['coolant where engines shut down', { coolantTempC: 114 }, ['cooling coolant_overheat critical']],
  ['heat soak after shut-off', { ...parked, coolantTempC: 106 }, []],
  ['undercharge', { ...warm, batteryVoltageV: 12.9 }, ['charging undercharge low']],
  ['no charge', { ...warm, batteryVoltageV: 12.4 }, ['charging undercharge medium']],
  ['no charge and half empty', { ...warm, batteryVoltageV: 11.9 }, ['charging undercharge high']],
  ['no charge and nearly empty', { ...warm, batteryVoltageV: 11.2 }, ['charging undercharge critical']],
  ['a little less at idle', { ...warm, engineSpeedRpm: 700, batteryVoltageV: 12.9 }, []],
  ['just started', { ...warm, engineRunTimeS: 3, batteryVoltageV: 12.4 }, []],
  ['cranking', { ...warm, engineSpeedRpm: 220, vehicleSpeedKmh: 0, batteryVoltageV: 8.2 }, []],
  ['overcharge', { ...warm, batteryVoltageV: 15.2 }, ['charging overcharge medium']],
  ['a regulator that gives a cold battery more', { ...warm, batteryVoltageV: 15.2, ambientTempC: -20 }, []],
  ['more than a cold battery is given', { ...warm, batteryVoltageV: 15.6, ambientTempC: -40 }, ['charging overcharge medium']],
  ['overcharge in mild air', { ...warm, batteryVoltageV: 15.2, ambientTempC: 15 }, ['charging overcharge medium']],
  ['a truck that charges', { ...warm, batteryVoltageV: 28.2 }, []],
  ['a truck that does not charge', { ...warm, batteryVoltageV: 25.4 }, ['charging undercharge medium']],
  ['a truck at rest', { ...parked, batteryVoltageV: 25.1 }, []],
  ['a truck with a weak battery', { ...parked, batteryVoltageV: 23.4 }, ['battery battery_discharged low']],
  ['a truck that overcharges', { ...warm, batteryVoltageV: 29.6 }, ['charging overcharge medium']],
  ['a battery at rest', parked, []],
  ['a battery at a quarter, or at half with the ignition on', { ...parked, batteryVoltageV: 12.0 }, []],
  ['an empty battery', { batteryVoltageV: 11.5 }, ['battery battery_discharged medium']],
  ['oil pressure at idle', { ...warm, engineSpeedRpm: 700, vehicleSpeedKmh: 0, oilPressureKpa: 60 }, []],
  ['the same pressure under way', { ...warm, engineSpeedRpm: 2200, oilPressureKpa: 60 }, ['lubrication oil_pressure_low critical']],
  ['no oil pressure with the engine off', { ...parked, oilPressureKpa: 0 }, []],
  ['hot oil', { ...warm, engineOilTempC: 127 }, ['lubrication oil_overheat medium']],
  [
    'cold after a long drive in mild air',
    { ...warm, coolantTempC: 62, ambientTempC: 15, engineRunTimeS: 1800 },
    ['cooling thermostat_stuck_open low'],
  ],
  ['cold after a long drive in winter', { ...warm, coolantTempC: 62, ambientTempC: -10, engineRunTimeS: 1800 }, []],
  ['cold because it just started', { ...warm, coolantTempC: 20, ambientTempC: 15, engineRunTimeS: 120 }, []],
  ['fuel as hot as a return line may be', { ...warm, fuelTempC: 78 }, []],
  ['fuel hotter than any engine may be supplied with', { ...warm, fuelTempC: 84 }, ['fuel fuel_overheat info']],
  ['fuel at which injection is limited', { ...warm, fuelTempC: 93 }, ['fuel fuel_overheat low']],
  ['fuel that no longer lubricates', { fuelTempC: 104 }, ['fuel fuel_overheat medium']],
  ['fuel in the lines of an engine that was switched off', { ...parked, fuelTempC: 104 }, []],
  ['the same as it starts again', { ...warm, fuelTempC: 104, engineRunTimeS: 60 }, []],
  ['little fuel', { ...warm, fuelLevelPct: 6 }, ['fuel fuel_low info']],
]
test('a reading without history is judged by its bands and regime', () => {
  for (const [what, signals, expected] of statelessCases) assert.deepEqual(names(predict(stateless(signals)).alerts), expected, what)
})

test('a reading at the end of its scale counts for no more than its severity does', () => {
  const cold = predict(stateless({ ...warm, coolantTempC: 30, ambientTempC: 15, engineRunTimeS: 1800 }))
  assert.deepEqual([...names(cold.alerts), cold.riskLevel], ['cooling thermostat_stuck_open low', 'medium'])
  assert.ok((cold.components.cooling ?? 0) >= 60 && (cold.remainingUsefulLife.cooling ?? 0) > 30, 'the next service is in time')
  const hotFuel = predict(stateless({ ...warm, fuelTempC: 140 }))
  assert.deepEqual([...names(hotFuel.alerts), hotFuel.healthStatus], ['fuel fuel_overheat medium', 'warning'])
  assert.ok((hotFuel.remainingUsefulLife.fuel ?? 0) > 7, 'days to plan a repair in')
  const ruined = predict(stateless({ ...warm, coolantTempC: 130 }))
  assert.ok((ruined.components.cooling ?? 100) < 10, 'what has to stop still gets worse')
})

test('a notice takes no more off health than a low finding does, also where the next limit is of a medium one', () => {
  const oilAt = (engineOilTempC: number) => predict(stateless({ ...warm, engineOilTempC }))
  const notice = oilAt(124.9)
  assert.deepEqual([...names(notice.alerts), notice.healthStatus], ['lubrication oil_overheat info', 'healthy'])
  assert.equal(notice.advice.lubrication?.act, 'run_on')
  const { lubrication = 0 } = notice.components
  assert.ok(lubrication >= scoreAt.low && lubrication < (oilAt(121).components.lubrication ?? 0), String(lubrication))
  const rising = [124, 127, 130, 133, 136, 139].map((engineOilTempC) => ({ ...warm, engineOilTempC }))
  const brief = predict(sequence(1000, [...repeat(30, { ...warm, engineOilTempC: 121 }), ...rising]))
  assert.deepEqual(names(brief.alerts), ['lubrication oil_overheat info'])
  assert.ok((brief.components.lubrication ?? 0) >= scoreAt.low, String(brief.components.lubrication))
})

test('hot fuel is judged by the limits of diesel, and has to last for a minute', () => {
  const hot = (fuelType: FuelType | undefined) => names(predict(stateless({ ...warm, fuelTempC: 95 }, { vehicle: { fuelType } })).alerts)
  assert.deepEqual([hot(undefined), hot('diesel')], [['fuel fuel_overheat low'], ['fuel fuel_overheat low']])
  assert.deepEqual([hot('petrol'), hot('hydrogen')], [[], []])
  const heldFor = (seconds: number) =>
    names(predict(sequence(5000, [...repeat(20, warm), ...repeat(1 + seconds / 5, { ...warm, fuelTempC: 95 })])).alerts)
  assert.deepEqual([heldFor(55), heldFor(60)], [[], ['fuel fuel_overheat low']])
})

test('with history a condition alerts only once it has been seen to hold', () => {
  const hot = { ...warm, coolantTempC: 116 }
  const approach = [
    { ...warm, coolantTempC: 101 },
    { ...warm, coolantTempC: 108 },
    { ...warm, coolantTempC: 112 },
  ]
  const heldFor = (count: number) => predict(sequence(2000, [...repeat(20, warm), ...approach, ...repeat(count, hot)]))
  const early = heldFor(2)
  assert.deepEqual(
    early.alerts.filter(({ severity }) => severity === 'critical'),
    [],
  )
  assert.ok(
    early.insights.some((text) => text.includes('is above 114 °C, but not yet for 10 s')),
    early.insights.join('\n'),
  )
  assert.deepEqual(names(heldFor(7).alerts), ['cooling coolant_overheat critical'])
})

test('an empty history means there is none yet, so nothing is confirmed by one reading', () => {
  const result = predict(stateless({ ...warm, batteryVoltageV: 12.3 }, { history: [] }))
  assert.deepEqual(result.alerts, [])
  assert.equal(result.healthStatus, 'healthy')
})

test('a condition that is not over yet is not said to be beyond a limit that it is back within', () => {
  const messageAfter = (bad: SignalValues, now: SignalValues) =>
    predict(sequence(5000, [...repeat(25, { ...warm, ...bad }), { ...warm, ...now }])).alerts.map(({ message }) => message)
  assert.deepEqual(messageAfter({ coolantTempC: 115 }, { coolantTempC: 112 }), [
    'Coolant temperature 112 °C was above 114 °C and is not yet below 111 °C',
  ])
  assert.deepEqual(messageAfter({ fuelLevelPct: 9 }, { fuelLevelPct: 14 }), ['Fuel level 14 % was below 10 % and is not yet above 15 %'])
  assert.deepEqual(messageAfter({ batteryVoltageV: 11.4 }, { batteryVoltageV: 11.6 }), [
    'Battery voltage 11.6 V with the engine running was below 11.5 V and is not yet above 11.7 V',
  ])
  assert.deepEqual(messageAfter({ coolantTempC: 115 }, { coolantTempC: 116 }), ['Coolant temperature 116 °C is above 114 °C for 2 min'])
})

test('a reading that is exactly at a limit is named as it was sent', () => {
  const said = (bad: SignalValues) =>
    predict(stateless({ ...warm, ...bad })).alerts.map(({ message, evidence }) => [message, evidence['value']])
  assert.deepEqual(said({ coolantTempC: 105 }), [['Coolant temperature 105 °C is at the limit of 105 °C', 105]])
  assert.deepEqual(said({ batteryVoltageV: 12.8 }), [['Battery voltage 12.8 V with the engine running is at the limit of 12.8 V', 12.8]])
  assert.deepEqual(said({ fuelLevelPct: 10 }), [['Fuel level 10 % is at the limit of 10 %', 10]])
  assert.deepEqual(
    predict(sequence(5000, repeat(25, { ...warm, coolantTempC: 107 }))).alerts.map(({ message }) => message),
    ['Coolant temperature 107 °C is at the limit of 107 °C for 2 min'],
  )
})

test('a confirmed condition stays until the value is clear of the threshold, and then goes', () => {
  const hot = repeat(15, { ...warm, coolantTempC: 108 })
  const at = (coolantTempC: number) => names(predict(sequence(2000, [...hot, { ...warm, coolantTempC }])).alerts)
  assert.deepEqual(at(105), ['cooling coolant_overheat medium'])
  assert.deepEqual(at(103), ['cooling coolant_overheat low'])
  assert.deepEqual(predict(sequence(2000, [...hot, ...repeat(3, { ...warm, coolantTempC: 98 })])).alerts, [])
})

test('a start with its dip in voltage is quiet, a charging fault after it is not', () => {
  const start = [
    ...repeat(6, parked),
    { ...parked, engineSpeedRpm: 250, batteryVoltageV: 7.6 },
    ...repeat(5, { ...warm, vehicleSpeedKmh: 0, batteryVoltageV: 12.3 }),
  ]
  assert.deepEqual(predict(sequence(1000, start)).alerts, [])
  assert.deepEqual(predict(sequence(1000, [...start, ...repeat(60, warm)])).alerts, [])
  const dead = predict(sequence(1000, [...start, ...repeat(60, { ...warm, batteryVoltageV: 12.1 })]))
  assert.deepEqual(names(dead.alerts), ['charging undercharge high'])
})

test('readings from before a long pause do not count as holding', () => {
  const input = sequence(1000, [...repeat(30, { ...warm, coolantTempC: 116 }), { ...warm, coolantTempC: 116 }])
  const apart = { ...input, recordedAtMs: input.recordedAtMs + 2 * 3_600_000 }
  assert.deepEqual(predict(apart).alerts, [])
})

test('a device that reports every half hour still confirms on its second reading', () => {
  const rarely = sequence(1_800_000, [...repeat(10, warm), ...repeat(2, { ...warm, coolantTempC: 116 })])
  assert.deepEqual(names(predict(rarely).alerts), ['cooling coolant_overheat critical'])
})

test('the voltage system is decided per vehicle: a truck stays quiet through cranking, a car through one reading of 24 V', () => {
  const truck = { ...warm, batteryVoltageV: 28.1 }
  const cranking = { ...parked, engineSpeedRpm: 180, batteryVoltageV: 15.2 }
  assert.deepEqual(
    predict(sequence(1000, [...repeat(4, { ...parked, batteryVoltageV: 25.2 }), ...repeat(3, cranking), ...repeat(30, truck)])).alerts,
    [],
  )
  assert.deepEqual(predict(sequence(1000, [...repeat(10, warm), { ...warm, batteryVoltageV: 24 }, ...repeat(10, warm)])).alerts, [])
})

test('fuel that goes while standing is a loss; sloshing under way and a sleeping sender are not', () => {
  const standing = { ...parked, engineSpeedRpm: 0 }
  const falling = Array.from({ length: 40 }, (_, step) => ({ ...standing, fuelLevelPct: 60 - step * 0.5 }))
  assert.deepEqual(names(predict(sequence(2000, falling)).alerts), ['fuel fuel_loss medium'])
  const sloshing = Array.from({ length: 60 }, (_, step) => ({ ...warm, fuelLevelPct: 50 + 20 * Math.sin(step / 3) }))
  assert.deepEqual(predict(sequence(1000, sloshing)).alerts, [])
  const settling = [
    ...repeat(20, { ...warm, fuelLevelPct: 75 }),
    ...repeat(8, { ...standing, fuelLevelPct: 75 }),
    ...repeat(40, { ...standing, fuelLevelPct: 60 }),
  ]
  assert.deepEqual(predict(sequence(1000, settling)).alerts, [])
  const asleep = [...repeat(20, standing), ...repeat(20, { ...standing, fuelLevelPct: 0 })]
  assert.deepEqual(predict(sequence(2000, asleep)).alerts, [])
})

test('lamps have to outlast the bulb check, and mean what DM1 defines', () => {
  const lit = { redStopLamp: true }
  const brief = sequence(1000, repeat(6, warm))
  const flash = {
    ...brief,
    lamps: lit,
    history: brief.history?.map((one, index) => (index > 2 ? { ...one, lamps: lit } : { ...one, lamps: { redStopLamp: false } })),
  }
  assert.deepEqual(predict(flash).alerts, [])
  const red = predict(stateless(warm, { lamps: lit }))
  assert.deepEqual([red.healthStatus, red.riskLevel, red.maintenanceNeeded], ['critical', 'high', true])
  assert.ok((red.components.engine ?? 100) <= 30 && red.healthScore <= 30, String(red.healthScore))
  const amber = predict(stateless(warm, { lamps: { amberWarningLamp: true } }))
  assert.deepEqual([amber.healthStatus, amber.riskLevel], ['warning', 'medium'])
  const off = predict(stateless(warm, { lamps: { milLamp: false, redStopLamp: false, amberWarningLamp: false, protectLamp: false } }))
  assert.deepEqual(off.alerts, [])
})
