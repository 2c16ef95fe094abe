// What an external broker is answered when it asks who may come in and do what: the rules of the embedded broker, without its connections.

import { createHash, timingSafeEqual } from 'node:crypto'
import { parseMqttUsername } from '../../../devices/mqtt-identity.ts'
import type { ResolvedDevice } from '../../resolve.ts'
import { FailureBan } from '../mqtt-embedded/failure-ban.ts'
import { defaultMqttLimits } from '../mqtt-embedded/limits.ts'
import { brokenByPublish, brokenBySubscription } from '../mqtt-embedded/rules.ts'
import { type AuthenticateDevice, checkCredentials, judgeAttempt } from '../mqtt-embedded/sign-in.ts'
import { type DeviceTopics, topicsOf } from '../mqtt-embedded/topics.ts'
import type { BrokerLog } from './broker-link.ts'

export type BrokerAuthDeps = {
  readonly authenticateDevice: AuthenticateDevice
  /** From memory when it can; not those that are decommissioned. */
  readonly findDevice: (resellerId: string, idOrImei: string) => ResolvedDevice | undefined | Promise<ResolvedDevice | undefined>
  readonly hasLapsed: (resellerId: string) => boolean | Promise<boolean>
  /** The account under which the platform itself comes to the broker: it may do everything. */
  readonly platform: { readonly username: string; readonly password: string } | undefined
  readonly topicPrefix: string
  readonly now: () => Date
  readonly log: BrokerLog
}

export type SignInQuestion = {
  readonly username: string
  readonly password: string
  readonly clientId: string | undefined
  /** Empty where the broker does not report it. */
  readonly address: string
}

export type SignInAnswer =
  | { readonly kind: 'platform' }
  /** Until `validUntil`, where its secret ends then. */
  | { readonly kind: 'device'; readonly topics: DeviceTopics; readonly validUntil: Date | undefined }
  | { readonly kind: 'refused' }

/** Who asks to do something, as far as its name shows. The broker has seen the password. */
export type Party =
  | { readonly kind: 'platform' }
  | { readonly kind: 'device'; readonly device: ResolvedDevice; readonly topics: DeviceTopics; readonly resellerId: string }

export type TopicQuestion = {
  readonly action: 'publish' | 'subscribe'
  readonly topic: string
  readonly qos: 0 | 1 | 2
  readonly retain: boolean
}

export type BrokerAuth = {
  signIn(question: SignInQuestion): Promise<SignInAnswer>
  /** Undefined for whoever may not be there: unknown, decommissioned, suspended, of a reseller that is not served. */
  partyOf(username: string): Promise<Party | undefined>
  mayUseTopic(party: Party, question: TopicQuestion): boolean
}

export function createBrokerAuth(deps: BrokerAuthDeps): BrokerAuth {
  const ban = new FailureBan(defaultMqttLimits.maxFailedSignIns, defaultMqttLimits.banMs)
  return {
    signIn: (question) => signIn(deps, ban, question),
    partyOf: (username) => partyOf(deps, username),
    mayUseTopic(party, { action, topic, qos, retain }) {
      if (party.kind === 'platform') return true
      const { resellerId, device, topics } = party
      const session = { identity: { resellerId, deviceId: device.deviceId, imei: device.imei }, topics }
      const broken = action === 'publish' ? brokenByPublish(session, { topic, qos, retain }) : brokenBySubscription(session, { topic, qos })
      return broken === undefined
    },
  }
}

async function signIn(deps: BrokerAuthDeps, ban: FailureBan, question: SignInQuestion): Promise<SignInAnswer> {
  const { username, password, address } = question
  if (username === deps.platform?.username) {
    return isSameText(password, deps.platform.password) ? { kind: 'platform' } : { kind: 'refused' }
  }
  // One without a name could be anybody's.
  const attempt = { clientId: question.clientId ?? '', username, password: Buffer.from(password), remoteAddress: address, hasWill: false }
  const sender = judgeAttempt(attempt)
  if (typeof sender === 'string') return { kind: 'refused' }
  // Such a broker throws out whoever is there under the same client id. Device ids are unique; an IMEI another reseller may have registered too.
  if (attempt.clientId !== sender.deviceId) {
    deps.log.info({ username, clientId: attempt.clientId }, 'sign-in at the MQTT broker refused: the client id is not the device id')
    return { kind: 'refused' }
  }
  const answer = await checkCredentials(attempt, {
    authenticateDevice: deps.authenticateDevice,
    ban: address === '' ? noBan() : ban,
    limits: defaultMqttLimits,
    nowMs: () => deps.now().getTime(),
    onRefused: (reason) => deps.log.info({ username, reason }, 'sign-in at the MQTT broker refused'),
    onStoreAway: (error) => deps.log.warn({ err: error }, 'a device could not be checked; it is refused'),
  })
  if (typeof answer === 'string') return { kind: 'refused' }
  return { kind: 'device', topics: topicsOf(deps.topicPrefix, sender), validUntil: answer.validUntil }
}

/** Without an address a ban would be by username alone, and anybody who has read one could keep its device out. */
function noBan(): FailureBan {
  return new FailureBan(Number.POSITIVE_INFINITY, 0)
}

async function partyOf({ platform, findDevice, hasLapsed, topicPrefix }: BrokerAuthDeps, username: string): Promise<Party | undefined> {
  if (username === platform?.username) return { kind: 'platform' }
  const sender = parseMqttUsername(username)
  if (sender === undefined) return undefined
  const device = await findDevice(sender.resellerId, sender.deviceId)
  if (device === undefined || device.status === 'suspended' || (await hasLapsed(sender.resellerId))) return undefined
  return { kind: 'device', device, topics: topicsOf(topicPrefix, sender), resellerId: sender.resellerId }
}

/** In a time that reveals nothing of where they differ. */
export function isSameText(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
