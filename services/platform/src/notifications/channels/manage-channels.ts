// What people and programs do with channels. Those of another reseller, or outside the caller's sub-client, do not exist.

import type {
  ChannelTargetFields,
  CreateNotificationChannel,
  NotificationChannelChange,
} from '@roadworthy/contracts/platform-v1/notification-channels'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type AuditedFields, type Author, writeAudit } from '../../audit/audit.ts'
import { requireWritableSubClient } from '../../fleet/sub-client-access.ts'
import type { Caller } from '../../keys/caller.ts'
import { subClientForWrite } from '../../keys/pins.ts'
import { newSigningSecret } from '../../webhooks/signing.ts'
import type { TargetGuard } from '../../webhooks/target-guard.ts'
import { checkedName, checkTargetUrl, refusal } from '../given-fields.ts'
import { type Channel, type ChannelKind, type ChannelTarget, openTarget, readServerUrl, sealTarget, shownTarget, urlOf } from './channel.ts'
import { deleteChannel, lockChannelCount, selectChannel, selectRuleNamesOfChannel, upsertChannel } from './channels.sql.ts'

const MAX_CHANNELS = 100
const MAX_NAMED_RULES = 5

export type ManageChannelDeps = { readonly database: Database; readonly sealer: Sealer; readonly guard: TargetGuard }

/** Answers the channel, and for a program the secret of its signatures, which cannot be had again. */
export async function createChannel(
  { database, sealer, guard }: ManageChannelDeps,
  caller: Caller,
  given: CreateNotificationChannel,
  author: Author,
): Promise<{ channel: Channel; secret: string | undefined }> {
  const { resellerId } = caller
  const { at } = author
  const subClientId = subClientForWrite(caller, given.subClientId)
  const target = targetOf(given.kind, given, undefined)
  await checkTarget(guard, target)
  const channelId = newId('nch')
  const channel: Channel = {
    ...{ channelId, name: checkedName(given.name), kind: given.kind, subClientId, ...languageOf(given.kind, given, undefined) },
    shownTarget: shownTarget(target),
    ...{ targetSealed: sealTarget(sealer, { resellerId, channelId }, target), createdAt: at, updatedAt: at },
  }
  await database.tenant(resellerId, async (db) => {
    if (subClientId !== undefined) await requireWritableSubClient(db, caller, subClientId)
    if ((await lockChannelCount(db, resellerId)) >= MAX_CHANNELS) {
      throw new Problem('conflict', `There are ${MAX_CHANNELS} channels already, which is the most; delete one first.`, {
        details: { limit: MAX_CHANNELS },
      })
    }
    await upsertChannel(db, resellerId, channel)
    await writeAudit(db, author, {
      action: 'notification_channel.created',
      objectId: channelId,
      subClientId,
      after: auditedChannel(channel),
    })
  })
  return { channel, secret: target.kind === 'webhook' ? target.secret : undefined }
}

export async function requireChannel(
  db: Db,
  caller: Caller,
  channelId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<Channel> {
  const channel = /^nch-[a-z0-9]+$/.test(channelId) ? await selectChannel(db, caller, channelId, lock) : undefined
  if (channel === undefined) throw new Problem('not_found', 'There is no such notification channel.')
  return channel
}

/** What is left out stays, also of the target. */
export async function changeChannel(
  { database, sealer, guard }: ManageChannelDeps,
  caller: Caller,
  channelId: string,
  given: NotificationChannelChange,
  author: Author,
): Promise<Channel> {
  const { resellerId } = caller
  const place = { resellerId, channelId }
  return await database.tenant(resellerId, async (db) => {
    const before = await requireChannel(db, caller, channelId, 'locked')
    const known = openTarget(sealer, place, before.targetSealed)
    const target = targetOf(before.kind, given, known)
    if (urlOf(target) !== urlOf(known)) await checkTarget(guard, target)
    const isSame = JSON.stringify(target) === JSON.stringify(known)
    const after: Channel = {
      ...before,
      name: given.name === undefined ? before.name : checkedName(given.name),
      ...languageOf(before.kind, given, before),
      ...(isSame ? {} : { shownTarget: shownTarget(target), targetSealed: sealTarget(sealer, place, target) }),
      updatedAt: author.at,
    }
    await upsertChannel(db, resellerId, after)
    await writeAudit(db, author, {
      ...{ action: 'notification_channel.updated', objectId: channelId, subClientId: before.subClientId },
      ...{ before: auditedChannel(before), after: auditedChannel(after) },
    })
    return after
  })
}

/** Refused while a rule sends there: it would send to nobody, and nobody would know. */
export async function removeChannel(database: Database, caller: Caller, channelId: string, author: Author): Promise<void> {
  const { resellerId } = caller
  await database.tenant(resellerId, async (db) => {
    const channel = await requireChannel(db, caller, channelId, 'locked')
    const rules = await selectRuleNamesOfChannel(db, resellerId, channelId, MAX_NAMED_RULES)
    if (rules.length > 0) {
      const named = rules.map((name) => `"${name}"`).join(', ')
      throw new Problem('conflict', `Rules send to this channel (${named}); take it out of them first.`, { details: { rules } })
    }
    await deleteChannel(db, resellerId, channelId)
    const { subClientId } = channel
    await writeAudit(db, author, {
      action: 'notification_channel.deleted',
      objectId: channelId,
      subClientId,
      before: auditedChannel(channel),
    })
  })
}

/** Programs read one form of our messages, whatever people choose. */
function languageOf(
  kind: ChannelKind,
  given: Pick<NotificationChannelChange, 'language' | 'units'>,
  before: Channel | undefined,
): Pick<Channel, 'language' | 'units'> {
  const { language = before?.language ?? 'en', units = before?.units ?? 'metric' } = given
  if (kind === 'webhook' && language !== 'en') throw refusal('language', 'A webhook is for programs: its messages are in English.')
  if (kind === 'webhook' && units !== 'metric') throw refusal('units', 'A webhook is for programs: its messages are metric.')
  return { language, units }
}

const TELEGRAM_URL = 'https://api.telegram.org'
const NTFY_URL = 'https://ntfy.sh'

const FIELDS_OF_KIND: Readonly<Record<ChannelKind, readonly (keyof ChannelTargetFields)[]>> = {
  slack: ['url'],
  teams: ['url'],
  webhook: ['url'],
  telegram: ['botToken', 'chatId', 'serverUrl'],
  ntfy: ['topic', 'token', 'serverUrl'],
}

function targetOf(kind: ChannelKind, given: ChannelTargetFields, before: ChannelTarget | undefined): ChannelTarget {
  const fields = FIELDS_OF_KIND[kind]
  for (const field of ['url', 'serverUrl', 'botToken', 'chatId', 'topic', 'token'] as const) {
    if (given[field] !== undefined && !fields.includes(field)) throw refusal(field, `A channel of the kind ${kind} has no "${field}".`)
  }
  const known = (before ?? {}) as { readonly [Field in keyof ChannelTargetFields]?: string | undefined } & { readonly secret?: string }
  const required = (field: keyof ChannelTargetFields) => {
    const value = given[field] ?? known[field]
    if (value == null) throw refusal(field, `A channel of the kind ${kind} needs "${field}".`)
    return value
  }
  const serverUrl = (fallback: string) => readableServerUrl(given.serverUrl ?? known.serverUrl ?? fallback)
  if (movesSecret(given, before)) throw sendSecretAgain(kind)
  switch (kind) {
    case 'slack':
    case 'teams':
      return { kind, url: required('url') }
    case 'webhook':
      return { kind, url: required('url'), secret: known.secret ?? newSigningSecret() }
    case 'telegram':
      return { kind, serverUrl: serverUrl(TELEGRAM_URL), botToken: required('botToken'), chatId: required('chatId') }
    case 'ntfy': {
      const token = given.token === undefined ? known.token : (given.token ?? undefined)
      return { kind, serverUrl: serverUrl(NTFY_URL), topic: required('topic'), token }
    }
  }
}

/** A key that may change a channel never sees its token, and must not be able to have it sent to another server. */
function movesSecret(given: ChannelTargetFields, before: ChannelTarget | undefined): boolean {
  if (before === undefined || !('serverUrl' in before) || given.serverUrl == null) return false
  const isElsewhere = new URL(readableServerUrl(given.serverUrl)).origin !== new URL(before.serverUrl).origin
  if (before.kind === 'telegram') return isElsewhere && given.botToken == null
  return isElsewhere && before.token !== undefined && given.token === undefined
}

function sendSecretAgain(kind: ChannelKind): Problem {
  if (kind === 'telegram') return refusal('botToken', 'The channel moves to another server: send "botToken" again.')
  return refusal('token', 'The channel moves to another server: send "token" again, or null for none.')
}

function readableServerUrl(text: string): string {
  try {
    return readServerUrl(text)
  } catch (error) {
    throw error instanceof ForbiddenTargetError ? refusal('serverUrl', error.message) : error
  }
}

/** Held to what webhooks are. */
async function checkTarget(guard: TargetGuard, target: ChannelTarget): Promise<void> {
  await checkTargetUrl(guard, urlOf(target), 'url' in target ? 'url' : 'serverUrl')
}

function auditedChannel({ name, kind, subClientId, language, units, shownTarget: target }: Channel): AuditedFields {
  return { name, kind, subClientId, language, units, target }
}
