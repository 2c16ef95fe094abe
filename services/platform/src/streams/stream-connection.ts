// What a reseller sets for its brokers, and how it is connected to.

import { isIP } from 'node:net'
import type { SaslMechanism } from '@roadworthy/contracts/stream/sasl-mechanisms'
import type { KafkaConnection } from '@roadworthy/kafka/kafka-client'
import type { TlsPems } from '@roadworthy/kafka/tls-pem'
import type { AddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { withSecrets } from '@roadworthy/service-kit/process/settings'
import type { StreamSecrets } from './secrets.ts'

export type StartAt = 'earliest' | 'latest'

export type StreamConnection = {
  readonly resellerId: string
  readonly enabled: boolean
  /** `HOST:PORT`, an IPv6 address in brackets. */
  readonly brokers: readonly string[]
  readonly topic: string
  readonly groupId: string
  readonly startAt: StartAt
  /** PEM. Undefined: plain text. */
  readonly tls: { readonly ca: string | undefined; readonly certificate: string | undefined; readonly hasKey: boolean } | undefined
  readonly sasl: { readonly mechanism: SaslMechanism; readonly username: string; readonly hasPassword: boolean } | undefined
  /** Another one with every change. */
  readonly revision: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Spec gap §6.2. */
export function deadLetterTopicOf(topic: string): string {
  return `${topic}.dlq`
}

/** What the client takes. Addresses are judged by `guard` whenever one is connected to. */
export function toKafkaConnection(connection: StreamConnection, secrets: StreamSecrets, guard: AddressGuard): KafkaConnection {
  const { brokers, tls, sasl } = connection
  return {
    clientId: 'roadworthy-platform',
    bootstrapBrokers: [...brokers],
    guard,
    // An address is no server name (RFC 6066 §3).
    ...(tls === undefined ? {} : { tls: toPems(tls, secrets), tlsServerName: !brokers.some((broker) => isIP(hostOf(broker)) !== 0) }),
    ...(sasl === undefined
      ? {}
      : { sasl: withSecrets({ mechanism: sasl.mechanism, username: sasl.username }, { password: secrets.password ?? '' }) }),
  }
}

function toPems({ ca, certificate }: NonNullable<StreamConnection['tls']>, { key }: StreamSecrets): TlsPems {
  const shown = { ...(ca === undefined ? {} : { ca }), ...(certificate === undefined ? {} : { cert: certificate }) }
  return key === undefined ? shown : withSecrets(shown, { key })
}

/** Without brackets. */
export function hostOf(broker: string): string {
  return broker.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

export function portOf(broker: string): number {
  return Number(/\d+$/.exec(broker)?.[0])
}
