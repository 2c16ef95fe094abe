// Goal: who reads German or Spanish reads why something failed in their words, to the last of the service's own; what another system answered stays as
// it came. Method: one text of each kind, as the service puts it together of pieces.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatsOf } from '@roadworthy/wording/formats'
import { createRefusals } from './refusals.ts'

function recogniserOf(language: 'de' | 'es') {
  const folder = join(import.meta.dirname, '../text/languages', language, 'refused')
  const texts = Object.assign({}, ...readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  return createRefusals(texts, { language, units: 'metric', formats: formatsOf(language, 'UTC') })
}

const german = recogniserOf('de')
const spanish = recogniserOf('es')

const inGerman: Readonly<Record<string, string>> = {
  // A test of a stream, and its state.
  'kafka-1.example.com, kafka-2.example.com: there is an address. kafka-3 has no address (ENOTFOUND). Check the spelling of the name.':
    'kafka-1.example.com, kafka-2.example.com: Es gibt eine Adresse. kafka-3 hat keine Adresse (ENOTFOUND). Bitte die Schreibweise des Namens prüfen.',
  'a:9093 refuses connections (ECONNREFUSED). Check the port, and that a broker listens on it. b:9093 cannot be connected to (EHOSTUNREACH).':
    'a:9093 lehnt Verbindungen ab (ECONNREFUSED). Bitte den Port prüfen und ob ein Broker darauf lauscht. Mit b:9093 kann keine Verbindung aufgebaut werden (EHOSTUNREACH).',
  'Not tried, because tcp failed.': 'Nicht versucht, weil „Verbindung“ nicht bestanden ist.',
  'Nobody is signed in. The cluster has 3 brokers.': 'Ohne Anmeldung. Der Cluster hat 3 Broker.',
  'fleet. one: signed in by SCRAM-SHA-512. The cluster has 1 broker.':
    'fleet. one: angemeldet mit SCRAM-SHA-512. Der Cluster hat 1 Broker.',
  'The broker speaks TLS on this port. Give "tls": {}, or the port for plain text.':
    'Der Broker spricht auf diesem Port TLS. Bitte „tls“: {} angeben oder den Port für unverschlüsselte Verbindungen.',
  'The broker has no topic "a.b", or hides it from this user. Create it, or give another as "topic".':
    'Der Broker hat kein Topic „a.b“ oder verbirgt es vor diesem Benutzer. Bitte anlegen oder ein anderes als „topic“ angeben.',
  'The newest message (partition 0, offset 17) would be set aside: Record 1 of 2: "rpm" must be a number.':
    'Die neueste Nachricht (Partition 0, Offset 17) würde abgelegt: Datensatz 1 von 2: „rpm“ muss eine Zahl sein.',
  'The newest message (partition 0, offset 17) would be taken: 2 records. device dev-1 at 2026-11-24T08:15:00.000Z, with rpm, speed.':
    'Die neueste Nachricht (Partition 0, Offset 17) würde angenommen: 2 Datensätze. Gerät dev-1, 24. Nov. 2026, 08:15, mit rpm, speed.',
  'The newest message (partition 1, offset 9) would be taken: vehicle "a b", which it would create, at 2026-11-24T08:15:00.000Z, with rpm.':
    'Die neueste Nachricht (Partition 1, Offset 9) würde angenommen: Fahrzeug "a b", das dadurch angelegt würde, 24. Nov. 2026, 08:15, mit rpm.',
  'What the broker sent took too much memory. It is tried again at 2026-11-24T08:15:00.000Z, or as soon as the connection is changed.':
    'Was der Broker gesendet hat, brauchte zu viel Speicher. Nächster Versuch am 24. Nov. 2026, 08:15 oder sobald die Verbindung geändert wird.',
  'The reader ended on what the broker sent: Bad magic. That was the 5th time in a row, so the connection is in quarantine. It is tried again at 2026-11-24T08:15:00.000Z, or as soon as the connection is changed.':
    'Der Leser endete an dem, was der Broker gesendet hat: Bad magic. Das war das 5. Mal in Folge, deshalb ist die Verbindung in Quarantäne. Nächster Versuch am 24. Nov. 2026, 08:15 oder sobald die Verbindung geändert wird.',
  'readings cannot be stored: connect ECONNREFUSED 127.0.0.1:5432. Nothing more is read until they can.':
    'Messwerte können nicht gespeichert werden: connect ECONNREFUSED 127.0.0.1:5432. Bis dahin wird nicht weitergelesen.',
  // Tests of operators and gateways, and what became of actions.
  'No token: The platform answered status 401, invalid_client, Client authentication failed. Ask your admin.':
    'Kein Token: Die Plattform antwortete mit Status 401, invalid_client, Client authentication failed. Ask your admin.',
  'The platform answered status 302; redirects are not followed.':
    'Die Plattform antwortete mit Status 302; Weiterleitungen wird nicht gefolgt.',
  'No answer: no complete answer within 30 s.': 'Keine Antwort: keine vollständige Antwort innerhalb von 30 s.',
  'No answer: the base URL must be an https URL.': 'Keine Antwort: die Basisadresse: nötig ist eine https-Adresse.',
  'Held back: 1000 calls wait for their turn already.': 'Zurückgehalten: 1.000 Aufrufe warten schon darauf, an die Reihe zu kommen.',
  'To resume out of safe custody, the rate plan has to be given.': 'Für „aus dem Parken fortsetzen“ muss der Rate Plan angegeben werden.',
  'The gateway says: Invalid API Key provided: sk_test_1': 'Der Zahlungsanbieter meldet: Invalid API Key provided: sk_test_1',
  'The gateway gave no answer: no connection within 5 s': 'Der Zahlungsanbieter gab keine Antwort: keine Verbindung innerhalb von 5 s',
  'Abandoned: Konto zu': 'Aufgegeben: Konto zu',
  // Messages and webhooks.
  'Slack answered 404: no_service.': 'Slack antwortete mit Status 404: no_service.',
  'The receiver answered 301: redirects are not followed (to nowhere).':
    'Der Empfänger antwortete mit Status 301: Weiterleitungen wird nicht gefolgt (nach nowhere).',
  'Teams did not answer: no complete answer within 15 s. It may have arrived, and is not sent again.':
    'Teams hat nicht geantwortet: keine vollständige Antwort innerhalb von 15 s. Die Nachricht kann angekommen sein und wird nicht noch einmal gesendet.',
  'The push service did not answer: getaddrinfo ENOTFOUND push.example.':
    'Der Push-Dienst hat nicht geantwortet: getaddrinfo ENOTFOUND push.example.',
  'The mail server answered 550: 5.1.1 No such user: anna. Ask there.':
    'Der Mailserver antwortete mit Status 550: 5.1.1 No such user: anna. Ask there.',
  'The mail server answered 554.': 'Der Mailserver antwortete mit Status 554.',
  'The connection to the mail server cannot be secured with TLS.': 'Die Verbindung zum Mailserver lässt sich nicht mit TLS sichern.',
  'ntfy did not answer: ntfy.example has no address.': 'ntfy hat nicht geantwortet: ntfy.example hat keine Adresse.',
  'The incident is resolved.': 'Der Vorfall ist behoben.',
  'answered 503': 'Antwort mit Status 503',
  'answered 302: redirects are not followed (to https://a.example/b)':
    'Antwort mit Status 302: Weiterleitungen wird nicht gefolgt (nach https://a.example/b)',
  'hooks.internal is the name of something internal.': 'hooks.internal ist der Name von etwas Internem.',
  'connect ECONNREFUSED 203.0.113.9:443': 'connect ECONNREFUSED 203.0.113.9:443',
  // Fields of readings.
  implausible: 'nicht plausibel',
  'unknown, kept in extra; the closest known name is "coolant_temp"':
    'unbekannt, in „extra“ aufbewahrt; der ähnlichste bekannte Name ist „coolant_temp“',
  '1200 more fields are unknown, and kept in extra, or implausible':
    '1.200 weitere Felder sind unbekannt und in „extra“ aufbewahrt oder nicht plausibel',
}

test('a reason is in German, with what others answered as it came', () => {
  for (const [reason, expected] of Object.entries(inGerman)) assert.equal(german(reason), expected)
})

test('none of them keeps an English word of the service in Spanish', () => {
  for (const reason of Object.keys(inGerman)) {
    const translated = spanish(reason)
    if (!reason.startsWith('connect ')) assert.notEqual(translated, reason)
    assert.doesNotMatch(
      translated,
      /\b(the|is|are|was|not|within|answered|answer|broker|with|device|vehicle|records?|fields|brokers)\b/i,
      reason,
    )
  }
})

// Operators, gateways and brokers write what stands in them.
test('no reason keeps a page busy', { timeout: 60_000 }, () => {
  for (const piece of [
    'No token: ',
    'Nobody is signed in. ',
    'x It may have arrived, and is not sent again. ',
    'Record 1 of 2: ',
    'a, ',
    ': ',
  ])
    for (const end of ['', '.', ': there is an address', ' It may have arrived, and is not sent again.'])
      assert.equal(typeof german(`${piece.repeat(3_900 / piece.length)}${end}`), 'string')
})
