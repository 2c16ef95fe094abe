// A message in the form of each kind of channel. Pure. Each bounds and escapes what it quotes, because of a text that is too long or breaks the form the
// receiver takes nothing.

import type { Severity } from '@roadworthy/signals/severity'
import type { Sending } from '../webhooks/send-webhook.ts'
import { signatureHeaders } from '../webhooks/signing.ts'
import { type ChannelTarget, urlOf } from './channel.ts'
import { escaped, type Message, type Section } from './message.ts'
import type { Notification } from './notification.ts'

const USER_AGENT = 'Roadworthy-Notifications/1.0'
/** Every severity has its sign, so that nobody depends on the colour. */
const SIGNS: Readonly<Record<Severity, string>> = { info: 'ℹ️', low: '🔵', medium: '🟡', high: '🟠', critical: '🔴' }
/** Slack takes 3,000 characters in a section and 150 in a header; Telegram 4,096 in a message; ntfy 4,096 bytes. */
const MAX_SECTION_CHARACTERS = 2_900
const MAX_HEADER_CHARACTERS = 150
const MAX_TELEGRAM_CHARACTERS = 3_500
const MAX_NTFY_CHARACTERS = 1_300
const MAX_VALUE_CHARACTERS = 400
/** Of the lists of a digest, of which there are up to 80: Teams takes 28 KB. */
const MAX_LINE_CHARACTERS = 150

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
  const lists = message.sections.flatMap(({ title, lines }) => [
    '',
    `*${slackText(title)}*`,
    ...lines.map((line) => `• ${slackLine(line)}`),
  ])
  const said = wholeLines([...facts, ...(findings.length === 0 ? [] : ['', ...findings]), ...lists], MAX_SECTION_CHARACTERS)
  const { link } = message
  return {
    text: slackText(signed(message, message.subject)),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: bounded(signed(message, message.headline), MAX_HEADER_CHARACTERS), emoji: true },
      },
      ...(said === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: said } }]),
      ...(link === undefined ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: slackLink(link.url, slackText(link.label)) } }]),
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
  const { headline, findings, sections, link, severity, why } = message
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
      ...sections.flatMap(({ title, lines }) => [
        text(title, { weight: 'Bolder' }),
        ...lines.map((line) => text(`- ${bounded(line.text, MAX_LINE_CHARACTERS)}`, { spacing: 'Small' })),
      ]),
      text(why, { isSubtle: true, size: 'Small' }),
    ],
    ...(link === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }] }),
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }] }
}

/** Cards read a subset of Markdown: links, emphasis. */
function teamsText(text: string): string {
  return text.replace(/[\\`*_[\]]/g, '\\$&')
}

/** https://core.telegram.org/bots/api#sendmessage */
function telegramBody(message: Message, chatId: string): object {
  const facts = rowsOf(message).map(([name, value]) => `<b>${name}:</b> ${escaped(value)}`)
  const findings = message.findings.map((finding) => `• ${escaped(bounded(finding, MAX_VALUE_CHARACTERS))}`)
  const lists = message.sections.flatMap(({ title, lines }) => [
    `<b>${escaped(title)}</b>`,
    ...lines.map(({ text }) => `• ${escaped(bounded(text, MAX_LINE_CHARACTERS))}`),
  ])
  const { link } = message
  const hasButton = link !== undefined && isTelegramUrl(link.url)
  const lines = [
    `<b>${escaped(signed(message, message.headline))}</b>`,
    // Early, so that it is not among the lines for which there is no room.
    ...(link === undefined || hasButton ? [] : [`${escaped(link.label)}: ${escaped(link.url)}`]),
    ...[...facts, ...findings, ...lists, `<i>${escaped(message.why)}</i>`],
  ]
  return {
    chat_id: chatId,
    // Whole lines: half of a tag would be refused.
    text: wholeLines(lines, MAX_TELEGRAM_CHARACTERS),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    ...(hasButton ? { reply_markup: { inline_keyboard: [[{ text: link.label, url: link.url }]] } } : {}),
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
  const lines = [
    ...rowsOf(message).map(([name, value]) => `${name}: ${value}`),
    ...message.findings.map((finding) => `- ${finding}`),
    ...sectionLines(message),
    message.why,
  ]
  const { link, severity } = message
  return {
    topic,
    title: message.subject,
    message: wholeLines(lines, MAX_NTFY_CHARACTERS),
    priority: severity === undefined ? NTFY_DEFAULT_PRIORITY : NTFY_PRIORITIES[severity],
    tags: severity === undefined ? ['white_check_mark'] : ['truck', severity],
    ...(link === undefined ? {} : { click: link.url, actions: [{ action: 'view', label: link.label, url: link.url }] }),
  }
}

/** For programs: signed as all our webhooks are. The id is the same for each attempt, so that a receiver knows a repeat. */
function webhookBody(message: Message, notification: Notification, at: Date): object {
  const { notificationId, ruleId, incidentId, subClientId, step } = notification
  const { subject, headline, severity, findings, sections, link, why } = message
  return {
    id: notificationId,
    event: 'notification',
    timestamp: at.toISOString(),
    data: {
      ...{ ruleId: ruleId ?? null, incidentId: incidentId ?? null, subClientId: subClientId ?? null, step },
      ...{ severity: severity ?? null, subject, headline, facts: Object.fromEntries(message.rows), findings },
      sections: sections.map(({ title, lines }) => ({ title, lines: lines.map(({ text, url }) => ({ text, url: url ?? null })) })),
      ...{ url: link?.url ?? null, why },
    },
  }
}

/** Of forms that have no lists. */
export function sectionLines({ sections }: Message): string[] {
  return sections.flatMap(({ title, lines }) => [title, ...lines.map(({ text }) => `- ${bounded(text, MAX_LINE_CHARACTERS)}`)])
}

function rowsOf({ rows }: Message): [string, string][] {
  return rows.map(([name, value]) => [name, bounded(value, MAX_VALUE_CHARACTERS)])
}

function signed({ severity }: Message, text: string): string {
  return severity === undefined ? text : `${SIGNS[severity]} ${text}`
}

export function bounded(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`
}

export function wholeLines(lines: readonly string[], maxCharacters: number): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length + 1 > maxCharacters) break
    text += text === '' ? line : `\n${line}`
  }
  return text
}
