import assert from 'node:assert/strict'
import { test } from 'node:test'
import { severities, severityRank } from '@roadworthy/signals/severity'
import { fc } from '../../../../test/support/fast-check.ts'
import { coreComponents } from '../components.ts'
import { predict } from '../predict.ts'
import { codesIn, conditionsAndCircuits, driversOwn, expectedGroups, formerlyWrong } from '../testing/expected-fault-codes.ts'
import { stateless } from '../testing/inputs.ts'
import { j1939Parameters, j2012Codes } from './fault-codes/dictionary.ts'
import { drivingClasses, drivingOnText } from './fault-codes/driving-on.ts'
import { readFaultCode } from './fault-codes/read-fault-code.ts'
import { splitCodes } from './fault-codes/split-codes.ts'

const drivingOnOf = (code: string) => {
  const { driving, effect } = readFaultCode(code)
  return drivingOnText(driving, effect)
}
const rankOf = (code: string) => severityRank[readFaultCode(code).severity]

test('over 400 codes have the component, the severity and the driving advice that their source gives them', () => {
  const seen = new Set<string>()
  const wrong: string[] = []
  for (const { rows } of expectedGroups) {
    for (const row of rows.trim().split('\n')) {
      const [component, severity, ...codes] = row.trim().split(' ')
      for (const code of codesIn(codes.join(' '))) {
        const fault = readFaultCode(code)
        const own = driversOwn.find(([each]) => each === code)?.[1]
        const instruction = Object.values(drivingClasses).find((each) => each.severity === severity)?.instruction ?? 'none'
        const isAdvised = own === undefined ? drivingOnOf(code).includes(instruction) : own.test(drivingOnOf(code))
        if (!fault.isKnown || fault.component !== component || fault.severity !== severity || !isAdvised)
          wrong.push(`${code}: ${fault.component} ${fault.severity} ${fault.title}, ${drivingOnOf(code)}`)
        seen.add(code)
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(seen.size >= 400, `${seen.size}`)
})

for (const [code, component, severity, why] of formerlyWrong) {
  test(`${code}: ${why}`, () => {
    const fault = readFaultCode(code)
    assert.deepEqual([fault.component, fault.severity, fault.isKnown], [component, severity, true], fault.title)
  })
}

test("a sensor's circuit is never as grave as what the sensor measures, nor ever graver than medium", () => {
  for (const [condition, circuits] of conditionsAndCircuits) {
    for (const circuit of codesIn(circuits)) assert.ok(rankOf(circuit) < rankOf(condition), `${circuit} and ${condition}`)
  }
  for (const [code, { isCircuit }] of j2012Codes) if (isCircuit) assert.ok(rankOf(code) <= severityRank.medium, code)
  for (const spn of j1939Parameters.keys()) {
    for (const circuit of [2, 3, 4, 5, 6]) {
      for (const condition of [0, 1])
        assert.ok(rankOf(`SPN ${spn} FMI ${circuit}`) < rankOf(`SPN ${spn} FMI ${condition}`), `SPN ${spn} FMI ${circuit}`)
    }
  }
})

test('every entry describes in plain words what is wrong, and every class of driving on has its reason and source', () => {
  for (const [code, { title }] of j2012Codes) {
    assert.match(code, /^[PCBU][0-3][0-9A-F]{3}$/)
    assert.ok(title.length > 3 && !/[#_|]|undefined/.test(title), `${code}: ${title}`)
  }
  for (const [spn, { title }] of j1939Parameters)
    assert.ok(Number.isInteger(spn) && title.length > 3 && !/[#_|]/.test(title), `${spn}: ${title}`)
  const gravestFirst = Object.values(drivingClasses).map(({ severity }) => severity)
  assert.deepEqual(gravestFirst, [...severities].reverse())
  for (const { reason, source } of Object.values(drivingClasses)) assert.ok(reason.length > 10 && source.length > 5)
})

test('the makers’ ranges of SAE J2012 have no entries, and their codes are reported as unknown, with the maker that owns them', () => {
  for (const code of j2012Codes.keys()) assert.doesNotMatch(code, /^(P1|P3[0-3]|[CBU][12])/, code)
  const unknown: readonly (readonly [code: string, component: string, severity: string, title: RegExp])[] = [
    ['P1234', 'engine', 'medium', /unknown powertrain code, defined by the vehicle's maker/],
    ['P1A23', 'high_voltage', 'medium', /unknown hybrid or electric drive code, defined by the vehicle's maker/],
    ['P1789', 'transmission', 'medium', /unknown transmission code, defined by the vehicle's maker/],
    ['P3012', 'engine', 'medium', /defined by the vehicle's maker/],
    ['P3900', 'engine', 'medium', /defined by SAE J2012/],
    ['P0DFF', 'high_voltage', 'medium', /unknown hybrid or electric drive code, defined by SAE J2012/],
    ['P09FF', 'transmission', 'medium', /unknown transmission code, defined by SAE J2012/],
    ['C1234', 'brakes', 'medium', /unknown chassis code, defined by the vehicle's maker/],
    ['B2345', 'body', 'low', /unknown body code, defined by the vehicle's maker/],
    ['U1000', 'network', 'low', /unknown network code, defined by the vehicle's maker/],
    ['U3FFF', 'network', 'low', /defined by SAE J2012/],
    ['SPN 520199 FMI 31', 'engine', 'medium', /unknown parameter 520199, defined by the vehicle's maker: condition exists/],
    ['SPN 9999 FMI 3', 'engine', 'low', /unknown parameter 9999: voltage above normal/],
    ['E-77 whatever', 'engine', 'low', /unknown code of no standard form/],
  ]
  for (const [code, component, severity, title] of unknown) {
    const fault = readFaultCode(code)
    assert.deepEqual([fault.component, fault.severity, fault.isKnown], [component, severity, false], code)
    assert.match(fault.title, title)
  }
})

test('codes are read in the forms that they are sent in', () => {
  const forms: readonly (readonly [string, string])[] = [
    [' p0128 ', 'P0128'],
    ['P0217: engine too hot', 'P0217'],
    ['P0420 B1S1', 'P0420'],
    ['C0035-64', 'C0035-64'],
    ['C003564', 'C0035-64'],
    ['c0035:64', 'C0035-64'],
    ['P0301-00', 'P0301'],
    ['SPN 110 FMI 0', 'SPN 110 FMI 0'],
    ['SPN110-FMI0', 'SPN 110 FMI 0'],
    ['SPN110FMI0', 'SPN 110 FMI 0'],
    ['spn:110,fmi:16', 'SPN 110 FMI 16'],
    ['110/15', 'SPN 110 FMI 15'],
    ['SPN 110', 'SPN 110'],
  ]
  for (const [text, code] of forms) assert.equal(readFaultCode(text).code, code, text)
})

test('a failure-type byte is kept, described in words, and makes what runs hot or leaks count more, never anything less', () => {
  assert.match(readFaultCode('C0035-13').title, /open circuit/)
  assert.match(readFaultCode('U0100-87').title, /message missing/)
  assert.match(readFaultCode('P242F-FA').title, /failure type FA of the maker/)
  assert.deepEqual([readFaultCode('B1000').severity, readFaultCode('B1000-4B').severity], ['low', 'medium'])
  assert.deepEqual([readFaultCode('C1234').severity, readFaultCode('C1234-71').severity], ['medium', 'high'])
  fc.assert(
    fc.property(
      fc.constantFrom(...j2012Codes.keys(), 'P1234', 'C1234', 'B1000', 'U1000'),
      fc.integer({ min: 0, max: 255 }),
      (code, byte) => {
        const withByte = readFaultCode(`${code}-${byte.toString(16).padStart(2, '0')}`)
        assert.ok(severityRank[withByte.severity] >= rankOf(code) && withByte.component === readFaultCode(code).component)
      },
    ),
    { numRuns: 2000 },
  )
})

test('one component has one alert however many codes it has, named by the worst', () => {
  const { alerts, recommendations } = predict(stateless({}, { dtcCodes: ['P0128', 'P0217', 'P0480', 'P0217', 'C0035-64', ''] }))
  assert.deepEqual(
    alerts.map(({ component, type, code, severity, urgency }) => [component, type, code, severity, urgency]),
    [
      ['cooling', 'fault_code', 'P0217', 'critical', 'immediate'],
      ['brakes', 'fault_code', 'C0035-64', 'medium', 'soon'],
    ],
  )
  const { codes, titles, drivingOn } = alerts[0]?.evidence ?? {}
  assert.deepEqual(codes, ['P0217', 'P0480', 'P0128'])
  assert.deepEqual(
    titles,
    ['P0217', 'P0480', 'P0128'].map((code) => readFaultCode(code).title),
  )
  assert.equal(drivingOn, drivingOnOf('P0217'))
  assert.match(recommendations[0] ?? '', /^Stop as soon as it is safe.*Have P0217 \(engine overheated\) diagnosed$/)
})

test('no vehicle with a code for a workshop or worse is called healthy, whichever part it is of', () => {
  for (const code of j2012Codes.keys())
    if (rankOf(code) >= severityRank.high) assert.notEqual(predict(stateless({}, { dtcCodes: [code] })).healthStatus, 'healthy', code)
})

test('what is sent where there is no fault opens no alert', () => {
  const { alerts, healthScore } = predict(stateless({}, { dtcCodes: ['P0000', 'SPN 0 FMI 0', '524287/31', ' '] }))
  assert.deepEqual(alerts, [])
  assert.equal(healthScore, predict(stateless({})).healthScore)
  for (const code of ['none', 'N/A', ' null ', '-', '0', 'No codes'])
    assert.deepEqual(predict(stateless({}, { dtcCodes: [code] })).alerts, [], code)
  assert.equal(predict(stateless({}, { dtcCodes: ['NOX'] })).alerts.length, 1)
})

test('a text that lists codes and nothing else is as many codes; a code with its description is one', () => {
  for (const [text, codes] of [
    ['P0301,P0524', ['P0301', 'P0524']],
    ['p0301 ; P0217-64;', ['p0301', 'P0217-64']],
    ['P0301 U0100', ['P0301', 'U0100']],
    ['110/0, 100/1', ['110/0', '100/1']],
    ['SPN 110 FMI 0; SPN 100 FMI 1|P0301', ['SPN 110 FMI 0', 'SPN 100 FMI 1', 'P0301']],
  ] as const)
    assert.deepEqual(splitCodes(text), codes)
  for (const text of [
    'P0301',
    ' P0420 ',
    'SPN:110,FMI:0',
    'spn=110 fmi=0 oc=3',
    '110, 0',
    'P0420 B1S1',
    'P0301 - see P0300',
    'P0301, pending',
  ])
    assert.deepEqual(
      splitCodes(text).map((code) => readFaultCode(code).code),
      [readFaultCode(text).code],
      text,
    )
})

test('a part that not every vehicle has is in the answer only while a code names it, and changes no other part', () => {
  const { components: bare } = predict(stateless({}))
  assert.deepEqual(Object.keys(bare).sort(), [...coreComponents].sort())
  for (const [code, part] of [
    ['P20EE', 'aftertreatment'],
    ['P0AA6', 'high_voltage'],
    ['P0299', 'intake'],
    ['P0420', 'emissions'],
    ['C0051', 'chassis'],
  ] as const) {
    const { [part]: score, ...others } = predict(stateless({}, { dtcCodes: [code] })).components
    assert.ok(score !== undefined && score < 90, code)
    assert.deepEqual(others, bare, code)
  }
})

test('one more code, whichever it is, never raises the health of anything', () => {
  const anyCode = fc.constantFrom(
    ...j2012Codes.keys(),
    ...[...j1939Parameters.keys()].map((spn) => `SPN ${spn} FMI ${spn % 22}`),
    'P1234',
    '?',
  )
  fc.assert(
    fc.property(fc.array(anyCode, { maxLength: 5 }), anyCode, (codes, more) => {
      // A first J1939 code shows that a vehicle of unknown class is a heavy one, whose parts live otherwise.
      const vehicle = { vehicleClass: 'heavy_truck' } as const
      const before = predict(stateless({}, { dtcCodes: codes, vehicle }))
      const after = predict(stateless({}, { dtcCodes: [...codes, more], vehicle }))
      assert.ok(after.healthScore <= before.healthScore, `${codes} ${more}`)
      for (const [component, score] of Object.entries(before.components))
        assert.ok((after.components[component as keyof typeof after.components] ?? 0) <= score, `${codes} ${more}: ${component}`)
    }),
    { numRuns: 2000 },
  )
})
