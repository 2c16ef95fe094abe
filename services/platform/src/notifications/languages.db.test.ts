// Goal: by one rule each reads of an incident in their own language and units, wherever they read it, and programs read English. Method: an incident as the
// engine's findings make it, jobs over a real database, a real SMTP server, chats, programs and browsers on loopback.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPost } from '../main/mail.ts'
import { startMailServer } from '../main/test-mail-server.ts'
import { readMail } from '../main/test-read-mail.ts'
import { openTestDatabase } from '../test-support.ts'
import { startPushService } from './browsers/test-push-service.ts'
import { startProgram, startSlack } from './channels/test-channel-services.ts'
import { openNotificationDesk } from './test-notification-desk.ts'

const { database } = await openTestDatabase({ after })
const FINDING = 'Coolant temperature 116.5 °C is above 114 °C for 40 s'

test('of one incident three people, a browser, a chat and a program each read in their own language and units', async (t) => {
  const { url, received } = await startMailServer(t)
  const present = async () => ({ name: 'Acme', baseUrl: 'https://fleet.acme.example' })
  const log = { error: () => undefined }
  const post = createPost({ mailServer: { url, from: 'fleet@acme.example' }, present, random: () => 0, log })
  const desk = await openNotificationDesk(t, database, post)
  const [slack, program] = [await startSlack(t), await startProgram(t)]
  const service = await startPushService(t, () => desk.bench.clock.nowMs)
  const browser = service.addBrowser()
  const greta = await desk.addPerson('usr-greta', { language: 'de', units: 'imperial' })
  await desk.allowBrowser(greta, browser.target)
  await desk.addRule({
    name: 'Werkstatt',
    recipients: [
      ...[greta, await desk.addPerson('usr-anna'), await desk.addPerson('usr-sol', { language: 'es' })],
      await desk.addChannel({ kind: 'slack', url: slack.url }, undefined, { language: 'de' }),
      await desk.addChannel({ kind: 'webhook', url: program.url, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }),
    ],
  })
  const vehicleId = await desk.bench.addVehicle({ externalRef: 'truck 7' })
  await desk.report(vehicleId, [{ type: 'coolant_high', severity: 'high' }], (said) => {
    const { alerts } = said as unknown as { alerts: { message: string; description: string }[] }
    for (const alert of alerts) Object.assign(alert, { message: FINDING, description: 'Engine overheating' })
    return said
  })
  await desk.settle()

  const mailTo = (userId: string) => readMail(received.find(({ to }) => to[0]?.startsWith(`${userId}@`))?.text ?? '')
  const german = mailTo('usr-greta')
  assert.equal(german.subject, 'Hoch: truck 7: Motor überhitzt')
  assert.match(german.text, /^Bauteil: Kühlung$/m)
  assert.match(german.text, /^- Kühlmitteltemperatur 241,7 °F liegt seit 40 s über 237,2 °F$/m)
  assert.match(german.text, /Zum Bestätigen .*\n\nhttps:\/\/fleet\.acme\.example\/acknowledge\//)
  assert.match(german.html ?? '', /<html lang="de">.*>Bestätigen<\/a>/s)
  const english = mailTo('usr-anna')
  assert.equal(english.subject, 'High: truck 7: Engine overheating')
  assert.match(english.text, /^Component: Cooling$/m)
  assert.ok(english.text.includes(`- ${FINDING}`), english.text)
  const spanish = mailTo('usr-sol')
  assert.equal(spanish.subject, 'Alta: truck 7: El motor se sobrecalienta')
  assert.match(spanish.text, /^Gravedad: Alta$/m)
  for (const { text, html } of [german, spanish])
    assert.doesNotMatch(text + html, /Severity|Component\b|Acknowledge\b|dashboard<|You get|Coolant|Engine/)

  assert.equal(browser.shown[0]?.title, 'Hoch: truck 7: Motor überhitzt')
  assert.match(browser.shown[0]?.body ?? '', /241,7 °F/)
  const chat = JSON.stringify(slack.taken[0]?.body)
  for (const said of [
    'Hoch: truck 7: Motor überhitzt',
    '*Schwere:* Hoch',
    'Kühlmitteltemperatur 116,5 °C',
    '|Im Dashboard ansehen>',
    'durch die Regel „Werkstatt“',
  ]) {
    assert.ok(chat.includes(said), chat)
  }
  const [notice] = program.taken.map(({ body }) => body['data'] as { subject: string; facts: Record<string, string>; findings: string[] })
  assert.deepEqual([notice?.subject, notice?.facts['Severity'], notice?.findings], ['High: truck 7: Engine overheating', 'High', [FINDING]])
})
