// A message in the form of each kind of channel. Pure. Each bounds and escapes what it quotes, because of a text that is too long or breaks the form the
// receiver takes nothing.

import type { Severity } from '@roadworthy/signals/severity'
import type { Sending } from '../../webhooks/send-webhook.ts'
import { signatureHeaders } from '../../webhooks/signing.ts'
import { bounded } from '../../words/one-line.ts'
import { escaped, type Link, type Message, type Section } from '../message.ts'
import type { Notification } from '../notification.ts'
import { type ChannelTarget, urlOf } from './channel.ts'

const USER_AGENT = 'Roadworthy-Notifications/1.0'
/** Every severity has its sign, so that nobody depends on the colour. */
const SIGNS: Readonly<Record<Severity, string>> = { info: 'ℹ️', low: '🔵', medium: '🟡', high: '🟠', critical: '🔴' }
/** Slack takes 3,000 characters in a section and 150 in a header; Telegram 4,096 in a message; ntfy 4,096 bytes. */
const MAX_SECTION_CHARACTERS = 2_900
const MAX_HEADER_CHARACTERS = 150
const MAX_TELEGRAM_CHARACTERS = 3_500
const MAX_NTFY_CHARACTERS = 1_300
const MAX_VALUE_CHARACTERS = 400
/** Of a line of a list of a digest. */
const MAX_LINE_CHARACTERS = 150
/** In the place of lines for which there is no room. */
const CUT = '…'
/** Of all lists of a digest: Teams takes 28 KB. */
const MAX_TEAMS_LIST_BYTES = 20_000
const TEAMS_BLOCK_BYTES = 64

export function requestOf(target: ChannelTarget, notification: Notification, message: Message, at: Date): Sending {
  const body = JSON.stringify(bodyOf(target, notification, message, at))
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
  return { url: urlOf(target), body, headers: { ...headers, ...addedHeaders(target, notification, body, at) } }
}

function addedHeaders(target: ChannelTarget, { notificationId }: Notification, body: string, at: Date): Record<string, string> {
  if (target.kind === 'webhook') return signatureHeaders({ id: notificationId, body }, [target.secret], at)
  return target.kind === 'ntfy' && target.token !== undefined ? { authorization: `Bearer ${target.token}` } : {}
}

function bodyOf(target: ChannelTarget, notification: Notification, message: Message, at: Date): object {
  switch (target.kind) {
    case 'slack':
      return slackBody(message)
    case 'teams':
      return teamsBody(message)
    case 'telegram':
      return telegramBody(message, target.chatId)
    case 'ntfy':
      return ntfyBody(message, target.topic)
    case 'webhook':
      return webhookBody(message, notification, at)
  }
}

/**
 * Incoming webhook with blocks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. `text` is what notifications show. The
 * link is text: beside a button Slack shows a warning once it was clicked, because an incoming webhook answers no click.
 */
function slackBody(message: Message): object {
  const facts = rowsOf(message).map(([name, value]) => `*${name}:* ${slackText(value)}`)
  const findings = message.findings.map((finding) => `• ${slackText(bounded(finding, MAX_VALUE_CHARACTERS))}`)
  const form: ListForm = { titleOf: (title) => `*${slackText(title)}*`, lineOf: (line) => `• ${slackLine(line)}` }
  const lists = message.sections.map((section) => cutLists([section], form, MAX_SECTION_CHARACTERS))
  const said = wholeLines([...facts, ...(findings.length === 0 ? [] : ['', ...findings])], MAX_SECTION_CHARACTERS)
  const links = linksOf(message).map(({ label, url }) => slackLink(url, slackText(label)))
  return {
    text: slackText(signed(message, message.subject)),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: bounded(signed(message, message.headline), MAX_HEADER_CHARACTERS), emoji: true },
      },
      ...(said === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: said } }]),
      ...lists.map((lines) => ({ type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } })),
      ...(links.length === 0 ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: links.join('\n') } }]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: bounded(slackText(message.why), MAX_SECTION_CHARACTERS) }] },
    ],
  }
}

function slackLine({ text, url }: Section['lines'][number]): string {
  const shown = slackText(bounded(text, MAX_LINE_CHARACTERS))
  return url === undefined ? shown : slackLink(url, shown)
}

function slackLink(url: string, shown: string): string {
  return `<${url}|${shown.replaceAll('|', '/')}>`
}

/** Slack reads these three as the beginning of links and mentions. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** An adaptive card, as the "Workflows" app of Teams takes it; the connectors of before are retired. */
function teamsBody(message: Message): object {
  const { headline, findings, sections, severity, why } = message
  const actions = linksOf(message).map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url }))
  const colour = severity === 'critical' || severity === 'high' ? 'Attention' : severity === 'medium' ? 'Warning' : 'Default'
  const text = (said: string, more: object = {}) => ({ type: 'TextBlock', text: teamsText(said), wrap: true, ...more })
  const facts = rowsOf(message).map(([title, value]) => ({ title, value: teamsText(value) }))
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      text(signed(message, headline), { size: 'Large', weight: 'Bolder', color: colour, style: 'heading' }),
      ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
      ...findings.map((finding) => text(`- ${finding}`, { spacing: 'Small' })),
      ...cutLists(sections, PLAIN_LISTS, MAX_TEAMS_LIST_BYTES, teamsBytesOf).map((line) =>
        text(line, line.startsWith('- ') || line === CUT ? { spacing: 'Small' } : { weight: 'Bolder' }),
      ),
      text(why, { isSubtle: true, size: 'Small' }),
    ],
    ...(actions.length === 0 ? {} : { actions }),
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }] }
}

/** With what a block of text has beside its text. */
function teamsBytesOf(lines: readonly string[]): number {
  return Buffer.byteLength(JSON.stringify(lines.map(teamsText))) + lines.length * TEAMS_BLOCK_BYTES
}

/** Cards read a subset of Markdown: links, emphasis. */
function teamsText(text: string): string {
  return text.replace(/[\\`*_[\]]/g, '\\$&')
}

/** https://core.telegram.org/bots/api#sendmessage */
function telegramBody(message: Message, chatId: string): object {
  const facts = rowsOf(message).map(([name, value]) => `<b>${name}:</b> ${escaped(value)}`)
  const findings = message.findings.map((finding) => `• ${escaped(bounded(finding, MAX_VALUE_CHARACTERS))}`)
  const { link } = message
  const hasButton = link !== undefined && isTelegramUrl(link.url)
  const buttons = linksOf(message).flatMap(({ label, url }) => (isTelegramUrl(url) ? [[{ text: label, url }]] : []))
  const before = [
    `<b>${escaped(signed(message, message.headline))}</b>`,
    // Early, so that it is not among the lines for which there is no room.
    ...(link === undefined || hasButton ? [] : [`${escaped(link.label)}: ${escaped(link.url)}`]),
    ...[...facts, ...findings],
  ]
  const why = `<i>${escaped(message.why)}</i>`
  const form: ListForm = {
    titleOf: (title) => `<b>${escaped(title)}</b>`,
    lineOf: ({ text }) => `• ${escaped(bounded(text, MAX_LINE_CHARACTERS))}`,
  }
  const lists = cutLists(message.sections, form, MAX_TELEGRAM_CHARACTERS - charactersOf([...before, why]))
  return {
    chat_id: chatId,
    // Whole lines: half of a tag would be refused.
    text: wholeLines([...before, ...lists, why], MAX_TELEGRAM_CHARACTERS),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: buttons } }),
  }
}

/** Telegram refuses a whole message for a button to a host without a dot, such as `localhost` or a name of one's own network. */
function isTelegramUrl(url: string): boolean {
  return new URL(url).hostname.includes('.')
}

const NTFY_PRIORITIES: Readonly<Record<Severity, number>> = { info: 2, low: 2, medium: 3, high: 4, critical: 5 }
const NTFY_DEFAULT_PRIORITY = 3

/** https://docs.ntfy.sh/publish/#publish-as-json */
function ntfyBody(message: Message, topic: string): object {
  const facts = rowsOf(message).map(([name, value]) => `${name}: ${value}`)
  const before = [...facts, ...message.findings.map((finding) => `- ${finding}`)]
  const lists = sectionLines(message, MAX_NTFY_CHARACTERS - charactersOf([...before, message.why]))
  const { link, severity } = message
  return {
    topic,
    title: message.subject,
    message: wholeLines([...before, ...lists, message.why], MAX_NTFY_CHARACTERS),
    priority: severity === undefined ? NTFY_DEFAULT_PRIORITY : NTFY_PRIORITIES[severity],
    tags: severity === undefined ? [message.sections.length > 0 ? 'date' : 'white_check_mark'] : ['truck', severity],
    ...(link === undefined ? {} : { click: link.url, actions: linksOf(message).map((each) => ({ action: 'view', ...each })) }),
  }
}

/** For programs: signed as all our webhooks are. The id is the same for each attempt, so that a receiver knows a repeat. */
function webhookBody(message: Message, notification: Notification, at: Date): object {
  const { notificationId, ruleId, incidentId, subClientId, step } = notification
  const { subject, headline, severity, findings, sections, link, map, why } = message
  return {
    id: notificationId,
    event: 'notification',
    timestamp: at.toISOString(),
    data: {
      ...{ ruleId: ruleId ?? null, incidentId: incidentId ?? null, subClientId: subClientId ?? null, step },
      ...{ severity: severity ?? null, subject, headline, facts: Object.fromEntries(message.rows), findings },
      sections: sections.map(({ title, lines }) => ({ title, lines: lines.map(({ text, url }) => ({ text, url: url ?? null })) })),
      ...{ url: link?.url ?? null, mapUrl: map?.url ?? null, why },
    },
  }
}

function linksOf({ link, map }: Message): Link[] {
  return [link, map].filter((each) => each !== undefined)
}

/** Of forms that have no lists. */
export function sectionLines({ sections }: Message, maxCharacters: number): string[] {
  return cutLists(sections, PLAIN_LISTS, maxCharacters)
}

type ListForm = { readonly titleOf: (title: string) => string; readonly lineOf: (line: Section['lines'][number]) => string }

const PLAIN_LISTS: ListForm = { titleOf: (title) => title, lineOf: ({ text }) => `- ${bounded(text, MAX_LINE_CHARACTERS)}` }

/** Each list is as long as the others may be, until all fit: its title counts what there is, and the sign says that not all of it follows. */
function cutLists(sections: readonly Section[], { titleOf, lineOf }: ListForm, max: number, sizeOf = charactersOf): string[] {
  const cutTo = (count: number) =>
    sections.flatMap(({ title, lines }) => [
      ...[titleOf(title), ...lines.slice(0, count).map(lineOf)],
      ...(lines.length > count ? [CUT] : []),
    ])
  let count = Math.max(0, ...sections.map(({ lines }) => lines.length))
  while (count > 0 && sizeOf(cutTo(count)) > max) count--
  return cutTo(count)
}

export function charactersOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function rowsOf({ rows }: Message): [string, string][] {
  return rows.map(([name, value]) => [name, bounded(value, MAX_VALUE_CHARACTERS)])
}

function signed({ severity }: Message, text: string): string {
  return severity === undefined ? text : `${SIGNS[severity]} ${text}`
}

export function wholeLines(lines: readonly string[], maxCharacters: number): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > maxCharacters) break
    text += text === '' ? line : `\n${line}`
  }
  return text
}
