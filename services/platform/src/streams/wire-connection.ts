import type { StreamConnection as WireConnection } from '@roadworthy/contracts/platform-v1/stream-connection'
import type { ConsumerState, StreamConsumerStatus } from './consumers.sql.ts'
import { deadLetterTopicOf, type StreamConnection } from './stream-connection.ts'
import { describeStrike, type Strike } from './strikes.ts'

/** The worst last. */
const statesByTrouble: readonly ConsumerState[] = ['running', 'connecting', 'waiting', 'failed']

/** `strike`: while the connection is left out. */
export function toPlatformConnection(
  connection: StreamConnection,
  consumers: readonly StreamConsumerStatus[],
  strike: Strike | undefined,
): WireConnection {
  const { enabled, brokers, topic, groupId, startAt, tls, sasl } = connection
  return {
    enabled,
    brokers: [...brokers],
    topic,
    deadLetterTopic: deadLetterTopicOf(topic),
    groupId,
    startAt,
    tls: tls === undefined ? null : { ca: tls.ca ?? null, certificate: tls.certificate ?? null, hasKey: tls.hasKey },
    sasl: sasl === undefined ? null : { ...sasl },
    status: toStatus(enabled, enabled ? consumers : [], strike),
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  }
}

function toStatus(enabled: boolean, consumers: readonly StreamConsumerStatus[], strike: Strike | undefined): WireConnection['status'] {
  if (!enabled) return { state: 'disabled', detail: null, lagMessages: null, consumers: [] }
  if (strike !== undefined) {
    const state = strike.isQuarantined ? 'quarantined' : 'failed'
    return { state, detail: describeStrike(strike), lagMessages: null, consumers: [] }
  }
  const [worst] = [...consumers].sort((a, b) => statesByTrouble.indexOf(b.state) - statesByTrouble.indexOf(a.state))
  const isLagKnown = consumers.length > 0 && consumers.every(({ lagMessageCount }) => lagMessageCount !== undefined)
  return {
    state: worst?.state ?? 'connecting',
    detail: worst?.detail ?? consumers.find(({ detail }) => detail !== undefined)?.detail ?? null,
    lagMessages: isLagKnown ? consumers.reduce((total, { lagMessageCount = 0 }) => total + lagMessageCount, 0) : null,
    consumers: consumers.map((each) => ({
      id: each.consumerId,
      state: each.state,
      detail: each.detail ?? null,
      partitions: [...each.partitions].sort((a, b) => a - b),
      lagMessages: each.lagMessageCount ?? null,
      storedRecords: each.storedCount,
      duplicateRecords: each.duplicateCount,
      deadLetters: each.setAsideCount,
      warnings: each.warnings.map((warning) => ({ ...warning, lastAt: warning.lastAt.toISOString() })),
      lastMessageAt: each.lastMessageAt?.toISOString() ?? null,
      since: each.since.toISOString(),
      updatedAt: each.updatedAt.toISOString(),
    })),
  }
}
