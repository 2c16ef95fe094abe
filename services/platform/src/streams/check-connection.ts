// What is wrong with a connection by its settings alone.

import { X509Certificate } from 'node:crypto'
import type { PutStreamConnectionRequest } from '@roadworthy/contracts/platform-v1/stream-connection'
import { isBrokerAddress, KAFKA_TOPIC } from '@roadworthy/kafka/kafka-names'
import { certificatesOf, privateKeyOf } from '@roadworthy/kafka/tls-pem'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type AddressGuard, ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import { hostOf, portOf } from './stream-connection.ts'

const LEAST_UNPRIVILEGED_PORT = 1_024
const HTTPS_PORT = 443
const RESOLVE_MS = 4_000

const wrong = (field: string, message: string) => new Problem('invalid_request', message, { details: { field } })

/** Throws `Problem('invalid_request')` naming the field. */
export function checkConnection({ brokers, topic, tls }: PutStreamConnectionRequest): void {
  const repeated = brokers.find((broker, nth) => brokers.indexOf(broker) !== nth)
  if (repeated !== undefined) throw wrong('brokers', `${JSON.stringify(repeated)} is given twice.`)
  for (const broker of brokers) {
    if (!isBrokerAddress(broker)) throw wrong('brokers', `${JSON.stringify(broker)} is not of the form HOST:PORT.`)
    const port = portOf(broker)
    if (port >= LEAST_UNPRIVILEGED_PORT || port === HTTPS_PORT) continue
    throw wrong('brokers', `Port ${port} of ${JSON.stringify(broker)} is refused: ${HTTPS_PORT}, or from ${LEAST_UNPRIVILEGED_PORT} up.`)
  }
  if (!KAFKA_TOPIC.test(topic)) throw wrong('topic', 'A topic is named in letters, digits, dots, hyphens and underscores.')
  const { ca, certificate } = tls ?? {}
  for (const [field, pem] of Object.entries({ 'tls.ca': ca, 'tls.certificate': certificate })) {
    if (pem !== undefined && pem !== null && certificatesOf(pem).length === 0)
      throw wrong(field, `"${field}" holds no certificate that can be read. PEM is wanted.`)
  }
}

/** Of the certificate and the key that would be stored. */
export function checkCertificateWithKey(certificate: string | undefined, key: string | undefined): void {
  if ((certificate === undefined) !== (key === undefined)) {
    const absent = certificate === undefined ? 'tls.certificate' : 'tls.key'
    throw wrong(absent, 'A certificate and its private key go together: give both or neither.')
  }
  if (certificate === undefined || key === undefined) return
  const privateKey = privateKeyOf(key)
  if (privateKey === undefined)
    throw wrong('tls.key', '"tls.key" holds no private key that can be read. PEM without a passphrase is wanted.')
  if (!new X509Certificate(certificate).checkPrivateKey(privateKey)) {
    throw wrong('tls.key', '"tls.key" is not the private key of the certificate in "tls.certificate".')
  }
}

/** Refuses brokers that may not be connected to. A name that has no address is taken: the test of the connection reports it, and it may get one. */
export async function checkTargets(guard: AddressGuard, brokers: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(RESOLVE_MS)
  for (const broker of brokers) {
    try {
      await guard(hostOf(broker), signal)
    } catch (error) {
      if (error instanceof ForbiddenTargetError) throw wrong('brokers', error.message)
    }
  }
}
