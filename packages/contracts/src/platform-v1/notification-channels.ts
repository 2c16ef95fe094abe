// Where messages about incidents go that are for a team: chats, topics, programs.

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { language, units } from '../wire-languages.ts'

const MAX_URL_CHARACTERS = 2_000

const channelIdExample = 'nch-7t2w5z8c1f4j7m0q3v6y'
const channelKinds = ['slack', 'teams', 'telegram', 'ntfy', 'webhook'] as const

const kind = Type.Enum(channelKinds, {
  type: 'string',
  description:
    '`slack`: an incoming webhook of Slack, or of what takes the same form. `teams`: a webhook of the Workflows app of Microsoft Teams. ' +
    '`telegram`: a bot. `ntfy`: a topic. `webhook`: a program, signed by Standard Webhooks.',
})
const name = Type.String({ minLength: 1, maxLength: 120, description: 'For people.', examples: ['Workshop chat'] })
const url = (description: string) => Type.String({ minLength: 1, maxLength: MAX_URL_CHARACTERS, description })
const targetFields = {
  url: Type.Optional(url('Of `slack`, `teams`, `webhook`: https, and a public address. It is a secret: who has it can write there.')),
  serverUrl: Type.Optional(url('Of `telegram` and `ntfy`, where the server is one of your own. Left out: the public one.')),
  botToken: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$', description: 'Of `telegram`, as @BotFather gives it: `123456:ABC…`.' }),
  ),
  chatId: Type.Optional(
    Type.String({
      pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,40})$',
      description: 'Of `telegram`: the number of the chat, or `@channelname`.',
    }),
  ),
  topic: Type.Optional(Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', description: 'Of `ntfy`.' })),
  token: Type.Optional(
    nullable(Type.String({ pattern: '^[-_A-Za-z0-9.=]{1,200}$', description: 'Of `ntfy`: an access token, where the topic wants one.' })),
  ),
}
export type ChannelTargetFields = Static<Type.TObject<typeof targetFields>>

const languageFields = {
  language: Type.Optional(language('Of its messages. Left out: `en`. A `webhook` is for programs, and English.')),
  units: Type.Optional(units('Of its messages. Left out: `metric`. A `webhook` is metric.')),
}

const channelExample = {
  ...{ id: channelIdExample, name: 'Workshop chat', kind: 'slack' as const, subClientId: null },
  ...{ language: 'de' as const, units: 'metric' as const },
  ...{ target: 'https://hooks.slack.com/…k3Xq', createdAt: timestampExample, updatedAt: timestampExample },
}

export const NotificationChannel = Type.Object(
  {
    id: Type.String({ description: 'Rules name it among their `recipients`.' }),
    name,
    kind,
    subClientId: nullable(Type.String({ description: 'Of which sub-client it is. Null: of the reseller.' })),
    language: language('Of its messages.'),
    units: units('Of its messages.'),
    target: Type.String({ description: 'Where it sends, without what is secret.' }),
    createdAt: timestamp('When it was connected.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'NotificationChannel', description: 'Where messages go that are for a team.', examples: [channelExample] },
)
export type NotificationChannel = Static<typeof NotificationChannel>

export const CreatedNotificationChannel = Type.Object(
  {
    channel: NotificationChannel,
    secret: nullable(Type.String({ description: 'Of a `webhook`: by it the receiver checks signatures. It cannot be had again.' })),
  },
  {
    title: 'CreatedNotificationChannel',
    description: 'The channel, and the secret of its signatures, shown once.',
    examples: [{ channel: channelExample, secret: null }],
  },
)

export const CreateNotificationChannel = Type.Object(
  {
    name,
    kind,
    subClientId: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 64, description: 'Only for rules of this sub-client. It stays. Null: for all.' })),
    ),
    ...languageFields,
    ...targetFields,
  },
  {
    title: 'CreateNotificationChannel',
    description: 'With the fields of its kind, and no others.',
    examples: [{ name: 'Workshop chat', kind: 'slack', language: 'de', url: 'https://hooks.slack.com/services/T0/B0/x' }],
  },
)
export type CreateNotificationChannel = Static<typeof CreateNotificationChannel>

export const NotificationChannelChange = Type.Object(
  { name: Type.Optional(name), ...languageFields, ...targetFields },
  {
    title: 'NotificationChannelChange',
    minProperties: 1,
    description: 'What is left out stays as it is.',
    examples: [{ name: 'Night shift chat' }],
  },
)
export type NotificationChannelChange = Static<typeof NotificationChannelChange>

export const NotificationChannelList = Type.Object(
  { total, notificationChannels: Type.Array(NotificationChannel), pagination: Pagination },
  { title: 'NotificationChannelList', description: 'A page of channels, oldest first.' },
)

export const DeletedNotificationChannel = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  {
    title: 'DeletedNotificationChannel',
    description: 'What was sent by it stays in the log.',
    examples: [{ id: channelIdExample, deleted: true }],
  },
)

export const NotificationChannelTest = Type.Object(
  {
    id: Type.String(),
    notificationId: Type.String({ description: 'Of the message in the log.' }),
    status: Type.Enum(['sending', 'sent', 'failed', 'uncertain'], {
      type: 'string',
      description: '`sent`: the receiver took it. `uncertain`: it did not answer; the message may have arrived.',
    }),
    error: nullable(Type.String({ description: 'What the receiver answered, or why it could not be asked.' })),
  },
  {
    title: 'NotificationChannelTest',
    description: 'What came of the test.',
    examples: [
      {
        ...{ id: channelIdExample, notificationId: 'ntf-9d2g5j8m1p4s7v0y3b6e', status: 'failed' as const },
        error: 'Slack answered 404: no_service.',
      },
    ],
  },
)

export type NotificationChannelTest = Static<typeof NotificationChannelTest>

export const NotificationChannelParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: [channelIdExample] }) })
export const NotificationChannelListQuery = Type.Object({ ...pageQuery })
