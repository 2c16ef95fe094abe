import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFaultCode } from './fault-codes.ts'
import { predict } from './predict.ts'
import { stateless } from './testing/inputs.ts'

const codes: readonly [string, string, string][] = [
  ['P0217', 'cooling', 'critical'],
  ['p0128', 'cooling', 'low'],
  ['P0301', 'engine', 'high'],
  ['P0522', 'lubrication', 'high'],
  ['P0562', 'battery', 'medium'],
  ['P0622', 'charging', 'medium'],
  ['P0087', 'fuel', 'medium'],
  ['P0420', 'emissions', 'low'],
  ['P0730', 'transmission', 'medium'],
  ['P0A80', 'battery', 'medium'],
  ['P2002', 'emissions', 'medium'],
  ['P1234', 'engine', 'medium'],
  ['C0035', 'brakes', 'medium'],
  ['C0035-64', 'brakes', 'medium'],
  ['B1000', 'body', 'low'],
  ['U0100', 'network', 'low'],
  ['SPN 110 FMI 0', 'cooling', 'critical'],
  ['SPN110-FMI0', 'cooling', 'critical'],
  ['spn:110,fmi:16', 'cooling', 'medium'],
  ['110/15', 'cooling', 'low'],
  ['SPN 100 FMI 1', 'lubrication', 'critical'],
  ['SPN 168 FMI 4', 'battery', 'low'],
  ['SPN 520199 FMI 31', 'engine', 'medium'],
  ['E-77 whatever', 'engine', 'low'],
]

test('fault codes of SAE J2012 and J1939 name their component and severity in plain words', () => {
  for (const [text, component, severity] of codes) {
    const fault = readFaultCode(text)
    assert.deepEqual([fault.component, fault.severity], [component, severity], text)
    assert.ok(fault.text.length > 3, text)
  }
})

test('one component has one alert however many codes it has, named by the worst', () => {
  const { alerts } = predict(stateless({}, { dtcCodes: ['P0128', 'P0217', 'P0480', 'P0217', 'C0035', ''] }))
  assert.deepEqual(
    alerts.map(({ component, type, code, severity, urgency }) => [component, type, code, severity, urgency]),
    [
      ['cooling', 'fault_code', 'P0217', 'critical', 'immediate'],
      ['brakes', 'fault_code', 'C0035', 'medium', 'soon'],
    ],
  )
  assert.deepEqual(alerts[0]?.evidence['codes'], ['P0217', 'P0480', 'P0128'])
})

test('a code for a part that has no sensor of ours brings that part into the answer', () => {
  assert.equal(predict(stateless({})).components.emissions, undefined)
  assert.ok((predict(stateless({}, { dtcCodes: ['P0420'] })).components.emissions ?? 100) < 90)
})
