// Goal: a person reads what is the matter with which vehicle and what to do, and nothing that a fleet calls its things becomes markup or a header.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShownIncident } from '../incidents/incidents.read.sql.ts'
import { NO_CHOICE, wordingOf } from '../words/wording.ts'
import { mailOf } from './mail.ts'
import { type Facts, messageOf, type Sender, testMessage } from './message.ts'

const openedAt = new Date('2026-03-29T00:30:00Z')
const incident: ShownIncident = {
  ...{ resellerId: 'acme', incidentId: 'inc-a', vehicleId: 'veh-a', deviceId: undefined, source: 'engine', cause: 'cooling' },
  ...{ component: 'cooling', severity: 'critical', status: 'open', statusNow: 'open', title: 'Coolant overheating', occurrences: 1 },
  ...{ recommendation: 'Stop and let it cool', returnedAt: undefined, openedAt, updatedAt: openedAt, acknowledgedAt: undefined },
  ...{ acknowledgedBy: undefined, assignee: undefined, snoozedUntil: undefined, resolvedAt: undefined, resolvedBy: undefined },
  ...{ resolution: undefined, resumesAs: 'open', published: { isLive: true, severity: 'critical', changedAt: undefined } },
  ...{ alerts: [{ alertId: 'alr-a', type: 'coolant_high', component: 'cooling', severity: 'critical', message: 'Coolant is at 116 °C' }] },
  advice: undefined,
} as unknown as ShownIncident
const facts: Facts = {
  ...{
    incident,
    subject: 'DL 01 AB 1234',
    advice: undefined,
    place: undefined,
    step: 'first',
    ruleName: 'Night shift',
    timeZone: 'Europe/Berlin',
  },
  acknowledgeToken: 'token',
}
const english = await wordingOf(NO_CHOICE)
const writeMessage = (of: Facts, by: Sender, wording = english) => mailOf(messageOf(of, by, wording), by)
const sender = { name: 'North Fleet', baseUrl: 'https://fleet.example', colour: '#aa0000' }

test('it says what, of which vehicle, since when by the clock of the reseller, what to do, and where', () => {
  const standing = { ...incident, alerts: incident.alerts.map((alert) => ({ ...alert, isStanding: true })) }
  const advice = { act: 'stop', by: '2026-03-29', what: 'Check the coolant', why: 'It is hot', risk: 'A seized engine' } as const
  const { subject, text, html } = writeMessage({ ...facts, incident: standing, advice }, sender)
  assert.equal(subject, 'Critical: DL 01 AB 1234: Coolant overheating')
  for (const said of [
    'Vehicle: DL 01 AB 1234',
    'Since: 29 Mar 2026, 01:30 (Europe/Berlin)',
    'What to do: Check the coolant',
    'By: 2026-03-29',
    'Component: Cooling',
  ]) {
    assert.ok(text.includes(said), text)
  }
  assert.ok(
    text.includes('- Coolant is at 116 °C') &&
      text.includes('https://fleet.example/alerts/inc-a') &&
      text.includes('https://fleet.example/acknowledge/token'),
    text,
  )
  for (const said of [
    'DL 01 AB 1234',
    '#aa0000',
    'North Fleet',
    'A seized engine',
    'href="https://fleet.example/alerts/inc-a"',
    '/acknowledge/token"',
  ]) {
    assert.ok(html.includes(said), html)
  }
  assert.match(writeMessage({ ...facts, step: 'repeat.2' }, sender).subject, /Still open: /)
  assert.match(writeMessage({ ...facts, step: 'escalation' }, sender).subject, /Nobody acknowledged: /)
})

test('who reads German and drives in miles reads it so, of the same facts', async () => {
  const said = 'Coolant temperature 116.5 °C is above 114 °C for 40 s'
  const standing = {
    ...incident,
    title: 'Engine overheating',
    alerts: incident.alerts.map((alert) => ({ ...alert, message: said, isStanding: true })),
  }
  const advice = {
    ...{ act: 'stop' as const, by: '2026-03-29', what: 'See to the cooling system first', why: said },
    risk: 'Heat ruins the head gasket, and then the engine',
  }
  const wording = await wordingOf({ language: 'de', units: 'imperial' })
  const { subject, text, html } = writeMessage({ ...facts, incident: standing, advice, step: 'escalation' }, sender, wording)
  assert.equal(subject, 'Kritisch: DL 01 AB 1234: Niemand hat bestätigt: Motor überhitzt')
  assert.equal(
    text,
    [
      'Niemand hat bestätigt: Motor überhitzt',
      [
        ...['Fahrzeug: DL 01 AB 1234', 'Schwere: Kritisch', 'Bauteil: Kühlung', 'Seit: 29. März 2026, 01:30 (Europe/Berlin)'],
        ...['Was zu tun ist: Zuerst darum kümmern: Kühlsystem', 'Bis: 29. März 2026'],
        'Warum: Kühlmitteltemperatur 241,7 °F liegt seit 40 s über 237,2 °F',
        'Wenn man wartet: Hitze zerstört die Zylinderkopfdichtung und dann den Motor',
      ].join('\n'),
      '- Kühlmitteltemperatur 241,7 °F liegt seit 40 s über 237,2 °F',
      'Zum Bestätigen (der Link gilt einmal, ohne Anmeldung):\n\nhttps://fleet.example/acknowledge/token',
      'Im Dashboard ansehen:\n\nhttps://fleet.example/alerts/inc-a',
      'Sie erhalten diese Nachricht durch die Regel „Night shift“ von North Fleet.\n',
    ].join('\n\n'),
  )
  for (const shown of ['<html lang="de">', '>Bestätigen</a>', '>Schwere</th>', '>Im Dashboard ansehen</a>'])
    assert.ok(html.includes(shown), html)
})

test('what calls for help says where it is and when it was there, with a link to a map, in every language', async () => {
  const place = { latitude: -33.868_820_4, longitude: 151.2, recordedAt: new Date('2026-03-29T00:31:00Z') }
  const sos = {
    ...facts,
    place,
    incident: { ...incident, component: 'vehicle', title: 'SOS', recommendation: 'Call the driver, and send help.' },
  }
  const url = 'https://www.openstreetmap.org/?mlat=-33.86882&mlon=151.20000#map=16/-33.86882/151.20000'
  const inWords = {
    en: ['Position: -33.86882, 151.20000 (29 Mar 2026, 01:31)', `Show the position on a map:\n\n${url}`],
    de: ['Standort: -33.86882, 151.20000 (29. März 2026, 01:31)', `Standort auf einer Karte zeigen:\n\n${url}`],
    es: ['Posición: -33.86882, 151.20000 (29 mar 2026, 01:31)', `Ver la posición en un mapa:\n\n${url}`],
  } as const
  for (const language of ['en', 'de', 'es'] as const) {
    const { text, html } = writeMessage(sos, sender, await wordingOf({ language, units: undefined }))
    for (const said of inWords[language]) assert.ok(text.includes(said), text)
    assert.ok(html.includes(`href="${url.replaceAll('&', '&amp;')}"`), html)
  }
  assert.doesNotMatch(writeMessage(facts, sender).text, /Position|openstreetmap/)
})

test('parts are named in words, and what is about the whole vehicle names none', () => {
  const textOf = (component: string) => writeMessage({ ...facts, incident: { ...incident, component } }, sender).text
  assert.ok(textOf('high_voltage').includes('Component: High voltage'))
  assert.ok(!textOf('vehicle').includes('Component'))
})

test('what is called after markup or over several lines stays text', () => {
  const nasty = '<img src=x onerror=alert(1)>\r\nBcc: victim@evil.example'
  const hostile = { ...facts, subject: nasty, ruleName: nasty, incident: { ...incident, title: nasty, recommendation: nasty } }
  const { subject, html } = writeMessage(hostile, { ...sender, name: nasty })
  assert.doesNotMatch(html, /<img/)
  assert.doesNotMatch(subject, /[\r\n]/)
  assert.ok(subject.length <= 150)
})

test('a long name leaves what is the matter in the subject, and breaks within its column', () => {
  const named = { ...facts, subject: 'L'.repeat(200), incident: { ...incident, title: 'Engine overheating' } }
  const { subject, html } = writeMessage(named, sender)
  assert.match(subject, /^Critical: L+…: Engine overheating$/)
  assert.equal(subject.length, 150)
  assert.match(html, /<td style="[^"]*word-break:break-word[^"]*">L{200}<\/td>/)
  assert.match(
    writeMessage({ ...facts, incident: { ...incident, title: 'T'.repeat(300) } }, sender).subject,
    /^Critical: DL 01 AB 1234: T+…$/,
  )
})

test('a name cannot turn the direction of what follows, nor ring a bell', () => {
  const { subject, text } = writeMessage({ ...facts, subject: 'Truck\u0007\u202e 17\u2066' }, sender)
  assert.equal(subject, 'Critical: Truck 17: Coolant overheating')
  assert.ok(text.includes('Vehicle: Truck 17\n'), text)
})

test('who may not acknowledge gets no link, and a test is about no vehicle', () => {
  const { text, html } = writeMessage({ ...facts, acknowledgeToken: undefined }, sender)
  assert.ok(!text.includes('/acknowledge/') && !html.includes('/acknowledge/'))
  const test = mailOf(testMessage({ what: 'rule', name: 'Night <b>' }, sender, english), sender)
  assert.equal(test.subject, 'Test: Night <b>')
  assert.ok(test.text.includes('Nothing happened to any vehicle.') && !test.html.includes('<b>'))
})
