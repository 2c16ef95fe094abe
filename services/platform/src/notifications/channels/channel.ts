// Where messages go that are for a team and not for one person: a chat, a topic, a program.

import { ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import type { Language, Units } from '@roadworthy/wording/languages'

export type ChannelKind = 'slack' | 'teams' | 'telegram' | 'ntfy' | 'webhook'

/** What is needed to send there. All of it is secret: an address of a chat lets anybody write into it. */
export type ChannelTarget =
  | { readonly kind: 'slack' | 'teams'; readonly url: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'telegram'; readonly serverUrl: string; readonly botToken: string; readonly chatId: string }
  | { readonly kind: 'ntfy'; readonly serverUrl: string; readonly topic: string; readonly token: string | undefined }

export type Channel = {
  readonly channelId: string
  readonly name: string
  readonly kind: ChannelKind
  /** Whose it is; undefined: of the reseller, for incidents of the whole fleet. */
  readonly subClientId: string | undefined
  /** In which its messages are; of a program always English and metric. */
  readonly language: Language
  readonly units: Units
  /** What people may see of the target. */
  readonly shownTarget: string
  readonly targetSealed: Buffer
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A browser of a person is asked by way of its push service. */
export type ReceiverKind = ChannelKind | 'web_push'

export const RECEIVER_NAMES: Readonly<Record<ReceiverKind, string>> = {
  slack: 'Slack',
  teams: 'Teams',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  webhook: 'The receiver',
  web_push: 'The push service',
}

/** The purpose of the sealer of targets. */
export const CHANNEL_SECRETS = 'notification channels'

export type ChannelPlace = { readonly resellerId: string; readonly channelId: string }
export const channelTargetContext = ({ resellerId, channelId }: ChannelPlace) => `target ${resellerId} ${channelId}`

export function sealTarget(sealer: Sealer, place: ChannelPlace, target: ChannelTarget): Buffer {
  return sealer.seal(JSON.stringify(target), channelTargetContext(place))
}

export function openTarget(sealer: Sealer, place: ChannelPlace, sealed: Buffer): ChannelTarget {
  return JSON.parse(sealer.open(sealed, channelTargetContext(place))) as ChannelTarget
}

/** Recipients of a rule are people, or channels. */
export function isChannelId(recipient: string): boolean {
  return recipient.startsWith('nch-')
}

const SHOWN_CHARACTERS = 4

/** Enough to distinguish it from another, and not enough to send there. */
export function shownTarget(target: ChannelTarget): string {
  switch (target.kind) {
    case 'slack':
    case 'teams':
      return `${new URL(target.url).origin}/…${target.url.slice(-SHOWN_CHARACTERS)}`
    case 'webhook': {
      const { origin, pathname, search } = new URL(target.url)
      return `${origin}${pathname}${search === '' ? '' : '?…'}`
    }
    case 'telegram':
      return `chat ${target.chatId} by bot ${target.botToken.split(':')[0]}`
    case 'ntfy':
      return `${target.serverUrl}/${target.topic.slice(0, SHOWN_CHARACTERS)}…`
  }
}

/** The address that requests of this channel go to. */
export function urlOf(target: ChannelTarget): string {
  if (target.kind === 'telegram') return `${target.serverUrl}/bot${target.botToken}/sendMessage`
  return target.kind === 'ntfy' ? `${target.serverUrl}/` : target.url
}

/** As people give it: `https://ntfy.example/` is that without the slash at its end. */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.search !== '' || url.hash !== '') throw new ForbiddenTargetError('"serverUrl" is an absolute https URL.')
  return url.href.replace(/\/+$/, '')
}
