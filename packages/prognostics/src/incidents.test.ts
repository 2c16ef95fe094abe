// One event counts once: a lamp, the code that lit it and the reading behind it are one incident.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/fast-check.ts'
import { predict } from './predict.ts'
import { repeat, sequence, stateless } from './testing/inputs.ts'

const driving = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8 }
const hot = { ...driving, coolantTempC: 112 }

test('the lamp, its code and the reading behind it are one incident, with one severity, component and recommendation', () => {
  const { incidents, alerts } = predict(stateless(hot, { lamps: { amberWarningLamp: true, milLamp: true }, dtcCodes: ['P0217'] }))
  const [incident, ...others] = incidents
  assert.deepEqual(others, [])
  assert.equal(incident?.component, 'cooling')
  assert.equal(incident?.severity, 'critical')
  assert.deepEqual(
    incident?.evidence.map(({ type }) => type),
    ['fault_code', 'coolant_overheat', 'amber_warning_lamp', 'mil_lamp'],
  )
  assert.deepEqual(new Set(alerts.map((alert) => alert.incident)), new Set(['cooling']))
})

test('what has one cause makes the probability, the anomaly and the lost health of its worst finding, and no more', () => {
  const lampAlone = predict(stateless(driving, { lamps: { amberWarningLamp: true } }))
  const code = { dtcCodes: ['P0234'] }
  const codeAlone = predict(stateless(driving, code))
  const both = predict(stateless(driving, { ...code, lamps: { amberWarningLamp: true, milLamp: true } }))
  assert.equal(both.maintenanceProbability, Math.max(lampAlone.maintenanceProbability, codeAlone.maintenanceProbability))
  assert.equal(both.healthScore, Math.min(lampAlone.healthScore, codeAlone.healthScore))
  assert.ok(both.anomalyScore <= Math.max(lampAlone.anomalyScore, codeAlone.anomalyScore))
})

test('a reading that gets worse until it explains a lamp makes the vehicle no less unusual', () => {
  const lamps = { milLamp: true }
  const fuelAt = (fuelTempC: number) => predict(stateless({ ...driving, fuelTempC }, { lamps }))
  const [notice, limited, lubricatesNoMore] = [fuelAt(84), fuelAt(91), fuelAt(104)]
  assert.equal(limited.incidents.length, 1, 'its lamp is explained')
  assert.ok(notice.anomalyScore <= limited.anomalyScore, `${notice.anomalyScore} ${limited.anomalyScore}`)
  assert.ok(limited.anomalyScore <= lubricatesNoMore.anomalyScore, `${limited.anomalyScore} ${lubricatesNoMore.anomalyScore}`)
  const redAt = (coolantTempC: number) => predict(stateless({ ...driving, coolantTempC }, { lamps: { redStopLamp: true } })).anomalyScore
  for (let tempC = 95; tempC < 130; tempC++) assert.ok(redAt(tempC) <= redAt(tempC + 1), `${tempC} °C: ${redAt(tempC)} ${redAt(tempC + 1)}`)
})

test('two events count twice', () => {
  const hotAlone = predict(stateless(hot))
  const two = predict(stateless(hot, { dtcCodes: ['C0051'] }))
  assert.equal(two.incidents.length, 2)
  assert.ok(two.maintenanceProbability > hotAlone.maintenanceProbability)
  assert.ok(two.healthScore < hotAlone.healthScore)
})

test('a lamp that nothing found can explain is an incident of its own, of the engine', () => {
  const red = predict(stateless(driving, { lamps: { redStopLamp: true }, dtcCodes: ['P0456'] }))
  assert.deepEqual(
    red.incidents.map(({ cause, component, severity }) => [cause, component, severity]),
    [
      ['lamps', 'engine', 'critical'],
      ['emissions', 'emissions', 'low'],
    ],
  )
  assert.ok((red.components.engine ?? 100) <= 30)
  const abs = predict(stateless(driving, { lamps: { milLamp: true }, dtcCodes: ['C0035'] }))
  assert.equal(abs.incidents.length, 2, 'a wheel speed sensor lights no malfunction lamp')
})

test('the red lamp speaks for the gravest thing found, and its demand comes first', () => {
  const { incidents, components } = predict(stateless(driving, { lamps: { redStopLamp: true }, dtcCodes: ['P0455', 'SPN 100 FMI 18'] }))
  const [worst] = incidents
  assert.equal(worst?.component, 'lubrication')
  assert.ok(worst?.evidence.some(({ type }) => type === 'red_stop_lamp'))
  assert.ok((components.lubrication ?? 100) <= 30)
  assert.match(worst?.recommendation ?? '', /^Stop the vehicle/)
})

test('a flat battery beside an alternator that does not charge is one incident; stolen fuel beside a fuel fault is none', () => {
  const history = [...repeat(30, { engineSpeedRpm: 1500, batteryVoltageV: 12.4 })]
  const charging = predict({ ...sequence(1000, history), dtcCodes: ['P0622'] })
  assert.equal(charging.incidents.length, 1, JSON.stringify(charging.incidents.map(({ cause }) => cause)))
  const fuel = predict(stateless({ ...driving, fuelLevelPct: 4 }, { dtcCodes: ['P0087'] }))
  assert.deepEqual(fuel.incidents.map(({ cause }) => cause).sort(), ['fuel', 'fuel/fuel_low'])
})

test('the share of lost health is what leaving the incident out gives back', () => {
  const faults = ['C0051', 'P0234', 'P0456']
  const all = predict(stateless(driving, { dtcCodes: faults }))
  assert.equal(all.incidents.length, 3)
  for (const { evidence, healthLost } of all.incidents) {
    const left = faults.filter((code) => evidence[0]?.code !== code)
    const without = predict(stateless(driving, { dtcCodes: left }))
    assert.ok(Math.abs(without.healthScore - all.healthScore - healthLost) < 0.2, `${evidence[0]?.code}: ${healthLost}`)
  }
})

test('every alert names an incident of the answer, whose severity is that of its worst evidence', () => {
  const codes = fc.constantFrom(
    'P0217',
    'P0301',
    'C0035',
    'U0100',
    'B1000',
    'SPN 110 FMI 0',
    'P0420',
    'P20EE',
    'P0AA6',
    'P0622',
    'SPN 100 FMI 1',
  )
  const flag = fc.boolean()
  fc.assert(
    fc.property(
      fc.array(codes, { maxLength: 5 }),
      fc.record({ milLamp: flag, redStopLamp: flag, amberWarningLamp: flag, protectLamp: flag }),
      fc.integer({ min: 80, max: 130 }),
      fc.integer({ min: 0, max: 2_000_000 }),
      (dtcCodes, lamps, coolantTempC, odometerKm) => {
        const { incidents, alerts } = predict(stateless({ ...driving, coolantTempC, odometerKm }, { dtcCodes, lamps }))
        const listed = incidents.flatMap(({ cause, evidence }) => evidence.map(({ type, component }) => `${cause} ${type} ${component}`))
        const named = alerts.map(({ incident, type, component }) => `${incident} ${type} ${component}`)
        assert.deepEqual(named.toSorted(), listed.toSorted())
        const causes = incidents.map(({ cause }) => cause)
        assert.equal(new Set(causes).size, causes.length)
        const rank = ['info', 'low', 'medium', 'high', 'critical']
        for (const { severity, evidence } of incidents) {
          assert.equal(rank.indexOf(severity), Math.max(...evidence.map((item) => rank.indexOf(item.severity))))
        }
      },
    ),
    { numRuns: 500 },
  )
})
