import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandRules } from './detection/band-rules.ts'
import { drivingClasses } from './detection/fault-codes/driving-on.ts'
import { classLives } from './lives/class-lives.ts'
import { lifeModels } from './lives/life-models.ts'
import { numbers } from './numbers.ts'
import { type NumberRow, origins, statedIn } from './provenance.ts'

const rows: readonly NumberRow[] = Object.values(numbers).flat()
const statedValue = (name: string) => rows.find((row) => row.name === name)?.value

test('every row is listed once, with its unit, its origin and a source in words', () => {
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
  for (const { name, unit, origin, source } of rows) {
    assert.ok(unit !== '' && origins.includes(origin), name)
    assert.match(source, /^.{9,}\.$/, name)
  }
})

test('every number of every band rule has a row with its value', () => {
  for (const rule of bandRules) {
    const { type, hold, severities, sources } = rule
    assert.equal(sources.length, hold.thresholds.length, type)
    for (const [at, threshold] of hold.thresholds.entries()) assert.equal(statedValue(`band-rules.${type}.${severities[at]}`), threshold)
    for (const [field, value] of Object.entries({ ...rule, ...hold })) {
      if (typeof value === 'number') assert.equal(statedValue(`band-rules.${type}.${field}`), value, `${type}: ${field}`)
    }
  }
})

test('every number of every life has a row with its value', () => {
  for (const model of lifeModels) {
    for (const [field, value] of Object.entries({ ...model, ...model.life })) {
      if (typeof value === 'number')
        assert.equal(statedValue(`life-models.${model.component}.${field}`), value, `${model.component}: ${field}`)
    }
  }
  for (const [kind, { lives, ...usual }] of Object.entries(classLives)) {
    for (const [field, value] of Object.entries(usual)) assert.equal(ofClass(field, kind), value, `${kind}: ${field}`)
    for (const [component, value] of Object.entries(lives)) {
      assert.equal(ofClass(`lives.${component}`, kind) ?? statedValue('class-lives.WORK_BATTERY'), value, `${kind}: ${component}`)
    }
  }
})

/** Whatever their origin: each number of each class stands in one row. */
function ofClass(field: string, kind: string) {
  const found = ['', '.published', '.judged'].flatMap(
    (part) => (statedValue(`class-lives.${field}${part}`) as Record<string, number> | undefined)?.[kind] ?? [],
  )
  assert.ok(found.length <= 1)
  return found[0]
}

test('what a fault code means for driving on has its severity and its source', () => {
  for (const [name, { severity }] of Object.entries(drivingClasses)) assert.equal(statedValue(`driving-on.${name}`), severity)
})

test('how a severity becomes a probability is an assumption, and is listed for each severity', () => {
  for (const name of ['medianDaysBySeverity', 'probabilityBySeverity']) {
    const row = rows.find((one) => one.name === `prognose.${name}`)
    assert.equal(row?.origin, 'assumption')
    assert.deepEqual(Object.keys(row.value), ['info', 'low', 'medium', 'high', 'critical'])
  }
  const { medium, critical } = statedValue('prognose.medianDaysBySeverity') as { medium: number; critical: number }
  assert.deepEqual([medium, critical], [45, 3])
})

test('a table is stated by column, and no number of it without a unit', () => {
  const table = [
    { fromC: 0, label: 'cold' },
    { fromC: 80, label: 'warm' },
  ]
  const stated = { unit: '°C', origin: 'data', source: 'Etios.' } as const
  assert.deepEqual(statedIn('warming', [[{ table }, { fromC: '°C' }, 'data', 'Etios.']]), [
    { name: 'warming.table.fromC', value: [0, 80], ...stated },
  ])
  assert.throws(() => statedIn('warming', [[{ table }, { untilC: '°C' }, 'data', 'Etios.']]), /warming.table.fromC: in which unit/)
  assert.throws(() => statedIn('warming', [[{ hold: { fromC: 80 } }, {}, 'data', 'Etios.']]), /warming.hold.fromC: in which unit/)
})
