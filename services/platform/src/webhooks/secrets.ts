// Of an endpoint, what must be read back and must not be read by whoever gets hold of the database.

import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import type { SigningSecret } from './signing.ts'

/** The purpose of the sealer that these functions take. */
export const WEBHOOK_SECRETS = 'webhooks'

export type AddedHeaders = Readonly<Record<string, string>>

export type EndpointPlace = { readonly resellerId: string; readonly endpointId: string }

export function webhookContext(kind: 'secrets' | 'headers', { resellerId, endpointId }: EndpointPlace): string {
  return `${kind} ${resellerId} ${endpointId}`
}

/** Newest first. */
export function sealSecrets(sealer: Sealer, place: EndpointPlace, secrets: readonly SigningSecret[]): Buffer {
  return sealer.seal(JSON.stringify(secrets), webhookContext('secrets', place))
}

export function openSecrets(sealer: Sealer, place: EndpointPlace, sealed: Buffer): SigningSecret[] {
  return JSON.parse(sealer.open(sealed, webhookContext('secrets', place))) as SigningSecret[]
}

export function sealHeaders(sealer: Sealer, place: EndpointPlace, headers: AddedHeaders): Buffer | undefined {
  return Object.keys(headers).length === 0 ? undefined : sealer.seal(JSON.stringify(headers), webhookContext('headers', place))
}

export function openHeaders(sealer: Sealer, place: EndpointPlace, sealed: Buffer | undefined): AddedHeaders {
  return sealed === undefined ? {} : (JSON.parse(sealer.open(sealed, webhookContext('headers', place))) as AddedHeaders)
}
