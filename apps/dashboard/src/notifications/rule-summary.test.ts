import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NotificationRule } from '@roadworthy/contracts/platform-v1/notifications'
import { draftOf, isWholeDraft, NEW_RULE, quarterHours, requestOf } from './rule-draft.ts'
import { durationText, ruleSummary, ruleTimes } from './rule-summary.ts'

const rule: NotificationRule = {
  ...{
    id: 'nrl-a',
    name: 'Nights',
    subClientId: null,
    enabled: true,
    minSeverity: 'critical',
    components: null,
    vehicleIds: null,
    vehicleGroupIds: null,
  },
  ...{
    recipients: ['usr-a'],
    workingHours: null,
    quietHours: null,
    criticalAtAnyHour: false,
    repeatMinutes: null,
    escalation: null,
    digest: null,
  },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
}
const names = new Map([
  ['usr-a', 'anna@acme.example'],
  ['usr-b', 'ben@acme.example'],
  ['nch-c', 'Workshop chat'],
  ['north', 'North Ltd'],
  ['vgr-a', 'Depot'],
])

test('a rule reads as one would say it', () => {
  assert.equal(ruleSummary(rule, names), 'Critical incidents, of all vehicles, to anna@acme.example.')
  assert.equal(ruleTimes(rule, names), 'At once, once.')
  const digest = { at: '07:30', timeZone: 'Europe/Berlin' }
  assert.equal(ruleTimes({ ...rule, digest }, names), 'A digest of the day, at 07:30 (Europe/Berlin).')
  const full: NotificationRule = {
    ...rule,
    ...{ minSeverity: 'high', subClientId: 'north', vehicleIds: ['veh-a'], components: ['cooling', 'oil_filter'] },
    ...{ recipients: ['usr-a', 'nch-c', 'usr-gone'], repeatMinutes: 30, criticalAtAnyHour: true },
    workingHours: { days: [5, 1], from: '08:00', to: '17:00' },
    quietHours: { from: '22:00', to: '06:00' },
    escalation: { afterMinutes: 120, recipients: ['usr-b'] },
  }
  assert.equal(
    ruleSummary(full, names),
    'High incidents and worse, of North Ltd, of 1 vehicle, about cooling and oil filter, to anna@acme.example, Workshop chat, and usr-gone.',
  )
  assert.match(ruleSummary({ ...full, vehicleGroupIds: ['vgr-a', 'vgr-b'] }, names), /, of 1 vehicle, of the groups Depot and vgr-b, about/)
  assert.match(ruleSummary({ ...rule, vehicleGroupIds: ['vgr-a'] }, names), /^Critical incidents, of the group Depot, to/)
  assert.equal(
    ruleTimes(full, names),
    'On Mon and Fri from 08:00 to 17:00, not from 22:00 to 06:00, in the time zone of the account, critical ones at any hour, again every 30 min while it is open, after 2 h without acknowledgement to ben@acme.example.',
  )
  assert.deepEqual([45, 60, 90, 1_440, 2_880].map(durationText), ['45 min', '1 h', '90 min', '1 day', '2 days'])
  const { recipients: _, escalation: _escalation, ...own } = rule
  assert.equal(ruleSummary(own, names), 'Critical incidents, of all vehicles.')
  assert.equal(ruleTimes({ ...own, afterMinutes: 30 }, names), 'After 30 min without acknowledgement, once.')
})

test('what the form holds becomes what the API takes, and back', () => {
  const hours = { workingHours: { days: [1, 3], from: '08:15', to: '24:00' }, quietHours: { from: '22:00', to: '06:00' } }
  const full = {
    ...rule,
    ...hours,
    repeatMinutes: 30,
    vehicleIds: ['veh-a'],
    vehicleGroupIds: ['vgr-a'],
    escalation: { afterMinutes: 5, recipients: ['usr-b'] },
  }
  const daily = { ...rule, digest: { at: '07:30', timeZone: 'Europe/Berlin' } }
  for (const given of [rule, full, daily]) {
    const { id: _id, createdAt: _c, updatedAt: _u, enabled: _e, subClientId: _s, ...fields } = given
    assert.deepEqual(requestOf(draftOf(given)), fields)
  }
  // What is switched off is taken out, though the form still remembers it.
  const off = { ...draftOf(full), isRepeated: false, isEscalated: false, hasWorkingHours: false, hasQuietHours: false }
  const { repeatMinutes, escalation, workingHours, quietHours } = requestOf(off)
  assert.deepEqual([repeatMinutes, escalation, workingHours, quietHours], [null, null, null, null])
  const digested = requestOf({ ...draftOf(full), isDigest: true })
  assert.deepEqual([digested.repeatMinutes, digested.escalation, digested.workingHours, digested.quietHours], [null, null, null, null])
})

test('a rule is whole when it has a name, somebody to notify, and somebody to notify then', () => {
  const whole = { ...NEW_RULE, name: 'Nights', recipients: ['usr-a'] }
  assert.equal(isWholeDraft(whole), true)
  const holes = [{ name: ' ' }, { recipients: [] }, { isEscalated: true }, { hasWorkingHours: true, workingDays: [] }]
  const empty = Number.NaN
  const emptied = [
    { isRepeated: true, repeatMinutes: empty },
    { isEscalated: true, escalationRecipients: ['usr-b'], escalationMinutes: empty },
  ]
  for (const hole of [...holes, ...emptied]) assert.equal(isWholeDraft({ ...whole, ...hole }), false)
  // A digest has none of these.
  assert.equal(isWholeDraft({ ...whole, isEscalated: true, isRepeated: true, repeatMinutes: empty, isDigest: true }), true)
  assert.deepEqual([quarterHours(false).length, quarterHours(true).at(-1), quarterHours(false)[33]], [96, '24:00', '08:15'])
})
