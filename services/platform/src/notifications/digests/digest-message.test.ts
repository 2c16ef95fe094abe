// Goal: a digest is short, leads to each thing it names, and fits every channel whatever a fleet calls its things.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CHOICE, wordingOf } from '../../words/wording.ts'
import type { ChannelTarget } from '../channels/channel.ts'
import { requestOf } from '../channels/channel-forms.ts'
import { mailOf } from '../mail.ts'
import type { Notification } from '../notification.ts'
import type { DigestContent, DigestIncident } from './digest.read.sql.ts'
import { digestMessageOf, isEmptyDigest } from './digest-message.ts'

const NOTHING = { count: 0, items: [] }
const incident: DigestIncident = {
  incidentId: 'inc-a',
  subject: 'truck 7',
  title: 'Coolant overheating',
  severity: 'high',
  isResolved: false,
}
const until = new Date('2026-11-23T02:00:00Z')
const window = { from: new Date('2026-11-22T02:00:00Z'), until }
const sender = { name: 'North Fleet', baseUrl: 'https://fleet.example' }
const empty: DigestContent = { opened: NOTHING, stillOpen: NOTHING, resolved: NOTHING, work: NOTHING }
const english = await wordingOf(NO_CHOICE)
const written = (content: Partial<DigestContent>, wording = english) =>
  digestMessageOf({ content: { ...empty, ...content }, window, timeZone: 'Asia/Kolkata', ruleName: 'Morning' }, sender, wording)

test('it counts, lists, and says how many more there are', () => {
  const work = {
    ...{ subject: 'truck 8', vehicleId: 'veh-b', component: 'oil_filter', title: undefined },
    ...{ dueAt: new Date('2026-11-20T22:00:00Z'), isOverdue: true },
  }
  const message = written({
    opened: { count: 25, items: [incident, { ...incident, isResolved: true }] },
    work: { count: 1, items: [work] },
  })
  assert.equal(message.subject, 'Digest of 2026-11-23: 25 opened, 1 maintenance due')
  assert.deepEqual(message.sections, [
    {
      title: 'Opened (25)',
      lines: [
        { text: 'High: truck 7: Coolant overheating', url: 'https://fleet.example/alerts/inc-a' },
        { text: 'High: truck 7: Coolant overheating, already resolved', url: 'https://fleet.example/alerts/inc-a' },
        { text: 'and 23 more', url: undefined },
      ],
    },
    {
      title: 'Maintenance due (1)',
      // The day is that of the zone.
      lines: [{ text: 'truck 8: oil filter, overdue since 2026-11-21', url: 'https://fleet.example/vehicles/veh-b' }],
    },
  ])
  assert.deepEqual([isEmptyDigest(empty), isEmptyDigest({ ...empty, stillOpen: { count: 1, items: [incident] } })], [true, false])
})

test('who reads another language reads all of it in that language, days by the calendar of theirs', async () => {
  const work = {
    ...{ subject: 'truck 8', vehicleId: 'veh-b', component: 'cooling', title: undefined },
    ...{ dueAt: new Date('2026-11-20T22:00:00Z'), isOverdue: true },
  }
  const listed = { ...incident, title: 'Fuel is low (comes and goes: back 3 times since 2026-11-20T22:00Z)' }
  const content = {
    opened: { count: 2, items: [listed] },
    resolved: { count: 1, items: [incident] },
    work: { count: 2, items: [work, { ...work, dueAt: undefined, isOverdue: false }] },
  }
  const { subject, rows, sections, why, link } = written(content, await wordingOf({ language: 'de', units: undefined }))
  assert.equal(subject, 'Tagesübersicht vom 23. Nov. 2026: 2 neu, 1 behoben, 2 fällig')
  assert.deepEqual(rows, [['Seit', '22. Nov. 2026, 07:30 (Asia/Kolkata)']])
  assert.deepEqual(
    sections.map(({ title, lines }) => [title, ...lines.map(({ text }) => text)]),
    [
      ['Neu (2)', 'Hoch: truck 7: Kraftstoff ist knapp (kommt und geht: 3-mal wiedergekommen seit 21. Nov. 2026, 03:30)', 'und noch 1'],
      // Nobody's phrase: it stays as it came.
      ['Behoben (1)', 'Hoch: truck 7: Coolant overheating'],
      ['Fällige Arbeit (2)', 'truck 8: Kühlung, überfällig seit 21. Nov. 2026', 'truck 8: Kühlung, fällig'],
    ],
  )
  assert.equal(why, 'Sie erhalten diese Übersicht durch die Regel „Morning“ von North Fleet.')
  assert.equal(link?.label, 'Dashboard öffnen')
  const spanish = written(content, await wordingOf({ language: 'es', units: undefined }))
  assert.equal(spanish.subject, 'Resumen del 23 nov 2026: nuevas: 2, resueltas: 1, trabajo pendiente: 2')
})

test('names that are long, or markup, stay text, and every channel takes the digest', () => {
  const nasty = { ...incident, subject: `<b>&"|${'x'.repeat(5_000)}`, title: '<script>alert(1)</script>\n*bold* [x](http://evil.example)' }
  const many = { count: 100, items: Array.from({ length: 20 }, () => nasty) }
  const message = written({ opened: many, stillOpen: many, resolved: many })
  assert.doesNotMatch(mailOf(message, sender).html, /<script|<b>/)
  const notification = { notificationId: 'ntf-a', incidentId: undefined, ruleId: 'nrl-a', step: 'digest.2026-11-23' } as Notification
  const bodyFor = (target: ChannelTarget) =>
    JSON.parse(String(requestOf(target, notification, message, until).body)) as Record<string, unknown>
  const url = 'https://hooks.example/x'
  const { blocks } = bodyFor({ kind: 'slack', url }) as { blocks: { type: string; text?: { text: string } }[] }
  assert.ok(blocks.every(({ text }) => (text?.text.length ?? 0) <= 3_000))
  assert.ok(
    blocks.some(({ text }) => text?.text.includes('*Opened (100)*\n• <https://fleet.example/alerts/inc-a|High: &lt;b&gt;&amp;"/xxx')),
  )
  const { text } = bodyFor({ kind: 'telegram', serverUrl: url, botToken: '1:a', chatId: '1' }) as { text: string }
  assert.ok(text.length <= 4_096 && !text.includes('<script') && text.includes('<b>Opened (100)</b>'))
  const { message: said, tags } = bodyFor({ kind: 'ntfy', serverUrl: url, topic: 't', token: undefined }) as {
    message: string
    tags: string[]
  }
  // A calendar, and no sign that all is well.
  assert.deepEqual(tags, ['date'])
  assert.ok(Buffer.byteLength(said) <= 4_096 && said.includes('Opened (100)'))
  assert.ok(JSON.stringify(bodyFor({ kind: 'teams', url })).includes('Opened (100)'))
  const { data } = bodyFor({ kind: 'webhook', url, secret: 'whsec_c2VjcmV0' }) as {
    data: { sections: { title: string; lines: unknown[] }[] }
  }
  assert.deepEqual([data.sections.length, data.sections[0]?.title, data.sections[0]?.lines.length], [3, 'Opened (100)', 21])
})

test('where a channel has no room for all of it, each list is there, cut, and shows that it is', async () => {
  const items = (name: string) => Array.from({ length: 20 }, (_, nth) => ({ ...incident, subject: `${name} ${nth} ${'न'.repeat(80)}` }))
  const listed = (name: string) => ({ count: 164, items: items(name) })
  const work = items('due').map(({ subject }) => ({
    ...{ subject, vehicleId: 'veh-b', component: 'cooling', title: undefined, dueAt: until, isOverdue: true },
  }))
  const message = written({
    ...{ opened: listed('new'), stillOpen: listed('old'), resolved: { count: 1, items: items('done').slice(0, 1) } },
    work: { count: 164, items: work },
  })
  const notification = { notificationId: 'ntf-a', ruleId: 'nrl-a', step: 'digest.2026-11-23' } as Notification
  const bodyFor = (target: ChannelTarget) => JSON.parse(String(requestOf(target, notification, message, until).body))
  const url = 'https://hooks.example/x'
  const slack = bodyFor({ kind: 'slack', url }).blocks.map((block: { text?: { text: string } }) => block.text?.text ?? '')
  const telegram = bodyFor({ kind: 'telegram', serverUrl: url, botToken: '1:a', chatId: '1' }).text
  const ntfy = bodyFor({ kind: 'ntfy', serverUrl: url, topic: 't', token: undefined }).message
  const teams = JSON.stringify(bodyFor({ kind: 'teams', url }))
  assert.ok(Buffer.byteLength(teams) < 28 * 1_024, String(Buffer.byteLength(teams)))
  const said = ['Opened (164)', 'new 0 ', 'Still open (164)', 'old 0 ', 'Resolved (1)', 'done 0 ', 'Maintenance due (164)', 'due 0 ']
  for (const text of [slack.join('\n'), telegram, ntfy, teams])
    assert.deepEqual(
      said.filter((each) => !text.includes(each)),
      [],
      text,
    )
  for (const text of [slack.join('\n'), telegram, ntfy]) assert.match(text, /^…$/m)
  for (const text of [telegram, ntfy]) assert.match(text, /by the rule (&quot;|")Morning/)
})
