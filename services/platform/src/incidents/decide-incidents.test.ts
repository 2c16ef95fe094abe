import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Severity, severities, severityRank } from '@roadworthy/signals/severity'
import { fc } from '../../../../test/support/fast-check.ts'
import type { ReportedAlert } from '../alerts/alert.ts'
import { GONE_AFTER_SCORES } from '../alerts/decide-alerts.ts'
import { RETURNS_WITHIN_MS } from './decide-incidents.ts'
import { CHANGE_EVERY_MS } from './decide-publication.ts'
import { flappingOf, type Incident, shownTitle, statusAt } from './incident.ts'
import { MAX_SNOOZE_DAYS, moveIncident } from './move-incident.ts'
import { IncidentLife } from './test-incident-life.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const byUser = { resolvedBy: 'user', resolution: { reason: 'other', note: 'Its last alert was resolved.' } } as const

function report(type: string, severity: Severity = 'high', component = 'cooling'): ReportedAlert {
  return { type, component, severity, description: `${type} is ${severity}`, message: type, urgency: 'soon', code: undefined, evidence: {} }
}

/** Left out for as many scores as end an alert. */
function goneFor(life: IncidentLife): void {
  for (let scores = 0; scores < GONE_AFTER_SCORES; scores++) {
    life.nowMs += MINUTE_MS
    life.score([])
  }
}

const only = (life: IncidentLife): Incident => {
  assert.equal(life.incidents.length, 1)
  return life.incidents[0] ?? assert.fail('there is none')
}
const events = (life: IncidentLife) => life.published.map(({ event }) => event.replace('incident.', ''))

test('a lamp, its code and the reading behind it are one incident, as grave as the worst of them', () => {
  const life = new IncidentLife()
  const causes = { lamp: 'cooling', code: 'cooling', hot: 'cooling' }
  life.score([report('hot', 'medium')], causes)
  life.score([report('hot', 'medium'), report('lamp', 'low', 'engine'), report('code', 'critical', 'engine')], causes)
  const incident = only(life)
  assert.deepEqual([incident.severity, incident.title, incident.component], ['critical', 'code is critical', 'engine'])
  assert.ok(life.standing().every(({ incidentId }) => incidentId === incident.incidentId))
})

test('a lamp that a code comes to explain goes over to the incident of the code, and its own ends with that reason', () => {
  const life = new IncidentLife()
  life.score([report('lamp', 'low', 'engine')], { lamp: 'lamps' })
  life.score([report('lamp', 'low', 'engine'), report('code', 'high', 'fuel')], { lamp: 'fuel/loss', code: 'fuel/loss' })
  const [lamps, fuel] = life.incidents
  assert.deepEqual(
    [lamps?.status, lamps?.resolvedBy, lamps?.resolution],
    ['resolved', 'engine', { reason: 'other', note: 'It became part of inc-1: code is high' }],
  )
  assert.deepEqual([fuel?.status, fuel?.severity], ['open', 'high'])
  assert.deepEqual(
    life.standing().map(({ incidentId }) => incidentId),
    ['inc-1', 'inc-1'],
  )
})

test('when the worst finding is gone the incident is as grave as those that are left', () => {
  const life = new IncidentLife()
  life.score([report('hot', 'critical'), report('low')])
  for (let scores = 0; scores < GONE_AFTER_SCORES; scores++) {
    life.nowMs += MINUTE_MS
    life.score([report('low')])
  }
  assert.deepEqual([only(life).severity, only(life).status, only(life).updatedAt], ['high', 'open', life.at])
  assert.equal(only(life).title, 'hot is critical')
})

test('an incident of which one finding is gone has changed, and one of which all are still there has not', () => {
  const life = new IncidentLife()
  life.score([report('hot'), report('low')])
  const openedAt = life.at
  life.nowMs += MINUTE_MS
  life.score([report('hot'), report('low')])
  assert.deepEqual(only(life).updatedAt, openedAt)
  for (let scores = 0; scores < GONE_AFTER_SCORES; scores++) {
    life.nowMs += MINUTE_MS
    life.score([report('hot')])
  }
  assert.deepEqual(only(life).updatedAt, life.at)
})

test('a snooze ends at its time and when the incident gets graver; an acknowledgement outlasts both', () => {
  const life = new IncidentLife()
  life.score([report('hot', 'medium')])
  const until = new Date(life.nowMs + DAY_MS)
  life.move(only(life), { to: 'snoozed', until })
  life.score([report('hot', 'medium')])
  assert.equal(only(life).status, 'snoozed')
  assert.equal(statusAt(only(life), new Date(until.getTime() - 1)), 'snoozed')
  assert.equal(statusAt(only(life), until), 'open')
  life.score([report('hot', 'high')])
  assert.deepEqual([only(life).status, only(life).snoozedUntil], ['open', undefined])
  life.move(only(life), { to: 'acknowledged' })
  life.score([report('hot', 'critical')])
  assert.deepEqual([only(life).status, only(life).acknowledgedBy], ['acknowledged', 'usr-1'])
})

test('what ended by itself and comes back within an hour is the same incident, as it was; later it is another', () => {
  const life = new IncidentLife()
  life.score([report('hot')])
  life.move(only(life), { to: 'acknowledged' })
  goneFor(life)
  assert.deepEqual([only(life).status, only(life).resolvedBy], ['resolved', 'engine'])
  life.nowMs += RETURNS_WITHIN_MS - 1
  life.score([report('hot')])
  assert.deepEqual([only(life).status, only(life).occurrences, only(life).resolvedAt], ['acknowledged', 2, undefined])
  goneFor(life)
  life.nowMs += RETURNS_WITHIN_MS
  life.score([report('hot')])
  assert.deepEqual(
    life.incidents.map(({ status, occurrences }) => [status, occurrences]),
    [
      ['resolved', 2],
      ['open', 1],
    ],
  )
})

test('one that comes and goes is published once an hour at most, and shows how often', () => {
  const life = new IncidentLife()
  for (let times = 0; times < 12; times++) {
    life.score([report('hot')])
    goneFor(life)
  }
  assert.equal(only(life).occurrences, 12)
  assert.deepEqual(events(life), ['opened', 'resolved', 'updated', 'resolved'])
  assert.deepEqual(flappingOf(only(life)), { count: 11, since: new Date(life.published[1]?.atMs ?? 0) })
  assert.equal(shownTitle(only(life)), 'hot is high (comes and goes: back 11 times since 2026-05-04T10:03Z)')
  life.nowMs += 30 * MINUTE_MS
  life.score([report('hot')])
  assert.equal(events(life).length, 5, 'an hour has passed')
  goneFor(life)
  life.score([report('hot', 'critical')])
  assert.deepEqual(events(life).slice(4), ['updated', 'resolved', 'updated'], 'graver than was published')
})

test('one that came back unpublished and stays is published as soon as an hour has passed', () => {
  const life = new IncidentLife()
  for (let times = 0; times < 3; times++) {
    life.score([report('hot')])
    goneFor(life)
  }
  life.score([report('hot')])
  assert.deepEqual(events(life), ['opened', 'resolved', 'updated', 'resolved'])
  life.nowMs += CHANGE_EVERY_MS
  life.score([report('hot')])
  assert.deepEqual(events(life).slice(4), ['updated'])
  life.score([report('hot')])
  assert.deepEqual(events(life).slice(5), [])
})

test('twice back is not yet marked as coming and going', () => {
  const life = new IncidentLife()
  for (let times = 0; times < 3; times++) {
    life.score([report('hot')])
    goneFor(life)
  }
  assert.equal(flappingOf(only(life)), undefined)
  assert.equal(shownTitle(only(life)), 'hot is high')
})

test('what a person resolved does not come back: what gets worse opens another', () => {
  const life = new IncidentLife()
  life.score([report('hot')])
  life.move(only(life), { to: 'resolved', resolution: { reason: 'false_alarm' } })
  life.score([report('hot')])
  assert.equal(only(life).status, 'resolved')
  life.score([report('hot', 'critical')])
  assert.deepEqual(
    life.incidents.map(({ status, severity }) => [status, severity]),
    [
      ['resolved', 'high'],
      ['open', 'critical'],
    ],
  )
})

test('the last alert that a person resolves takes the incident with it', () => {
  const life = new IncidentLife()
  life.score([report('hot'), report('low')])
  for (const [nth, alert] of life.standing().entries()) {
    assert.equal(only(life).status, 'open')
    life.resolveAlert(alert, byUser)
    assert.equal(only(life).status, nth === 0 ? 'open' : 'resolved')
  }
  assert.deepEqual([only(life).resolvedBy, only(life).resolution], [byUser.resolvedBy, byUser.resolution])
})

test('refusals of moves that are not possible name those that are; a repeat does nothing', () => {
  const life = new IncidentLife()
  life.score([report('hot')])
  const resolution = { reason: 'work_done', note: 'New thermostat' } as const
  const refused = (move: Parameters<IncidentLife['move']>[1]) => {
    try {
      life.move(only(life), move)
    } catch (error) {
      assert.ok(error instanceof Problem)
      return [error.code, error.details]
    }
    return assert.fail('was not refused')
  }
  const acknowledged = life.move(only(life), { to: 'acknowledged' })
  assert.equal(life.move(acknowledged, { to: 'acknowledged' }), acknowledged)
  const until = new Date(life.nowMs + MAX_SNOOZE_DAYS * DAY_MS)
  const snoozed = life.move(acknowledged, { to: 'snoozed', until })
  for (const moved of [acknowledged, snoozed]) {
    const { status, acknowledgedBy, snoozedUntil } = moveIncident(moved, { to: 'open' }, { id: 'usr-1', at: new Date(life.nowMs) })
    assert.deepEqual([status, acknowledgedBy, snoozedUntil], ['open', undefined, undefined])
  }
  assert.equal(life.move(snoozed, { to: 'snoozed', until: new Date(until) }), snoozed)
  assert.notEqual(life.move(snoozed, { to: 'snoozed', until: new Date(until.getTime() - 1) }), snoozed)
  for (const bad of [life.nowMs, until.getTime() + 1]) assert.equal(refused({ to: 'snoozed', until: new Date(bad) })[0], 'invalid_request')
  const resolved = life.move(only(life), { to: 'resolved', resolution })
  assert.equal(life.move(resolved, { to: 'resolved', resolution: { reason: 'other' } }), resolved)
  const wrong = ['invalid_transition', { status: 'resolved', field: 'status', possible: [] }]
  assert.deepEqual(refused({ to: 'acknowledged' }), wrong)
  assert.deepEqual(refused({ to: 'snoozed', until }), wrong)
})

type Step =
  | {
      readonly kind: 'score'
      readonly afterMin: number
      readonly reports: readonly (readonly [type: string, severity: Severity, cause: string | undefined])[]
    }
  | { readonly kind: 'move'; readonly nth: number; readonly to: 'acknowledged' | 'snoozed' | 'resolved' }
  | { readonly kind: 'alert'; readonly nth: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('score' as const),
        afterMin: fc.constantFrom(0, 1, 2, 30, 61),
        reports: fc.uniqueArray(
          fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...severities), fc.constantFrom('x', 'y', undefined)),
          { selector: ([type]) => type },
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        nth: fc.nat(9),
        to: fc.constantFrom('acknowledged', 'snoozed', 'resolved'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('alert' as const), nth: fc.nat(9) }) },
  ),
  { minLength: 1, maxLength: 40 },
)

const componentOf: Readonly<Record<string, string>> = { a: 'cooling', b: 'cooling', c: 'fuel', d: 'engine' }

function take(life: IncidentLife, step: Step): void {
  if (step.kind === 'score') {
    life.nowMs += step.afterMin * MINUTE_MS
    const causes = Object.fromEntries(step.reports.flatMap(([type, , cause]) => (cause === undefined ? [] : [[type, cause]])))
    life.score(
      step.reports.map(([type, severity]) => report(type, severity, componentOf[type])),
      causes,
    )
  } else if (step.kind === 'move') {
    const live = life.live()
    const incident = live[step.nth % live.length]
    if (incident === undefined || (step.to === 'acknowledged' && incident.status === 'acknowledged')) return
    const until = new Date(life.nowMs + 20 * MINUTE_MS)
    if (step.to === 'snoozed') life.move(incident, { to: 'snoozed', until })
    else if (step.to === 'resolved') life.move(incident, { to: 'resolved', resolution: { reason: 'other' } })
    else life.move(incident, { to: 'acknowledged' })
  } else {
    const standing = life.standing()
    const alert = standing[step.nth % standing.length]
    if (alert !== undefined) life.resolveAlert(alert, byUser)
  }
}

function check(life: IncidentLife): void {
  const live = new Map(life.live().map((incident) => [incident.incidentId, incident]))
  for (const { incidentId = '' } of life.standing()) assert.ok(live.has(incidentId), 'a standing alert is in an incident that lives')
  for (const incident of live.values()) {
    const own = life.standing().filter(({ incidentId }) => incidentId === incident.incidentId)
    assert.equal(
      severityRank[incident.severity],
      Math.max(...own.map(({ severity }) => severityRank[severity])),
      'as grave as its worst alert',
    )
  }
  assert.equal(new Set([...live.values()].map(({ cause }) => cause)).size, live.size, 'one that lives for a cause')
  for (const { incidentId } of life.incidents) {
    const published = life.published.filter((each) => each.incidentId === incidentId)
    assert.deepEqual(
      published.map(({ event }) => event).filter((event, nth) => (event === 'incident.opened') !== (nth === 0)),
      [],
      'opened first, and once',
    )
    const damped = published.filter(({ event, isGraver, byPerson }) => event === 'incident.updated' && !isGraver && !byPerson)
    for (const [nth, { atMs }] of damped.entries()) {
      assert.ok(nth === 0 || atMs - (damped[nth - 1]?.atMs ?? 0) >= CHANGE_EVERY_MS, 'published once an hour')
    }
  }
  for (const { status, published } of life.incidents) assert.ok(status !== 'resolved' || !published.isLive, 'what is published as live is')
}

test('whatever is scored and whoever moves: alerts that stand are each in one incident that lives, and the other way round', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const life = new IncidentLife()
      for (const step of taken) {
        take(life, step)
        check(life)
      }
    }),
    { numRuns: 500 },
  )
})
