// What stands in the form of the stream connection, and what is sent of it. Secrets are typed in and never come back: an empty field leaves what
// is stored.

import type { PutStreamConnectionRequest, StreamConnection } from '@roadworthy/contracts/platform-v1/stream-connection'

export const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const
export type Mechanism = (typeof mechanisms)[number]

export type StreamForm = {
  readonly brokers: string
  readonly topic: string
  readonly groupId: string
  readonly startAt: 'earliest' | 'latest'
  readonly isTls: boolean
  readonly ca: string
  readonly certificate: string
  readonly key: string
  readonly mechanism: Mechanism | 'none'
  readonly username: string
  readonly password: string
}

export function formOf(connection: StreamConnection | null): StreamForm {
  return {
    brokers: connection?.brokers.join('\n') ?? '',
    topic: connection?.topic ?? '',
    groupId: connection?.groupId ?? '',
    startAt: connection?.startAt ?? 'earliest',
    isTls: connection === null || connection.tls !== null,
    ca: connection?.tls?.ca ?? '',
    certificate: connection?.tls?.certificate ?? '',
    key: '',
    mechanism: connection === null ? 'SCRAM-SHA-512' : (connection.sasl?.mechanism ?? 'none'),
    username: connection?.sasl?.username ?? '',
    password: '',
  }
}

/** Undefined while something is missing. */
export function requestOf(form: StreamForm, enabled: boolean): PutStreamConnectionRequest | undefined {
  const brokers = form.brokers
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const isSignedIn = form.mechanism !== 'none'
  if (brokers.length === 0 || form.topic.trim() === '' || (isSignedIn && form.username.trim() === '')) return undefined
  const groupId = form.groupId.trim()
  return {
    enabled,
    brokers,
    topic: form.topic.trim(),
    ...(groupId === '' ? {} : { groupId }),
    startAt: form.startAt,
    tls: form.isTls
      ? { ca: pemOf(form.ca), certificate: pemOf(form.certificate), ...(form.key.trim() === '' ? {} : { key: form.key.trim() }) }
      : null,
    sasl: form.mechanism === 'none' ? null : { mechanism: form.mechanism, username: form.username.trim(), ...passwordOf(form.password) },
  }
}

const pemOf = (text: string) => (text.trim() === '' ? null : text.trim())
const passwordOf = (password: string) => (password === '' ? {} : { password })
