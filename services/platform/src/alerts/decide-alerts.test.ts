import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Severity } from '@roadworthy/signals/severity'
import type { Alert, ReportedAlert } from './alert.ts'
import { decideAlerts, GONE_AFTER_SCORES, type Moment, openAlert, SILENT_SENSOR_MS, WORK_SHOWS_AFTER_MS } from './decide-alerts.ts'

const START_MS = Date.parse('2026-05-04T10:00:00.000Z')
const at = (seconds: number, currentSignals = ['coolant']): Moment => {
  const time = new Date(START_MS + seconds * 1000)
  return { scoredAt: time, readingAt: time, currentSignals: new Set(currentSignals) }
}

function report(severity: Severity, more: Partial<ReportedAlert> = {}): ReportedAlert {
  const message = `Coolant is ${severity}`
  return {
    type: 'coolant_high',
    component: 'cooling',
    severity,
    description: 'Overheating',
    message,
    urgency: 'urgent',
    code: undefined,
    evidence: { signal: 'coolant' },
    ...more,
  }
}

/** Plays scores 30 s apart, each with the alerts reported, a person acting between them; every alert there ever was, oldest first. */
function play(steps: readonly (readonly ReportedAlert[] | ((alert: Alert) => Alert))[], everyS = 30): Alert[] {
  const all: Alert[] = []
  let scored = 0
  for (const step of steps) {
    if (typeof step === 'function') {
      const last = all.pop()
      if (last !== undefined) all.push(step(last))
      continue
    }
    const moment = at(scored++ * everyS)
    const { opened, changed } = decideAlerts(
      all.filter((alert) => alert.conditionEndedAt === undefined),
      step,
      moment,
    )
    for (const alert of changed) all[all.findIndex(({ alertId }) => alertId === alert.alertId)] = alert
    for (const each of opened) all.push(openAlert(each, { alertId: `alr-${all.length + 1}`, vehicleId: 'veh-1' }, moment))
  }
  return all
}

const acknowledge = (alert: Alert): Alert => ({ ...alert, status: 'acknowledged', acknowledgedAt: at(1).scoredAt })
const resolve = (alert: Alert): Alert => ({ ...alert, status: 'resolved', resolvedAt: at(1).scoredAt, resolvedBy: 'user' })

const gone = Array.from({ length: GONE_AFTER_SCORES }, () => [])
const high = [report('high')]
const brief = (alerts: Alert[]) => alerts.map(({ status, severity, resolvedBy }) => [status, severity, resolvedBy])

const lives: { name: string; steps: Parameters<typeof play>[0]; expected: unknown[] }[] = [
  { name: 'a condition that lasts is one alert', steps: [high, high, high], expected: [['open', 'high', undefined]] },
  { name: 'it gets worse', steps: [high, [report('critical')]], expected: [['open', 'critical', undefined]] },
  { name: 'it gets milder: the alert keeps reporting the worst', steps: [high, [report('low')]], expected: [['open', 'high', undefined]] },
  { name: 'it goes away', steps: [high, ...gone], expected: [['resolved', 'high', 'engine']] },
  { name: 'it is left out of fewer scores than it takes', steps: [high, [], [], high], expected: [['open', 'high', undefined]] },
  {
    name: 'it flickers without end: still one alert',
    steps: [high, [], [], high, [], [], high, [], []],
    expected: [['open', 'high', undefined]],
  },
  {
    name: 'it goes away and comes back',
    steps: [high, ...gone, high],
    expected: [
      ['resolved', 'high', 'engine'],
      ['open', 'high', undefined],
    ],
  },
  {
    name: 'a person acknowledged it',
    steps: [high, acknowledge, [report('critical')]],
    expected: [['acknowledged', 'critical', undefined]],
  },
  { name: 'acknowledged, it goes away', steps: [high, acknowledge, ...gone], expected: [['resolved', 'high', 'engine']] },
  {
    name: 'a person resolved it and it goes on: the resolution holds',
    steps: [high, resolve, high, high],
    expected: [['resolved', 'high', 'user']],
  },
  {
    name: 'a person resolved it and it gets worse',
    steps: [high, resolve, high, [report('critical')]],
    expected: [
      ['resolved', 'high', 'user'],
      ['open', 'critical', undefined],
    ],
  },
  {
    name: 'a person resolved it, it goes away and comes back',
    steps: [high, resolve, high, ...gone, high],
    expected: [
      ['resolved', 'high', 'user'],
      ['open', 'high', undefined],
    ],
  },
  {
    name: 'two fault codes of one type are two alerts',
    steps: [[report('low', { type: 'dtc', code: 'P0301' }), report('low', { type: 'dtc', code: 'P0302' })]],
    expected: [
      ['open', 'low', undefined],
      ['open', 'low', undefined],
    ],
  },
  {
    name: 'the same alert twice in one answer is one, the worse',
    steps: [[report('low'), report('high')]],
    expected: [['open', 'high', undefined]],
  },
]

for (const { name, steps, expected } of lives) {
  test(`alert life: ${name}`, () => assert.deepEqual(brief(play(steps)), expected))
}

test('an alert counts its reports, and shows when it was last seen and with which words', () => {
  const [alert] = play([high, [], [report('high', { message: 'Coolant at 112 °C' })]])
  assert.equal(alert?.occurrences, 2)
  assert.equal(alert?.missedScores, 0)
  assert.equal(alert?.message, 'Coolant at 112 °C')
  assert.deepEqual(alert?.openedAt, at(0).scoredAt)
  assert.deepEqual(alert?.lastSeenAt, at(60).scoredAt)
})

test('scores in quick succession do not end an alert before a minute of vehicle time has passed', () => {
  const quick = (scores: number) => play([high, ...Array.from({ length: scores }, () => [])], 5)
  assert.deepEqual(brief(quick(11)), [['open', 'high', undefined]])
  assert.deepEqual(brief(quick(12)), [['resolved', 'high', 'engine']])
})

test('an unchanged report is not news: the time of the last change stays', () => {
  const [alert] = play([high, high])
  assert.deepEqual(alert?.updatedAt, at(0).scoredAt)
})

test('scores that lack the sensor which showed a condition do not end it, until it has been silent for a day', () => {
  let alert: Alert = openAlert(report('high'), { alertId: 'alr-1', vehicleId: 'veh-1' }, at(0))
  const scoreWithout = (seconds: number, reported: string[]) => {
    const { changed } = decideAlerts([alert], [], at(seconds, reported))
    alert = changed[0] ?? assert.fail('the alert is lost')
  }
  for (let seconds = 60; seconds <= 600; seconds += 60) scoreWithout(seconds, ['vehicleSpeedKmh'])
  assert.deepEqual([alert.status, alert.missedScores], ['open', 0])
  for (let more = 0; more < GONE_AFTER_SCORES; more++) scoreWithout(SILENT_SENSOR_MS / 1000 + more, ['vehicleSpeedKmh'])
  assert.equal(alert.status, 'resolved')
})

test('an alert that work resolved holds for a day; what is reported after it was not mended, and opens anew', () => {
  const alert = openAlert(report('high'), { alertId: 'alr-1', vehicleId: 'veh-1' }, at(0))
  const resolved: Alert = { ...alert, status: 'resolved', resolvedAt: at(0).scoredAt, resolvedBy: 'maintenance' }
  const dayS = WORK_SHOWS_AFTER_MS / 1000
  assert.deepEqual(decideAlerts([resolved], [report('high')], at(dayS - 1)).opened, [])
  const late = decideAlerts([resolved], [report('high')], at(dayS))
  assert.deepEqual(late.opened, [report('high')])
  assert.deepEqual(
    late.changed.map(({ status, conditionEndedAt }) => [status, conditionEndedAt]),
    [['resolved', at(dayS).scoredAt]],
  )
  assert.equal(decideAlerts([{ ...resolved, resolvedBy: 'user' }], [report('high')], at(10 * dayS)).opened.length, 0)
})
