// Goal: what a service would refuse, or show badly, is not sent to it. Method: the pure functions; services with their checks are in `channels.db.test.ts`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../message.ts'
import type { Notification } from '../notification.ts'
import type { ChannelTarget } from './channel.ts'
import { requestOf } from './channel-forms.ts'

const message: Message = {
  ...{
    language: 'en',
    subject: 'High: KA 1: Towing',
    headline: 'Towing',
    severity: 'high',
    rows: [['Vehicle', 'KA 1']],
    findings: [],
    sections: [],
  },
  ...{
    link: { label: 'See | it', url: 'https://fleet.example/alerts/inc-a' },
    map: undefined,
    acknowledge: undefined,
    threadId: 'inc-a',
    why: 'By a rule.',
  },
}
const notification = { notificationId: 'ntf-a', step: 'first' } as Notification
const bodyFor = (target: ChannelTarget, of: Message) =>
  JSON.parse(String(requestOf(target, notification, of, new Date(0)).body)) as Record<string, unknown>
const telegram = { kind: 'telegram', serverUrl: 'https://api.telegram.org', botToken: '1:x', chatId: '-1' } as const
const at = (url: string) => ({ ...message, link: { label: 'See it', url } })

test('Telegram gets a button, and the address as text where it would refuse one', () => {
  const button = bodyFor(telegram, at('https://fleet.example/alerts/inc-a'))
  assert.deepEqual(button['reply_markup'], { inline_keyboard: [[{ text: 'See it', url: 'https://fleet.example/alerts/inc-a' }]] })
  assert.ok(!String(button['text']).includes('https://'))
  for (const url of ['http://localhost:8080/alerts/inc-a', 'http://fleet/alerts/inc-a', 'http://[::1]/alerts/inc-a']) {
    const text = bodyFor(telegram, at(url))
    assert.equal(text['reply_markup'], undefined)
    assert.ok(String(text['text']).includes(`See it: ${url}`), String(text['text']))
  }
})

test('each service gets the link to a map beside that to the dashboard', () => {
  const url = 'https://www.openstreetmap.org/?mlat=1.00000&mlon=2.00000'
  const placed = { ...at('http://localhost:8080/alerts/inc-a'), map: { label: 'Map', url } }
  const { blocks } = bodyFor({ kind: 'slack', url: 'https://hooks.slack.com/x' }, placed) as { blocks: { text?: { text: string } }[] }
  assert.equal(blocks[2]?.text?.text, `<http://localhost:8080/alerts/inc-a|See it>\n<${url}|Map>`)
  assert.deepEqual(bodyFor(telegram, placed)['reply_markup'], { inline_keyboard: [[{ text: 'Map', url }]] })
  const teams = JSON.stringify(bodyFor({ kind: 'teams', url: 'https://acme.webhook.office.com/x' }, placed))
  assert.ok(teams.includes(JSON.stringify({ type: 'Action.OpenUrl', title: 'Map', url })), teams)
  const ntfy = bodyFor({ kind: 'ntfy', serverUrl: 'https://ntfy.example', topic: 't', token: undefined }, placed)
  assert.deepEqual((ntfy['actions'] as unknown[])[1], { action: 'view', label: 'Map', url })
  const secret = `whsec_${Buffer.alloc(24).toString('base64')}`
  assert.equal((bodyFor({ kind: 'webhook', url: 'https://a.example', secret }, placed)['data'] as { mapUrl: string }).mapUrl, url)
})

test('Slack gets the link as text: an incoming webhook answers no click on a button', () => {
  const { blocks } = bodyFor({ kind: 'slack', url: 'https://hooks.slack.com/x' }, message) as {
    blocks: { type: string; text?: { text: string } }[]
  }
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ['header', 'section', 'section', 'context'],
  )
  assert.equal(blocks[2]?.text?.text, '<https://fleet.example/alerts/inc-a|See / it>')
})
