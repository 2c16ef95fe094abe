// Which setting of the engine an error of the Kafka client speaks of.
import { MAX_DEPTH, type NestedError } from '@roadworthy/kafka/kafka-error'
import { tlsSettingBehind } from './input-tls.ts'

/** The setting that the error speaks of, anywhere in what the client made of it, or undefined. */
export function settingBehindKafkaError(error: unknown, hasTls: boolean, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined
  const { code, message, errors = [], cause } = error as NestedError
  if (code === 'PLT_KFK_AUTHENTICATION') return 'ENGINE_KAFKA_SASL_USERNAME and ENGINE_KAFKA_SASL_PASSWORD'
  // With TLS 1.3 a broker looks at the certificate when the client takes itself for connected. The client knows the alert and keeps it to itself.
  if (hasTls && message === 'Connection closed') return 'ENGINE_KAFKA_TLS_CERT_FILE, if the broker asks for a certificate'
  const own = tlsSettingBehind(code, 'ENGINE_KAFKA_TLS')
  return [...errors, cause].reduce<string | undefined>((found, nested) => found ?? settingBehindKafkaError(nested, hasTls, depth + 1), own)
}
