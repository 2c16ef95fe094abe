// What is asked for to connect a channel of each kind, and how a request is made of it. Pure.

import type { NotificationChannel } from '@roadworthy/contracts/platform-v1/notification-channels'
import { t } from '../text/translate.ts'

export type Kind = NotificationChannel['kind']
type Field = 'url' | 'serverUrl' | 'botToken' | 'chatId' | 'topic' | 'token'
type FieldOfKind = {
  readonly field: Field
  readonly label: string
  readonly description?: string
  readonly isOptional?: true
  /** Who has it can write there. */
  readonly isSecret?: true
}

export const kindNames: Readonly<Record<Kind, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  webhook: t('Program (signed webhook)'),
}

export const kindHelp: Readonly<Record<Kind, string>> = {
  slack: t('In Slack: Apps, Incoming Webhooks, add it to a channel and copy the webhook URL.'),
  teams: t('In Teams: the channel’s menu, Workflows, “Post to a channel when a webhook request is received”, and copy the URL.'),
  telegram: t('Make a bot with @BotFather, add it to the chat, and give its token and the number of the chat.'),
  ntfy: t('A topic of ntfy.sh or of a server of your own. Choose a name that nobody guesses, or protect it by a token.'),
  webhook: t('Requests are signed by Standard Webhooks. The secret is shown once.'),
}

const ADDRESS = { field: 'url', label: t('Webhook URL'), isSecret: true } as const
const SERVER = { field: 'serverUrl', label: t('Server'), description: t('Only where it is one of your own.'), isOptional: true } as const

export const kindFields: Readonly<Record<Kind, readonly FieldOfKind[]>> = {
  slack: [ADDRESS],
  teams: [ADDRESS],
  telegram: [
    { field: 'botToken', label: t('Token of the bot'), isSecret: true },
    { field: 'chatId', label: t('Chat'), description: t('Its number, or @channelname.') },
    SERVER,
  ],
  ntfy: [
    { field: 'topic', label: t('Topic'), isSecret: true },
    { field: 'token', label: t('Access token'), description: t('Where the topic wants one.'), isOptional: true, isSecret: true },
    SERVER,
  ],
  webhook: [{ field: 'url', label: t('URL') }],
}

export type ChannelWording = Pick<NotificationChannel, 'language' | 'units'>

/** Programs read English and metric. */
export function isWorded(kind: Kind): boolean {
  return kind !== 'webhook'
}

export function wordingFields(kind: Kind, { language, units }: ChannelWording): Partial<ChannelWording> {
  return isWorded(kind) ? { language, units } : {}
}

export type Entries = Readonly<Partial<Record<Field, string>>>

/** What was typed, without what was left empty: of a channel that is changed, that stays as it is. */
export function filledEntries(kind: Kind, entries: Entries): Entries {
  return Object.fromEntries(
    kindFields[kind].flatMap(({ field }) => {
      const typed = (entries[field] ?? '').trim()
      return typed === '' ? [] : [[field, typed] as const]
    }),
  )
}

/** Whether all that a new channel needs is there. */
export function isWholeTarget(kind: Kind, entries: Entries): boolean {
  const filled = filledEntries(kind, entries)
  return kindFields[kind].every(({ field, isOptional = false }) => isOptional || filled[field] !== undefined)
}
