// What a signed-in device may do (DECISIONS, MQTT rules). A broken rule is answered with its name, and closes the connection.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { PublishPacket, Subscription } from 'aedes'
import type { Session } from './sessions.ts'

/** The sender, once it has signed in, and the topics that are its own. */
type Party = Pick<Session, 'identity' | 'topics'>

export type BrokenRule =
  | 'publish before sign-in'
  | 'publish to a foreign topic'
  | 'retained publish'
  | 'publish with QoS 2'
  | 'publish without a packet id'
  | 'subscription to a foreign topic'
  | 'subscription with QoS 2'

/** The rule that a publish breaks, if any. */
export function brokenByPublish(
  session: Party | undefined,
  packet: Pick<PublishPacket, 'topic' | 'retain' | 'qos'>,
): BrokenRule | undefined {
  if (session?.identity === undefined) return 'publish before sign-in'
  if (packet.topic !== session.topics.telemetry) return 'publish to a foreign topic'
  if (packet.retain === true) return 'retained publish'
  if (packet.qos === 2) return 'publish with QoS 2'
  return undefined
}

/** `length`: of the packet behind its fixed header, where that is known. */
export type Identified = { readonly messageId?: number; readonly length?: number }

/** Whether a publish with QoS 1 or 2 ends before its packet id is whole: the parser then reads -1, or what follows the packet. */
export function lacksPacketId({ topic, qos, messageId = -1, length }: Pick<PublishPacket, 'topic' | 'qos'> & Identified): boolean {
  if (qos === 0) return false
  return messageId < 0 || (length !== undefined && length < 2 + Buffer.byteLength(topic) + 2)
}

/** The rule that a subscription breaks, if any. Wildcards, `$share` and `$SYS` are foreign topics like any other. */
export function brokenBySubscription(
  session: Party | undefined,
  { topic, qos }: Pick<Subscription, 'topic' | 'qos'>,
): BrokenRule | undefined {
  if (!mayReceive(session, topic)) return 'subscription to a foreign topic'
  if (qos === 2) return 'subscription with QoS 2'
  return undefined
}

/** Of a topic that a device made up. */
const MAX_SHOWN_TOPIC = 128

/** For who looks at the messages of the device: MQTT 3.1.1 has no answer that gives the device a reason. Undefined of a rule that nobody known broke. */
export function problemOf(rule: BrokenRule, topic: string): Problem | undefined {
  const shown = JSON.stringify(topic.slice(0, MAX_SHOWN_TOPIC))
  switch (rule) {
    case 'publish before sign-in':
      return undefined
    case 'publish to a foreign topic':
      return new Problem('invalid_request', `The device published to ${shown}, which is not its own topic. The connection was closed.`)
    case 'retained publish':
      return new Problem('invalid_request', 'The device published a retained message, which is not taken. The connection was closed.')
    case 'publish with QoS 2':
      return new Problem('invalid_request', 'The device published with QoS 2; QoS 0 and 1 are taken. The connection was closed.')
    case 'publish without a packet id':
      return new Problem('invalid_request', 'The device published with QoS 1 and no packet id. The connection was closed.')
    case 'subscription to a foreign topic':
      return new Problem(
        'invalid_request',
        `The device subscribed to ${shown}, which is none of its own topics. The connection was closed.`,
      )
    case 'subscription with QoS 2':
      return new Problem('invalid_request', 'The device subscribed with QoS 2; QoS 0 and 1 are taken. The connection was closed.')
  }
}

/** Asked once more for every message on its way out, so that no mistake about subscriptions can leak one. */
export function mayReceive(session: Party | undefined, topic: string): boolean {
  return session?.identity !== undefined && (topic === session.topics.commands || topic === session.topics.errors)
}
