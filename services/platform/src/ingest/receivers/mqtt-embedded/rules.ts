// What a signed-in device may do (DECISIONS, MQTT rules). A broken rule is answered with its name, and closes the connection.

import type { PublishPacket, Subscription } from 'aedes'
import type { Session } from './sessions.ts'

/** The sender, once it has signed in, and the topics that are its own. */
type Party = Pick<Session, 'identity' | 'topics'>

/** The rule that a publish breaks, if any. */
export function brokenByPublish(session: Party | undefined, packet: Pick<PublishPacket, 'topic' | 'retain' | 'qos'>): string | undefined {
  if (session?.identity === undefined) return 'publish before sign-in'
  if (packet.topic !== session.topics.telemetry) return 'publish to a foreign topic'
  if (packet.retain === true) return 'retained publish'
  if (packet.qos === 2) return 'publish with QoS 2'
  return undefined
}

/** The rule that a subscription breaks, if any. Wildcards, `$share` and `$SYS` are foreign topics like any other. */
export function brokenBySubscription(session: Party | undefined, { topic, qos }: Pick<Subscription, 'topic' | 'qos'>): string | undefined {
  if (!mayReceive(session, topic)) return 'subscription to a foreign topic'
  if (qos === 2) return 'subscription with QoS 2'
  return undefined
}

/** Asked once more for every message on its way out, so that no mistake about subscriptions can leak one. */
export function mayReceive(session: Party | undefined, topic: string): boolean {
  return session?.identity !== undefined && (topic === session.topics.commands || topic === session.topics.errors)
}
