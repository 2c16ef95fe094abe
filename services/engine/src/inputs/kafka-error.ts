// The Kafka client nests its errors several deep; what helps the one who runs the engine is at the bottom.
import { tlsSettingBehind } from './input-tls.ts'

type NestedError = Error & { readonly code?: string; readonly apiId?: string; readonly errors?: readonly unknown[] }

const MAX_DEPTH = 8

/** The innermost reason in one clause, with its code where the message does not say it. */
export function explainKafkaError(error: unknown): string {
  let innermost = error as NestedError
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = (innermost.errors?.[0] ?? innermost.cause) as NestedError | undefined
    if (!(next instanceof Error)) break
    // An aggregate of connection attempts may have no words of its own, and its parts may have none either.
    if (next.message === '' && next.code === undefined && next.errors === undefined) break
    innermost = next
  }
  const { message, apiId, code } = innermost
  const name = apiId ?? code
  const text = message.replace(/\.$/, '')
  if (text === '') return name ?? 'unknown error'
  return name === undefined || text.includes(name) ? text : `${text} (${name})`
}

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

/** Whether the broker answered with this error, anywhere in what the client made of it. */
export function hasApiId(error: unknown, apiId: string, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false
  const { apiId: own, errors = [], cause } = error as NestedError
  return own === apiId || hasApiId(cause, apiId, depth + 1) || errors.some((nested) => hasApiId(nested, apiId, depth + 1))
}
